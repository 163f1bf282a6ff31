"""Tables as CSV and LaTeX: plain numbers for programs, nothing that LaTeX would take for a command."""

from pathlib import Path

from forgetscope.findings.figures import Column, Interval, Table
from forgetscope.report.plain_tables import csv_of, latex_of, write_paper_tables

COLUMNS = (Column("Model", "Model"), Column("Kept", "Kept", "percent"))
TABLE = Table(
    "Table 1: 5% & more",
    COLUMNS,
    ({"Model": "my_model#1", "Kept": Interval(0.5, 0.3, 0.7)}, {"Model": "A\\B", "Kept": 82.2 / 100}),
    slug="published-table-1",
)


def test_a_csv_has_bare_numbers_and_columns_for_the_ends_of_intervals() -> None:
    assert csv_of(TABLE).splitlines() == ["Model,Kept,Kept low,Kept high", "my_model#1,0.5,0.3,0.7", "A\\B,0.822,,"]


def test_latex_escapes_what_it_would_read_and_has_a_row_a_row() -> None:
    written = latex_of(TABLE)
    assert r"\caption{Table 1: 5\% \& more}" in written
    assert r"my\_model\#1 & 50.0 [30.0, 70.0] \\" in written
    assert r"A\textbackslash{}B & 82.2 \\" in written
    assert r"\begin{tabular}{lr}" in written


def test_tables_go_into_a_folder_by_their_names(tmp_path: Path) -> None:
    written = write_paper_tables([TABLE], tmp_path / "tables")
    assert [path.name for path in written] == ["table-1.csv", "table-1.tex"]
    assert write_paper_tables([], tmp_path / "none") == ()
    assert not (tmp_path / "none").exists()
