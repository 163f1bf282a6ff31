"""A folder of one's own records, line by line."""

import json
from pathlib import Path

import pytest

from forgetscope.benchmarks.in_context.data.sources import load_source
from forgetscope.core.errors import DataError
from tests.benchmarks.in_context.construction.scripted import FOODS, preference, write_source


def test_any_of_the_three_files_is_read(tmp_path: Path) -> None:
    source = load_source(str(write_source(tmp_path, dialogues=2, preferences=1)))
    assert (len(source.dialogues), len(source.instructions), len(source.preferences)) == (2, 0, 1)
    assert [entry.rows for entry in source.provenance] == [2, 1]


def _with(tmp_path: Path, **changes: object) -> str:
    tmp_path.joinpath("preferences.jsonl").write_text(
        json.dumps({**preference(*FOODS[0]), **changes}) + "\n", encoding="utf-8"
    )
    return str(tmp_path)


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"option": "Elsewhere"}, "not among the options"),
        ({"options": ["a", "A", "b", "c"], "option": "a"}, "two options are the same"),
        ({"options": ["a", "b"]}, "options"),
        ({"extra": 1}, "extra"),
        ({"dialogue": [{"role": "assistant", "content": "Hi"}]}, "the user's was expected"),
        ({"id": "x" * 80}, "an id is too long"),
    ],
)
def test_a_line_that_does_not_fit_is_refused(tmp_path: Path, changes: dict[str, object], match: str) -> None:
    with pytest.raises(DataError, match=match):
        load_source(_with(tmp_path, **changes))


def test_an_id_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    folder = write_source(tmp_path, instructions=1)
    path = folder / "instructions.jsonl"
    path.write_text(path.read_text(encoding="utf-8") * 2, encoding="utf-8")
    with pytest.raises(DataError, match="an id occurs twice; found 'note-amal'"):
        load_source(str(folder))
