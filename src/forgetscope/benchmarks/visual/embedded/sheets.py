"""The drawings in the wheel: one sheet a style, and a table that says what each tile shows."""

import functools
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from forgetscope.core.errors import DataError, MissingPartError, UnknownNameError
from forgetscope.io.spreadsheets import read_table_rows

TILE = 96
"""Pixels of a tile's side."""
COLUMNS = 32
"""Tiles in a row of a sheet."""


class Kind(StrEnum):
    """What a drawing is of."""

    OBJECT = "object"
    BEHAVIOUR = "behaviour"
    BRAND = "brand"


@dataclass(frozen=True)
class TileRow:
    """One drawing: where it is and what it shows.

    Attributes:
        style: The designer's set, also the sheet's file name.
        tile: Number on the sheet, row by row.
        name: What it shows, in the words of a choice.
        supercategory: emojibase's subgroup, or our word for a brand's or behaviour's kind.
        label: What the set or emojibase calls it.
    """

    style: str
    tile: int
    kind: Kind
    name: str
    supercategory: str
    label: str


def pictures_folder() -> Path:
    """Where the sheets are."""
    return Path(__file__).parent / "pictures"


@functools.cache
def read_table(path: Path | None = None) -> tuple[TileRow, ...]:
    """All tiles of all sheets.

    Raises:
        MissingPartError: The table is not there.
        DataError: A line does not hold what it should.
    """
    path = path or pictures_folder() / "drawings.csv"
    if not path.is_file():
        raise MissingPartError("the embedded drawings are missing", found=str(path))
    rows = []
    for where, row in read_table_rows(path):
        try:
            rows.append(
                TileRow(
                    row["style"], int(row["tile"]), Kind(row["kind"]), row["name"], row["supercategory"], row["label"]
                )
            )
        except (KeyError, ValueError) as error:
            raise DataError(f"not a line of the table of drawings: {error}", where=where) from error
    return tuple(rows)


@functools.cache
def _sheet(style: str, folder: Path) -> Image.Image:
    path = folder / f"{style}.webp"
    if not path.is_file():
        styles = sorted(found.stem for found in folder.glob("*.webp"))
        raise UnknownNameError("no sheet of this style", found=style, allowed=styles)
    try:
        with Image.open(path) as sheet:
            return sheet.convert("RGBA")
    except (UnidentifiedImageError, OSError) as error:
        raise DataError(f"cannot read a sheet: {error}", where=str(path)) from error


def drawing(row: TileRow, folder: Path | None = None) -> Image.Image:
    """One drawing, (96, 96) RGBA.

    Raises:
        UnknownNameError: No sheet of this style.
        DataError: The sheet cannot be read, or has no such tile.
    """
    sheet = _sheet(row.style, folder or pictures_folder())
    left, top = row.tile % COLUMNS * TILE, row.tile // COLUMNS * TILE
    if row.tile < 0 or top + TILE > sheet.height or left + TILE > sheet.width:
        raise DataError("the sheet has no such tile", where=row.style, found=row.tile)
    return sheet.crop((left, top, left + TILE, top + TILE))
