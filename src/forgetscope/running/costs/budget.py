"""A limit on what a run spends or sends. What it has spent is counted from its journal, so it survives any kill.

A call is let through only where its highest possible cost still fits: the request counted in cl100k tokens, and a
reply as long as allowed. Calls in flight hold their highest cost reserved; one that would fit without them waits. So
a run stays within its limit as far as its token counts are right (pictures and failed attempts are not counted).
Judges are never stopped, for their verdicts on replies already paid for are part of them; what they cost counts.

A run whose inputs cannot be read stops as well, once they are a mass and more than its completeness floor allows.
"""

import asyncio
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tenacity import RetryError

from forgetscope.benchmarks.base import INPUT_ERROR_KEY
from forgetscope.core.errors import ForgetscopeError
from forgetscope.running.costs.prices import Price, Tokens, cost, dollars, price_of

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.solver import Generate, TaskState

_PAUSE = 0.02
"""Seconds between two looks whether a call in flight has given back what it reserved."""


class BudgetReached(ForgetscopeError):  # noqa: N818 - a state of affairs
    """The run may send nothing more."""


@dataclass(frozen=True, slots=True)
class Spent:
    """A call that has been paid for."""

    model: str
    sample: str
    tokens: Tokens


class Budget:
    """What a run may spend and has spent.

    Args:
        max_usd: US dollars; None for no limit.
        max_samples: Samples; None for no limit.
        prices: By model name or pattern; every model of the run has one where `max_usd` is given.
        spent: Calls of earlier processes.
    """

    def __init__(
        self,
        max_usd: float | None,
        max_samples: int | None,
        prices: Mapping[str, Price],
        spent: Iterable[Spent] = (),
    ) -> None:
        self._max_usd = max_usd
        self._max_samples = max_samples
        self._prices = prices
        self._samples: set[str] = set()
        self._usd = 0.0
        self._reserved = 0.0
        self._reached = ""
        for entry in spent:
            self._samples.add(entry.sample)
            self._usd += self._cost(entry.model, entry.tokens)

    @property
    def counts_tokens(self) -> bool:
        """Whether the tokens of a call are needed to let it through."""
        return self._max_usd is not None

    @property
    def reached(self) -> str:
        """Why the run was stopped, in words; empty where it was not."""
        return self._reached

    async def admit(self, model: str, sample: str, highest: Tokens) -> float:
        """Wait until a call may be made, and reserve its highest cost, which is returned.

        Raises:
            BudgetReached: it may not be made.
        """
        if self._max_samples is not None and sample not in self._samples and len(self._samples) >= self._max_samples:
            raise self._stop(f"{len(self._samples)} samples were sent (--max-samples {self._max_samples})")
        wanted = self._cost(model, highest)
        while self._max_usd is not None and self._usd + self._reserved + wanted > self._max_usd:
            if self._usd + wanted > self._max_usd:
                limit = f"--max-usd {self._max_usd:g}"
                raise self._stop(
                    f"{dollars(self._usd)} were spent and the next call could cost {dollars(wanted)} ({limit})"
                )
            await asyncio.sleep(_PAUSE)
        self._samples.add(sample)
        self._reserved += wanted
        return wanted

    def settle(self, model: str, reserved: float, tokens: Tokens | None) -> None:
        """Give back what a call reserved and count what it cost; None for a call that brought no reply."""
        self._reserved -= reserved
        if tokens is not None:
            self._usd += self._cost(model, tokens)

    def _cost(self, model: str, tokens: Tokens) -> float:
        price = price_of(self._prices, model)
        return 0.0 if price is None else cost(price, tokens)

    def _stop(self, why: str) -> BudgetReached:
        self._reached = why
        return BudgetReached(f"not sent: {why}; continue with 'forgetscope resume DIR' and a higher limit")


A_MASS = 10
"""Inputs that cannot be read, below which a run goes on, however few samples it has."""


class UnreadableInputError(ForgetscopeError):
    """A sample whose input cannot be read, or one that was not sent because so many others cannot."""


def _forget_what_it_came_from(error: Exception) -> None:
    """Keep of an error only itself and, of used-up retries, the last attempt's.

    Inspect draws the traceback of each error and of all it came from: 0.4 CPU s where a provider's package and the
    two below it each raise their own.
    """
    last = error.__cause__ if isinstance(error, RetryError) else error
    if last is not None:
        last.__cause__ = None
        last.__suppress_context__ = True


class InputFloor:
    """Watches that the inputs of a run can be read; a sample whose input cannot is looked at again by a resume.

    Args:
        planned: Samples of the run.
        floor: Its completeness floor.
    """

    def __init__(self, planned: int, floor: float) -> None:
        self._planned = planned
        self._floor = floor
        self._unreadable = 0
        self.reached = ""
        """Why the run was stopped, in words; empty where it was not."""

    def note(self, sample: str, why: str) -> None:
        """Count a sample whose input cannot be read."""
        self._unreadable += 1
        if self._unreadable >= A_MASS and self._unreadable > self._planned * (1 - self._floor) and not self.reached:
            self.reached = (
                f"{self._unreadable} inputs cannot be read (the last one: {sample}: {why}), more than a completeness "
                f"of {self._floor:.1%} allows, so the rest was not sent; mend them first"
            )

    def watch(self, task: "Task") -> None:
        """Look at each sample of the task before and after its solver. The task is the same one to Inspect."""
        solver = task.solver
        if not hasattr(solver, "__registry_info__"):  # several in a row: none of ours
            return

        @functools.wraps(solver)  # takes over what Inspect knows the solver by
        async def watched(state: "TaskState", generate: "Generate") -> "TaskState":
            if self.reached:
                raise UnreadableInputError(f"not sent: {self.reached}; continue with 'forgetscope resume DIR'")
            try:
                done = await solver(state, generate)
            except Exception as error:
                _forget_what_it_came_from(error)
                raise
            why = done.metadata.get(INPUT_ERROR_KEY)
            if why:
                self.note(str(done.sample_id), str(why))
                raise UnreadableInputError(str(why))
            return done

        task.solver = watched
