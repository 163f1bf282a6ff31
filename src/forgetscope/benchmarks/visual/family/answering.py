"""From members and an examination to the sample table, and from the table to the cells the hypotheses are about."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from forgetscope.benchmarks.visual.data.conditions import Control
from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.benchmarks.visual.family.examination import ACCESS, ASKED, LOSS, Examination
from forgetscope.benchmarks.visual.scoring.row import SCHEMA, score_sample
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.results import Completion, Value, build_table
from forgetscope.models.glimpse.family import MEMBERS
from forgetscope.models.glimpse.hypotheses import FAMILY, NO_PICTURE, PICTURE, SHUFFLED, CellAnswers, Key
from forgetscope.models.glimpse.member import Glimpse

_SIGHTS = {
    Control.NONE.value: PICTURE,
    Control.NO_IMAGE.value: NO_PICTURE,
    Control.SHUFFLED_IMAGE.value: SHUFFLED,
    Control.OPTION_ONLY.value: "option_only",
}

SAME_AS = {"glimpse-dose-100": "glimpse-obedient"}
"""A member with the eye and the decoder of another: the same model by another name, asked once."""


def answered(member: Glimpse, exam: Examination) -> pl.DataFrame:
    """The sample table of one member: all forms for the 2 x 2, what their hypotheses need for the others."""
    forms = ASKED if member.member.name in FAMILY else LOSS if member.member.is_confused else ACCESS
    samples = list(exam.part(forms))
    asked = ((sample.prompt, exam.pictures[sample.image] if sample.image else None) for sample in samples)
    replies = zip(samples, member.first_tokens(asked), strict=True)
    return build_table((_row(member.member.name, sample, reply) for sample, reply in replies), SCHEMA)


def _row(name: str, sample: VisualSample, reply: str) -> dict[str, Value]:
    # Asked for a digit, a member writes it and ends: what might follow its first token is not waited for.
    completion = Completion(reply=reply, finish_reason=FinishReason.STOP, output_tokens=1)
    return score_sample(sample, completion, model=name)


def cells(table: pl.DataFrame) -> dict[Key, CellAnswers]:
    """Who answered what right, by member, side, condition and sight; items in the same order throughout."""
    found: dict[Key, CellAnswers] = {}
    effect = table.filter(pl.col("role") == "effect").sort("item")
    keys = ["model", "side", "condition", "control"]
    for (model, side, condition, control), part in effect.partition_by(keys, as_dict=True).items():
        right = (part["status"] == Status.CORRECT.value).to_numpy()
        unread = int((~part["status"].is_in([Status.CORRECT.value, Status.INCORRECT.value])).sum())
        key = (str(model), str(side), str(condition), _SIGHTS[str(control)])
        found[key] = CellAnswers(right, np.array(part["forget_concept"].to_list()), unread)
    for name, other in SAME_AS.items():
        found |= {(name, *key[1:]): cell for key, cell in list(found.items()) if key[0] == other}
    return found


def asked_members(names: Iterable[str] = MEMBERS) -> list[str]:
    """The members that have to be asked: all but those that are another by a second name."""
    return [name for name in names if name not in SAME_AS]
