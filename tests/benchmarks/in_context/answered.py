"""Sample tables of this benchmark without a run: embedded items, replies of the reference models, the real scoring."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from forgetscope.benchmarks.in_context.data.forms import InContextSample, Replies
from forgetscope.benchmarks.in_context.data.items import InstructionalForgettingItem
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.plan import iter_samples
from forgetscope.benchmarks.in_context.prompts import system_message
from forgetscope.benchmarks.in_context.scoring.columns import SCHEMA
from forgetscope.benchmarks.in_context.scoring.row import score_sample
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.benchmarks.in_context.validation.reference import publish_answer_key, respond
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import Completion, Value, build_table
from forgetscope.io.tables import write_table
from forgetscope.running.finished import TABLE_NAME
from forgetscope.running.manifest import write_manifest
from forgetscope.stats import named_stream
from tests.report.synthetic import make_run

MIXED = ("perfect-forgetter", "perfect-forgetter", "stubborn", "amnesiac", "stubborn")


def mixed_model(sample: InContextSample) -> str:
    """A model that is one reference model on some items and another on others."""
    return MIXED[int(sample.item.id.rsplit("-", 1)[-1]) % len(MIXED)]


@cache
def answered_table(settings: InContextSettings, name: str = "mixed") -> pl.DataFrame:
    """The table of a run of a reference model, or of the mixed one."""
    data = load_data(settings.data)
    publish_answer_key(data.items)
    choose: Callable[[InContextSample], str] = mixed_model if name == "mixed" else lambda _: name
    samples = [(sample, _replies(choose(sample), sample)) for sample, _ in iter_samples(settings, data)]
    return build_table((_row(sample, replies, name) for sample, replies in samples), SCHEMA)


def _row(sample: InContextSample, replies: Replies, name: str) -> dict[str, Value]:
    system = system_message(sample.item.scenario, sample.strategy)
    return score_sample(sample, replies, (), model=name, system=system)


def _replies(name: str, sample: InContextSample) -> Replies:
    from forgetscope.benchmarks.in_context.data.forms import NO_FILLER

    said = [("system", system_message(sample.item.scenario, sample.strategy))]
    first = None
    for turn in sample.turns(NO_FILLER):
        if turn.live:
            first = _completion(respond(name, said))
            said.append(("assistant", first.reply))
        else:
            said.append((turn.role, turn.content))
    answer = _completion(respond(name, said))
    reask = None
    if sample.reask and isinstance(sample.item, InstructionalForgettingItem) and sample.item.reask is not None:
        reask = _completion(respond(name, [*said, ("assistant", answer.reply), ("user", sample.item.reask)]))
    return Replies(answer, first=first, reask=reask)


def _completion(reply: str | None) -> Completion:
    assert reply is not None
    return Completion(reply, FinishReason.STOP)


def write_run(folder: Path, table: pl.DataFrame, settings: InContextSettings) -> Path:
    """A run folder with this table, as far as commands need one that read the table alone."""
    folder.mkdir(parents=True)
    manifest = make_run(folder, table).manifest
    write_manifest(folder, manifest.model_copy(update={"benchmark": "in-context", "settings": settings.model_dump()}))
    write_table(table, folder / TABLE_NAME)
    return folder


def with_judge(table: pl.DataFrame, *, sensitivity: float, specificity: float, seed: int = 1) -> pl.DataFrame:
    """The table with a judge's verdicts that err at these rates against the rule's."""
    draw = named_stream(seed, "a judge with errors").random(table.height)
    right = table["rule_pass"].to_numpy(allow_copy=True)
    known = table["rule_pass"].is_not_null().to_numpy()
    judged = np.where(right == True, draw < sensitivity, draw >= specificity)  # noqa: E712 - None is neither
    verdicts = [bool(verdict) if has else None for verdict, has in zip(judged, known, strict=True)]
    return table.with_columns(
        judge_pass=pl.Series(verdicts, dtype=pl.Boolean),
        judge_status=pl.Series(
            [None if v is None else "correct" if v else "incorrect" for v in verdicts], dtype=pl.String
        ),
        judge_names=pl.Series([[] if v is None else ["lab/judge"] for v in verdicts], dtype=pl.List(pl.String)),
        judge_votes=pl.Series([[] if v is None else [v] for v in verdicts], dtype=pl.List(pl.Boolean)),
    )
