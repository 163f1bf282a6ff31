"""The sheets of drawings, written by the tool and read by the package."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from forgetscope.benchmarks.visual.embedded import sheets
from forgetscope.core.errors import DataError
from tools.build_embedded_pictures import write_sheet, write_table


def test_sheets_come_back_as_they_were_written(tmp_path: Path) -> None:
    tiles = [Image.new("RGBA", (96, 96), (shade, 0, 0, 255)) for shade in (10, 200)]
    write_sheet(tiles, tmp_path / "two.webp")
    row = sheets.TileRow("two", 1, sheets.Kind.OBJECT, "a", "b", "c")
    assert abs(int(np.asarray(sheets.drawing(row, tmp_path))[48, 48, 0]) - 200) < 8
    with pytest.raises(DataError, match="no such tile"):
        sheets.drawing(sheets.TileRow("two", 32, sheets.Kind.OBJECT, "a", "b", "c"), tmp_path)


def test_the_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    rows = (sheets.TileRow("two", 1, sheets.Kind.OBJECT, "a, b", "c", "d"),)
    write_table(rows, tmp_path / "drawings.csv")
    assert sheets.read_table(tmp_path / "drawings.csv") == rows
