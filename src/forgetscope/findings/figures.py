"""The types benchmarks hand to the report: figures, tables, charts, sections. Data only; the report draws.

A `Figure` is one number with all that is needed to believe it: over how many samples, how many were left out,
its interval and how that was made. `summary.json` is a list of them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Cell = str | int | float | bool | None
"""What a table cell or a factor may hold."""

Unit = Literal["proportion", "points", "count", "tokens", "seconds", "p", "h", "ratio"]
"""`proportion` is 0-1; `points` are differences of proportions, also 0-1 based (0.05 = 5 percentage points)."""


@dataclass(frozen=True)
class Figure:
    """One number with its denominators, interval and method.

    Attributes:
        name: Dotted, stable: `compliance.strict.paper`.
        factors: What it is the figure of: `{"condition": "natural", "load": "mmlu"}`.
        value: None when undefined; `note` then says why.
        n: Units in the denominator (samples, pairs or clusters, as `method` says).
        excluded: Units of the cell that could not enter.
        low, high: The 95% interval; None when undefined.
        method: How value and interval were made, in a few words.
        items: Independent items behind the interval; None: `n`.
        p, test: Of a difference, the p-value of the test that it is zero, adjusted where it is one of a family, and
            how it was made; None where none is made.
        changed: Of a difference on the same items, how many of them differ; None where the sides are other items.
        verdict: Of a residue, what it is called (`findings.residue`); empty otherwise.
    """

    name: str
    factors: Mapping[str, Cell]
    value: float | None
    n: int
    excluded: int = 0
    low: float | None = None
    high: float | None = None
    method: str = ""
    unit: Unit = "proportion"
    note: str = ""
    items: int | None = None
    p: float | None = None
    test: str = ""
    changed: int | None = None
    verdict: str = ""


LENGTH_LIMITED = "length-limited"
"""How the note begins of a figure over replies of which many were cut off."""

_DRAWS = re.compile(r"\d+ draws dropped \(zero denominator\)|a denominator was zero in \d+ of \d+ draws")


@dataclass(frozen=True)
class Interval:
    """A number with its interval, as a table cell or a point of a chart; `n` units behind it, where that is known."""

    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    n: int | None = field(default=None, compare=False)
    is_bold: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, figure: Figure) -> "Interval":
        """The number and interval of a figure, as every cell and point shows them.

        "Length-limited" is said without its counts, which the outcomes table has of every cell. Nor are draws
        counted, which would give every cell a footnote of its own: `summary.json` counts them.
        """
        parts = [LENGTH_LIMITED if part.startswith(LENGTH_LIMITED) else part for part in figure.note.split("; ")]
        note = _DRAWS.sub("few units, not every draw has a value", "; ".join(parts))
        units = figure.n if figure.items is None else figure.items
        return cls(figure.value, figure.low, figure.high, note, units)


@dataclass(frozen=True)
class Column:
    """A table column: the row key it shows, its heading and how its cells are written.

    `points` are differences, with a sign; `size` is how large one is, in the same points and without.
    `names` says what values are called for a person, in the order they are listed in; "" is the absent value.
    """

    key: str
    label: str
    kind: Literal["text", "integer", "number", "percent", "points", "size", "p"] = "text"
    help: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """A table that sorts: rows are mappings from column keys to cells. A `folded` one is opened by a click."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Cell | Interval], ...]
    note: str = ""
    slug: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Series:
    """One line or set of bars over a chart's categories; None where there is nothing to draw.

    Attributes:
        across: In a `plane`, the horizontal place of each point.
        panel: In a `radar`, the panel it is drawn in; empty for all of them. In a `forest`, how its rows are read.
        words: In a `forest`, what each point is called; empty where the row is of another series.
    """

    label: str
    points: tuple[Interval | None, ...]
    across: tuple[Interval | None, ...] = ()
    panel: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chart:
    """Numbers to draw: `bars` and `lines` over categories, `heatmap` with one series a row.

    `forest` has a row a category between two marks, never told (0) and told (1), a series being rows under one heading.
    `radar` has a spoke a category and panels side by side. `plane` has points named by the categories, each with a
    place across and up, joined in their order where `is_joined`. `summary` is the text alternative: what the chart
    shows, in words, for who cannot see it.
    """

    kind: Literal["bars", "lines", "heatmap", "radar", "plane", "forest"]
    title: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    summary: str
    y_label: str = ""
    unit: Unit = "proportion"
    slug: str = ""
    x_label: str = ""
    is_joined: bool = False


Badge = Literal["shown", "undecided", "too few", "holds", "fails", "note", "warning"]
"""How sure a sentence is: of a difference the first three, of a paper's claim `holds`, `fails` or `undecided`; the rest
claims nothing. `findings.verdicts` has the rule."""


@dataclass(frozen=True)
class Finding:
    """One sentence of what was found, with its numbers inside, and how sure it is."""

    text: str
    verdict: Badge = "note"


@dataclass(frozen=True)
class TurnPart:
    """What a turn of a dialogue is there for: the `part` that messages carry, and its name; its place is its colour."""

    key: str
    label: str


@dataclass(frozen=True)
class Marking:
    """Wordings to mark wherever a sample's texts hold them: the column with one or several, and what they are."""

    key: str
    label: str
    is_weak: bool = False


@dataclass(frozen=True)
class FurtherAnswer:
    """A further reply of a sample: the columns of its text, of the question it answers, and of its status."""

    key: str
    label: str
    asked: str = ""
    status: str = ""


@dataclass(frozen=True)
class Checklist:
    """What a reply was to do: the column of wordings, and the one that says of each whether it was done."""

    label: str
    names: str
    done: str


@dataclass(frozen=True)
class Choice:
    """Options a reply chooses from: the column of options as shown, of the place chosen, and of places with a name.

    They are lettered, or where `is_counted` numbered from zero, as the model saw them.
    """

    label: str
    options: str
    chosen: str
    places: tuple[Column, ...] = ()
    is_counted: bool = False


@dataclass(frozen=True)
class Browser:
    """How the report's sample browser filters, lists and shows the sample table, by its columns.

    Attributes:
        filters, shown: Columns to filter by and to list.
        together: Columns whose equal values say that samples belong side by side: the forms of an item, the
            conditions of a picture. Empty: no sample is set beside another.
        apart: The column that tells such samples apart, in the order of its names.
        parts: Of a dialogue's turns; with any, a sample is read in the order it was said.
        markings: Earlier ones win where two would mark the same words.
        answers: Further replies, in the order they were given.
        checklists, choices: What replies did, and chose.
        left_out: Columns the page does not need, because the messages hold them already.
        picture: Columns whose values, joined by `/`, name a sample's picture in `Results.pictures`; empty: none has.
    """

    filters: tuple[Column, ...]
    shown: tuple[Column, ...] = ()
    together: tuple[str, ...] = ()
    apart: Column | None = None
    parts: tuple[TurnPart, ...] = ()
    markings: tuple[Marking, ...] = ()
    answers: tuple[FurtherAnswer, ...] = ()
    checklists: tuple[Checklist, ...] = ()
    choices: tuple[Choice, ...] = ()
    left_out: tuple[str, ...] = ()
    picture: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaseAnswer:
    """One answer of a case.

    Attributes:
        said: The answer in words.
        status: What became of it.
        sample_id: The sample, which the page opens.
        asked: How it was asked, where its column does not say.
        picture: The name of the picture that was shown, where it is not the case's own.
    """

    said: str
    status: str
    sample_id: str
    asked: str = ""
    picture: str = ""


@dataclass(frozen=True)
class CaseRow:
    """What was told in addition to the question, and the answers it got, as many groups as the gallery has columns."""

    label: str
    told: str
    answers: tuple[tuple[CaseAnswer, ...], ...]


@dataclass(frozen=True)
class CasePoint:
    """One finding of a case, with a sample that shows it."""

    text: str
    told: str = ""
    answer: CaseAnswer | None = None


@dataclass(frozen=True)
class Case:
    """One picture and all that was asked of it, side by side.

    Attributes:
        tag: In two or three words what the case is of: a verdict, a level.
        picture: Its name in `Results.pictures`.
        right: Index of the right option; None where there is none.
        points: What was found, each with a sample that shows it.
    """

    title: str
    tag: str
    picture: str
    question: str
    options: tuple[str, ...]
    right: int | None
    rows: tuple[CaseRow, ...]
    points: tuple[CasePoint, ...] = ()


@dataclass(frozen=True)
class Gallery:
    """Cases to look at; `columns` head the groups of answers. A `folded` one shows titles until one is clicked."""

    title: str
    columns: tuple[str, ...]
    cases: tuple[Case, ...]
    note: str = ""
    slug: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Section:
    """A part of the report: findings, charts and tables in the order they are read.

    The first sentence of `intro` stands under the title where the section is folded; the rest is read with it open.
    """

    title: str
    blocks: tuple[Finding | Chart | Table | Browser | Gallery, ...]
    intro: str = ""
    slug: str = ""


@dataclass(frozen=True)
class ProfileLine:
    """One figure of a profile.

    Attributes:
        label: What it measures, in a few words: the same in every run of the benchmark, so that runs stand in one row.
        figure: The figure with its interval.
        better: Which way is better; empty where neither is by itself.
    """

    label: str
    figure: Figure
    better: Literal["higher", "lower", ""] = ""


@dataclass(frozen=True)
class Lead:
    """A residue that stands in the one picture of a first page.

    Attributes:
        residue: With its word.
        who: What was told, where it is not the run's model: a method of unlearning.
        afterwards: What was done since ("allowed again"); empty for the answer itself.
    """

    residue: Figure
    who: str = ""
    afterwards: str = ""


@dataclass(frozen=True)
class LeadStory:
    """What a benchmark tells its models, and how much of what was there before is left: a sentence and its residues.

    Attributes:
        text: What was told, as the beginning of a sentence: "Told in a dialogue to forget a fact".
        left: How the share that is left goes on from the model: "still tells {share} of what it had been told".
        leads: Residues of this run; none where it has none.
        is_to_be_kept: Whether 1 is the aim.
    """

    text: str
    left: str
    leads: tuple[Lead, ...]
    is_to_be_kept: bool = False


@dataclass(frozen=True)
class Profile:
    """A run in short, for the first page of a report on several.

    Attributes:
        question: What the benchmark asks, the same in all its runs.
        about: What the figures are, in a plain sentence; what a run found opens its chapter and stands there alone.
        lines: The figures that answer, in the order they are read.
        told: What the picture and the sentence of the first page are made of; None where there is no residue.
    """

    question: str
    about: str
    lines: tuple[ProfileLine, ...]
    told: LeadStory | None = None


@dataclass(frozen=True)
class Results:
    """All a benchmark computes from its sample table.

    Attributes:
        headlines: The few sentences a busy person reads.
        pictures: Small pictures as data URIs, each once, by the names that cases and samples know them by.
        profile: The run in short; None where it has nothing to say beside other runs.
    """

    figures: tuple[Figure, ...]
    sections: tuple[Section, ...] = field(default=())
    headlines: tuple[Finding, ...] = field(default=())
    pictures: Mapping[str, str] = field(default_factory=dict)
    profile: Profile | None = None
