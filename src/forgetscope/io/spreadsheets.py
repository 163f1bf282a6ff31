"""Spreadsheets as CSV, in both directions: what is written is harmless to the program that opens it."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from forgetscope.core.errors import DataError
from forgetscope.io.received import read_text

LONGEST_CELL = 4_000_000
"""Characters of a cell; a reply may stand in one."""

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d[\d,]*\.?\d*|\.\d+)([eE][+-]?\d+)?%?")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A spreadsheet's text, whose first line names the columns; no cell can be taken for a formula."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(map(harmless, columns))
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return stream.getvalue()


def harmless(cell: object) -> object:
    """A cell that no program takes for a formula: a text that begins like one gets an apostrophe, a number stays.

    >>> harmless("=1+1"), harmless("-0.5"), harmless(-0.5)
    ("'=1+1", '-0.5', -0.5)
    """
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def unmarked(cell: str) -> str:
    """The text that `harmless` was given."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def read_table_rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a CSV file with their places, by column; a missing field is empty.

    Separated by commas, or by semicolons as spreadsheets write them where 1,5 is a number.

    Raises:
        DataError: missing, unreadable, not UTF-8, not CSV, or a row has more fields than there are columns.
    """
    text = read_text(path)
    heads = text.partition("\n")[0]
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.DictReader(
        io.StringIO(text, newline=""),
        restval="",
        delimiter=";" if heads.count(";") > heads.count(",") else ",",
        strict=True,
    )
    try:
        for number, row in enumerate(reader, start=2):
            where = f"{path}, row {number}"
            beyond = row.pop(None, [])  # where the csv module puts further fields
            if any(beyond):
                raise DataError("a line has more fields than the header", where=where, found=beyond)
            yield where, row
    except csv.Error as error:
        raise DataError(f"not CSV ({error})", where=f"{path}:{reader.line_num}") from None
