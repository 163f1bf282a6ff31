import json

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
