"""Reading IFEval's prompt files."""

import json
from pathlib import Path

import pytest

from forgetscope.checkers import read_prompts
from forgetscope.core.errors import DataError

ROW = {"key": 1, "prompt": "p", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}


def written(folder: Path, *rows: object) -> Path:
    path = folder / "prompts.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def test_the_padded_form_reads_like_the_plain_one(tmp_path: Path) -> None:
    padded = ROW | {"kwargs": [{"num_words": None, "relation": None}]}
    assert read_prompts(written(tmp_path, padded)) == read_prompts(written(tmp_path, ROW))
    assert read_prompts(written(tmp_path, padded))[0].kwargs == ({},)


def test_blank_lines_a_byte_order_mark_and_unknown_fields_are_no_obstacle(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff" + json.dumps(ROW | {"note": 1}), "", ROW | {"key": "b", "prompt": "a\u2028b"})
    assert [spec.prompt for spec in read_prompts(path)] == ["p", "a\u2028b"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([ROW, "{"], r"prompts\.jsonl:2: not JSON"),
        ([ROW, "[1]"], r"prompts\.jsonl:2: not a JSON object"),
        ([ROW, ROW], r"prompts\.jsonl:2: key used before, at .*prompts\.jsonl:1; found 1"),
        ([ROW | {"instruction_id_list": ["a:b"]}], r"prompts\.jsonl:1: no such constraint; found 'a:b'; allowed:"),
        ([ROW | {"kwargs": []}], r"prompts\.jsonl:1: 1 instructions but 0 kwargs"),
        (
            [ROW | {"instruction_id_list": ["length_constraints:number_words"]}],
            r"prompts\.jsonl:1: kwargs of length_constraints:number_words, field 'num_words': field required",
        ),
        ([{k: v for k, v in ROW.items() if k != "prompt"}], r"prompts\.jsonl:1: prompt: Field required"),
        ([], r"prompts\.jsonl: the data set is empty"),
    ],
)
def test_a_bad_file_is_refused_in_one_line_with_its_place(tmp_path: Path, rows: list[object], message: str) -> None:
    with pytest.raises(DataError, match=message) as refused:
        read_prompts(written(tmp_path, *rows))
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.jsonl: no such file"):
        read_prompts(tmp_path / "none.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match=r"binary\.jsonl, byte 0: not UTF-8 text"):
        read_prompts(tmp_path / "binary.jsonl")


def test_the_541_prompts_of_ifeval_load(real_data: Path) -> None:
    specs = read_prompts(real_data / "ifeval" / "input_data.jsonl")
    assert len(specs) == 541
    assert sum(len(spec.instruction_id_list) for spec in specs) == 834
