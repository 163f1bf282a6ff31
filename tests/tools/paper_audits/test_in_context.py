"""Golden tests: what the paper's printed tables give when they are recomputed, statement by statement.

Each entry of the audit names the test here that shows it. The figures are typed from the paper or computed
in the test, so that a test and an audit entry can disagree.
"""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from forgetscope.benchmarks.in_context.metrics.study import PairTable
from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.findings.published import published_model, published_table
from forgetscope.stats.agreement import kappa_of_counts
from tools.paper_audits.in_context import AUDIT
from tools.paper_audits.in_context.counts import pair_counts, sizes_that_fit, tables_that_fit
from tools.paper_audits.in_context.people import (
    human_cells,
    judge_tables,
    rates_for,
    unanimous_counts,
)
from tools.paper_audits.in_context.tables import main_table

FORGETTING, REVISION, PREFERENCE = SCENARIOS = ("instructional_forgetting", "subtask_revision", "dynamic_preference")
THREE = ("no_forget_accuracy", "forget_accuracy", "sfrr")

# Items right in both forms, without interference only, with it only, in neither.
FORGETTING_COUNTS = {
    "Mistral-7B": (136, 636, 83, 139),
    "Llama3-8B": (31, 864, 11, 88),
    "Qwen2.5-7B": (2, 863, 3, 126),
    "Mixtral-8x7B": (121, 738, 25, 110),
    "Qwen2.5-14B": (8, 906, 2, 78),
    "Gemma3-27B": (571, 355, 27, 41),
    "Llama3-70B": (127, 807, 17, 43),
    "Qwen3-235B-A22B": (200, 754, 13, 27),
    "GPT-O3mini": (603, 356, 24, 11),
    "GPT-4o": (500, 452, 22, 20),
    "GPT-5": (568, 398, 17, 11),
}
PREFERENCE_COUNTS = {
    "Mistral-7B": (165, 249, 16, 354),
    "Llama3-8B": (125, 357, 22, 280),
    "Qwen2.5-7B": (248, 229, 30, 277),
    "Mixtral-8x7B": (219, 221, 44, 300),
    "Qwen2.5-14B": (261, 242, 40, 241),
    "Gemma3-27B": (298, 265, 22, 199),
    "Llama3-70B": (272, 312, 12, 188),
    "Qwen3-235B-A22B": (363, 268, 15, 138),
    "GPT-O3mini": (313, 225, 39, 207),
    "GPT-4o": (338, 337, 14, 95),
    "GPT-5": (542, 143, 26, 73),
}


def keyed(name: str, *keys: str) -> dict[tuple[str, ...], dict[str, float]]:
    """Rows of a printed table by some columns, models under their one name."""
    found = {}
    for row in published_table(name).iter_rows(named=True):
        key = tuple(published_model(row[k]) if k == "model" else str(row[k]) for k in keys)
        found[key] = {k: v for k, v in row.items() if k not in keys}
    return found


@pytest.fixture(scope="module")
def main() -> dict[tuple[str, ...], dict[str, float]]:
    return keyed("in_context_table1_main", "model", "scenario")


@pytest.fixture(scope="module")
def models() -> list[str]:
    return published_table("in_context_table1_main")["model"].unique(maintain_order=True).to_list()


def audited(test: str) -> list[AuditEntry]:
    return [entry for entry in AUDIT.entries() if entry.test == test]


# Tables 1, 4, 5, 10 and 11


def test_table_11_is_the_mean_of_table_1_to_the_printed_digit(main: dict[tuple[str, ...], dict[str, float]]) -> None:
    averages = keyed("in_context_table11_average", "model")
    assert len(averages) == 11
    for (model,), row in averages.items():
        for name in THREE:
            mean = sum(main[model, scenario][name] for scenario in SCENARIOS) / 3
            assert f"{mean:.2f}" == f"{row[name]:.2f}", (model, name)


def test_table_10_follows_from_table_1_to_the_printed_digit(
    main: dict[tuple[str, ...], dict[str, float]], models: list[str]
) -> None:
    averages = keyed("in_context_table11_average", "model")
    printed = keyed("in_context_table10_correlations", "scenario")
    for (scenario,), row in printed.items():
        names = [published_model(model) for model in models]
        rows = [averages[(m,)] if scenario == "average" else main[m, scenario] for m in names]
        r = np.corrcoef(np.array([[entry[name] for name in THREE] for entry in rows]).T)
        assert [f"{r[i, j]:.3f}" for i, j in ((0, 1), (0, 2), (1, 2))] == [f"{value:.3f}" for value in row.values()]
        assert row["fa_sfrr"] > row["na_sfrr"]


def test_na_and_sfrr_go_together_over_the_averages() -> None:
    (entry,) = audited("test_na_and_sfrr_go_together_over_the_averages")
    # Fisher's z of 0.764 with eleven models: 1.0058 -+ 1.96 / sqrt(8).
    low, high = (np.tanh(np.arctanh(0.7637) + sign * 1.959964 / np.sqrt(8)) for sign in (-1, 1))
    assert (round(low, 2), round(high, 2)) == (0.30, 0.94)
    assert "0.764 [0.30, 0.94]" in entry.recomputed
    assert not entry.agrees


def test_table_5_is_the_difference_of_table_1(main: dict[tuple[str, ...], dict[str, float]]) -> None:
    differences = keyed("in_context_table5_difference", "model", "scenario")
    assert differences.keys() == main.keys()
    for cell, row in differences.items():
        assert round(main[cell]["no_forget_accuracy"] - main[cell]["forget_accuracy"], 2) == row["percent"], cell


def left_for_wr(row: dict[str, float]) -> tuple[float, float]:
    """FA - NA x SFRR, and how far rounding may move it."""
    na, fa, sfrr = (row[name] for name in THREE)
    return fa - na * sfrr / 100, 0.005 * (1 + na / 100 + sfrr / 100) + 1e-9


@pytest.mark.parametrize("scenario", [FORGETTING, PREFERENCE])
def test_table_4_follows_from_table_1_where_the_identity_holds(
    main: dict[tuple[str, ...], dict[str, float]], scenario: str
) -> None:
    printed = keyed("in_context_table4_wrong_to_right", "model", "scenario")
    cells = [cell for cell in printed if cell[1] == scenario]
    assert len(cells) == 11
    for cell in cells:
        wr, error = left_for_wr(main[cell])
        assert wr == pytest.approx(printed[cell]["percent"], abs=error + 0.005), cell


def test_table_4s_zeros_contradict_table_1_in_subtask_revision(main: dict[tuple[str, ...], dict[str, float]]) -> None:
    printed = keyed("in_context_table4_wrong_to_right", "model", "scenario")
    left = [left_for_wr(main[cell])[0] for cell in printed if cell[1] == REVISION]
    assert {printed[cell]["percent"] for cell in printed if cell[1] == REVISION} == {0.0}
    assert (round(min(left), 2), round(max(left), 2)) == (1.47, 6.14)
    (entry,) = audited("test_table_4s_zeros_contradict_table_1_in_subtask_revision")
    assert "1.47 to 6.14" in entry.recomputed


@pytest.mark.parametrize(
    ("scenario", "n", "counts"), [(FORGETTING, 994, FORGETTING_COUNTS), (PREFERENCE, 784, PREFERENCE_COUNTS)]
)
def test_994_and_784_items_fit_every_percentage_of_two_scenarios(
    main: dict[tuple[str, ...], dict[str, float]], scenario: str, n: int, counts: dict[str, tuple[int, int, int, int]]
) -> None:
    printed_wr = keyed("in_context_table4_wrong_to_right", "model", "scenario")
    assert pair_counts(scenario, n) == counts
    for model, (both, lost, gained, neither) in counts.items():
        table = PairTable({(True, True): both, (True, False): lost, (False, True): gained, (False, False): neither})
        assert table.n == n
        found = [
            (table.n11 + table.n10) / n,
            (table.n11 + table.n01) / n,
            table.n11 / (table.n11 + table.n10),
            table.n01 / n,
        ]
        wr = printed_wr[model, scenario]["percent"]
        for value, printed in zip(found, [*main[model, scenario].values(), wr], strict=True):
            assert 100 * value == pytest.approx(printed, abs=0.005 + 1e-9), model
    assert sizes_that_fit(scenario, range(n - 100, n + 101)) == [n]
    for entry in audited("test_994_and_784_items_fit_every_percentage_of_two_scenarios"):
        assert entry.agrees


def test_710_items_nearly_fit_subtask_revision(main: dict[tuple[str, ...], dict[str, float]]) -> None:
    def whole(percent: float, n: int) -> bool:
        return abs(100 * round(percent * n / 100) / n - percent) <= 0.005 + 1e-9

    rows = [row for (_, scenario), row in main.items() if scenario == REVISION]
    fits = {n: [sum(whole(row[name], n) for row in rows) for name in THREE[:2]] for n in range(100, 1001)}
    assert fits[710] == [10, 6]
    assert max(na for na, _ in fits.values()) == 10
    assert {n: fa for n, (na, fa) in fits.items() if na == 10} == {355: 1, 710: 6}
    assert [n for n, (na, fa) in fits.items() if na + fa >= 12] == [710]
    assert sum(bool(tables_that_fit(row, None, 710)) for cell, row in main_table().items() if cell[1] == REVISION) == 1
    (entry,) = audited("test_710_items_nearly_fit_subtask_revision")
    assert "710 fits NA of 10, FA of 6, and all three figures of 1 of 11" in entry.recomputed


def test_three_sizes_sum_to_about_2500_items() -> None:
    (entry,) = audited("test_three_sizes_sum_to_about_2500_items")
    assert 994 + 710 + 784 == 2488
    assert "2,488" in entry.recomputed


def test_for_models_that_hardly_forget_much_of_fa_is_what_they_never_knew() -> None:
    both, _, gained, _ = FORGETTING_COUNTS["Qwen2.5-7B"]
    assert 100 * gained / (both + gained) == 60.0
    both, _, gained, _ = FORGETTING_COUNTS["Mistral-7B"]
    assert 100 * gained / (both + gained) == pytest.approx(37.9, abs=0.05)
    printed = published_table("in_context_table4_wrong_to_right")
    assert printed["percent"].max() == 8.35
    (entry,) = audited("test_for_models_that_hardly_forget_much_of_fa_is_what_they_never_knew")
    assert "60.0 percent" in entry.recomputed


def test_gpt_3_5_turbo_is_o3mini_under_another_name(main: dict[tuple[str, ...], dict[str, float]]) -> None:
    names = {"GPT-3.5-turbo": "in_context_table11_average", "GPT-3.5-Turbo": "in_context_table4_wrong_to_right"}
    for name, table in names.items():
        assert name in published_table(table)["model"]
        assert "GPT-O3mini" not in published_table(table)["model"]
    average = published_table("in_context_table11_average").filter(model="GPT-3.5-turbo")
    mean = [sum(main["GPT-O3mini", scenario][name] for scenario in SCENARIOS) / 3 for name in THREE]
    assert average.select(THREE).row(0) == pytest.approx(mean, abs=0.005 + 1e-9)
    wr = published_table("in_context_table4_wrong_to_right").filter(model="GPT-3.5-Turbo", scenario=FORGETTING)
    assert wr["percent"].item() == pytest.approx(left_for_wr(main["GPT-O3mini", FORGETTING])[0], abs=0.02)
    assert "Mistral-8x7B" in published_table("in_context_table1_main")["model"]
    assert "Mixtral-8x7B" in published_table("in_context_table11_average")["model"]


# What the text says of the models


def test_na_rises_with_size_but_not_at_every_step() -> None:
    na = {model: row["no_forget_accuracy"] for (model,), row in keyed("in_context_table11_average", "model").items()}
    assert na["Mixtral-8x7B"] < na["Qwen2.5-14B"] < na["Gemma3-27B"] < na["Llama3-70B"] < na["Qwen3-235B-A22B"]
    assert na["Llama3-8B"] < na["Qwen2.5-7B"]
    (entry,) = audited("test_na_rises_with_size_but_not_at_every_step")
    assert "2 of 7 steps" in entry.recomputed


def test_drops_and_ranks_quoted_from_table_11() -> None:
    rows = keyed("in_context_table11_average", "model")
    assert [round(rows[(m,)][THREE[0]] - rows[(m,)][THREE[1]], 2) for m in ("GPT-5", "Llama3-8B")] == [23.92, 47.07]
    ranked = [model for (model,), _ in sorted(rows.items(), key=lambda entry: -entry[1]["sfrr"])]
    assert ranked[:3] == ["GPT-5", "GPT-O3mini", "Gemma3-27B"]
    for larger in ("Llama3-70B", "Qwen3-235B-A22B"):
        assert rows[(larger,)][THREE[0]] > rows[("Gemma3-27B",)][THREE[0]]


# Tables 2 and 6 to 8


def test_table_2s_noforget_rows_are_table_1(main: dict[tuple[str, ...], dict[str, float]]) -> None:
    table = keyed("in_context_table2_prompt_strategy", "strategy", "model", "scenario")
    plain = {cell[1:]: row for cell, row in table.items() if cell[0] == "no_forget_prompt"}
    assert len(plain) == 9
    assert all(main[cell] == row for cell, row in plain.items())


def reminder_changes(name: str) -> dict[tuple[str, str], float]:
    table = keyed("in_context_table2_prompt_strategy", "strategy", "model", "scenario")
    return {
        (model, scenario): round(row[name] - table["no_forget_prompt", model, scenario][name], 2)
        for (strategy, model, scenario), row in table.items()
        if strategy == "forget_prompt"
    }


def test_reminders_raise_fa_everywhere_and_sfrr_in_eight_of_nine_rows() -> None:
    assert min(reminder_changes("forget_accuracy").values()) > 0
    falls = {cell: change for cell, change in reminder_changes("sfrr").items() if change <= 0}
    assert falls == {("GPT-5", PREFERENCE): -2.48}


def test_reminders_cost_na_in_two_scenarios_and_not_in_the_third() -> None:
    changes = reminder_changes("no_forget_accuracy")
    by_scenario = {s: sorted(change for cell, change in changes.items() if cell[1] == s) for s in SCENARIOS}
    assert by_scenario == {
        FORGETTING: [-2.64, -2.23, -2.0],
        REVISION: [-0.91, -0.62, -0.14],
        PREFERENCE: [1.33, 1.52, 10.91],
    }


def test_neither_reminders_nor_lengths_fit_the_main_tables_sizes() -> None:
    sizes = {FORGETTING: 994, REVISION: 710, PREFERENCE: 784}

    def fitting(table: pl.DataFrame) -> int:
        return sum(
            abs(round(row[name] * sizes[row["scenario"]] / 100) / sizes[row["scenario"]] * 100 - row[name]) <= 0.005
            for row in table.iter_rows(named=True)
            for name in THREE[:2]
        )

    reminders = published_table("in_context_table2_prompt_strategy").filter(strategy="forget_prompt")
    lengths = published_table("in_context_tables6to8_context_length")
    assert (fitting(reminders), 2 * reminders.height) == (2, 18)
    assert (fitting(lengths), 2 * lengths.height) == (11, 126)
    # By chance a percentage with two decimals is a whole number of n items in n of 10,000 cases.
    assert sum(42 * n / 10_000 for n in sizes.values()) == pytest.approx(10.4, abs=0.1)


def curves(name: str) -> dict[tuple[str, str], list[float]]:
    table = published_table("in_context_tables6to8_context_length").sort("context_tokens")
    return {
        (str(model), str(scenario)): part[name].to_list()
        for (model, scenario), part in table.partition_by("model", "scenario", as_dict=True).items()
    }


def test_table_7_implies_a_negative_wr_in_two_preference_rows() -> None:
    negative = {}
    for row in published_table("in_context_tables6to8_context_length").iter_rows(named=True):
        wr, error = left_for_wr(row)
        if wr < -error:
            negative[row["model"], row["scenario"], row["context_tokens"]] = round(wr, 2)
    assert negative == {
        ("Llama-3.3-70B", PREFERENCE, 10_000): -0.54,
        ("Llama-3.3-70B", PREFERENCE, 15_000): -0.18,
    }


def test_na_and_fa_fall_at_every_step_of_the_length() -> None:
    for name in THREE[:2]:
        assert len(curves(name)) == 9
        assert all(after < before for curve in curves(name).values() for before, after in pairwise(curve))


def test_sfrr_over_length_falls_in_two_scenarios_and_rises_in_the_third() -> None:
    steps = {cell: [b - a for a, b in pairwise(curve)] for cell, curve in curves("sfrr").items()}
    for (_, scenario), changes in steps.items():
        assert (sum(changes) > 0) == (scenario == REVISION)
    against = {
        cell: round(odd, 2)
        for cell, changes in steps.items()
        if (odd := min(changes) if cell[1] == REVISION else max(changes)) * (1 if cell[1] == REVISION else -1) < 0
    }
    assert against == {
        ("Mixtral-8x7B", REVISION): -1.01,
        ("GPT-4o", REVISION): -1.47,
        ("GPT-4o", PREFERENCE): 0.23,
    }


def test_in_subtask_revision_sfrr_rises_while_the_share_right_in_both_forms_falls() -> None:
    na, sfrr = curves("no_forget_accuracy"), curves("sfrr")
    both = {
        model: [round(a * b / 100, 1) for a, b in zip(na[model, REVISION], sfrr[model, REVISION], strict=True)]
        for model in ("Mixtral-8x7B", "Llama-3.3-70B", "GPT-4o")
    }
    assert {model: (shares[0], shares[-1]) for model, shares in both.items()} == {
        "Mixtral-8x7B": (47.1, 31.5),
        "Llama-3.3-70B": (49.3, 33.1),
        "GPT-4o": (60.2, 43.1),
    }
    assert all(1 - shares[-1] / shares[0] == pytest.approx(0.31, abs=0.03) for shares in both.values())


# Tables 12 to 14


def test_table_12_is_the_mean_of_table_13() -> None:
    rates = published_table("in_context_table13_annotators").group_by("scenario").mean()
    for row in published_table("in_context_table12_agreement").iter_rows(named=True):
        own = rates.filter(scenario=str(row["scenario"]).lower().replace(" ", "_"))
        assert f"{own['no_forget_percent'].item():.2f}" == f"{row['no_forget']:.2f}"
        assert f"{own['forget_percent'].item():.2f}" == f"{row['forget']:.2f}"


def test_table_3_is_a_mean_of_annotators_and_no_consensus() -> None:
    table = published_table("in_context_table12_agreement")
    printed = [*table["no_forget"], *table["forget"]]
    whole = [rate for rate in printed if (rate * 50 / 100).is_integer()]
    assert sorted(whole) == [82.0, 92.0]
    (entry,) = audited("test_table_3_is_a_mean_of_annotators_and_no_consensus")
    assert entry.recomputed.startswith("2 of 6")


def test_sixteen_of_eighteen_cohens_kappas_fit_a_table_of_fifty() -> None:
    fits = {
        (cell.task, place + 1): bool(judge_tables(cell.agreement[place], cell.cohen[place]))
        for cell in human_cells()
        for place in range(3)
    }
    assert len(fits) == 18
    assert [key for key, possible in fits.items() if not possible] == [("SR_NoForget", 3), ("SR_Forget", 3)]
    assert (rates_for(0.891), rates_for(0.711)) == ([96.0], [86.0])
    assert kappa_of_counts(37, 0, 2, 11) == pytest.approx(0.891, abs=5e-4)
    assert kappa_of_counts(42, 3, 3, 2) == pytest.approx(0.333, abs=5e-4)


def test_fleiss_kappas_fit_and_tell_how_many_replies_were_unanimous() -> None:
    found = {cell.task: unanimous_counts(cell) for cell in human_cells()}
    assert found == {
        "IF_NoForget": (49,),
        "IF_Forget": (49,),
        "SR_NoForget": (46,),
        "SR_Forget": (47,),
        "DP_NoForget": (48,),
        "DP_Forget": (49,),
    }


def test_where_kappa_is_low_the_judge_found_two_of_four_or_five_wrong_replies() -> None:
    cell = human_cells()[0]
    assert cell.task == "IF_NoForget"
    mostly_right = {table for table in judge_tables(88, 0.333) if table[0] > 25}
    assert mostly_right == {(42, 3, 3, 2)}  # Of 5 that the annotator calls wrong the judge finds 2.
    assert {table for table in judge_tables(90, 0.39) if table[0] > 25} == {(43, 2, 3, 2), (43, 3, 2, 2)}


def test_ranges_of_agreement_and_kappa_in_the_text() -> None:
    rates = published_table("in_context_table13_annotators").select("no_forget_percent", "forget_percent")
    every = [*rates["no_forget_percent"], *rates["forget_percent"]]
    assert (min(every), sum(rate > 90 for rate in every)) == (80, 11)
    table = published_table("in_context_table14_kappa")
    others = table.filter(pl.col("task") != "IF_NoForget").select("cohen_a1", "cohen_a2", "cohen_a3")
    assert (others.to_numpy().min(), others.to_numpy().max()) == (0.633, 0.949)
    assert table["fleiss"].min() == 0.870
