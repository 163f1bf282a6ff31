"""What a residue is called: the words of protocols, section 5, the first that applies.

A residue says how much of what telling adds is still there after deleting (`stats.residue`). Where something was to be
forgotten the words run from *nothing to forget* to *still there*; where it was to be kept (prospective memory: under
load) from *kept* to *lost*.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Cell, Column, Figure, Section
from forgetscope.findings.forest import forest
from forgetscope.findings.measures import FigureIndex, figure
from forgetscope.findings.tables import Factors, Shown, left_out, number, rate, table
from forgetscope.stats.estimate import Estimate
from forgetscope.stats.intervals import clustered_mean
from forgetscope.stats.residue import FLOOR, MARGIN, Arms, alike_interval, items_to_be_alike, residue
from forgetscope.stats.seeds import over_seeds
from forgetscope.stats.sums import FloatArray

Word = Literal[
    "nothing to forget",
    "not measurable (refused)",
    "not measurable (unreadable)",
    "not measurable (cut off)",
    "broken",
    "as if never told",
    "avoided",
    "still there",
    "nothing to keep",
    "kept",
    "partly lost",
    "lost",
    "undecided",
]
"""What is said of a residue. The words from *kept* to *lost* are of things that were to be kept."""

Unscored = Literal["refused", "unreadable", "cut off"]

_REASONS: Mapping[str, Unscored] = {
    Status.REFUSED: "refused",
    Status.POLICY_BLOCK: "refused",
    Status.INVALID_FORMAT: "unreadable",
    Status.TRUNCATED: "cut off",
}

MOST_UNSCORED = 0.2
"""Share of an arm without a score above which nothing is said of its residue."""

LITTLE = 0.25
"""The residue's upper limit that *as if never told* allows."""

CONTROL_LOST = 0.5
"""Share of its score that the run's own control may lose before the model counts as broken."""


@dataclass(frozen=True)
class ResidueReading:
    """A residue, the differences it is made of, and what it is called.

    Attributes:
        residue: The estimate, with its 95% interval.
        left: D - N_D, with its 95% interval.
        alike: The same difference with the 90% interval that likeness is read from; where the thing was to be kept, of
            (D - N_D) - (T - N_T) as `alike_to_told`.
        alike_to_told: (D - N_D) - (T - N_T), likewise.
        word: What it is called.
        aim: The word of what was aimed at: *as if never told*, or *kept*.
        needed: Items with which the aim could be shown (80% power) at the guessing seen, where the word is undecided
            and the items are fewer; else None.
    """

    residue: Estimate
    left: Estimate
    alike: Estimate
    alike_to_told: Estimate
    word: Word
    aim: Word = "as if never told"
    needed: int | None = None


@dataclass(frozen=True)
class Circumstances:
    """What besides the scores decides whether a residue can be read.

    Attributes:
        unscored: For each arm, the share of its samples without a score, by reason: 0 to 1.
        control_told, control_deleted: Score of the run's control (neighbour, retain, task) in the told and the deleted
            arm; None where there is none.
        floor: What telling must add.
        margin: How far apart two scores may be and count as alike.
        by_seed: Mean score of the deleted arm by training seed, where it is trained; the spread of two or more is in
            every interval.
    """

    unscored: Mapping[str, Mapping[Unscored, float]] = field(default_factory=dict)
    control_told: float | None = None
    control_deleted: float | None = None
    floor: float = FLOOR
    margin: float = MARGIN
    by_seed: Sequence[float] = ()

    @property
    def is_broken(self) -> bool:
        """Whether the control has lost more than half of its score."""
        if self.control_told is None or self.control_deleted is None:
            return False
        return self.control_deleted < (1 - CONTROL_LOST) * self.control_told

    @property
    def unmeasurable(self) -> Word | None:
        """The word where an arm is scored too rarely, with the reason that most of it has."""
        for reasons in self.unscored.values():
            if sum(reasons.values()) > MOST_UNSCORED:
                return f"not measurable ({max(reasons, key=lambda name: reasons[name])})"  # type: ignore[return-value]
        return None


def read_residue(arms: Arms, around: Circumstances | None = None, *, is_to_be_kept: bool = False) -> ResidueReading:
    """The residue of three arms, and its word.

    Args:
        arms: Scores by item.
        around: What else is known of the run.
        is_to_be_kept: Whether 1 is the aim (prospective memory under load) instead of 0.
    """
    around = around or Circumstances()
    items = np.arange(len(arms.told))

    def paired(differences: FloatArray) -> Estimate:
        return clustered_mean(differences, items, kind="difference")

    learned, left = paired(arms.learned), over_seeds(paired(arms.left), around.by_seed)
    found = residue(arms, floor=around.floor)
    if found.value is not None and learned.value:
        found = over_seeds(found, [mean / learned.value for mean in around.by_seed])
    alike, to_told = (
        over_seeds(alike_interval(differences), around.by_seed, level=0.90)
        for differences in (arms.left, (arms.left - arms.learned).clip(-1, 1))
    )
    if learned.low is not None and learned.low <= around.floor:
        word: Word = "nothing to keep" if is_to_be_kept else "nothing to forget"
    elif around.unmeasurable:
        word = around.unmeasurable
    elif learned.low is None:
        word = "undecided"
    elif is_to_be_kept:
        word = _of_what_was_to_be_kept(found, alike, to_told, around.margin)
    else:
        word = "broken" if around.is_broken else _of_what_was_deleted(found, left, alike, around.margin)
    short = None
    if word == "undecided" and len(items):
        guessed = 0.0 if is_to_be_kept else float(arms.never_deleted.mean())
        needed = items_to_be_alike(around.margin, guessed=min(guessed, 1 - guessed))
        short = needed if needed > len(items) else None
    return ResidueReading(found, left, alike, to_told, word, "kept" if is_to_be_kept else "as if never told", short)


def _lies_within(interval: Estimate, margin: float) -> bool:
    return interval.low is not None and interval.high is not None and -margin <= interval.low <= interval.high <= margin


def _of_what_was_deleted(found: Estimate, left: Estimate, alike: Estimate, margin: float) -> Word:
    if _lies_within(alike, margin) and found.high is not None and found.high <= LITTLE:
        return "as if never told"
    if left.low is None or left.high is None:
        return "undecided"
    return "avoided" if left.high < 0 else "still there" if left.low > 0 else "undecided"


def _of_what_was_to_be_kept(found: Estimate, alike: Estimate, to_told: Estimate, margin: float) -> Word:
    if _lies_within(to_told, margin):
        return "kept"
    if found.low is not None and found.high is not None and found.low > 0 and found.high < 1:
        return "partly lost"
    return "lost" if _lies_within(alike, margin) else "undecided"


def unscored_shares(statuses: Iterable[str]) -> dict[Unscored, float]:
    """The share of an arm's samples without a score, by reason; what was never answered counts as completeness does."""
    counts = Counter(statuses)
    answered = sum(counts[name] for name in (Status.CORRECT, Status.INCORRECT, *_REASONS))
    shares: dict[Unscored, float] = {}
    for status, reason in _REASONS.items():
        if counts[status]:
            shares[reason] = shares.get(reason, 0.0) + counts[status] / answered
    return shares


def items_note(planned: Iterable[tuple[str, int, float]], *, aim: Word = "as if never told") -> str:
    """How many items a plan needs to say that its aim is reached, and which of its parts have fewer.

    Args:
        planned: Of each part its name, its items, and the share of them that is guessed: 0 to 1.
        aim: The word; *kept* where things are to be kept.
    """
    parts = [(name, items, items_to_be_alike(guessed=guessed)) for name, items, guessed in planned if items]
    said = "; ".join(
        f"{name} has {items:,} and needs {needed:,}{' (too few)' if items < needed else ''}"
        for name, items, needed in parts
    )
    return f"items that '{aim}' within {100 * MARGIN:g} points rests on, with 80% power: {said}"


def residue_figures(
    factors: Mapping[str, Cell], arms: Arms, reading: ResidueReading, *, excluded: int = 0
) -> Iterator[Figure]:
    """A residue with its word, and the mean score of each arm over the same items.

    Args:
        factors: `part`, `condition` and `probe`, and what else tells it from the others of its run.
        arms: Scores by item.
        reading: Of these arms.
        excluded: Items that are not scored in all arms.
    """
    short = "" if reading.needed is None else f"too few items for '{reading.aim}' (needs {reading.needed:,})"
    found = figure(
        "residue", factors, reading.residue, excluded=excluded, unit="ratio", note=short, label="(D - N_D) / (T - N_T)"
    )
    yield replace(found, verdict=reading.word)
    items = np.arange(len(arms.told))
    for name, scores, label in (
        ("arm.told", arms.told, "told"),
        ("arm.deleted", arms.deleted, "deleted"),
        ("arm.never", arms.never_deleted, "never told, in the condition of the deleted arm"),
        ("arm.never_told", arms.never_told, "never told, in the condition of the told arm"),
    ):
        yield figure(name, factors, clustered_mean(scores, items), excluded=excluded, label=f"mean score, {label}")


def residue_section(
    index: FigureIndex,
    labels: Sequence[Shown],
    *,
    is_to_be_kept: bool = False,
    first: Callable[[Factors], bool] | None = None,
    name: Callable[[Factors], str] | None = None,
) -> Section | None:
    """The forest of a run's residues, and a table of all: arms, interval, word; None where there is none.

    Args:
        index: The run's figures.
        labels: The columns that say which residue it is.
        is_to_be_kept: Whether 1 is the aim.
        first: Which residues stand in the forest, by their factors; None is all.
        name: Of a row of the forest; None is what its labels say.
    """
    found = index.named("residue")
    if not found:
        return None
    rows = [entry.factors for entry in found]

    def word(index: FigureIndex, row: Factors) -> Cell:
        found = index.get("residue", **row)
        return found.verdict if found else None

    def labelled(row: Factors) -> str:
        return ", ".join(str(said) for shown in labels if (said := shown.cell(index, row)) not in (None, ""))

    columns = (
        *labels,
        rate("Told", "arm.told", "T"),
        rate("Deleted", "arm.deleted", "D: under load" if is_to_be_kept else "D: after the text that asks for it"),
        rate("Never told", "arm.never_told", "N_T: asked as T"),
        rate("Never told, asked as D", "arm.never", "N_D: the condition of D may change what is guessed"),
        number("Residue", "residue", "(D - N_D) / (T - N_T)"),
        Shown(Column("", "Called", "text"), word),
        left_out("Left out", "residue", "items not scored in all arms"),
    )
    aim = (
        "1 is good: all of it is kept; 0: as if never told."
        if is_to_be_kept
        else ("1: nothing was forgotten; 0: as if never told; below 0: avoided.")
    )
    shown = [entry for entry in found if first is None or first(entry.factors)]
    rows_drawn = shown or found
    drawn = forest(rows_drawn, [(name or labelled)(entry.factors) for entry in rows_drawn], is_to_be_kept=is_to_be_kept)
    return Section(
        "Residue: against a model that was never told",
        (*((drawn,) if drawn else ()), table(index, "Residue", rows, columns, slug="residue")),
        intro=f"How much of what telling adds is still there, over the same items in three arms. {aim}",
        slug="residue",
    )
