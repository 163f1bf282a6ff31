"""A grid's results: every section there is, the marking, and what is said of one learning rate."""

from collections.abc import Iterator

import pytest

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.unlearning.methods import OF_THE_PAPER as METHODS
from forgetscope.benchmarks.unlearning.metrics.claims import BY_NAME
from forgetscope.benchmarks.unlearning.metrics.study import FORMATS, SUBSETS
from forgetscope.benchmarks.unlearning.report.claims import SAID
from forgetscope.benchmarks.unlearning.report.names import method_name
from forgetscope.benchmarks.unlearning.report.results import results
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.findings.figures import Chart, Finding, Interval, Results, Section, Table
from forgetscope.report.charts.draw import draw_chart
from tests.benchmarks.unlearning.metrics.small_grids import Run, cell, kept, table

STRENGTH = {"ga": 0.1, "npo": 0.4, "simnpo": 0.6}
"""Share of the forget measures that a method keeps."""


def runs(*rates: float, semantics: str = "proper", seeds: int = 1) -> Iterator[Run]:
    for rate in rates:
        for form in FORMATS:
            for subset in SUBSETS:
                for method in METHODS:
                    for seed in range(seeds):
                        epochs = 10.0 if form == "triplets" else 5.0
                        key = cell(
                            forget_format=form,
                            retain_subset=subset,
                            method=method,
                            epochs=epochs,
                            learning_rate=rate,
                            semantics=semantics,
                        )
                        share = STRENGTH[method] * 2e-5 / rate + 0.01 * seed if semantics == "proper" else 0.5
                        yield Run(key, kept(share, share, 0.9, 0.8, 1.1), seed)


@pytest.fixture(scope="module")
def plain() -> Results:
    return results(table(*runs(2e-5)), FigureFacts(GridSettings(), {}, 1.0))


@pytest.fixture(scope="module")
def whole() -> Results:
    rates = [*runs(2e-5, 4e-5), *runs(2e-5, semantics="muse-compat", seeds=2)]
    return results(table(*rates), FigureFacts(GridSettings(), {}, 1.0, published=True))


def section(results: Results, slug: str) -> Section:
    return next(part for part in results.sections if part.slug == slug)


def tables(results: Results, slug: str, name: str) -> list[Table]:
    return [block for block in section(results, slug).blocks if isinstance(block, Table) and block.slug == name]


def test_table_1_has_a_row_a_pair_and_marks_who_forgets_and_keeps_most(plain: Results) -> None:
    (found,) = tables(plain, "change", "table1")
    assert [(row["Forget format"], row["Retain subset"]) for row in found.rows] == [
        (form, name) for form in FORMATS for name in SUBSETS
    ]
    first = found.rows[0]["GA Forget"]
    assert isinstance(first, Interval)
    assert first.value == pytest.approx(0.9)
    assert first.note.endswith("forgets most of its row; the method's best cell")
    other = found.rows[0]["NPO Forget"]
    assert isinstance(other, Interval)
    assert "forgets most" not in other.note


def test_every_method_has_a_radar_of_three_formats(plain: Results) -> None:
    charts = [block for block in section(plain, "change").blocks if isinstance(block, Chart)]
    assert [(chart.kind, chart.slug) for chart in charts] == [("radar", f"radar-{method}") for method in METHODS]
    assert [(line.panel, line.label) for line in charts[0].series] == [
        ("", "target"),
        *((form, name) for form in FORMATS for name in SUBSETS),
    ]
    assert charts[0].summary.startswith("Verbatim (forget) 80.0% before and 8.0% to 8.0% after; ")


def test_the_plane_of_all_cells_comes_first(plain: Results) -> None:
    first = plain.sections[0].blocks[0]
    assert isinstance(first, Chart)
    assert first.kind == "plane"


def test_one_learning_rate_carries_a_caution(plain: Results) -> None:
    warnings = [block for block in section(plain, "balance").blocks if isinstance(block, Finding)]
    assert [block.verdict for block in warnings] == ["warning"]
    assert "one learning rate" in warnings[0].text


def test_several_rates_give_curves_and_methods_at_equal_forgetting(whole: Results) -> None:
    blocks = section(whole, "balance").blocks
    assert not [block for block in blocks if isinstance(block, Finding)]
    curves = [block for block in blocks if isinstance(block, Chart) and block.is_joined]
    assert len(curves) == 9, "a place each; muse-compat has one rate"
    (found,) = tables(whole, "balance", "matched")
    assert len(found.rows) == 27


def test_cells_on_the_front_are_listed_from_the_gentlest_on(plain: Results) -> None:
    (found,) = tables(plain, "balance", "front")
    values = [row["Forget"] for row in found.rows]
    assert values
    assert all(isinstance(value, Interval) and value.value == pytest.approx(0.9) for value in values)


def test_both_losses_stand_side_by_side_with_their_largest_range(whole: Results, plain: Results) -> None:
    said = [block.text for block in section(whole, "semantics").blocks if isinstance(block, Finding)]
    assert said[0].startswith("Under proper losses the methods lie at most 50.0 points of S_change apart")
    assert said[1].startswith("Under muse-compat losses the methods lie at most 0.0 points of S_change apart")
    assert "semantics" not in [part.slug for part in plain.sections]


def test_proper_losses_come_first_and_the_flaw_is_a_headline(whole: Results, plain: Results) -> None:
    titles = [found.title for found in tables(whole, "change", "table1")]
    assert ["proper" in title for title in titles] == [True, True, False]
    said = [finding.text for finding in whole.headlines if finding.text.startswith("Under ")]
    assert [text.partition(" losses")[0] for text in said] == ["Under proper", "Under muse-compat"]
    assert "at most 50.0 points" in said[0]
    assert "at most 0.0 points" in said[1]
    assert not any("Under proper" in finding.text for finding in plain.headlines)


def test_a_method_with_settings_of_its_own_keeps_its_title() -> None:
    assert method_name("simnpo (beta 0.41, delta 0.0)") == "SimNPO (beta 0.41, delta 0.0)"
    assert method_name("ga") == "GA"
    assert method_name("mine") == "mine"


def test_seeds_are_shown_as_spread_only_where_there_are_several(whole: Results, plain: Results) -> None:
    assert len(tables(whole, "change", "seeds")) == 1, "only muse-compat was trained twice"
    assert not tables(plain, "change", "seeds")


def test_the_printed_table_stands_beside_the_run_where_it_is_asked_for(whole: Results, plain: Results) -> None:
    found = tables(whole, "published", "published")
    assert [one.title.split(")")[0] for one in found] == ["Table 1 (news", "Table 1 (books"] * 3
    assert found[0].rows[0]["Forget, paper"] == pytest.approx(0.504)
    assert "published" not in [part.slug for part in plain.sections]


def test_every_chart_can_be_drawn(whole: Results) -> None:
    kinds = {}
    for part in whole.sections:
        for block in part.blocks:
            if isinstance(block, Chart) and (block.kind, block.is_joined) not in kinds:
                kinds[block.kind, block.is_joined] = draw_chart(block, prefix="a")
    assert set(kinds) == {("radar", False), ("plane", False), ("plane", True)}
    assert all(kinds.values())


def test_headlines_name_the_best_balance_and_say_that_it_was_picked(plain: Results) -> None:
    first = plain.headlines[0]
    assert first.verdict == "note"
    assert first.text.startswith(
        "Largest gap between forgetting and its cost (news corpus, proper losses, picked after the fact from 27 cells, "
        "which flatters it): GA with the "
    )
    assert "S_change: the forget measures lost 90.0% of the target's score (" in first.text


def test_a_decided_claim_says_what_was_measured_in_the_direction_it_has(plain: Results) -> None:
    claims = [finding for finding in plain.headlines if finding.verdict in ("holds", "fails")]
    for finding in claims:
        assert f": {finding.verdict} here, " in finding.text
    (found,) = tables(plain, "claims", "claims")
    assert len(found.rows) == len({str(row["Claim"]) for row in found.rows})


def test_every_claim_has_words_for_either_sign_and_mirrored_ones_are_shown_once(plain: Results) -> None:
    assert set(SAID) == set(BY_NAME)
    statements = [str(row["Claim"]) for row in tables(plain, "claims", "claims")[0].rows]
    assert not any(text.startswith("Pruned text is forgotten better") for text in statements)
    assert any("the opposite of section 4.3" in text for text in statements)
