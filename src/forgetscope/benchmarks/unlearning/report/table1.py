"""Table 1: Forget and Retain change by format and subset, two columns a method; of one grid, or several in blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from forgetscope.benchmarks.unlearning.methods import METHODS
from forgetscope.benchmarks.unlearning.metrics.marks import Marks, TableCell, mark
from forgetscope.benchmarks.unlearning.metrics.study import CellKey, cell_order
from forgetscope.benchmarks.unlearning.report.names import FORMAT, SUBSET, method_name
from forgetscope.benchmarks.unlearning.settings import EPOCHS_FACTOR
from forgetscope.findings.figures import Column, Interval, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import Factors, Shown, label, table

PAPERS_NAME = {"muse news": "NEWS", "muse books": "BOOKS"}
"""The paper's corpora by the names they have here."""

FORGETS_MOST, KEEPS_MOST = "forgets most of its row", "keeps most of its row"
BEST_CELL = "the method's best cell"
MARKED = (
    "Marked as in the paper: in each row who forgets most and who keeps most, and each method's best cell (largest "
    "Forget minus Retain; the paper does not say how it chose)."
)

Place = tuple[tuple[str, str], str]
"""Forget format and retain subset, and the method."""


@dataclass(frozen=True)
class TableBlock:
    """The cells of one setting: what the paper prints under a corpus' name."""

    name: str
    index: FigureIndex
    cells: tuple[CellKey, ...]

    @cached_property
    def by_place(self) -> Mapping[Place, CellKey]:
        """The cells where they stand."""
        return {((key.forget_format, key.retain_subset), key.method): key for key in self.cells}

    @cached_property
    def marks(self) -> Marks:
        """Which cells are marked."""

        def value(key: CellKey, group: str) -> float | None:
            return self.index.value("group", **key.factors, group=group)

        return mark({at: TableCell(value(key, "forget"), value(key, "retain")) for at, key in self.by_place.items()})

    def cell(self, pair: tuple[str, str], method: str, group: str) -> Interval | None:
        """A group's change in its place, with its marks; None where there is no such cell."""
        key = self.by_place.get((pair, method))
        shown = None if key is None else self.index.interval("group", **key.factors, group=group)
        if shown is None:
            return None
        is_forget = group == "forget"
        is_most = (pair, method) in (self.marks.best_forget if is_forget else self.marks.best_retain)
        said = [FORGETS_MOST if is_forget else KEEPS_MOST] if is_most else []
        said += [BEST_CELL] if (pair, method) in self.marks.best_of_method else []
        return replace(shown, note="; ".join(filter(None, (shown.note, *said))), is_bold=is_most)


def methods_of(cells: Sequence[CellKey]) -> list[str]:
    """The methods of cells: those of the package in its order, then others by name."""
    found = {key.method for key in cells}
    return [name for name in METHODS if name in found] + sorted(found - set(METHODS))


def change_table(blocks: Sequence[TableBlock], title: str, slug: str) -> Table:
    """Table 1 of the blocks, one below the other; a column names them where there are several."""
    by_name = {block.name: block for block in blocks}
    rows: list[Factors] = [
        {"corpus": block.name, "forget_format": form, "retain_subset": subset}
        for block in blocks
        for form, subset in dict.fromkeys(pair for pair, _ in block.by_place)
    ]

    def group_of(method: str, group: str) -> Shown:
        def cell(_: FigureIndex, row: Factors) -> Interval | None:
            pair = (str(row["forget_format"]), str(row["retain_subset"]))
            return by_name[str(row["corpus"])].cell(pair, method, group)

        return Shown(Column("", f"{method_name(method)} {group.title()}", "percent"), cell)

    methods = methods_of([key for block in blocks for key in block.cells])
    columns = [
        *([label("Corpus", "corpus")] if len(blocks) > 1 else []),
        FORMAT,
        SUBSET,
        *(group_of(method, group) for method in methods for group in ("forget", "retain")),
    ]
    return table(FigureIndex(()), title, rows, columns, note=MARKED, slug=slug)


def paper_tables(runs: Mapping[str, FigureIndex]) -> tuple[Table, ...]:
    """Table 1 over grids, by what they are called: News and Books are its 54 cells; none without any cell."""
    found: dict[tuple[str, tuple[object, ...]], list[CellKey]] = {}
    for run, index in runs.items():
        for key in sorted(_keys(index), key=cell_order):
            epochs = key.epochs / EPOCHS_FACTOR.get(key.forget_format, 1)
            setting = (key.corpus, key.semantics, key.learning_rate, key.lambda_retain, epochs)
            found.setdefault((run, setting), []).append(key)
    if not found:
        return ()
    names = _names(list(found))
    order = [*PAPERS_NAME.values()]
    blocks = [TableBlock(names[at], runs[at[0]], tuple(cells)) for at, cells in found.items()]
    blocks.sort(key=lambda block: order.index(block.name) if block.name in order else len(order))
    cells = sum(len(block.cells) for block in blocks)
    return (change_table(blocks, f"Table 1: S_change of {cells} cells", "table-1"),)


def _keys(index: FigureIndex) -> set[CellKey]:
    names = [entry.name for entry in fields(CellKey)]
    return {CellKey(**{name: entry.factors[name] for name in names}) for entry in index.named("group")}  # type: ignore[arg-type]


def _names(places: Sequence[tuple[str, tuple[object, ...]]]) -> dict[tuple[str, tuple[object, ...]], str]:
    """What each block is called, in as few words as tell it from the others."""

    def called(place: tuple[str, tuple[object, ...]], words: int) -> str:
        run, (corpus, semantics, rate, retain, epochs) = place
        name = PAPERS_NAME.get(str(corpus), str(corpus))
        more = (f"{epochs:g} epochs", f"rate {rate:g}", f"lambda {retain:g}", f"{semantics} losses", run)
        return ", ".join((name, *more[:words]))

    for words in range(5):
        names = {place: called(place, words) for place in places}
        if len(set(names.values())) == len(places):
            return names
    return {place: called(place, 5) for place in places}
