"""Hostile pictures and paths: each is refused with its reason, none is followed, decoded or waited for."""

import base64
import io
import os
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from forgetscope.benchmarks.visual.data import pictures
from forgetscope.benchmarks.visual.data.pictures import PictureError, locate, open_picture
from tests.benchmarks.visual import layouts


def reason(root: Path, image: str) -> str:
    with pytest.raises(PictureError) as caught:
        open_picture(root, image)
    assert "\n" not in str(caught.value)
    return caught.value.reason


def png_of(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG that claims a size; the compressed data are whatever is given."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", data or zlib.compress(b"\0"))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "gif", "bmp"])
def test_pictures_of_known_formats_are_opened_whole(tmp_path: Path, suffix: str) -> None:
    layouts.picture(tmp_path / "a" / f"b.{suffix}", 3)
    opened = open_picture(tmp_path, f"a/b.{suffix}")
    assert opened.size == (32, 24)
    assert opened.image().mode == "RGB"
    head, _, body = opened.data_uri().partition(";base64,")
    sent = base64.b64decode(body)
    if suffix in ("jpg", "png", "webp"):
        assert sent == (tmp_path / "a" / f"b.{suffix}").read_bytes()
    else:
        assert head == "data:image/png"
        assert Image.open(io.BytesIO(sent)).size == (32, 24)


def test_a_suffix_says_nothing_the_bytes_decide(tmp_path: Path) -> None:
    layouts.picture(tmp_path / "b.png")
    (tmp_path / "b.png").rename(tmp_path / "b.jpg")
    assert open_picture(tmp_path, "b.jpg").data_uri().startswith("data:image/png;")


def test_a_decompression_bomb_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    (tmp_path / "bomb.png").write_bytes(png_of(50_000, 50_000))
    (tmp_path / "wide.png").write_bytes(png_of(20_000, 2))
    assert reason(tmp_path, "bomb.png").startswith("too many pixels")
    assert reason(tmp_path, "wide.png") == "too many pixels: 20000 x 2"


def test_a_bomb_below_pillows_own_limit_is_refused_by_ours(tmp_path: Path) -> None:
    (tmp_path / "bomb.png").write_bytes(png_of(8_000, 8_000))
    assert reason(tmp_path, "bomb.png") == "too many pixels: 8000 x 8000"


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "gif", "bmp"])
def test_a_truncated_file_is_refused(tmp_path: Path, suffix: str) -> None:
    image = Image.effect_noise((64, 64), 80).convert("RGB")
    image.save(tmp_path / f"whole.{suffix}")
    whole = (tmp_path / f"whole.{suffix}").read_bytes()
    for part in (2, 4, 10):
        (tmp_path / f"cut.{suffix}").write_bytes(whole[: len(whole) // part])
        assert reason(tmp_path, f"cut.{suffix}").startswith(("truncated", "cannot be decoded", "not a picture"))


@pytest.mark.parametrize(
    "text",
    [
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
        "\ufeff  <SVG onload='x'/>",
        "<!-- a comment --><svg/>",
    ],
)
def test_svg_is_refused_by_name(tmp_path: Path, text: str) -> None:
    for name in ("x.svg", "x.png"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert reason(tmp_path, name) == "SVG is not opened: it can hold scripts and links"


@pytest.mark.parametrize(
    "data", [b"hello", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"%PDF-1.4", b"II*\0" + b"\0" * 40]
)
def test_what_is_no_picture_of_a_known_format_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.jpg").write_bytes(data)
    assert reason(tmp_path, "x.jpg")


def test_broken_compressed_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(png_of(100, 100, b"\x78\x9c" + os.urandom(50)))
    assert reason(tmp_path, "x.png") in ("truncated", "cannot be decoded")


@pytest.mark.parametrize("path", ["../secret.jpg", "/etc/passwd", "a/../../secret.jpg", "", "a\\..\\b.jpg", "a\0b.jpg"])
def test_a_path_that_leaves_the_root_is_not_followed(tmp_path: Path, path: str) -> None:
    layouts.picture(tmp_path / "secret.jpg")
    (tmp_path / "root").mkdir()
    assert reason(tmp_path / "root", path) == "not a path below the root"


def test_links_out_of_the_root_are_refused_and_links_within_are_not(tmp_path: Path) -> None:
    layouts.picture(tmp_path / "secret" / "s.jpg")
    layouts.picture(tmp_path / "root" / "in" / "a.jpg")
    (tmp_path / "root" / "file.jpg").symlink_to(tmp_path / "secret" / "s.jpg")
    (tmp_path / "root" / "folder").symlink_to(tmp_path / "secret")
    (tmp_path / "root" / "within.jpg").symlink_to("in/a.jpg")
    (tmp_path / "root" / "loop.jpg").symlink_to("loop.jpg")
    assert reason(tmp_path / "root", "file.jpg") == "leads out of the root"
    assert reason(tmp_path / "root", "folder/s.jpg") == "leads out of the root"
    assert open_picture(tmp_path / "root", "within.jpg").size == (32, 24)
    assert reason(tmp_path / "root", "loop.jpg") in ("cannot be found", "no such file")


def test_a_root_that_is_a_link_itself_is_the_users_choice(tmp_path: Path) -> None:
    layouts.picture(tmp_path / "real" / "a.jpg")
    (tmp_path / "root").symlink_to(tmp_path / "real")
    assert locate(tmp_path / "root", "a.jpg") == (tmp_path / "real" / "a.jpg").resolve()


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    (tmp_path / "folder.jpg").mkdir()
    os.mkfifo(tmp_path / "pipe.jpg")
    assert reason(tmp_path, "folder.jpg") == "not a regular file"
    assert reason(tmp_path, "pipe.jpg") == "not a regular file"
    assert reason(tmp_path, "missing.jpg") == "no such file"
    (tmp_path / "empty.jpg").touch()
    assert reason(tmp_path, "empty.jpg") == "empty file"


def test_a_file_too_large_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "LARGEST_FILE", 1024 * 1024)
    with (tmp_path / "large.jpg").open("wb") as stream:
        stream.truncate(1024**4)
    assert reason(tmp_path, "large.jpg") == "larger than 1 MB"


def test_transparency_lies_over_white_and_an_animation_gives_its_first_frame(tmp_path: Path) -> None:
    Image.new("RGBA", (8, 8), (255, 0, 0, 0)).save(tmp_path / "clear.png")
    assert open_picture(tmp_path, "clear.png").image().getpixel((0, 0)) == (255, 255, 255)
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "moving.gif", save_all=True, append_images=frames[1:])
    pixel = open_picture(tmp_path, "moving.gif").image().getpixel((0, 0))
    assert isinstance(pixel, tuple)
    assert pixel[0] > 200
    assert pixel[2] < 50


def test_real_photographs_are_opened(real_data: Path) -> None:
    folder = real_data / "coco_cc_by_sample"
    if not folder.is_dir():
        pytest.skip("the COCO sample is not here")
    paths = sorted(path.name for path in (folder / "images").iterdir())[:8]
    for name in paths:
        opened = open_picture(folder, f"images/{name}")
        assert opened.format == "JPEG"
        assert min(opened.size) > 100
