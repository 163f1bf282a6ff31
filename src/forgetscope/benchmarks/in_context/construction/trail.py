"""What became of a row at each stage, and the yields over all rows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.building import BuilderReply
from forgetscope.benchmarks.in_context.construction.stages.gates import GateFinding
from forgetscope.benchmarks.in_context.data.items import AnyItem, Scenario

ReplyT = TypeVar("ReplyT", bound=BaseModel)

UNREADABLE = "unreadable reply"
LOST = "the model could not be reached"


class Stopped(Exception):  # noqa: N818 - the ordinary end of a row, not an error
    """The row ends here; the trail says where and why."""


@dataclass
class Trail:
    """A row on its way through the stages of its scenario.

    Attributes:
        stage: Where it is now.
        passed: Stages behind it.
        rejected: Why it ended at `stage`; None as long as it has not.
        is_lost: It ended because a model could not be reached: asked again, it may go on.
        said: The builder's last reply, kept with a reject.
        notes: What is worth keeping beside the item: the builder's reasons for a revision.
    """

    scenario: Scenario
    row: str
    stage: str = ""
    passed: list[str] = field(default_factory=list)
    warnings: list[GateFinding] = field(default_factory=list)
    rejected: GateFinding | None = None
    is_lost: bool = False
    said: str = ""
    notes: dict[str, list[str]] = field(default_factory=dict)
    item: AnyItem | None = None

    def enter(self, stage: str) -> None:
        """Go to the next stage; the one before it is passed."""
        if self.stage:
            self.passed.append(self.stage)
        self.stage = stage

    def value(self, reply: BuilderReply[ReplyT]) -> ReplyT:
        """What a reply holds.

        Raises:
            Stopped: it could not be read, or the model not be reached.
        """
        self.said = reply.text
        if reply.value is None:
            self.is_lost = reply.is_lost
            self.reject(GateFinding(LOST if reply.is_lost else UNREADABLE, reply.problem))
        return reply.value

    def require(self, finding: GateFinding | None) -> None:
        """A hard gate.

        Raises:
            Stopped: it found something.
        """
        if finding is not None:
            self.reject(finding)

    def reject(self, finding: GateFinding) -> NoReturn:
        """End the row at this stage.

        Raises:
            Stopped: always.
        """
        self.rejected = finding
        raise Stopped(finding.reason)

    def finish(self, item: AnyItem) -> None:
        """The row has become an item."""
        self.passed.append(self.stage)
        self.item = item


class StageYield(BaseModel):
    """How many rows came to a stage and what became of them; `entered` is the sum of the other three.

    Attributes:
        rejected: By reason.
        calls, retries: Of the builder and of gates; a retry is a call.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario: str
    stage: str
    entered: int
    passed: int
    rejected: dict[str, int]
    lost: int
    calls: int
    retries: int


class Yields(BaseModel):
    """The yields of a build.

    Attributes:
        warnings: Of items, by scenario and reason.
        verified: Items that a rule can score, by scenario.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: dict[str, int]
    items: dict[str, int]
    verified: dict[str, int]
    lost: int
    stages: list[StageYield]
    warnings: dict[str, dict[str, int]]


def yields_of(
    trails: Sequence[Trail],
    stages: Mapping[Scenario, Sequence[str]],
    calls: Mapping[str, int],
    retries: Mapping[str, int],
    steps: Mapping[str, Sequence[str]],
) -> Yields:
    """Count.

    Args:
        trails: Of all rows.
        stages: Of each scenario that was built, in order.
        calls, retries: By step.
        steps: Of each stage, where its calls are not one of its own name.
    """
    scenarios = list(stages)
    counted = [
        _stage_yield(scenario, stage, _of(trails, scenario), calls, retries, steps.get(stage, (stage,)))
        for scenario in scenarios
        for stage in stages[scenario]
    ]
    items = {scenario: [t.item for t in _of(trails, scenario) if t.item is not None] for scenario in scenarios}
    return Yields(
        rows={scenario.value: len(_of(trails, scenario)) for scenario in scenarios},
        items={scenario.value: len(items[scenario]) for scenario in scenarios},
        verified={scenario.value: sum(item.is_verified for item in items[scenario]) for scenario in scenarios},
        lost=sum(trail.is_lost for trail in trails),
        stages=counted,
        warnings={scenario.value: _warnings(_of(trails, scenario)) for scenario in scenarios},
    )


def _of(trails: Iterable[Trail], scenario: Scenario) -> list[Trail]:
    return [trail for trail in trails if trail.scenario is scenario]


def _warnings(trails: Iterable[Trail]) -> dict[str, int]:
    found = Counter(reason for trail in trails if trail.item for reason in {entry.reason for entry in trail.warnings})
    return dict(sorted(found.items()))


def _stage_yield(
    scenario: Scenario,
    stage: str,
    trails: Sequence[Trail],
    calls: Mapping[str, int],
    retries: Mapping[str, int],
    steps: Sequence[str],
) -> StageYield:
    ended = [trail for trail in trails if trail.rejected is not None and trail.stage == stage]
    passed = sum(stage in trail.passed for trail in trails)
    reasons = Counter(trail.rejected.reason for trail in ended if trail.rejected is not None and not trail.is_lost)
    return StageYield(
        scenario=scenario.value,
        stage=stage,
        entered=passed + len(ended),
        passed=passed,
        rejected=dict(sorted(reasons.items())),
        lost=sum(trail.is_lost for trail in ended),
        calls=sum(calls.get(step, 0) for step in steps),
        retries=sum(retries.get(step, 0) for step in steps),
    )
