"""Golden tests: what the paper's printed tables give when they are recomputed, statement by statement.

Each entry of the audit names the test here that shows it. The figures are typed from the paper or computed
in the test, so that a test and an audit entry can disagree.
"""

import polars as pl
import pytest
from scipy import stats

from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.findings.published import published_table
from forgetscope.stats import cohens_h, holm, mcnemar, wilson
from tools.paper_audits.prospective import AUDIT
from tools.paper_audits.prospective.counts import (
    fitted_cells,
    fitted_pairs,
    interval_fits,
    net_losses_for,
    p_is_printed_as,
)
from tools.paper_audits.prospective.stacking import mean_of_cells_fits
from tools.paper_audits.rounding import counts_for

O4, DEEPSEEK, LLAMA = MODELS = ("o4-mini", "DeepSeek-V3.1", "Llama-3.3-70B")
CONDITIONS = ("triviaqa", "mmlu", "gsm8k_x1", "gsm8k_x3", "gsm8k_x5", "cnn_dailymail")

# (passed, scored) that fits rate, interval and delta of each cell of Table 8 and loses fewest samples.
COUNTS = {
    (O4, "baseline"): (230, 267),
    (O4, "triviaqa"): (222, 270),
    (O4, "mmlu"): (219, 267),
    (O4, "gsm8k_x1"): (225, 269),
    (O4, "gsm8k_x3"): (64, 90),
    (O4, "gsm8k_x5"): (42, 51),
    (O4, "cnn_dailymail"): (100, 129),
    (DEEPSEEK, "baseline"): (241, 270),
    (DEEPSEEK, "triviaqa"): (224, 270),
    (DEEPSEEK, "mmlu"): (206, 266),
    (DEEPSEEK, "gsm8k_x1"): (212, 270),
    (DEEPSEEK, "gsm8k_x3"): (76, 90),
    (DEEPSEEK, "gsm8k_x5"): (37, 54),
    (DEEPSEEK, "cnn_dailymail"): (101, 128),
    (LLAMA, "baseline"): (240, 270),
    (LLAMA, "triviaqa"): (237, 270),
    (LLAMA, "mmlu"): (231, 268),
    (LLAMA, "gsm8k_x1"): (221, 270),
    (LLAMA, "gsm8k_x3"): (76, 90),
    (LLAMA, "gsm8k_x5"): (47, 54),
    (LLAMA, "cnn_dailymail"): (112, 129),
}
PLANNED = {"triviaqa": 270, "mmlu": 270, "gsm8k_x1": 270, "gsm8k_x3": 90, "gsm8k_x5": 54, "cnn_dailymail": 135}


@pytest.fixture(scope="module")
def statistics() -> pl.DataFrame:
    return published_table("prospective_table8_statistics")


def cell(table: pl.DataFrame, value: str, **where: object) -> float:
    return float(table.filter(**where)[value].item())


def audited(test: str) -> list[AuditEntry]:
    return [entry for entry in AUDIT.entries() if entry.test == test]


def compliance(template: str, condition: str, model: str) -> float:
    table = published_table("prospective_table1_compliance")
    return cell(table, "compliance_percent", template=template, condition=condition, model=model)


def gains(model: str) -> dict[str, float]:
    return {c: round(compliance("reminder", c, model) - compliance("natural", c, model), 1) for c in CONDITIONS}


# Tables 1 and 8


def test_table_1_and_table_8_print_the_same_compliance(statistics: pl.DataFrame) -> None:
    natural = published_table("prospective_table1_compliance").filter(template="natural")
    joined = statistics.join(natural, on=["model", "condition"], suffix="_table1")
    assert joined.height == 21
    assert joined["compliance_percent"].to_list() == joined["compliance_percent_table1"].to_list()


def test_delta_is_baseline_minus_condition(statistics: pl.DataFrame) -> None:
    beside = 0
    for row in statistics.filter(pl.col("delta_percent").is_not_null()).iter_rows(named=True):
        baseline = cell(statistics, "compliance_percent", model=row["model"], condition="baseline")
        difference = round(baseline - row["compliance_percent"], 1)
        assert difference == pytest.approx(row["delta_percent"], abs=0.1 + 1e-9)
        beside += difference != row["delta_percent"]
        (before, of_before), (after, of_after) = (
            COUNTS[row["model"], "baseline"],
            COUNTS[row["model"], row["condition"]],
        )
        assert round(100 * (before / of_before - after / of_after), 1) == row["delta_percent"]
    assert beside == 6


@pytest.mark.parametrize(("model", "average"), [(O4, 6.3), (DEEPSEEK, 10.8), (LLAMA, 3.2)])
def test_average_deltas_per_model(statistics: pl.DataFrame, model: str, average: float) -> None:
    deltas = statistics.filter(model=model)["delta_percent"].drop_nulls()
    assert len(deltas) == 6
    assert round(sum(deltas) / 6, 1) == average
    from_table_1 = [compliance("natural", "baseline", model) - compliance("natural", c, model) for c in CONDITIONS]
    assert sum(from_table_1) / 6 == pytest.approx(average, abs=0.1)


@pytest.mark.parametrize(("model", "average"), [(O4, 15.1), (DEEPSEEK, 17.5), (LLAMA, 9.9)])
def test_average_gains_per_model(model: str, average: float) -> None:
    assert round(sum(gains(model).values()) / 6, 1) == average


def test_cohens_h_follows_from_the_percentages_with_rounding_propagated(statistics: pl.DataFrame) -> None:
    """A printed percentage stands for anything within 0.05 of it and a printed h for anything within 0.005."""
    checked = 0
    for row in statistics.filter(pl.col("cohens_h").is_not_null()).iter_rows(named=True):
        before = cell(statistics, "compliance_percent", model=row["model"], condition="baseline")
        smallest = cohens_h((before - 0.05) / 100, (row["compliance_percent"] + 0.05) / 100)
        largest = cohens_h((before + 0.05) / 100, (row["compliance_percent"] - 0.05) / 100)
        assert smallest - 0.005 <= row["cohens_h"] <= largest + 0.005, row
        assert row["cohens_h"] == pytest.approx(cohens_h(before / 100, row["compliance_percent"] / 100), abs=0.01)
        checked += 1
    assert checked == 18


def test_cohens_h_from_the_fitted_counts_is_off_in_one_cell(statistics: pl.DataFrame) -> None:
    off = []
    for row in statistics.filter(pl.col("cohens_h").is_not_null()).iter_rows(named=True):
        (before, of_before), (after, of_after) = (
            COUNTS[row["model"], "baseline"],
            COUNTS[row["model"], row["condition"]],
        )
        if round(cohens_h(before / of_before, after / of_after), 2) != row["cohens_h"]:
            off.append((row["model"], row["condition"]))
    assert off == [(LLAMA, "triviaqa")]
    assert cohens_h(240 / 270, 237 / 270) == pytest.approx(0.0346, abs=1e-4)


def test_every_cell_of_table_8_fits_a_count_and_nine_fit_only_fewer_than_planned() -> None:
    assert {(fit.cell.model, fit.cell.condition): fit.best for fit in fitted_cells()} == COUNTS
    smaller = [(fit.cell.model, fit.cell.condition) for fit in fitted_cells() if fit.best[1] < fit.planned]
    assert smaller == [
        *((O4, condition) for condition in ("baseline", "mmlu", "gsm8k_x1", "gsm8k_x5", "cnn_dailymail")),
        *((DEEPSEEK, condition) for condition in ("mmlu", "cnn_dailymail")),
        *((LLAMA, condition) for condition in ("mmlu", "cnn_dailymail")),
    ]
    assert all(fit.best[1] >= 0.94 * fit.planned for fit in fitted_cells())


def test_one_reminder_cell_fits_only_fewer_than_planned() -> None:
    smaller = [
        (model, condition)
        for model in MODELS
        for condition in CONDITIONS
        if not counts_for(compliance("reminder", condition, model), [PLANNED[condition]])
    ]
    assert smaller == [(O4, "cnn_dailymail")]
    assert counts_for(98.4, [129, 135]) == ((127, 129),)


def test_intervals_fit_each_cells_own_size_and_not_270(statistics: pl.DataFrame) -> None:
    """A percentile bootstrap of n outcomes ends on multiples of 1/n, at the percentiles of a binomial count.

    Wilson's interval on the same counts is as wide to within two points, and is what forgetscope gives simple rates.
    """
    fit_270 = 0
    for row in statistics.iter_rows(named=True):
        passed, scored = COUNTS[row["model"], row["condition"]]
        assert interval_fits(passed, scored, row["ci_low"], row["ci_high"]), row
        low, high = (100 * stats.binom.ppf(tail, scored, passed / scored) / scored for tail in (0.025, 0.975))
        assert row["ci_high"] - row["ci_low"] == pytest.approx(high - low, abs=100 / scored + 0.11)
        ours = wilson(passed, scored)
        assert 100 * ((ours.high or 0) - (ours.low or 0)) == pytest.approx(row["ci_high"] - row["ci_low"], abs=2)
        possible = counts_for(row["compliance_percent"], [270])
        fit_270 += scored == 270 and interval_fits(*possible[0], row["ci_low"], row["ci_high"])
    assert fit_270 == 7
    # The chained cells as if 270 outcomes had been resampled: half as wide as printed.
    assert not interval_fits(192, 270, 61.1, 80.0)


def test_two_of_three_baselines_do_not_fit_three_equal_runs() -> None:
    uneven = [model for model in MODELS if COUNTS[model, "baseline"][0] % 3]
    assert uneven == [O4, DEEPSEEK]


def test_every_mcnemar_p_value_is_possible_with_the_fitted_counts() -> None:
    pairs = fitted_pairs()
    assert len(pairs) == 18
    assert all(fit.net_losses for fit in pairs)
    # Llama + TriviaQA keeps all 270 pairs: 240 - 237 = 3 = 7 - 4 discordant pairs give (3 - 1)**2 / 11.
    assert p_is_printed_as(mcnemar(233, 7, 4, 26).corrected_p, ".546")
    # Llama x3: 8 pairs lost, none gained, gives 49 / 8.
    assert p_is_printed_as(mcnemar(76, 8, 0, 6).corrected_p, ".013")


def test_the_printed_p_values_are_the_corrected_ones_not_the_exact() -> None:
    assert not p_is_printed_as(mcnemar(233, 7, 4, 26).exact_p, ".546")
    assert not p_is_printed_as(mcnemar(76, 8, 0, 6).exact_p, ".013")


def test_in_chained_and_summary_cells_delta_and_mcnemar_cannot_both_be_paired() -> None:
    apart = {
        (fit.cell.model, fit.cell.condition): [round(delta, 1) for delta in fit.deltas if delta >= 0]
        for fit in fitted_pairs()
        if not any(abs(delta - (fit.cell.delta or 0)) <= 0.5 for delta in fit.deltas)
    }
    assert apart == {
        (O4, "gsm8k_x3"): [14.4, 15.6, 16.7, 17.8, 18.9, 20.0, 21.1],  # printed 15.0
        (O4, "gsm8k_x5"): [0.0, 2.0],  # printed 3.8
        (DEEPSEEK, "gsm8k_x5"): [14.8],  # printed 20.7
        (LLAMA, "gsm8k_x3"): [8.9],  # printed 4.4
        (LLAMA, "cnn_dailymail"): [3.1],  # printed 2.1
    }
    assert net_losses_for(".013", 76, 90, least=-16, most=14) == (-8, 8)


def test_holm_leaves_five_of_nine_comparisons(statistics: pl.DataFrame) -> None:
    printed = [float(p.removeprefix("<")) for p in statistics["mcnemar_p"].drop_nulls()]
    assert len(printed) == 18
    assert sum(p < 0.05 for p in printed) == 9
    assert sum(p < 0.05 for p in holm(printed) if p is not None) == 5


def test_statements_about_significance_per_model(statistics: pl.DataFrame) -> None:
    p = {
        (row["model"], row["condition"]): float(row["mcnemar_p"].removeprefix("<"))
        for row in statistics.drop_nulls().iter_rows(named=True)
    }
    single = ("triviaqa", "mmlu", "gsm8k_x1", "cnn_dailymail")
    assert all(p[DEEPSEEK, condition] < 0.05 for condition in single)
    assert [c for c in CONDITIONS if p[LLAMA, c] < 0.05] == ["gsm8k_x1", "gsm8k_x3"]
    assert [c for c in CONDITIONS if p[O4, c] < 0.05] == ["gsm8k_x3", "cnn_dailymail"]
    assert p[O4, "gsm8k_x1"] == 0.265  # called marginal together with .052 and .063
    assert max(statistics["cohens_h"].drop_nulls()) == 0.52


# What the text says about Table 1


def test_drops_span_1_to_21_points(statistics: pl.DataFrame) -> None:
    deltas = sorted(statistics["delta_percent"].drop_nulls())
    assert (deltas[0], deltas[1], deltas[-1]) == (1.1, 1.9, 20.7)  # the text: 2 to 21
    assert all(delta > 0 for delta in deltas)


def test_natural_compliance_spans_68_to_88_percent() -> None:
    values = [compliance("natural", condition, model) for condition in CONDITIONS for model in MODELS]
    assert (min(values), max(values)) == (68.5, 87.8)  # the text: 77 to 87
    assert sum(77 <= round(value) <= 87 for value in values) == 15


def test_reminder_compliance_spans_90_to_100_percent() -> None:
    values = [compliance("reminder", condition, model) for condition in CONDITIONS for model in MODELS]
    assert (min(values), max(values)) == (90.0, 100.0)


def test_reminder_beats_the_baseline_everywhere() -> None:
    for model in MODELS:
        assert all(compliance("reminder", c, model) > compliance("natural", "baseline", model) for c in CONDITIONS)


def test_gain_on_summaries_is_not_the_largest() -> None:
    assert [gains(model)["cnn_dailymail"] for model in MODELS] == [20.9, 21.1, 13.2]  # the text: +13 to +21
    assert [max(gains(model), key=gains(model).__getitem__) for model in MODELS] == ["gsm8k_x3", "gsm8k_x5", "gsm8k_x3"]
    for model in MODELS:
        single = {c: gains(model)[c] for c in ("triviaqa", "mmlu", "gsm8k_x1", "cnn_dailymail")}
        assert max(single, key=single.__getitem__) == "cnn_dailymail"


def test_recovery_of_10_to_17_percent_is_an_average_in_points() -> None:
    averages = [sum(gains(model).values()) / 6 for model in MODELS]
    assert [round(average) for average in averages] == [15, 18, 10]
    every = [gain for model in MODELS for gain in gains(model).values()]
    assert (min(every), max(every)) == (4.4, 31.5)


# Tables 2, 3, 9 and 10, and the design


def test_statements_about_task_accuracy() -> None:
    table = published_table("prospective_table3_task_accuracy")

    def accuracy(condition: str, model: str) -> float:
        return cell(table, "accuracy_percent", condition=condition, model=model)

    reference = {model: accuracy("task_only_average", model) for model in MODELS}
    assert (round(reference[O4]), round(accuracy("reminder_gsm8k_x3", O4))) == (93, 27)
    assert not table["condition"].str.contains("task_only_gsm8k").any()  # 93 is an average over tasks
    assert [round(reference[m] - accuracy("reminder_mmlu", m), 1) for m in MODELS] == [16.8, 19.4, 23.1]
    assert accuracy("reminder_triviaqa", DEEPSEEK) > reference[DEEPSEEK]
    chained = [accuracy(f"reminder_gsm8k_x{m}", model) for m in (3, 5) for model in (DEEPSEEK, LLAMA)]
    assert (min(chained), max(chained)) == (61.1, 77.8)
    # The chained cells are whole counts of 90 and 54.
    assert all(counts_for(accuracy("reminder_gsm8k_x3", model), [90]) for model in MODELS)
    assert all(counts_for(accuracy("reminder_gsm8k_x5", model), [54]) for model in MODELS)


def test_planned_prompts_are_over_8000_with_stacking() -> None:
    loaded = 3 * 90 + 30 + 18 + 45
    main = (90 + loaded + loaded) * 3 * 3
    stacking = (24 + 24) * 10 * 3
    assert (main, stacking, main + stacking) == (7_344, 1_440, 8_784)
    assert main + stacking + loaded * 3 * 3 == 12_051
    (entry,) = audited("test_planned_prompts_are_over_8000_with_stacking")
    assert "7,344" in entry.recomputed
    assert "8,784" in entry.recomputed
    assert "12,051" in entry.recomputed


def test_270_gsm8k_items_serve_90_30_and_18_prompts() -> None:
    assert 90 * 1 + 30 * 3 + 18 * 5 == 270
    (entry,) = audited("test_270_gsm8k_items_serve_90_30_and_18_prompts")
    assert entry.recomputed.endswith("= 270")


def test_statements_about_tokens() -> None:
    table = published_table("prospective_table9_tokens")
    for condition in CONDITIONS:
        natural = table.filter(template="natural", condition=condition).row(0, named=True)
        reminder = table.filter(template="reminder", condition=condition).row(0, named=True)
        assert abs(natural["mean_input_tokens"] - reminder["mean_input_tokens"]) <= 9
        assert 157 <= natural["mean_output_tokens"] - reminder["mean_output_tokens"] <= 333
    # An article of 600 to 1,000 tokens is what a summary prompt adds to the baseline's 72.
    assert 600 <= cell(table, "mean_input_tokens", template="natural", condition="cnn_dailymail") - 72 <= 1000


def test_mechanisms_sum_to_187() -> None:
    counts = published_table("prospective_table10_mechanisms")["count"].to_list()
    assert counts == [55, 51, 44, 19, 18]
    assert sum(counts) == 187


def test_one_of_the_four_most_vulnerable_types_is_terminal() -> None:
    (entry,) = audited("test_one_of_the_four_most_vulnerable_types_is_terminal")
    assert entry.recomputed.count("(") == 4
    assert entry.recomputed.count("(Terminal)") == 1
    assert not entry.agrees


def test_drops_per_type_are_multiples_of_one_eighteenth_but_one() -> None:
    sizes = [17, 50, 17, 6, 17, 50, 12, 44, 11, 17, 17, 22]
    multiples = {round(100 * k / 18) for k in range(19)}
    assert [size for size in sizes if size not in multiples] == [12]
    assert round(100 * 2 / 17) == 12


def test_text_statements_that_stand_in_two_places() -> None:
    entries = {entry.source: entry for entry in audited("test_text_statements_that_stand_in_two_places")}
    assert set(entries) == {"3.2, Table 5", "B.4, D", "5.2, Tables 2, 5"}
    assert not any(entry.agrees for entry in entries.values())
    assert "Follow all user instructions carefully." in entries["B.4, D"].recomputed


# Stacking


def joint(table: str, key: str, model: str) -> dict[int, float]:
    rows = published_table(table).filter(model=model)
    return dict(zip(rows[key].to_list(), rows["joint_compliance_percent"].to_list(), strict=True))


def by_constraints(model: str) -> dict[int, float]:
    return joint("prospective_table4_stacking", "constraints", model)


def by_problems(model: str) -> dict[int, float]:
    return joint("prospective_table12_stacking_load", "gsm8k_problems", model)


@pytest.mark.parametrize(("model", "grand_mean"), [(O4, 79.9), (DEEPSEEK, 78.33), (LLAMA, 92.9)])
def test_averages_over_constraints_and_over_load_have_one_grand_mean(model: str, grand_mean: float) -> None:
    assert sum(by_constraints(model).values()) / 4 == pytest.approx(grand_mean, abs=0.06)
    assert sum(by_problems(model).values()) / 3 == pytest.approx(grand_mean, abs=0.06)


def test_stacking_averages_fit_whole_counts_but_for_o4_mini() -> None:
    for model in (DEEPSEEK, LLAMA):
        assert all(counts_for(percent, [60]) for percent in by_constraints(model).values())
        assert all(counts_for(percent, [80]) for percent in by_problems(model).values())
    assert [n for n, percent in by_constraints(O4).items() if counts_for(percent, [60])] == []
    assert [m for m, percent in by_problems(O4).items() if counts_for(percent, [80])] == [1]
    assert all(mean_of_cells_fits(by_constraints(O4)[n], 6, 1) for n in (2, 3, 5))
    assert all(mean_of_cells_fits(by_problems(O4)[m], 8, 1) for m in (0, 3))


def test_99_percent_with_one_constraint_fits_no_count_of_sixty() -> None:
    assert counts_for(99.0, range(1, 61)) == ()
    assert not any(mean_of_cells_fits(99.0, 6, short) for short in range(7))
    assert min(n for _, n in counts_for(99.0, range(1, 200))) == 96


def test_joint_compliance_falls_with_constraints_but_for_one_step() -> None:
    falls = {model: round(by_constraints(model)[1] - by_constraints(model)[5], 1) for model in MODELS}
    assert falls[O4] == 51.5
    assert falls[DEEPSEEK] == 31.6  # 56/60 - 37/60 is the printed 31.7
    assert round(100 * (56 - 37) / 60, 1) == 31.7
    steps = [(model, a, b) for model in MODELS for a, b in ((1, 2), (2, 3), (3, 5))]
    assert [s for s in steps if by_constraints(s[0])[s[1]] < by_constraints(s[0])[s[2]]] == [(DEEPSEEK, 2, 3)]
    assert [model for model in MODELS if by_constraints(model)[5] < 50] == [O4]


def test_joint_compliance_falls_with_load_at_every_step() -> None:
    for model in MODELS:
        load = by_problems(model)
        assert load[0] > load[1] > load[3]


def test_a_lift_of_25_points_needs_lost_samples() -> None:
    lifts = {round(100 * (a / 10 - b / 10)) for a in range(11) for b in range(11)}
    assert 25 not in lifts
    assert -20 in lifts
    assert all(counts_for(lift, [120]) for lift in (5.8, 2.5, 1.7))


def test_two_types_under_stacking_fit_no_common_size() -> None:
    table = published_table("prospective_table13_type_under_stacking")
    without = [
        row["constraint_type"]
        for row in table.iter_rows(named=True)
        if not any(counts_for(row[DEEPSEEK], [n]) and counts_for(row[LLAMA], [n]) for n in range(20, 121))
    ]
    assert without == ["number_words", "english_capital"]
    highlighted = table.filter(constraint_type="number_highlighted_sections")
    assert [highlighted[O4].item(), highlighted[DEEPSEEK].item()] == [76.6, 71.4]  # the text: 71-77%


def test_tension_gaps_are_counts_of_sixty_against_the_safe_pairs() -> None:
    assert [round(75.0 + gap, 1) for gap in (21.7, 23.3, 16.7, -16.7)] == [96.7, 98.3, 91.7, 58.3]
    for gap in (21.7, 23.3, 16.7, -16.7):
        assert counts_for(by_constraints(DEEPSEEK)[2] + gap, [60])
    for gap in (-6.7, 1.7, 0.0, -15.0):
        assert counts_for(by_constraints(LLAMA)[2] + gap, [60])
