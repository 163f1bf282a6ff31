import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.core.errors import DataError
from forgetscope.io.spreadsheets import LONGEST_CELL, csv_text, harmless, read_table_rows, unmarked


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "'=1", "-", "=", "+"]
)
def test_a_cell_that_begins_like_a_formula_is_marked(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("cell", [-1, -0.5, "-1", "+3.5", "-1,000.5", "-5%", "-1e-9", "a=1", "", "'tis", None])
def test_numbers_and_words_stay(cell: object) -> None:
    assert harmless(cell) == cell


@given(st.text(alphabet="'=+-@\t\r1.x") | st.text())
def test_what_was_marked_is_read_as_it_was(text: str) -> None:
    assert unmarked(str(harmless(text))) == text


def test_column_names_are_cells_too() -> None:
    assert list(csv.reader(io.StringIO(csv_text(["=a", "b"], [["=1", -1]])))) == [["'=a", "b"], ["'=1", "-1"]]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('a,b\n1,"2\n', r"not CSV \(unexpected end of data\)"),
        ("a,b\n1,2,3\n", r"row 2: a line has more fields than the header; found \['3'\]"),
        ("a\n" + "x" * (LONGEST_CELL + 1), "field larger than field limit"),
    ],
)
def test_what_is_no_spreadsheet_is_one_line(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "sheet.csv").write_text(content)
    with pytest.raises(DataError, match=said):
        list(read_table_rows(tmp_path / "sheet.csv"))


def test_semicolons_are_understood_and_missing_fields_are_empty(tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_text("a;b\n1,5;\n2\n")
    assert [row for _, row in read_table_rows(tmp_path / "sheet.csv")] == [{"a": "1,5", "b": ""}, {"a": "2", "b": ""}]
