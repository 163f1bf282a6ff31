"""What was appended is there after a kill; what was cut counts as never written and harms no other line."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from forgetscope.core.errors import RunFolderError
from forgetscope.io import journal as journals
from forgetscope.io.journal import Journal


class Event(BaseModel):
    name: str
    note: str | None = None


def journal(path: Path) -> Journal[Event]:
    return Journal(path, Event, "events")


def earlier(path: Path) -> list[Event]:
    return [line for _, line in journal(path).earlier()]


def test_lines_come_back_to_the_next_process_and_the_file_is_made_at_the_first(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    first = journal(path)
    assert not path.exists()
    first.append(Event(name="a\u2028b"))
    first.append(Event(name="c"), exclude_none=True)
    assert list(first.earlier()) == []
    assert path.read_text(encoding="utf-8") == '{"name":"a\u2028b","note":null}\n{"name":"c"}\n'
    assert earlier(path) == [Event(name="a\u2028b"), Event(name="c")]


@pytest.mark.parametrize("cut", [1, 5, 13])
def test_a_line_cut_by_a_kill_is_passed_over_and_the_next_stands_alone(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text('{"name":"a"}\n' + '{"name":"bb"}\n'[:-cut], encoding="utf-8")
    again = journal(path)
    whole = [Event(name="a"), Event(name="bb")] if cut == 1 else [Event(name="a")]
    assert [line for _, line in again.earlier()] == whole
    again.append(Event(name="c"))
    assert earlier(path) == [*whole, Event(name="c")]


def test_what_cannot_be_read_or_kept_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    opened = journal(path)
    path.mkdir()
    with pytest.raises(RunFolderError, match=r"events\.jsonl: cannot keep events here"):
        opened.append(Event(name="a"))
    with pytest.raises(RunFolderError, match=r"events\.jsonl: cannot read events"):
        journal(path)


def test_a_journal_says_before_the_first_line_that_it_cannot_be_kept(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match=r"cannot keep events here; found 'No such file or directory'"):
        journal(tmp_path / "none" / "events.jsonl").require_writable()


def test_a_line_is_read_again_from_its_place(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text('{"name":"a"}\n\nno line\n{"name":"é"}\n{"name":"c"}\n', encoding="utf-8")
    opened = journal(path)
    opened.append(Event(name="later"))
    placed = list(opened.earlier())
    assert [line.name for _, line in placed] == ["a", "é", "c"]
    assert [opened.at(place) for place, _ in reversed(placed)] == [line for _, line in reversed(placed)]
    path.write_text("\n" * 90, encoding="utf-8")
    with pytest.raises(RunFolderError, match="events were changed while they were read"):
        opened.at(placed[1][0])


def test_a_line_or_a_file_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events.jsonl"
    with path.open("wb") as stream:
        stream.write(b'{"name":"a"}\n')
        stream.truncate(journals.LONGEST_LINE + 1000)  # a hole that takes no room on the disk
    with pytest.raises(
        RunFolderError, match=r"events\.jsonl, line 2: longer than a line is; allowed: 64,000,000 bytes"
    ):
        list(journal(path).earlier())
    monkeypatch.setattr(journals, "LARGEST_JOURNAL", 1000)
    with pytest.raises(RunFolderError, match=r"larger than a file of events is"):
        journal(path)
