"""What was appended is there after a kill; what was cut counts as never written and harms no other line."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from forgetscope.core.errors import RunFolderError
from forgetscope.io.journal import Journal


class Event(BaseModel):
    name: str
    note: str | None = None


def journal(path: Path) -> Journal[Event]:
    return Journal(path, Event, "events")


def test_lines_come_back_to_the_next_process_and_the_file_is_made_at_the_first(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    first = journal(path)
    assert not path.exists()
    first.append(Event(name="a\u2028b"))
    first.append(Event(name="c"), exclude_none=True)
    assert first.earlier == []
    assert path.read_text(encoding="utf-8") == '{"name":"a\u2028b","note":null}\n{"name":"c"}\n'
    assert journal(path).earlier == [Event(name="a\u2028b"), Event(name="c")]


@pytest.mark.parametrize("cut", [1, 5, 13])
def test_a_line_cut_by_a_kill_is_passed_over_and_the_next_stands_alone(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text('{"name":"a"}\n' + '{"name":"bb"}\n'[:-cut], encoding="utf-8")
    again = journal(path)
    whole = [Event(name="a"), Event(name="bb")] if cut == 1 else [Event(name="a")]
    assert again.earlier == whole
    again.append(Event(name="c"))
    assert journal(path).earlier == [*whole, Event(name="c")]


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
