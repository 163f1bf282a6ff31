"""The retained share of a constraint under load, and how often a format comes out by chance."""

import polars as pl
import pytest

from forgetscope.benchmarks.prospective.metrics.residue import chance_compliance
from tests.benchmarks.prospective.metrics.small_tables import Row, figures_of, row

COMMA, QUOTE = ["punctuation:no_comma"], ["startend:quotation"]


def replies(*of: tuple[str, list[str], str]) -> pl.DataFrame:
    return pl.DataFrame(
        [{"item": item, "instruction_types": types, "kwargs": "[{}]", "reply": reply} for item, types, reply in of]
    )


def test_chance_is_read_from_replies_to_items_of_other_types_alone() -> None:
    found = chance_compliance(
        replies(("a", COMMA, "one, two"), ("b", COMMA, "none"), ("c", QUOTE, '"yes, so"'), ("d", QUOTE, '"no"'))
    )
    assert found == {"a": 0.5, "b": 0.5, "c": 0.0, "d": 0.0}


def test_an_item_whose_type_is_that_of_all_others_has_no_chance() -> None:
    assert chance_compliance(replies(("a", COMMA, "one"), ("b", COMMA, "two"))) == {}


def test_chance_is_the_same_whatever_the_order_of_the_table() -> None:
    rows = [(f"i{place}", COMMA if place % 2 else QUOTE, "word, " * (place % 3)) for place in range(30)]
    assert chance_compliance(replies(*rows)) == chance_compliance(replies(*rows[::-1]))


def cell(condition: str, load: str, kept: int, items: int = 20) -> list[Row]:
    """So many items kept of two types in turn, all with a reply that has a comma and no quotation marks."""
    return [
        row(
            f"i{place}",
            condition,
            load,
            place < kept,
            instruction_types=COMMA if place % 2 else QUOTE,
            reply="one, two",
        )
        for place in range(items)
    ]


def test_the_retained_share_is_against_the_unloaded_condition_that_keeps_the_same_task() -> None:
    parts = [
        *cell("baseline", "none", 20),
        *cell("constraint_only", "none", 10),
        *cell("natural", "mmlu", 5),
        *cell("reminder", "mmlu", 5),
    ]
    found = figures_of(parts)
    factors = {"part": "prospective", "probe": "checkers", "load": "mmlu"}
    assert found.value("residue", condition="natural", **factors) == pytest.approx(0.25)
    assert found.value("residue", condition="reminder", **factors) == pytest.approx(0.5)
    entry = found.get("residue", condition="natural", **factors)
    assert entry is not None
    assert entry.verdict == "partly lost"


def test_without_the_unloaded_condition_there_is_nothing_to_compare_with() -> None:
    assert not figures_of(cell("natural", "mmlu", 5)).named("residue")
