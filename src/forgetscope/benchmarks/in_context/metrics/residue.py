"""Residue in each scenario, against dialogues in which the thing was never said (protocols.md, section 5).

- Instructional forgetting: does the fact come out (leak rule)? Told is the NoForget form, deleted the Forget form,
  never told a memory M rewritten without the fact, without F (N_T) and with it (N_D).
- Subtask revision: which share of the original-only subtasks is carried out? Told is the original instruction alone,
  deleted the Forget form, never told the NoForget form, which is the revised instruction alone.
- Dynamic preference: is the old option chosen? Told is the NoForget form, deleted the Forget form, never told no
  preference at all (N_T) and the new one alone (N_D).

Where the request itself states the fact there is no N_D: those items have figures of their own, with N_T in its place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from forgetscope.benchmarks.in_context.data.forms import Arm, Form
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import Scenario
from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.scoring.forgetting import Leak
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.residue import Circumstances, read_residue, residue_figures, unscored_shares
from forgetscope.stats.residue import Arms, Rung

_SCORED = pl.col("status").is_in([Status.CORRECT.value, Status.INCORRECT.value])
_RECALLED = [leak.value for leak in Leak if leak.recalls]

Kind = tuple[Form, Arm]

_FORGET: Kind = (Form.FORGET, Arm.PAPER)
_NOFORGET: Kind = (Form.NOFORGET, Arm.PAPER)
_NEVER: Kind = (Form.NOFORGET, Arm.NEVER)
_NEVER_FORGET: Kind = (Form.FORGET, Arm.NEVER)


@dataclass(frozen=True)
class ArmsDesign:
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

    def arms(self, frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
        """The samples of each arm, by the names that `Arms` has for them."""
        chosen = frame if self.chosen is None else frame.filter(self.chosen)
        return {
            name: chosen.filter((pl.col("form") == form.value) & (pl.col("arm").fill_null("") == arm.value))
            for name, (form, arm) in (
                ("told", self.told),
                ("deleted", self.deleted),
                ("never_told", self.never_told),
                ("never_deleted", self.never_deleted),
            )
        }


_LEAKED = pl.col("leak").is_in(_RECALLED).cast(pl.Float64)
_NAMED = pl.col("request_names_fact")
_OLD = (pl.col("chosen") == "old").cast(pl.Float64)
_ORIGINAL = pl.when(pl.col("original_only_done").list.len() > 0).then(
    pl.col("original_only_done").list.eval(pl.element().cast(pl.Float64)).list.mean()
)

DESIGNS: Mapping[Scenario, tuple[ArmsDesign, ...]] = {
    Scenario.INSTRUCTIONAL_FORGETTING: (
        ArmsDesign("request", _LEAKED, _NOFORGET, _FORGET, _NEVER, _NEVER_FORGET, ~_NAMED),
        ArmsDesign("request_states_fact", _LEAKED, _NOFORGET, _FORGET, _NEVER, _NEVER, _NAMED),
        ArmsDesign("placebo", _LEAKED, _NOFORGET, (Form.FORGET, Arm.PLACEBO), _NEVER, _NEVER),
    ),
    Scenario.SUBTASK_REVISION: (
        ArmsDesign("revision", _ORIGINAL, (Form.NOFORGET, Arm.TOLD), _FORGET, _NOFORGET, _NOFORGET),
    ),
    Scenario.DYNAMIC_PREFERENCE: (ArmsDesign("new_preference", _OLD, _NOFORGET, _FORGET, _NEVER, _NEVER_FORGET),),
}


def in_context_residues(study: InContextStudy) -> Iterator[Figure]:
    """The residues of every cell that has the arms for them, asked as the item asks."""
    for key in study.set_against:
        for design in DESIGNS[Scenario(key.scenario)]:
            measured = measure(design, study.of_query(key))
            if measured is not None:
                yield from measured.figures(study, key, DialogueProbe.QUERY)


@dataclass(frozen=True)
class MeasuredArms:
    """The arms of one design in some samples.

    Attributes:
        design: Which.
        rung: The scores of the items that have one in every arm.
        statuses: Of all samples of each arm.
        asked: Items of the told arm.
    """

    design: ArmsDesign
    rung: Rung
    statuses: Mapping[str, list[str]]
    asked: int

    def figures(self, study: InContextStudy, key: DialogueCell, probe: DialogueProbe) -> Iterator[Figure]:
        """The residue with its word, and the arms."""
        around = Circumstances(
            {name: unscored_shares(statuses) for name, statuses in self.statuses.items()},
            control_told=_answered(study, key, Form.NOFORGET),
            control_deleted=_answered(study, key, Form.FORGET),
        )
        reading = read_residue(self.rung.arms, around)
        left_out = self.asked - len(self.rung.items)
        yield from residue_figures(self.factors(key, probe), self.rung.arms, reading, excluded=left_out)

    def factors(self, key: DialogueCell, probe: str) -> dict[str, Cell]:
        """Of its figures."""
        return {**key.factors, "part": key.scenario, "condition": self.design.condition, "probe": str(probe)}


def measure(design: ArmsDesign, frame: pl.DataFrame) -> MeasuredArms | None:
    """The arms of a design; None where one of them has no sample."""
    parts = design.arms(frame)
    if any(part.is_empty() for part in parts.values()):
        return None
    scores = {name: _by_item(part, design.score) for name, part in parts.items()}
    items = sorted(set.intersection(*(set(found) for found in scores.values())))
    arms = Arms(**{name: np.array([found[item] for item in items]) for name, found in scores.items()})
    statuses = {name: part["status"].to_list() for name, part in parts.items()}
    return MeasuredArms(design, Rung(tuple(items), arms), statuses, parts["told"]["item"].n_unique())


def _by_item(frame: pl.DataFrame, score: pl.Expr) -> dict[str, float]:
    return dict(mean_scores(frame, score, ["item"]).iter_rows())


def mean_scores(frame: pl.DataFrame, score: pl.Expr, by: Sequence[str]) -> pl.DataFrame:
    """The mean `score` of the scored samples, a row each of what `by` names."""
    scored = frame.filter(_SCORED).with_columns(score=score).filter(pl.col("score").is_not_null())
    return scored.group_by(by).agg(pl.col("score").mean())


def _answered(study: InContextStudy, key: DialogueCell, form: Form) -> float | None:
    """Neighbour questions that are still answered, the control of instructional forgetting; None where none was put."""
    if key.scenario != Scenario.INSTRUCTIONAL_FORGETTING.value:
        return None
    asked = study.neighbours_of(key).filter((pl.col("form") == form.value) & _SCORED)
    return asked.filter(pl.col("status") == Status.CORRECT.value).height / asked.height if asked.height else None


METRIC = InContextMetric(in_context_residues)
