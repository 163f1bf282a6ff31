"""From a sample table to results: whole, degenerate, and in any order."""

import math
import random
from collections import Counter

import pytest

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.prospective.data.conditions import NO_LOAD, SALIENCE_CELLS
from forgetscope.benchmarks.prospective.loads.registry import PAPER_LOADS
from forgetscope.benchmarks.prospective.metrics import ProspectiveStudy
from forgetscope.benchmarks.prospective.metrics.study import CONDITION_ORDER
from forgetscope.benchmarks.prospective.plan import build_samples, cached_data, cell_label
from forgetscope.benchmarks.prospective.report.results import results
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.findings.figures import Chart, Interval, Results, Table
from tests.benchmarks.prospective.metrics.small_tables import SETTINGS, Row, answered, row, stack, table_of

SECTIONS = [
    "Outcomes and completeness",
    "Further findings",
    "Compliance under load",
    "Salience of the constraint",
    "Residue: against a model that was never told",
    "Compliance by type of constraint",
    "Dual-task cost",
    "Several constraints at once: stacking and tension",
    "Failure mechanisms",
    "Tokens",
    "Samples",
]


def whole_run(items: str = "abcdef") -> list[Row]:
    """A run of every part: natural loses format under MMLU, the reminder keeps it."""
    rows: list[Row] = []
    for number, item in enumerate(items):
        rows += [row(item, "baseline", kept=True), row(item, "constraint_only", kept=True)]
        for load in ("triviaqa", "mmlu"):
            lost = load == "mmlu" and number % 3 != 0
            right = answered(number % 2 == 0, True)
            rows.append(row(item, "task_only", load, **answered(True, True)))
            rows.append(row(item, "natural", load, not lost, mechanism="domain_shift" if lost else "", **right))
            rows.append(row(item, "reminder", load, True, **right))
    for size in (1, 2):
        for number in range(3):
            for trailing in ("none", "generic"):
                kept = tuple(position + number < 3 for position in range(size))
                types = "+".join(["no_comma", "title"][:size])
                rows.append(stack(f"s{size}-{number}", kept, types, trailing=trailing))
    rows += [stack(f"t{n}", (True, n > 0), "no_comma+title", experiment="tension") for n in range(3)]
    return rows


def results_of(rows: list[Row], settings: ProspectiveSettings = SETTINGS, *, published: bool = False) -> Results:
    return results(table_of(rows), facts_of(rows, settings, published=published))


def facts_of(
    rows: list[Row], settings: ProspectiveSettings = SETTINGS, *, floor: float = 0.98, published: bool = False
) -> FigureFacts:
    """The facts of a run that planned exactly these rows."""
    return FigureFacts(settings, Counter(label_of(line) for line in rows), floor, published)


def label_of(line: Row) -> str:
    """The plan's label of a row's cell."""
    if line["experiment"] == "load":
        return f"{line['condition']}" if line["load"] == "none" else f"{line['condition']} + {line['load']}"
    size = f"n={line['constraints']}" if line["experiment"] == "stacking" else line["pair"]
    return f"{line['experiment']} {size} m={line['problems']}"


def check_is_readable(results: Results) -> None:
    """No number is nan, undefined figures say why, tables have their columns, charts their points."""
    assert results.headlines
    for entry in results.figures:
        assert entry.value is not None or entry.note, entry
        assert all(value is None or math.isfinite(value) for value in (entry.value, entry.low, entry.high)), entry
        assert (entry.low is None) == (entry.high is None)
        assert entry.method, entry
    for section in results.sections:
        for block in section.blocks:
            if isinstance(block, Table):
                keys = {column.key for column in block.columns}
                assert all(keys <= line.keys() for line in block.rows), block.title
            if isinstance(block, Chart):
                assert all(len(line.points) == len(block.categories) for line in block.series), block.title
                assert block.summary


def test_a_whole_run_has_every_section_in_order_and_says_what_load_costs() -> None:
    results = results_of(whole_run())
    check_is_readable(results)
    assert [section.title for section in results.sections] == SECTIONS
    said = " ".join(finding.text for finding in results.headlines)
    assert "Natural prompt: under load, compliance fell by 33.3 points, from 100.0% to 66.7% (" in said
    assert 3 <= len(results.headlines) <= 6


def test_the_order_of_rows_does_not_matter() -> None:
    rows = whole_run()
    shuffled = random.Random(1).sample(rows, len(rows))
    assert results_of(rows).figures == results_of(shuffled).figures


def test_the_same_table_gives_the_same_figures_and_another_seed_other_intervals() -> None:
    rows = whole_run()
    first, again = results_of(rows), results_of(rows)
    other = results_of(rows, ProspectiveSettings(seeds=(7,)))
    assert first == again
    assert [entry.value for entry in first.figures if entry.unit != "p"] == [
        entry.value for entry in other.figures if entry.unit != "p"
    ]
    assert first.figures != other.figures


def test_no_two_figures_share_name_and_factors() -> None:
    figures = results_of(whole_run()).figures
    assert len({(entry.name, tuple(sorted(entry.factors.items(), key=str))) for entry in figures}) == len(figures)


def test_every_status_adds_up_and_a_warning_comes_first() -> None:
    rows = [*whole_run(), row("z", "natural", "mmlu")]
    results = results_of(rows + [row(f"y{n}", "baseline") for n in range(9)])
    assert results.headlines[0].verdict == "warning"
    assert "10 of" in results.headlines[0].text


def test_samples_missing_from_the_table_are_lost_even_where_a_whole_cell_is() -> None:
    rows = whole_run()
    kept = [line for line in rows if (line["condition"], line["load"]) != ("reminder", "mmlu")]
    whole = results(table_of(kept[1:]), facts_of(rows))  # without a's baseline, too
    check_is_readable(whole)
    found = {(entry.name, tuple(entry.factors.values())): entry.value for entry in whole.figures}
    cell = ("load", "reminder", "mmlu")
    assert found["outcomes.planned", cell] == found["outcomes.missing", cell] == 6
    assert found["outcomes.completeness", cell] == 0
    assert found["outcomes.completeness", ("load", "baseline", "none")] == pytest.approx(5 / 6)
    assert found["outcomes.completeness", ("all",)] == pytest.approx(1 - 7 / len(rows))
    assert found["compliance.strict.completed.lowest", ("baseline", "none")] == pytest.approx(5 / 6)
    assert found["outcomes.task.missing", cell] == 6
    text = whole.headlines[0].text
    assert text.startswith(f"7 of {len(rows)} samples have no outcome (7 not in the logs)")


def test_a_run_of_which_nothing_came_back_says_so() -> None:
    found = results(table_of([]), facts_of(whole_run(), published=True))
    check_is_readable(found)
    assert "the run is 0.0% complete, below the floor of 98%" in found.headlines[0].text


def test_the_floor_is_the_runs_own() -> None:
    rows = whole_run()
    lower = results(table_of(rows[1:]), facts_of(rows, floor=0.9))
    assert all("no outcome" not in finding.text for finding in lower.headlines)
    higher = results(table_of(rows[1:]), facts_of(rows, floor=0.995))
    assert "below the floor of 99.5%" in higher.headlines[0].text


def test_every_label_of_a_plan_is_a_cell_of_the_diagnostics() -> None:
    settings = ProspectiveSettings(seeds=(42,), limit=4, conditions="all", experiments="load,stacking,tension,singles")
    labels = Counter(cell_label(sample) for sample in build_samples(settings, cached_data("embedded")))
    study = ProspectiveStudy.of(table_of([]), settings, labels)
    assert study.diagnostic_cells[-1].planned == sum(labels.values())
    assert {cell.factors.get("condition") for cell in study.diagnostic_cells} <= {None, *CONDITION_ORDER}
    assert {cell.factors.get("load") for cell in study.diagnostic_cells} == {None, NO_LOAD, *PAPER_LOADS}


def test_published_figures_stand_beside_the_run_with_their_caveats() -> None:
    results = results_of(whole_run(), published=True)
    check_is_readable(results)
    beside = next(section for section in results.sections if section.title == "Beside the paper")
    table = next(block for block in beside.blocks if isinstance(block, Table))
    baseline = table.rows[0]
    assert baseline["o4-mini"] == pytest.approx(0.861)
    assert isinstance(baseline["This run"], Interval)
    assert baseline["This run"].value == 1.0
    warnings = [block.text for block in beside.blocks if not isinstance(block, Table) and hasattr(block, "text")]
    assert any("embedded data" in text for text in warnings)


REFUSED: Row = {"status": "refused", "task_status": "refused"}


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("one item", whole_run("a")),
        (
            "all errors",
            [row(item, name, load) for item in "ab" for name, load in (("baseline", "none"), ("natural", "mmlu"))],
        ),
        ("all refused", [{**line, **REFUSED} for line in whole_run()]),
        ("no load", [row(item, "baseline", kept=True) for item in "abc"]),
        ("one loaded condition", [row(item, "natural", "mmlu", True, **answered(True, None)) for item in "abc"]),
        ("task only", [row(item, "task_only", "mmlu", **answered(True, True)) for item in "abc"]),
        ("stacks only", [stack("s", (True,), "title")]),
        ("pairs only", [stack("t", (True, False), "no_comma+title", experiment="tension")]),
        (
            "eight cells",
            [row(item, cell.name, "mmlu", True, **answered(True, True)) for item in "ab" for cell in SALIENCE_CELLS],
        ),
        (
            "disjoint items",
            [row("a", "baseline", kept=True), row("b", "natural", "mmlu", False, **answered(True, True))],
        ),
    ],
)
def test_degenerate_tables_are_read_without_a_crash(name: str, rows: list[Row]) -> None:
    results = results_of(rows, published=True)
    check_is_readable(results)
    assert results.sections[0].title == "Outcomes and completeness", name
    assert results.sections[-1].title == "Samples", name


def test_several_seeds_are_read_together_and_one_sent_baseline_serves_all() -> None:
    seeds = (42, 137)
    rows = [line for line in whole_run() if line["load"] == "none"]
    rows += [
        {**line, "seed": seed, "sample_id": f"{line['sample_id']}-{seed}"}
        for line in whole_run()
        if line["load"] != "none"
        for seed in seeds
    ]
    results = results_of(rows, ProspectiveSettings(seeds=seeds))
    check_is_readable(results)
    paired = next(
        entry
        for entry in results.figures
        if entry.name == "delta.paired"
        and entry.factors == {"condition": "natural", "load": "mmlu", "against": "baseline"}
    )
    assert (paired.n, paired.excluded) == (6, 0)


def test_two_models_in_one_table_are_refused() -> None:
    rows = [row("a", "baseline", kept=True), row("b", "baseline", kept=True, model="another")]
    with pytest.raises(ValueError, match="one model a table"):
        results_of(rows)
