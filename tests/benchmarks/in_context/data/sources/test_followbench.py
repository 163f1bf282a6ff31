"""FollowBench: its quirks on rows of our own, and the real files as they stand."""

import json
from pathlib import Path

import pytest

from forgetscope.benchmarks.in_context.data.sources import load_source
from forgetscope.benchmarks.in_context.data.sources.followbench import FILES
from forgetscope.core.errors import DataError
from forgetscope.io.records import file_sha256


def _row(number: int, level: int, instruction: str) -> dict[str, object]:
    row = {"example_id": number, "category": "style", "source": "ours", "level": level, "instruction": instruction}
    return {**row, "target": ""}


def _write(folder: Path, rows: list[dict[str, object]], name: str = "style_constraints.json") -> Path:
    (folder / name).write_text(json.dumps(rows), encoding="utf-8")
    return folder


def test_levels_without_a_constraint_and_empty_instructions_are_left_out(tmp_path: Path) -> None:
    rows = [_row(1, 0, "Write."), _row(1, 1, "Write in verse."), _row(2, 0, ""), _row(2, 1, "Sing in Latin.")]
    source = load_source("followbench", _write(tmp_path, rows))
    assert [(entry.id, entry.group, entry.domain) for entry in source.instructions] == [
        ("followbench-style-1-1", "followbench-style-1", "style"),
        ("followbench-style-2-1", "followbench-style-2", "style"),
    ]
    assert source.left_out == {"level 0: no constraint yet": 1, "empty instruction": 1}
    assert source.provenance[0].revision == "", "these are not the published bytes"


def test_one_file_is_enough(tmp_path: Path) -> None:
    folder = _write(tmp_path, [_row(1, 1, "Write.")])
    _write(folder, [_row(1, 2, "Sing.")], "mixed_constraints.json")
    assert len(load_source("followbench", folder / "mixed_constraints.json").instructions) == 1
    assert len(load_source("followbench", folder).instructions) == 2


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ("", "the data set is empty"),
        ("[", "not JSON"),
        ('[{"example_id": 1}]', "field 'level'"),
        ("[7]", "not a JSON object"),
        ('"text"', "not a JSON object"),
    ],
)
def test_files_that_are_not_followbench_are_refused(tmp_path: Path, content: str, match: str) -> None:
    (tmp_path / "style_constraints.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=match):
        load_source("followbench", tmp_path)


def test_a_folder_without_its_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no file of FollowBench here"):
        load_source("followbench", tmp_path)


def test_the_real_files_load_as_they_stand(real_data: Path) -> None:
    source = load_source("followbench", real_data / "followbench")
    assert len(source.instructions) == 820
    assert source.left_out == {"level 0: no constraint yet": 107, "empty instruction": 17}
    assert {entry.revision for entry in source.provenance} == {FILES.commit}
    for name, digest in FILES.sha256.items():
        assert file_sha256(real_data / "followbench" / name) == digest
