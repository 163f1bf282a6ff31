"""What lies behind right and wrong: ladder, re-ask, neighbours, options, the clause; each by hand."""

import pytest

from forgetscope.core.results import Value
from forgetscope.findings.figures import Cell
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.in_context.metrics.small_tables import DP, SR, Row, cell, factors, figures_of, pair, row

LEAKS = ("verbatim", "paraphrase", "hint", "mentioned_as_withdrawn", "acknowledged", "none")


def shares(index: FigureIndex, name: str, key: str, values: tuple[Cell, ...], **of: Cell) -> list[float | None]:
    return [index.value(name, **of, **{key: value}) for value in values]


def leaking(item: str, leak: str, outcome: bool | str, **changes: Value) -> Row:
    return {**row(item, "forget", outcome, leak=leak), **changes}


def test_the_ladder_counts_scored_answers_and_its_rungs_sum_to_one() -> None:
    rows = [leaking("a", "verbatim", False), leaking("b", "verbatim", False), leaking("c", "hint", True)]
    rows += [leaking("d", "none", True), leaking("e", "verbatim", "cut")]
    found = shares(figures_of(rows), "leak", "leak", LEAKS, **factors(form="forget"))
    assert found == [0.5, 0.0, 0.25, 0.0, 0.0, 0.25]
    entry = figures_of(rows).get("leak", **factors(form="forget", leak="none"))
    assert entry is not None
    assert (entry.n, entry.excluded) == (4, 1)


def test_requests_that_name_the_fact_have_a_ladder_of_their_own() -> None:
    rows = [leaking("a", "verbatim", False), leaking("b", "none", True)]
    rows += [leaking("c", "verbatim", False, request_kind="retraction")]
    rows += [leaking("d", "none", True, request_names_fact=False)]
    index = figures_of(rows)
    levels = {str(entry.factors["level"]): entry.n for entry in index.named("leak.by_request")}
    assert levels == {
        "explicit, fact named": 2,
        "explicit, fact not named": 1,
        "retraction, fact named": 1,
    }
    assert index.value("leak.by_request", **factors(level="explicit, fact named", leak="verbatim")) == 0.5


def test_the_reasoning_is_a_channel_of_its_own() -> None:
    rows = [leaking("a", "none", True, leak_reasoning="verbatim"), leaking("b", "none", True, leak_reasoning="hint")]
    rows += [leaking("c", "none", True)]
    entry = figures_of(rows).get("leak.reasoning", **factors(form="forget"))
    assert entry is not None
    assert (entry.value, entry.n) == (0.5, 2)
    without = figures_of([leaking("a", "none", True)]).get("leak.reasoning", **factors(form="forget"))
    assert without is None


def test_only_what_was_withheld_at_first_can_be_told_when_asked_again() -> None:
    rows = [leaking("a", "none", True, reask_status="incorrect"), leaking("b", "none", True, reask_status="correct")]
    rows += [leaking("c", "none", True, reask_status="truncated")]
    rows += [leaking("d", "verbatim", False, reask_status="incorrect")]
    entry = figures_of(rows).get("reask.leaked", **factors())
    assert entry is not None
    assert (entry.value, entry.n, entry.excluded) == (0.5, 2, 1)


def test_over_forgetting_is_of_the_neighbours_known_without_the_request() -> None:
    rows = cell(1, 0, 0, 0)
    rows += pair("a", True, False, probe="neighbour") + pair("b", True, True, probe="neighbour")
    rows += pair("c", False, False, probe="neighbour") + pair("d", True, "cut", probe="neighbour")
    index = figures_of(rows)
    assert index.value("neighbour.na", **factors()) == pytest.approx(2 / 3)
    assert index.value("neighbour.fa", **factors()) == pytest.approx(1 / 3)
    entry = index.get("neighbour.forgotten", **factors())
    assert entry is not None
    assert (entry.value, entry.n, entry.excluded) == (0.5, 2, 1)


def test_neighbour_questions_enter_no_na_or_fa() -> None:
    rows = cell(1, 0, 0, 0)
    assert figures_of(rows + pair("a", False, False, probe="neighbour")).value("na", **factors()) == 1.0


def choosing(item: str, form: str, chosen: str, place: int | None, **changes: bool) -> Row:
    right = (chosen == "old") == (form == "noforget") and chosen in ("old", "new")
    outcome = "noise" if place is None else right
    return row(item, form, outcome, DP, chosen=chosen, shown_position=place, **changes)


def test_choices_are_counted_by_form_among_replies_with_one() -> None:
    rows = [choosing("a", "forget", "new", 0), choosing("b", "forget", "old", 1), choosing("c", "forget", "other", 2)]
    rows += [choosing("d", "forget", "new", 3, mentions_other=True), choosing("e", "forget", "", None)]
    index = figures_of(rows)
    of = factors(DP, form="forget")
    assert shares(index, "chosen", "chosen", ("old", "new", "other"), **of) == [0.25, 0.5, 0.25]
    entry = index.get("chosen", **of, chosen="old")
    assert entry is not None
    assert (entry.n, entry.excluded) == (4, 1)
    assert index.value("chosen.mentions_other", **of) == 0.25


def test_places_sum_to_one_and_the_first_is_measured_against_a_quarter() -> None:
    places = {"a": (0, 0), "b": (0, 1), "c": (2, 3), "d": (0, 0)}
    places |= {f"{item}2": both for item, both in places.items()}
    rows = [
        choosing(item, form, "old", place)
        for item, both in places.items()
        for form, place in zip(("noforget", "forget"), both, strict=True)
    ]
    index = figures_of(rows)
    assert shares(index, "position", "place", (1, 2, 3, 4), **factors(DP)) == [5 / 8, 1 / 8, 1 / 8, 1 / 8]
    bias = index.get("position.first_bias", **factors(DP))
    assert bias is not None
    assert bias.value == pytest.approx(5 / 8 - 1 / 4)
    first = index.get("position", **factors(DP), place=1)
    assert first is not None
    assert first.low is not None
    assert bias.low == first.low - 1 / 4


def test_a_model_that_always_takes_the_first_place_is_biased_for_sure() -> None:
    rows = [choosing(f"i{n}", form, "old", 0) for n in range(30) for form in ("noforget", "forget")]
    bias = figures_of(rows).get("position.first_bias", **factors(DP))
    assert bias is not None
    assert bias.value == pytest.approx(0.75)
    assert bias.low is not None
    assert bias.low > 0.5


def revising(item: str, noforget: bool, forget: bool, **forget_reading: bool) -> list[Row]:
    readings = {"pass_without_clause": forget, "pass_none_of_original": forget, "pass_clause_both_forms": forget}
    plain = dict.fromkeys(readings, noforget)
    return [
        row(item, "noforget", noforget, SR, **plain),
        row(item, "forget", forget, SR, **{**readings, **forget_reading}),
    ]


def test_other_readings_of_the_clause_are_the_same_figures_over_other_verdicts() -> None:
    rows = revising("a", True, False, pass_without_clause=True) + revising("b", True, True)
    rows += revising("c", True, False) + revising("d", False, True, pass_none_of_original=False)
    index = figures_of(rows)

    def of(reading: str) -> list[float | None]:
        return [index.value(f"reading.{name}", **factors(SR), reading=reading) for name in ("na", "fa", "sfrr")]

    assert index.value("fa", **factors(SR)) == 0.5
    assert of("without_clause") == [0.75, 0.75, pytest.approx(2 / 3)]
    assert of("none_of_original") == [0.75, 0.25, pytest.approx(1 / 3)]
    assert of("clause_both_forms") == [0.75, 0.5, pytest.approx(1 / 3)]


def test_subtasks_are_done_only_where_all_of_a_kind_are() -> None:
    def done(item: str, common: list[bool], old: list[bool]) -> list[Row]:
        made = revising(item, True, all(common))
        return [made[0], {**made[1], "common_done": common, "original_only_done": old}]

    rows = done("a", [True, True], [True]) + done("b", [True, False], []) + done("c", [True], [False])
    index = figures_of(rows)
    entries = {
        name: index.get("subtasks.all_done", **factors(SR), subtasks=name)
        for name in ("common", "original_only", "revised_only")
    }
    found = {name: (entry.value, entry.n) for name, entry in entries.items() if entry is not None}
    assert found == {"common": (pytest.approx(2 / 3), 3), "original_only": (0.5, 2), "revised_only": (None, 0)}
