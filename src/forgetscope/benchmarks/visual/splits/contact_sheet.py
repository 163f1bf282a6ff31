"""A contact sheet: items as a person judges them, picture beside question, choices and answer, on one page."""

import io
import textwrap
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from forgetscope.benchmarks.visual.data.pictures import PictureError, open_picture
from forgetscope.benchmarks.visual.data.records import Item
from forgetscope.io.files import write_bytes

MOST_ITEMS = 24
COLUMNS = 4
_THUMB, _CELL_HEIGHT, _MARGIN, _TEXT_SIZE = 210, 400, 14, 15
_LINE = _TEXT_SIZE + 4
_CHARACTERS = 28


def write_contact_sheet(items: Sequence[Item], root: Path, path: Path, *, most: int = MOST_ITEMS) -> int:
    """Draw the first items of a sequence as a PNG; gives how many are on it.

    The right choice is marked with `>`. A picture that cannot be opened shows its reason instead.

    Raises:
        RunFolderError: the file cannot be written.
    """
    shown = list(items)[:most]
    rows = -(-len(shown) // COLUMNS)
    width, height = COLUMNS * (_THUMB + _MARGIN) + _MARGIN, max(1, rows) * (_CELL_HEIGHT + _MARGIN) + _MARGIN
    page = Image.new("RGB", (width, height), "white")
    for number, item in enumerate(shown):
        left = _MARGIN + (number % COLUMNS) * (_THUMB + _MARGIN)
        top = _MARGIN + (number // COLUMNS) * (_CELL_HEIGHT + _MARGIN)
        _draw_item(page, item, root, left, top)
    written = io.BytesIO()
    page.save(written, "PNG", optimize=True)
    write_bytes(path, written.getvalue())
    return len(shown)


def _draw_item(page: Image.Image, item: Item, root: Path, left: int, top: int) -> None:
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=_TEXT_SIZE)
    try:
        thumb = open_picture(root, item.image).image()
        thumb.thumbnail((_THUMB, _THUMB))
        page.paste(thumb, (left + (_THUMB - thumb.width) // 2, top))
    except PictureError as error:
        draw.multiline_text(
            (left, top), "\n".join(textwrap.wrap(error.reason, _CHARACTERS)), fill="firebrick", font=font
        )
    draw.rectangle((left, top, left + _THUMB, top + _THUMB), outline="lightgray")
    lines = [f"{item.side or 'item'} · {item.forget_concept}", *textwrap.wrap(item.question, _CHARACTERS)]
    for index, choice in enumerate(item.choices):
        mark = ">" if index == item.answer else " "
        lines.append(textwrap.shorten(f"{mark} {index}) {choice}", _CHARACTERS + 4, placeholder="..."))
    for number, line in enumerate(lines[: (_CELL_HEIGHT - _THUMB) // _LINE]):
        is_answer = line.startswith("> ")
        draw.text(
            (left, top + _THUMB + 6 + number * _LINE), line, fill="darkgreen" if is_answer else "black", font=font
        )
