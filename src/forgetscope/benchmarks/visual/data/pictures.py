"""Opening pictures nobody vouches for: below their root, of a known format, of a sane size, and whole.

A picture is refused, not repaired: each refusal is a `PictureError` with a short reason, and the sample it belongs to
ends as `input_error`. SVG is refused by name: it is a program that can hold scripts and links.
"""

import base64
import hashlib
import io
import warnings
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from forgetscope.benchmarks.visual.data.records import relative_path
from forgetscope.core.errors import DataError
from forgetscope.io.files import real_path

LARGEST_FILE = 40 * 1024 * 1024
"""Bytes."""
LARGEST_PICTURE = 50_000_000
"""Pixels: 50 million is a large camera's; a small file can claim billions (a decompression bomb)."""
LONGEST_EDGE = 16_384
FORMATS = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp", "GIF": "image/gif", "BMP": "image/bmp"}
"""Formats that are opened, by Pillow's names, and what they are called in a data URI."""
_SENT_AS_IS = frozenset({"JPEG", "PNG", "WEBP"})
"""What every provider takes; the others are sent as PNG, of an animation the first frame."""


class PictureError(DataError):
    """A picture that cannot be opened or must not be.

    Attributes:
        reason: In a few words: `no such file`, `leads out of the root`, `truncated`.
    """

    def __init__(self, reason: str, *, where: str) -> None:
        super().__init__(reason, where=where)
        self.reason = reason


@dataclass(frozen=True)
class OpenedPicture:
    """A picture that was decoded whole.

    Attributes:
        data: The file's bytes.
        format: One of `FORMATS`.
        size: Width and height in pixels.
    """

    data: bytes
    format: str
    size: tuple[int, int]

    @property
    def sha256(self) -> str:
        """Of the file's bytes, in hex."""
        return hashlib.sha256(self.data).hexdigest()

    def image(self) -> Image.Image:
        """The first frame as RGB; transparency over white."""
        with Image.open(io.BytesIO(self.data), formats=[self.format]) as opened:
            return _flattened(opened)

    def data_uri(self) -> str:
        """The picture as providers take it: the file's own bytes where they can be sent, a PNG otherwise."""
        data, mime = self.data, FORMATS[self.format]
        if self.format not in _SENT_AS_IS:
            written = io.BytesIO()
            self.image().save(written, "PNG")
            data, mime = written.getvalue(), FORMATS["PNG"]
        return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


def open_picture(root: Path, image: str) -> OpenedPicture:
    """Open and decode a picture below a root.

    Raises:
        PictureError: it is not below the root (also by way of a link), no regular file, too large, of a format that is
            not opened, or it cannot be decoded to the end.
    """
    return decode_picture(_read(locate(root, image), image), image)


def decode_picture(data: bytes, where: str) -> OpenedPicture:
    """Decode the bytes of a picture to the end.

    Raises:
        PictureError: they are too many, of a format that is not opened, or cannot be decoded.
    """
    _require_size(data, where)
    if _is_svg(data):
        raise PictureError("SVG is not opened: it can hold scripts and links", where=where)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of large sizes, judged below, and of odd metadata, which harm nobody
            with Image.open(io.BytesIO(data), formats=list(FORMATS)) as opened:
                width, height = opened.size
                if width * height > LARGEST_PICTURE or max(width, height) > LONGEST_EDGE:
                    raise PictureError(f"too many pixels: {width} x {height}", where=where)
                opened.load()
                return OpenedPicture(data, str(opened.format), (width, height))
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError(f"not a picture of a format that is opened ({', '.join(FORMATS)})", where=where) from None
    except Image.DecompressionBombError:
        raise PictureError("too many pixels", where=where) from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, OverflowError) as error:
        # What Pillow's decoders raise on a broken file; a missing end is an OSError that says "truncated".
        reason = "truncated" if "truncated" in str(error).lower() else "cannot be decoded"
        raise PictureError(reason, where=where) from None


def locate(root: Path, image: str) -> Path:
    """The file of a picture, after every link in its path has been followed.

    Raises:
        PictureError: the path is not relative, or leads out of the root, or there is no regular file.
    """
    try:
        relative_path(image)
        base = real_path(root)
        path = real_path(base / image)
    except ValueError:
        raise PictureError("not a path below the root", where=image) from None
    except (OSError, RuntimeError):  # a loop of links
        raise PictureError("cannot be found", where=image) from None
    if not path.is_relative_to(base):
        raise PictureError("leads out of the root", where=image)
    if not path.exists():
        raise PictureError("no such file", where=image)
    if not path.is_file():
        raise PictureError("not a regular file", where=image)
    return path


def picture_seed(image: str) -> int:
    """The seed of a picture: the first eight hex digits of the SHA-1 of its relative path.

    >>> hex(picture_seed("train2017/000000001589.jpg"))
    '0x76ab5a84'
    """
    return int(hashlib.sha1(image.encode(), usedforsecurity=False).hexdigest()[:8], 16)


def _read(path: Path, image: str) -> bytes:
    """The bytes of a file, at most one more than allowed, whatever the file says of its size."""
    try:
        with path.open("rb") as stream:
            return stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise PictureError(f"cannot be read ({error.strerror})", where=image) from None


def _require_size(data: bytes, where: str) -> None:
    if len(data) > LARGEST_FILE:
        raise PictureError(f"larger than {LARGEST_FILE // 1024**2} MB", where=where)
    if not data:
        raise PictureError("empty file", where=where)


def _is_svg(data: bytes) -> bool:
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n\x00").lower()
    return start.startswith((b"<svg", b"<?xml", b"<!doctype svg", b"<!--")) or b"<svg" in start


def _flattened(image: Image.Image) -> Image.Image:
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        canvas = Image.new("RGBA", layer.size, (255, 255, 255, 255))
        canvas.alpha_composite(layer)
        return canvas.convert("RGB")
    return image.convert("RGB")
