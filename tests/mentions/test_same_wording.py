"""Wordings are found however a reply writes them, and only as words of their own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.mentions.same_wording import folded, mentions
from forgetscope.mentions.same_wording import folded as folded_of_items

FOUND = [
    ("Lisbon's old town", "Lisbon"),
    ("in Lisbon’s old town", "Lisbon"),
    ("I went to lisbon.", "Lisbon"),
    ("It was **Lisbon**!", "Lisbon"),
    ("It was _Lisbon_.", "Lisbon"),
    ("the **capital** of _Portugal_", "capital of Portugal"),
    ("the\ncapital   of\tPortugal", "capital of Portugal"),
    ("a co\u2010op flat", "co-op"),
    ("a co\u2011op flat", "co-op"),
    ("a co–op flat", "co-op"),
    ("a well known story", "well-known"),
    ("Argentina, Brazil, and Bolivia", "Argentina, Brazil and Bolivia"),
    ("from Asuncion", "Asunción"),
    ("from Asuncio\u0301n", "Asunción"),
    ("Lis\u200bbon", "Lisbon"),
    ("Lis\u00adbon", "Lisbon"),
    ("ＬＩＳＢＯＮ", "Lisbon"),
    ("a rent of €1,200", "rent of 1200"),
    ("a rent of 1200 €", "rent of €1,200"),
    ("CHF 12'000", "12,000"),
    ("12\u202f000 people", "12,000 people"),
    ("12\u00a0000 people", "12000 people"),
    ("£1,234,567.00", "1234567"),
    ("10pm", "10 pm"),
    ("5 km", "5km"),
    ("the U.S. Embassy", "US embassy"),
    ("the students’ room", "students"),
    ("मैं दिल्ली में रहता हूँ", "दिल्ली"),
]

NOT_FOUND = [
    ("a Lisbonite", "Lisbon"),
    ("version 3.5", "3"),
    ("version 3.5", "5"),
    ("1,200 people", "200"),
    ("1,200 people", "1"),
    ("at 10:30", "30"),
    ("on the 14th", "14"),
    ("in 2019", "20"),
    ("capital punishment in Portugal", "capital of Portugal"),
    ("anything", "..."),
    ("", "€"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "wording"), FOUND)
def test_the_same_wording_written_otherwise_is_found(text: str, wording: str) -> None:
    assert mentions(text, wording)


@pytest.mark.parametrize(("text", "wording"), NOT_FOUND)
def test_another_wording_is_not_found(text: str, wording: str) -> None:
    assert not mentions(text, wording)


def test_a_date_with_points_is_its_parts() -> None:
    assert folded("on 14.03.2019.") == "on 14 03 2019"


def test_a_list_of_numbers_is_not_one_number() -> None:
    assert folded("1,2,3 and 5,100,20") == "1 2 3 and 5 100 20"


def test_items_offer_the_same_folding() -> None:
    assert folded_of_items is folded


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    once = folded(text)
    assert folded(once) == once


@given(st.text(), st.text(min_size=1))
def test_a_text_mentions_its_own_words(text: str, wording: str) -> None:
    assert mentions(f"{text} | {wording} | {text}", wording) == bool(folded(wording))
