import os
from pathlib import Path

import pytest

from forgetscope.core.errors import RunFolderError
from forgetscope.core.results import build_table
from forgetscope.io.files import claim_folder, make_folder, replacing, write_bytes, write_lines, write_text
from forgetscope.io.tables import write_table


def test_writing_into_a_missing_folder_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="cannot write"):
        write_text(tmp_path / "none" / "file.txt", "x")
    with pytest.raises(RunFolderError, match="cannot write"):
        write_table(build_table([], {}), tmp_path / "none" / "samples.parquet")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    write_text(tmp_path / "file.txt", "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "file.txt", "\ud800")
    assert (tmp_path / "file.txt").read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


def test_a_write_that_breaks_off_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    write_bytes(tmp_path / "file", b"old")

    def stopped() -> None:
        with replacing(tmp_path / "file") as fresh:
            fresh.write_bytes(b"half of the ne")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"old"}


def test_a_written_file_can_be_read_by_others(tmp_path: Path) -> None:
    write_text(tmp_path / "file", "für alle\n")
    assert (tmp_path / "file").read_bytes() == "für alle\n".encode()
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644


def test_rows_are_written_one_a_line(tmp_path: Path) -> None:
    write_lines(tmp_path / "rows.jsonl", [{"a": "ü\n"}, {"b": None}])
    assert (tmp_path / "rows.jsonl").read_text(encoding="utf-8") == '{"a": "ü\\n"}\n{"b": null}\n'


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match=r"file/in: cannot use this folder; found 'Not a directory'"):
        make_folder(tmp_path / "file" / "in")


def test_a_folder_is_claimed_once(tmp_path: Path) -> None:
    claim_folder(tmp_path / "a" / "b", "choose another")
    write_text(tmp_path / "a" / "b" / "file", "")
    with pytest.raises(RunFolderError, match="the folder is not empty; next: choose another"):
        claim_folder(tmp_path / "a" / "b", "choose another")


@pytest.mark.parametrize("name", ["a\nb", "tab\tb", "a#b", "what?", "a%20b"])
def test_a_name_that_an_address_reads_otherwise_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="a run's folder cannot have such a name"):
        claim_folder(tmp_path / name / "run", "another")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["100%", "a::b", "ü ß", "a&b", "[a]*", "~", "s3:"])
def test_any_other_name_will_do(name: str, tmp_path: Path) -> None:
    claim_folder(tmp_path / name, "another")
    assert (tmp_path / name).is_dir()


def test_nothing_but_a_file_is_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(RunFolderError, match=f"{name}: cannot write; found 'something that is no file'"):
            write_text(tmp_path / name, "x")
    assert not (tmp_path / "pipe").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]
