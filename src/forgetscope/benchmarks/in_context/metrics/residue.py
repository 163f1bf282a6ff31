"""Residue in each scenario, against dialogues in which the thing was never said (protocols.md, section 5).

- Instructional forgetting: does the fact come out (leak rule)? Told is the NoForget form, deleted the Forget form,
  never told a memory M rewritten without the fact, without F (N_T) and with it (N_D).
- Subtask revision: which share of the original-only subtasks is carried out? Told is the original instruction alone,
  deleted the Forget form, never told the NoForget form, which is the revised instruction alone.
- Dynamic preference: is the old option chosen? Told is the NoForget form, deleted the Forget form, never told no
  preference at all (N_T) and the new one alone (N_D).

Where the request itself states the fact there is no N_D: those items have figures of their own, with N_T in its place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from forgetscope.benchmarks.in_context.data.forms import Arm, Form
from forgetscope.benchmarks.in_context.data.scenarios import Scenario
from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.scoring.forgetting import Leak
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.residue import Circumstances, read_residue, residue_figures, unscored_shares
from forgetscope.stats.residue import Arms

_SCORED = pl.col("status").is_in([Status.CORRECT.value, Status.INCORRECT.value])
_RECALLED = [leak.value for leak in Leak if leak.recalls]

Kind = tuple[Form, Arm]

_FORGET: Kind = (Form.FORGET, Arm.PAPER)
_NOFORGET: Kind = (Form.NOFORGET, Arm.PAPER)
_NEVER: Kind = (Form.NOFORGET, Arm.NEVER)
_NEVER_FORGET: Kind = (Form.FORGET, Arm.NEVER)


@dataclass(frozen=True)
class _Design:
    """What a residue of a scenario is made of.

    Attributes:
        condition: Its name among the factors.
        score: Of a reply, 0 to 1; null where it has none.
        told, deleted, never_told, never_deleted: The forms and arms.
        chosen: The items it is over.
    """

    condition: str
    score: pl.Expr
    told: Kind
    deleted: Kind
    never_told: Kind
    never_deleted: Kind
    chosen: pl.Expr | None = None


_LEAKED = pl.col("leak").is_in(_RECALLED).cast(pl.Float64)
_NAMED = pl.col("request_names_fact")
_OLD = (pl.col("chosen") == "old").cast(pl.Float64)
_ORIGINAL = pl.when(pl.col("original_only_done").list.len() > 0).then(
    pl.col("original_only_done").list.eval(pl.element().cast(pl.Float64)).list.mean()
)

DESIGNS: Mapping[Scenario, tuple[_Design, ...]] = {
    Scenario.INSTRUCTIONAL_FORGETTING: (
        _Design("request", _LEAKED, _NOFORGET, _FORGET, _NEVER, _NEVER_FORGET, ~_NAMED),
        _Design("request_states_fact", _LEAKED, _NOFORGET, _FORGET, _NEVER, _NEVER, _NAMED),
        _Design("placebo", _LEAKED, _NOFORGET, (Form.FORGET, Arm.PLACEBO), _NEVER, _NEVER),
    ),
    Scenario.SUBTASK_REVISION: (
        _Design("revision", _ORIGINAL, (Form.NOFORGET, Arm.TOLD), _FORGET, _NOFORGET, _NOFORGET),
    ),
    Scenario.DYNAMIC_PREFERENCE: (_Design("new_preference", _OLD, _NOFORGET, _FORGET, _NEVER, _NEVER_FORGET),),
}


def in_context_residues(study: InContextStudy) -> Iterator[Figure]:
    """The residues of every cell that has the arms for them."""
    for key, against in study.set_against.items():
        both = pl.concat([study.cell(key), against])
        for design in DESIGNS[Scenario(key.scenario)]:
            yield from _residue(study, key, both, design)


def _residue(study: InContextStudy, key: DialogueCell, frame: pl.DataFrame, design: _Design) -> Iterator[Figure]:
    chosen = frame if design.chosen is None else frame.filter(design.chosen)
    parts = {
        name: chosen.filter((pl.col("form") == form.value) & (pl.col("arm").fill_null("") == arm.value))
        for name, (form, arm) in (
            ("told", design.told),
            ("deleted", design.deleted),
            ("never_told", design.never_told),
            ("never_deleted", design.never_deleted),
        )
    }
    if any(part.is_empty() for part in parts.values()):
        return
    scores = {name: _by_item(part, design.score) for name, part in parts.items()}
    items = sorted(set.intersection(*(set(found) for found in scores.values())))
    arms = Arms(**{name: np.array([found[item] for item in items]) for name, found in scores.items()})
    around = Circumstances(
        {name: unscored_shares(part["status"].to_list()) for name, part in parts.items()},
        control_told=_answered(study, key, Form.NOFORGET),
        control_deleted=_answered(study, key, Form.FORGET),
    )
    factors: dict[str, Cell] = {**key.factors, "part": key.scenario, "condition": design.condition, "probe": "query"}
    asked = parts["told"]["item"].n_unique()
    yield from residue_figures(factors, arms, read_residue(arms, around), excluded=asked - len(items))


def _by_item(frame: pl.DataFrame, score: pl.Expr) -> dict[str, float]:
    scored = frame.filter(_SCORED).with_columns(score=score).filter(pl.col("score").is_not_null())
    return dict(scored.group_by("item").agg(pl.col("score").mean()).iter_rows())


def _answered(study: InContextStudy, key: DialogueCell, form: Form) -> float | None:
    """Neighbour questions that are still answered, the control of instructional forgetting; None where none was put."""
    if key.scenario != Scenario.INSTRUCTIONAL_FORGETTING.value:
        return None
    asked = study.neighbours_of(key).filter((pl.col("form") == form.value) & _SCORED)
    return asked.filter(pl.col("status") == Status.CORRECT.value).height / asked.height if asked.height else None


METRIC = InContextMetric(in_context_residues)
