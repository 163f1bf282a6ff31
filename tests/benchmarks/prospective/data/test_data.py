"""Where items come from, and what is said of files that do not fit."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from pydantic import JsonValue

from forgetscope.benchmarks.prospective.data.items import choose_constraint_items, chosen_types
from forgetscope.benchmarks.prospective.data.loading import (
    HUB_SETS,
    IFBENCH,
    IFBENCH_HUB,
    _from_hub,
    load_data,
)
from forgetscope.benchmarks.prospective.loads.arithmetic import final_number
from forgetscope.checkers import check, check_prompt
from forgetscope.checkers.construct import compose
from forgetscope.core.errors import DataError
from forgetscope.io.hub import HubSet

ARTICLE = "The town council met again on Monday to talk about the old bridge. " * 50

ROWS: dict[str, list[dict[str, JsonValue]]] = {
    "ifeval": [{"key": 1, "prompt": "p", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}],
    "triviaqa": [{"question_id": "t1", "question": "q", "answer": {"value": "Rome", "aliases": ["Roma", ""]}}],
    "mmlu": [{"question": "q", "subject": "s", "choices": ["a", "b", "c", "d"], "answer": 1}],
    "gsm8k": [{"question": "q", "answer": "2+3=5\n#### 2,125"}],
    "cnn_dailymail": [{"id": "n1", "article": ARTICLE, "highlights": "h"}],
}


def write_sets(folder: Path, **changes: list[dict[str, JsonValue]] | str) -> Path:
    for role, rows in ROWS.items():
        (folder / role).mkdir(parents=True)
        content = changes.get(role, rows)
        text = content if isinstance(content, str) else "\n".join(json.dumps(row) for row in content)
        (folder / role / "test.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_of_published_formats_loads(tmp_path: Path) -> None:
    data = load_data(str(write_sets(tmp_path / "d")))
    assert data.pools["triviaqa"][0].golds == ("Rome", "Roma")
    assert [entry.name for entry in data.provenance] == [f"{role}/test.jsonl" for role in ROWS]


def test_the_hash_follows_the_content(tmp_path: Path) -> None:
    one = load_data(str(write_sets(tmp_path / "a")))
    two = load_data(str(write_sets(tmp_path / "b")))
    other = load_data(str(write_sets(tmp_path / "c", gsm8k=[{"question": "q", "answer": "#### 1"}])))
    assert one.sha256 == two.sha256 != other.sha256


@pytest.mark.parametrize(
    ("role", "content", "message"),
    [
        ("triviaqa", '{"question": ', r"test.jsonl:1: not JSON"),
        ("triviaqa", "", r"empty"),
        ("mmlu", [{"question": "q", "choices": ["a", "b"], "answer": 1}], r"test.jsonl:1: field 'choices"),
        ("mmlu", [{"question": "q", "choices": ["a", "b", "c", "d"], "answer": 4}], r"field 'answer'.*found 4"),
        ("gsm8k", [{"question": "q", "answer": "five"}], r"test.jsonl:1: .*#### N"),
        ("cnn_dailymail", [{"id": "n", "article": "short", "highlights": "h"}], r"600 to 1000.*found \[1\]"),
        ("cnn_dailymail", [*ROWS["cnn_dailymail"] * 2], r"duplicate cnn_dailymail id"),
        ("triviaqa", [*ROWS["triviaqa"] * 2], r"duplicate triviaqa id"),
        ("ifeval", [*ROWS["ifeval"] * 2], r"test.jsonl:2.*key"),
        (
            "ifeval",
            [{"key": 1, "prompt": "p", "instruction_id_list": ["no:such"], "kwargs": [{}]}],
            r"test.jsonl:1.*no:such",
        ),
        (
            "ifeval",
            [{"key": 1, "prompt": "p", "instruction_id_list": ["startend:end_checker"], "kwargs": [{}]}],
            r"test.jsonl:1.*end_phrase",
        ),
    ],
)
def test_what_does_not_fit_is_named_with_file_and_line(
    tmp_path: Path, role: str, content: list[dict[str, JsonValue]] | str, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        load_data(str(write_sets(tmp_path / "d", **{role: content})))


def test_a_missing_folder_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="allowed: embedded, official, or a folder"):
        load_data(str(tmp_path / "none"))


def test_the_one_split_of_ifeval_is_found_under_its_name(tmp_path: Path) -> None:
    folder = write_sets(tmp_path)
    (found,) = (folder / "ifeval").glob("*.jsonl")
    found.rename(found.with_name("train.jsonl"))
    assert len(load_data(str(folder)).prompts) == 1


def test_training_rows_alone_are_no_benchmark(tmp_path: Path) -> None:
    folder = write_sets(tmp_path)
    (found,) = (folder / "gsm8k").glob("*.jsonl")
    found.rename(found.with_name("train.jsonl"))
    with pytest.raises(DataError, match="cannot tell which file"):
        load_data(str(folder))


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    folder = write_sets(tmp_path)
    (found,) = (folder / "mmlu").glob("*.jsonl")
    found.write_bytes(b"\xef\xbb\xbf" + found.read_bytes())
    assert len(load_data(str(folder)).pools["mmlu"]) == 1


def test_a_number_too_long_to_read_is_named_with_its_line(tmp_path: Path) -> None:
    folder = write_sets(tmp_path, mmlu='{"question": ' + "1" * 5000 + "}")
    with pytest.raises(DataError, match=r"mmlu.*:1: not JSON that can be read"):
        load_data(str(folder))


def test_two_files_that_could_both_be_meant_are_an_error(tmp_path: Path) -> None:
    folder = write_sets(tmp_path / "d")
    (folder / "mmlu" / "test.jsonl").rename(folder / "mmlu" / "one.jsonl")
    (folder / "mmlu" / "two.jsonl").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match="cannot tell which file"):
        load_data(str(folder))


def role_of(hub_set: HubSet) -> str:
    return next(role for role, known in HUB_SETS.items() if known == hub_set)


def test_hub_rows_load_with_their_pinned_revisions() -> None:
    asked: list[HubSet] = []

    def rows(hub_set: HubSet) -> Iterable[dict[str, JsonValue]]:
        asked.append(hub_set)
        return ROWS[role_of(hub_set)]

    data = _from_hub(rows)
    wanted = [hub_set for name, hub_set in HUB_SETS.items() if name != IFBENCH]
    assert asked == wanted
    assert all(len(hub_set.revision) == 40 for hub_set in HUB_SETS.values())
    assert [entry.revision for entry in data.provenance] == [hub_set.revision for hub_set in wanted]


def test_the_prompts_of_ifbench_stand_in_the_place_of_ifevals() -> None:
    asked: list[HubSet] = []

    def rows(hub_set: HubSet) -> Iterable[dict[str, JsonValue]]:
        asked.append(hub_set)
        if hub_set != IFBENCH_HUB:
            return ROWS[role_of(hub_set)]
        # as the hub has it: the key is text, numbers have a point, and what is not used is null
        padded: dict[str, JsonValue] = {"N": 3.0, "small_n": None, "options": None}
        return [{"key": "0", "prompt": "p", "instruction_id_list": ["count:numbers"], "kwargs": [padded]}]

    data = _from_hub(rows, constraints=IFBENCH)
    assert asked[0] == IFBENCH_HUB
    assert data.provenance[0].revision == IFBENCH_HUB.revision
    (item,) = choose_constraint_items(data.prompts, family=IFBENCH)
    assert item.item == "ifbench-0"
    assert check("count:numbers", item.spec.kwargs[0], "1 2 3").followed


def test_a_folder_with_the_published_file_of_ifbench_is_read(tmp_path: Path) -> None:
    folder = write_sets(tmp_path)
    (folder / "ifbench").mkdir()
    row = {"key": "0", "prompt": "p", "instruction_id_list": ["words:start_verb"], "kwargs": [{"N": None}]}
    (folder / "ifbench" / "IFBench_test.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    data = load_data(str(folder), constraints=IFBENCH)
    assert [spec.instruction_id_list for spec in data.prompts] == [("words:start_verb",)]
    assert data.provenance[0].role == IFBENCH


def test_every_type_of_ifbench_has_an_embedded_prompt_that_can_be_kept_and_broken() -> None:
    items = choose_constraint_items(load_data("embedded", constraints=IFBENCH).prompts, family=IFBENCH)
    assert {name for item in items for name, _ in item.instructions} == chosen_types(IFBENCH)
    assert len(items) == 58
    for item in items:
        reply = compose(item.instructions, prompt=item.spec.prompt)
        assert reply is not None
        assert check_prompt(item.spec, reply).followed_strict


def test_padded_hub_kwargs_lose_their_nulls() -> None:
    padded: dict[str, JsonValue] = {
        **ROWS["ifeval"][0],
        "instruction_id_list": ["keywords:existence"],
        "kwargs": [{"keywords": ["tea"], "num_words": None}],
    }
    data = _from_hub(lambda hub_set: [padded] if role_of(hub_set) == "ifeval" else ROWS[role_of(hub_set)])
    assert data.prompts[0].kwargs == ({"keywords": ["tea"]},)


@pytest.mark.parametrize(
    ("answer", "number"), [("#### 2,125", 2125.0), ("x\n#### $5", 5.0), ("a #### 1\n#### -3", -3.0)]
)
def test_gold_numbers_lose_their_separators(answer: str, number: float) -> None:
    assert final_number(answer) == number


def test_a_gold_without_a_final_line_is_an_error() -> None:
    with pytest.raises(ValueError, match="####"):
        final_number("five")
