"""Writes the rows: `python -m tools.arithmetic`, from the repository's root."""

from tools.arithmetic.rows import ROWS, rows_text

ROWS.write_text(rows_text(), encoding="utf-8", newline="\n")
