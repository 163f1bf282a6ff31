"""What stands between the reader and the figures, in words and as a table: losses, cut replies, refusals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forgetscope.core.outcomes import LENGTH_LIMITED_ABOVE, Status
from forgetscope.findings.figures import Cell, Finding, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent
from forgetscope.findings.tables import Factors, Shown, label, optional, table, tally, value

MISSING = "missing"

_ACCOUNT = (
    ("refused", "Refused", ""),
    ("invalid_format", "No answer", "an empty reply, or one the parser cannot read"),
    ("judge_unparseable", "Verdict unread", "the judge's verdict could not be read"),
    ("judge_error", "No verdict", "the judge could not be reached"),
    ("model_error", "Errors", ""),
    ("not_sent", "Not sent", "longer than the context window"),
    ("input_error", "No picture", "the picture could not be read, and nothing was sent"),
    ("policy_block", "Blocked", "declined by the provider, not the model"),
    (MISSING, "Missing", "planned, and not in the logs"),
)


@dataclass(frozen=True)
class OutcomeWords:
    """What a benchmark's outcomes are called, and what they mean for its figures.

    Attributes:
        correct, incorrect: Headings of the two statuses that make the rates.
        about_correct: What `correct` means, for who asks.
        of_cut: What a cut-off reply does to the rates: one sentence.
        of_refusals: What a refusal does to them: one sentence.
        possible: The statuses beside correct, incorrect and truncated that can occur at all.
    """

    correct: str
    incorrect: str
    about_correct: str
    of_cut: str
    of_refusals: str
    possible: tuple[Status, ...] = (Status.REFUSED, Status.INVALID_FORMAT, Status.MODEL_ERROR, Status.NOT_SENT)


def outcome_findings(
    index: FigureIndex,
    run: Mapping[str, Cell],
    cells: Sequence[Mapping[str, Cell]],
    *,
    words: OutcomeWords,
    max_tokens: int,
    floor: float,
) -> tuple[Finding, ...]:
    """Losses, cut replies, loops, refusals, unreadable and unsent samples; one plain sentence where there are none.

    Args:
        index: With the figures of `outcomes.outcome_figures`.
        run: The factors of the whole run's figures.
        cells: The factors of every other cell.
        words: The benchmark's.
        max_tokens: The token limit of the run.
        floor: The run's completeness floor, 0-1.
    """
    planned = count_of(index, "outcomes.planned", run)
    if not planned:
        return (Finding("The sample table is empty: nothing was planned.", "warning"),)
    found = _completeness(index, run, planned, floor)
    found.extend(_length(index, run, cells, words, max_tokens))
    refused = index.value("outcomes.share.refused", **run)
    if refused is not None and refused > LENGTH_LIMITED_ABOVE:
        found.append(Finding(f"{percent(refused)} of the replies were refusals. {words.of_refusals}", "warning"))
    unread = index.value("outcomes.share.invalid_format", **run)
    if unread is not None and unread > LENGTH_LIMITED_ABOVE:
        found.append(Finding(f"{percent(unread)} of the replies were empty or had no answer to read.", "warning"))
    unsent = count_of(index, "outcomes.status.not_sent", run)
    if unsent:
        found.append(
            Finding(
                f"{unsent:,} of {planned:,} samples were longer than the model's context window and not sent.",
                "warning",
            )
        )
    if not found:
        found.append(
            Finding(f"All {planned:,} samples have an outcome, and no more than 5% of the replies were cut off.")
        )
    return tuple(found)


def count_of(index: FigureIndex, name: str, factors: Mapping[str, Cell]) -> int:
    """A count among the figures; 0 when it was not computed."""
    return int(index.value(name, **factors) or 0)


def _completeness(index: FigureIndex, run: Mapping[str, Cell], planned: int, floor: float) -> list[Finding]:
    """How many samples were lost or never came back, and whether the run may be read all the same."""
    completeness, missing = index.value("outcomes.completeness", **run), count_of(index, "outcomes.missing", run)
    if completeness is None or completeness >= 1:
        return []
    unread = count_of(index, "outcomes.status.judge_unparseable", run)
    unjudged = count_of(index, "outcomes.status.judge_error", run)
    lost = round((1 - completeness) * planned)
    counts = (
        (lost - missing - unread - unjudged, "lost to errors"),
        (unread, "with a verdict that could not be read"),
        (unjudged, "without a verdict"),
        (missing, "not in the logs"),
    )
    why = ", ".join(f"{count} {what}" for count, what in counts if count)
    said = f"{lost:,} of {planned:,} samples have no outcome ({why}): the run is {percent(completeness)} complete"
    if completeness < floor:
        return [Finding(f"{said}, below the floor of {100 * floor:g}%. Resume it before reading on.", "warning")]
    return [Finding(f"{said}, which its floor of {100 * floor:g}% allows.")]


def _length(
    index: FigureIndex,
    run: Mapping[str, Cell],
    cells: Sequence[Mapping[str, Cell]],
    words: OutcomeWords,
    max_tokens: int,
) -> list[Finding]:
    marked = sum(is_length_limited(index, cell) for cell in cells)
    cut, looped = index.value("outcomes.share.truncated", **run), index.value("outcomes.share.looped", **run)
    if not marked or cut is None:
        return []
    loops = f" {percent(looped)} of the replies end in a loop." if looped else ""
    suggested = index.get("outcomes.suggested_max_tokens", **run)
    advice = ""
    if suggested is not None and suggested.value is not None:
        advice = f" Suggested limit: {suggested.value:.0f} tokens ({suggested.note})."
    elif suggested is not None:
        advice = f" No limit is suggested: {suggested.note}."
    return [
        Finding(
            f"Length-limited: {percent(cut)} of the replies were cut off at {max_tokens} tokens "
            f"({counted(marked, 'cell')} above 5%). {words.of_cut}{loops}{advice}",
            "warning",
        )
    ]


def is_length_limited(index: FigureIndex, factors: Mapping[str, Cell]) -> bool:
    """Whether more than 5% of a cell's replies were cut off."""
    return (index.value("outcomes.share.truncated", **factors) or 0) > LENGTH_LIMITED_ABOVE


def outcome_table(
    index: FigureIndex,
    names: Sequence[Shown],
    rows: Sequence[Factors],
    *,
    words: OutcomeWords,
    title: str = "Samples by outcome",
    folded: bool = False,
) -> Table:
    """One row a cell: every status, what is missing, shares cut and looping, completeness, a suggested limit.

    Args:
        index: With the figures of `outcomes.outcome_figures`.
        names: The columns that say which cell a row is.
        rows: The factors of each cell's figures.
        words: The benchmark's.
        title: Of the table.
        folded: Whether the table is shown on demand.
    """
    of_cut = "stopped by the token limit"
    of_limit = "in tokens, from the lengths of the replies that ended"
    return table(
        index,
        title,
        rows,
        [
            *names,
            tally("Planned", "outcomes.planned"),
            tally(words.correct, "outcomes.status.correct", words.about_correct),
            tally(words.incorrect, "outcomes.status.incorrect"),
            tally("Cut off", "outcomes.status.truncated", of_cut),
            *account_columns(),
            value("Share cut off", "outcomes.share.truncated", "percent"),
            value("In a loop", "outcomes.share.looped", "percent", "replies whose end repeats itself"),
            value("Complete", "outcomes.completeness", "percent"),
            label("Length-limited", lambda row: "yes" if is_length_limited(index, row) else ""),
            value("Suggested limit", "outcomes.suggested_max_tokens", "integer", of_limit),
        ],
        note=f"A cell with more than {LENGTH_LIMITED_ABOVE:.0%} of its replies cut off is length-limited: its rates "
        "say as much of the token limit as of the model. Each sample has one outcome, and they add up to those planned."
        + nobody(index, rows, words.possible, "sample"),
        slug="outcomes-every" if folded else "outcomes",
        folded=folded,
    )


def account_columns(aspect: str = "outcomes") -> tuple[Shown, ...]:
    """A column for each outcome beside correct, incorrect and cut off that some sample has."""
    return tuple(optional(tally(heading, _figure(aspect, name), about)) for name, heading, about in _ACCOUNT)


def nobody(
    index: FigureIndex, rows: Sequence[Factors], possible: Sequence[Status], noun: str, aspect: str = "outcomes"
) -> str:
    """The sentence that names the outcomes that could have occurred and did not; empty where all did."""
    names = (*(status.value for status in possible), MISSING)
    never = [
        name.replace("_", " ")
        for name in names
        if not any(index.value(_figure(aspect, name), **factors) for factors in rows)
    ]
    return f" Outcomes that no {noun} has: {', '.join(never)}." if never else ""


def _figure(aspect: str, name: str) -> str:
    return f"{aspect}.{name}" if name == MISSING else f"{aspect}.status.{name}"
