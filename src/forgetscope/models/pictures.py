"""Pictures as messages carry them, opened safely: nothing is fetched, nothing huge is unpacked."""

import base64
import binascii
import io
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from forgetscope.core.errors import DataError, SettingError

MOST_PIXELS = 50_000_000
"""A picture that unpacks to more is refused unread."""

MOST_BYTES = 32_000_000

_DATA_URI = "data:image/"


def open_picture(source: str) -> Image.Image:
    """A picture from a data URI or a local file, decoded, its size checked before its pixels are read.

    Raises:
        SettingError: An address on a network.
        DataError: Not a picture, cut short, or too large.
    """
    if "://" in source[:12]:
        raise SettingError("this model fetches nothing", found=source[:60], allowed="a data URI or a local file")
    content = _decoded(source) if source.startswith("data:") else _read(Path(source))
    try:
        picture = Image.open(io.BytesIO(content))
        if picture.width * picture.height > MOST_PIXELS:
            raise DataError("the picture is too large", found=f"{picture.width} x {picture.height} pixels")
        picture.load()
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"the picture cannot be read: {error}") from error
    return picture


def _decoded(uri: str) -> bytes:
    head, _, body = uri.partition(",")
    if not head.startswith(_DATA_URI) or not head.endswith(";base64") or len(body) > MOST_BYTES:
        raise DataError("not a picture in base64", found=head[:60], allowed="data:image/...;base64,...")
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error as error:
        raise DataError(f"the picture's base64 is damaged: {error}") from error


def _read(path: Path) -> bytes:
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        raise DataError("no picture to read, or too large a file", found=path.name)
    return path.read_bytes()
