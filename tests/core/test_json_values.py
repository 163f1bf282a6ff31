import json
import time

import pytest

from forgetscope.core.json_values import DEEPEST, json_object, json_value


def test_json_is_read_as_it_stands() -> None:
    assert json_value('{"a": [1, 2.5, null, true, "é"]}') == {"a": [1, 2.5, None, True, "é"]}


@pytest.mark.parametrize("nested", [DEEPEST + 2, 600, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a": ', "}")])
def test_what_is_nested_too_deeply_is_refused(nested: int, opening: str, closing: str) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        json_value(opening * nested + "1" + closing * nested)


def test_what_is_wide_is_not_deep() -> None:
    assert json_value("[" + ",".join(["[]"] * 1000) + "]") == [[]] * 1000


@pytest.mark.parametrize("text", ["", "{", "1" * 5000, "nul", '{"a": 1} {"b": 2}'])
def test_what_is_no_json_is_one_kind_of_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_value(text)


def test_half_a_pair_becomes_the_replacement_character_and_a_whole_one_stays() -> None:
    assert json_value('{"\\ud83d": ["a\\udc00", "\\ud83d\\ude00"]}') == {"�": ["a�", "😀"]}
    json.dumps(json_value('["\\uD800"]'), ensure_ascii=False).encode()


def test_a_list_is_no_object() -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        json_object("[1]")


@pytest.mark.parametrize("nested", [DEEPEST + 2, 200_000])
def test_brackets_in_a_text_are_no_depth(nested: int) -> None:
    said = "[" * nested + r"\"{" * nested
    assert json_value('{"a": "' + said + '"}') == {"a": said.replace("\\", "")}
    with pytest.raises(ValueError, match="nested too deeply"):
        json_value('{"a": "\\\\", "b": ' + "[" * nested)


@pytest.mark.parametrize("digits", [20, 400, 100_000])
def test_a_number_that_no_column_holds_is_refused_and_a_text_of_digits_is_not(digits: int) -> None:
    assert json_value('["' + "9" * digits + '", 9223372036854775807, 0.' + "1" * digits + "]")
    for number in ("9223372036854775808", "-" + "9" * digits):
        with pytest.raises(ValueError, match="too large"):
            json_value(f'{{"tokens": {number}}}')


@pytest.mark.parametrize("text", ['"' + '\\"' * 1_000_000, '"' * 1_000_001, "9" * 2_000_000 + "e", '[["' * 500_000])
def test_a_hostile_text_is_looked_through_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(ValueError, match=r"."):
        json_value("[" * (DEEPEST + 1) + text)
    assert time.process_time() - began < 2
