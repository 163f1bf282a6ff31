import os
from pathlib import Path

import pytest

from forgetscope.benchmarks import GRIDS
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.core.results import build_table
from forgetscope.io.files import (
    RUN_MARKS,
    claim_folder,
    make_folder,
    nothing_left,
    real_path,
    replacing,
    require_apart,
    write_bytes,
    write_lines,
    write_text,
)
from forgetscope.io.tables import write_table
from forgetscope.running.manifest import MANIFEST_NAME


def test_a_folder_claimed_for_what_is_refused_is_gone_again_unless_it_holds_something(tmp_path: Path) -> None:
    for name, is_kept in (("empty", False), ("full", True)):
        folder = tmp_path / name
        claim_folder(folder, "")
        if is_kept:
            write_text(folder / "reply.txt", "x")
        with pytest.raises(SettingError), nothing_left(folder):
            raise SettingError("does not answer", where="--model")
        assert folder.exists() == is_kept


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


def test_an_output_replaces_no_input_and_no_file_of_a_run(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "logs").mkdir(parents=True)
    (run / RUN_MARKS[0]).write_text("{}")
    rows = tmp_path / "rows.jsonl"
    rows.write_text("{}")
    (tmp_path / "same.jsonl").hardlink_to(rows)
    (tmp_path / "link.jsonl").symlink_to(rows)
    (tmp_path / "linked").symlink_to(run)
    for name in ("run", "run/run.json", "run/logs/new.json", "linked/verdicts.jsonl", "run/page.html"):
        with pytest.raises(SettingError, match="beside a run, not into it"):
            require_apart(tmp_path / name)
    for name in ("rows.jsonl", "same.jsonl", "link.jsonl", "./run/../rows.jsonl"):
        with pytest.raises(SettingError, match="never takes the place of what it is made from"):
            require_apart(tmp_path / name, [rows])
    (tmp_path / "data").mkdir()
    with pytest.raises(SettingError, match="never takes the place"):
        require_apart(tmp_path / "data" / "new", [tmp_path / "data"])
    for name in ("run/page.html", "both.html"):
        require_apart(tmp_path / name, [run], is_page=True)
    for name in ("run/run.json", "run/logs/one.eval", "linked/summary.json"):
        with pytest.raises(SettingError):
            require_apart(tmp_path / name, [run], is_page=True)
    require_apart(tmp_path / "verdicts.jsonl", [rows, tmp_path / "not there"])
    with pytest.raises(SettingError, match="beside a run"):
        claim_folder(run / "logs" / "inner", "choose another")


def test_the_marks_of_runs_are_those_they_have() -> None:
    assert set(RUN_MARKS) == {MANIFEST_NAME, *(benchmark.mark for benchmark in GRIDS.values())}


def test_a_circle_of_links_is_a_path_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert real_path(tmp_path / "a" / "x").name == "x"
    require_apart(tmp_path / "a", [tmp_path / "b"])
    with pytest.raises(RunFolderError, match="cannot use this folder"):
        claim_folder(tmp_path / "a" / "x", "choose another")
