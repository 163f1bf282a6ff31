"""Which samples were right in one run and wrong in another, both ways; and the table to read them in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from forgetscope.comparison.design import SampleOutcome


class Change(StrEnum):
    """What became of a sample from the first run to another."""

    LOST = "lost"
    GAINED = "gained"
    RIGHT = "right"
    WRONG = "wrong"
    UNSCORED = "unscored"


CHANGE_NAMES = {
    Change.LOST.value: "right, now wrong",
    Change.GAINED.value: "wrong, now right",
    Change.RIGHT.value: "right in both",
    Change.WRONG.value: "wrong in both",
    Change.UNSCORED.value: "not scored in both",
}

_CHANGES = {
    (True, False): Change.LOST,
    (False, True): Change.GAINED,
    (True, True): Change.RIGHT,
    (False, False): Change.WRONG,
}


@dataclass(frozen=True)
class OutcomeChanges:
    """How the samples of one outcome changed from the first run to another.

    Attributes:
        run: Place of the other run.
        samples: Sample ids with what became of each, in the order of the ids.
        same_reply: Samples with the very same reply in both.
    """

    outcome: SampleOutcome
    run: int
    samples: tuple[tuple[str, Change], ...]
    same_reply: int

    @property
    def counts(self) -> Counter[Change]:
        """Samples by what became of them."""
        return Counter(change for _, change in self.samples)

    @property
    def changed(self) -> tuple[tuple[str, Change], ...]:
        """The samples that were right in one of the two runs only."""
        return tuple(entry for entry in self.samples if entry[1] in (Change.LOST, Change.GAINED))


def sample_changes(outcomes: Sequence[SampleOutcome], tables: Sequence[pl.DataFrame]) -> tuple[OutcomeChanges, ...]:
    """What became of every sample that the outcome is of, from the first run to each other one.

    Args:
        outcomes: As the benchmark declares them.
        tables: The matched samples of each run, in the same order.
    """
    found = []
    for outcome in outcomes:
        verdicts = [table.select(right=outcome.right)["right"].to_list() for table in tables]
        ids, replies = tables[0]["sample_id"].to_list(), [table["reply"].to_list() for table in tables]
        for run in range(1, len(tables)):
            pairs = list(zip(verdicts[0], verdicts[run], strict=True))
            concerned = [place for place, pair in enumerate(pairs) if pair != (None, None)]
            samples = tuple((ids[place], _CHANGES.get(pairs[place], Change.UNSCORED)) for place in concerned)
            same = sum(replies[0][place] == replies[run][place] for place in concerned)
            found.append(OutcomeChanges(outcome, run, samples, same))
    return tuple(found)


RUN_COLUMN = "run"


def change_column(outcome: SampleOutcome) -> str:
    """The column of the joint table that says what became of a sample."""
    return f"change_{outcome.name}"


def joint_table(
    labels: Sequence[str], tables: Sequence[pl.DataFrame], changes: Sequence[OutcomeChanges]
) -> pl.DataFrame:
    """All matched samples of all runs with the run's label; beside each later run's, what changed since the first.

    Samples that changed come first.
    """
    names = list(dict.fromkeys(change_column(entry.outcome) for entry in changes))
    parts = []
    for run, (label, table) in enumerate(zip(labels, tables, strict=True)):
        known = {change_column(entry.outcome): dict(entry.samples) for entry in changes if entry.run == run}
        became = {name: [known.get(name, {}).get(sample) for sample in table["sample_id"]] for name in names}
        columns = [
            pl.Series(name, [entry and entry.value for entry in values], pl.String) for name, values in became.items()
        ]
        parts.append(table.with_columns(pl.lit(label).alias(RUN_COLUMN), *columns))
    moved = [pl.col(name).is_in([Change.LOST.value, Change.GAINED.value]).fill_null(value=False) for name in names]
    return pl.concat(parts).sort(pl.any_horizontal(moved), descending=True, maintain_order=True)
