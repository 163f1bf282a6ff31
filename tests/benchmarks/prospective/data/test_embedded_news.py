import json
import re
from importlib.resources import files

import pytest

from forgetscope.io.tokens import count_cl100k

_LINES = (
    files("forgetscope.benchmarks.prospective.data")
    .joinpath("embedded/news.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
)
_ROWS: list[dict[str, str]] = [json.loads(line) for line in _LINES]
_ALL = pytest.mark.parametrize("row", _ROWS, ids=[row["id"] for row in _ROWS])

# A number as it is written, with its thousands separators and decimals, without the full stop after it.
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def test_there_are_24_articles_with_ids_in_order() -> None:
    assert [row["id"] for row in _ROWS] == [f"fb-news-{i:02d}" for i in range(1, 25)]


def test_articles_and_highlights_are_unique() -> None:
    assert len({row["article"] for row in _ROWS}) == 24
    assert len({row["highlights"] for row in _ROWS}) == 24
    assert len({row["article"].split(". ")[0] for row in _ROWS}) == 24


def test_no_two_articles_share_a_run_of_eight_words() -> None:
    seen: dict[tuple[str, ...], str] = {}
    for row in _ROWS:
        words = re.findall(r"\w+", row["article"].lower())
        for run in zip(*(words[i:] for i in range(8)), strict=False):
            assert seen.setdefault(run, row["id"]) == row["id"], run


@_ALL
def test_the_fields_are_those_of_cnn_dailymail(row: dict[str, str]) -> None:
    assert list(row) == ["id", "article", "highlights"]
    assert all(isinstance(value, str) and value == value.strip() for value in row.values())
    assert "\n" not in row["article"]


@_ALL
def test_an_article_has_620_to_960_tokens(row: dict[str, str]) -> None:
    assert 620 <= count_cl100k(row["article"]) <= 960


@_ALL
def test_highlights_are_three_or_four_sentences_one_a_line(row: dict[str, str]) -> None:
    lines = row["highlights"].split("\n")
    assert 3 <= len(lines) <= 4
    assert all(re.fullmatch(r"[A-Z].{30,}[^.]\.", line) for line in lines)


@_ALL
def test_every_number_in_the_highlights_stands_in_the_article(row: dict[str, str]) -> None:
    assert set(_NUMBER.findall(row["highlights"])) <= set(_NUMBER.findall(row["article"]))


@_ALL
def test_every_name_in_the_highlights_stands_in_the_article(row: dict[str, str]) -> None:
    # A capitalised word inside a line, not at its start, is a name.
    for line in row["highlights"].split("\n"):
        for name in re.findall(r"(?<=[\w,;\"] )[A-ZÀ-Ý][\w-]+", line):
            assert re.search(rf"\b{re.escape(name)}", row["article"]), name


@_ALL
def test_quotation_marks_and_brackets_are_balanced_and_spacing_is_clean(row: dict[str, str]) -> None:
    text = row["article"]
    assert text.count('"') % 2 == 0
    assert text.count("(") == text.count(")")
    assert not re.search(r"  | [.,;:?!]|\.\.|“|”|\t", text)
    assert text.endswith((".", '."'))
