"""What the doctor measures and says: plain records."""

import math
from dataclasses import asdict, dataclass

from forgetscope.benchmarks.unlearning.methods.advice import Advice, FirstSteps, FormatBudget


@dataclass(frozen=True)
class Cost:
    """What the grid takes on this machine.

    Attributes:
        cells, open_cells: In all, and those without a result.
        steps, tokens: Of all open cells.
        training_seconds: Of all open cells by one worker, from the trials' steps; evaluation comes on top.
        memory_bytes: Of one worker at its peak, estimated: weights, gradients, optimiser, logits, activations.
        peak_bytes: Of this process, trials included, as measured.
        available_bytes: Free on the device now.
        precision: Of forward passes.
    """

    cells: int
    open_cells: int
    steps: int
    tokens: int
    training_seconds: float
    memory_bytes: int
    peak_bytes: int
    available_bytes: int
    precision: str


@dataclass(frozen=True)
class Diagnosis:
    """All the doctor found; advice with the gravest first."""

    budgets: tuple[FormatBudget, ...]
    trials: tuple[FirstSteps, ...]
    cost: Cost
    advice: tuple[Advice, ...]

    @property
    def is_hopeless(self) -> bool:
        """Whether something would make the results, or part of them, worthless."""
        return any(one.level == "stop" for one in self.advice)

    def as_dict(self) -> dict[str, object]:
        """Plain values, for `--json`; what is no finite number is None."""
        return {name: _plain(value) for name, value in asdict(self).items()}


def _plain(value: object) -> object:
    match value:
        case dict():
            return {name: _plain(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
        case float() if not math.isfinite(value):
            return None
        case _:
            return value
