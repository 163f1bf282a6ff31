"""A log is an archive of somebody else's: what it unpacks to is known before it is unpacked."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from forgetscope.io.archives import opened_log


def archive(path: Path, entries: Mapping[str, bytes] | None = None, packed: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packed) as made:
        for name, content in {"header.json": b"{}", **(entries or {})}.items():
            made.writestr(name, content)
    return path


def refused(path: Path) -> str:
    with pytest.raises(ValueError, match=r".") as error, opened_log(path) as log:
        log.head()
    return str(error.value).splitlines()[0]


def test_what_is_no_log_says_so(tmp_path: Path) -> None:
    log = tmp_path / "log.eval"
    assert "No such file" in refused(log)
    log.write_bytes(b"PK")
    assert "not a zip file" in refused(log)
    assert "for EvalLog" in refused(archive(log))
    assert "packed in a way that no log is" in refused(archive(log, packed=zipfile.ZIP_BZIP2))
    assert "nested too deeply" in refused(archive(log, {"header.json": b"[" * 200_000}))


def test_samples_are_bounded_each_and_what_is_read_together_is_bounded_together(tmp_path: Path) -> None:
    log = tmp_path / "log.eval"
    blank = b" " * 60_000_000
    assert "EvalLog" in refused(archive(log, {"samples/a.json": blank, "samples/b.json": blank}))
    assert "unpacks to far more" in refused(archive(log, {"samples/a.json": blank * 3}))
    assert "unpacks to far more" in refused(archive(log, {"summaries.json": blank * 2, "_journal/start.json": blank}))


def test_two_readers_find_the_same_entries_or_none_is_asked(tmp_path: Path) -> None:
    log = archive(tmp_path / "log.eval")
    sound = log.read_bytes()
    with zipfile.ZipFile(log, "a") as made:
        made.comment = b"PK\x05\x06" + bytes(18)
    assert "as Inspect writes it" in refused(log)
    log.write_bytes(b"before" + sound)
    assert "as Inspect writes it" in refused(log)


def test_entries_that_lie_in_each_other_are_refused(tmp_path: Path) -> None:
    log = archive(tmp_path / "log.eval", {"samples/a.json": bytes(range(256)) * 100})
    with zipfile.ZipFile(log, "a") as made:
        one = made.getinfo("samples/a.json")
        for number in range(200):
            again = zipfile.ZipInfo(f"samples/{number}.json")
            for field in ("header_offset", "compress_size", "file_size", "CRC", "compress_type", "external_attr"):
                setattr(again, field, getattr(one, field))
            made.filelist.append(again)
            made.NameToInfo[again.filename] = again
        made.writestr("last.json", b"{}")
    assert "more than it holds" in refused(log)
