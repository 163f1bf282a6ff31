"""Small pictures for the report: each picture once, drawn anew, and never more than a page can carry.

What a report shows is not the file that was sent: it is decoded, flattened on white, scaled down and written again, so
nothing a file hides (metadata, a second format) travels with the report.
"""

import base64
import io
from collections.abc import Iterable

import polars as pl
from PIL import Image

from forgetscope.benchmarks.visual.data.loading import VisualData
from forgetscope.benchmarks.visual.data.pictures import PictureError

EDGE = 112
"""Pixels of the longer edge."""
PICTURE_BUDGET = 3_000_000
"""Characters of all small pictures of a page: about 2,600 of the embedded drawings, or 1,000 photographs."""
_QUALITY = 60


def picture_name(split: str, image: str) -> str:
    """What a report knows a picture by."""
    return f"{split}/{image}"


def thumbnail(picture: Image.Image) -> str:
    """A picture as a data URI of a WebP file with an edge of at most `EDGE` pixels."""
    small = picture.copy()
    small.thumbnail((EDGE, EDGE), Image.Resampling.LANCZOS)
    written = io.BytesIO()
    small.save(written, "WEBP", quality=_QUALITY, method=4)
    return f"data:image/webp;base64,{base64.b64encode(written.getvalue()).decode('ascii')}"


def thumbnails(frame: pl.DataFrame, data: VisualData, first: Iterable[str] = ()) -> tuple[dict[str, str], int]:
    """The pictures that a run's samples showed, by name, and how many did not fit.

    Args:
        frame: The sample table.
        data: Where the pictures are.
        first: Names that go before all others.

    Pictures of measured samples go before those of eligibility, the forget side before the other, concepts in turns.
    What cannot be opened has none and is not counted.
    """
    wanted = dict.fromkeys(first)
    wanted.update(dict.fromkeys(_in_order(frame)))
    shown: dict[str, str] = {}
    spent, over = 0, 0
    for name in wanted:
        split, _, image = name.partition("/")
        if spent >= PICTURE_BUDGET:
            over += 1
            continue
        try:
            shown[name] = thumbnail(data.image(split, image))
        except PictureError:
            continue
        spent += len(shown[name])
    return shown, over


def _in_order(frame: pl.DataFrame) -> list[str]:
    """Names of the shown pictures, the most telling first."""
    shown = frame.filter(pl.col("image") != "").select("split", "image", "role", "side", "forget_concept").unique()
    ranked = shown.with_columns(eligibility=pl.col("role") == "eligibility", kept=pl.col("side") == "retain").sort(
        "eligibility", "kept", "split", "forget_concept", "image"
    )
    turns = ranked.with_columns(turn=pl.int_range(pl.len()).over("eligibility", "kept", "split", "forget_concept"))
    ordered = turns.sort("eligibility", "kept", "turn", "split", "forget_concept", maintain_order=True)
    return [picture_name(split, image) for split, image in ordered.select("split", "image").iter_rows()]
