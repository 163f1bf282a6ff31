"""A word that the reference takes for a pattern is searched in little time, or refused in one line."""

import time

import pytest

from forgetscope.checkers import Behaviour, check
from forgetscope.checkers.patterns import LONGEST_WORD, published_pattern
from forgetscope.core.errors import UserError

ASKED: dict[str, dict[str, object]] = {
    "keywords:existence": {"keywords": ["WORD"]},
    "keywords:frequency": {"keyword": "WORD", "frequency": 1, "relation": "at least"},
    "keywords:forbidden_words": {"forbidden_words": ["WORD"]},
    "detectable_content:postscript": {"postscript_marker": "WORD"},
    "detectable_format:multiple_sections": {"section_spliter": "WORD", "num_sections": 1},
}
CATASTROPHIC = [
    *("(a+)+$", "(a|a)*b", "a*a*a*a*a*b", "(a?){30}a{30}", "a?" * 30 + "a" * 30, "(a|a)" * 30 + "b", "(.*)*x", "a+b"),
    *(r"(\w+\s?)*$", "(?:a*)*b", "(a{1,9}){1,9}!", "[^b]*b", "((a+))+", r"\w+\d", "(?=(a+))*b", "a*?b", "(a++)+b"),
]


def asked(name: str, word: str) -> dict[str, object]:
    return {
        key: [word] if value == ["WORD"] else word if value == "WORD" else value for key, value in ASKED[name].items()
    }


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("word", CATASTROPHIC)
def test_a_pattern_that_could_take_hours_is_refused_by_the_reference_and_literal_when_repaired(
    name: str, word: str
) -> None:
    with pytest.raises(UserError, match="could take hours") as error:
        check(name, asked(name, word), "a" * 50, behaviour=Behaviour.REFERENCE)
    assert "\n" not in str(error.value)
    assert check(name, asked(name, word), f"{word} 1", behaviour=Behaviour.REPAIRED).followed == (
        "forbidden" not in name
    )


ALLOWED = [
    "plain",
    "two words",
    "a.m",
    "a.m.",
    "c++",
    "what?",
    "P.P.P.S",
    "[abc]rt",
    r"\bart\b",
    "yes|no",
    "naïve",
    "c+",
    "#",
    "$5",
]


@pytest.mark.parametrize("word", ALLOWED)
@pytest.mark.parametrize("text", ["a", "c", " ", "ab ", "c_", "word ", "p. ", "1"])
def test_every_other_pattern_is_searched_at_once(word: str, text: str) -> None:
    for name in ASKED:
        if name == "detectable_format:multiple_sections" and "+" in word:
            continue
        began = time.process_time()
        check(name, asked(name, word), text * 200_000, behaviour=Behaviour.REFERENCE)
        assert time.process_time() - began < 2


def test_a_word_that_is_no_pattern_says_so_and_one_without_end_is_no_word() -> None:
    with pytest.raises(UserError, match=r"this is none \(.*\); found '\[a'"):
        published_pattern("[a", "a keyword")
    for name in ASKED:
        with pytest.raises(UserError):
            check(name, asked(name, "a" * (LONGEST_WORD + 1)), "a", behaviour=Behaviour.REFERENCE)
