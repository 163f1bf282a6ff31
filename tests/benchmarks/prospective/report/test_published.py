"""A run in the paper's tables: each printed value beside the figure that is of the same thing, losses as losses."""

import pytest

from forgetscope.benchmarks.prospective.metrics import ProspectiveStudy, compute_figures
from forgetscope.benchmarks.prospective.report.published import PRINTED, published_section
from forgetscope.findings.figures import Interval, Table
from tests.benchmarks.prospective.metrics.small_tables import SETTINGS, Row, row, stack, table_of


def tables(rows: list[Row]) -> dict[str, Table]:
    study = ProspectiveStudy.of(table_of(rows), SETTINGS)
    blocks = published_section(study, compute_figures(study)).blocks
    return {block.slug: block for block in blocks if isinstance(block, Table)}


def one(table: Table, **where: str) -> dict[str, object]:
    (found,) = [row for row in table.rows if where.items() <= row.items()]
    return dict(found)


RUNS = [
    row("a", "baseline", kept=True, type="end_checker"),
    row("b", "baseline", kept=True, type="num_bullet_lists"),
    *(row("a", "natural", "gsm8k_x1", False, seed=seed, type="end_checker", mechanism="") for seed in (42, 137)),
    *(row("b", "natural", "gsm8k_x1", True, seed=seed, type="num_bullet_lists") for seed in (42, 137)),
]


def test_table_2_holds_losses_by_type_as_the_run_counts_them() -> None:
    table = tables(RUNS)["published-table-2"]
    lost, kept = one(table, Type="end_checker"), one(table, Type="number_bullet_lists")
    assert isinstance(lost["This run"], Interval)
    assert isinstance(kept["This run"], Interval)
    assert (lost["This run"].value, kept["This run"].value) == (1.0, 0.0)
    assert (lost["DeepSeek-V3.1"], one(table, Type="json_format")["o4-mini"]) == (0.5, -0.06)


def test_table_8_has_the_papers_intervals_and_test_beside_the_runs_own_of_the_same_kind() -> None:
    found = one(tables(RUNS)["published-table-8"], Load="GSM8K")
    printed = found["o4-mini"]
    assert isinstance(printed, Interval)
    assert (printed.value, printed.low, printed.high) == pytest.approx((0.836, 0.792, 0.881))
    assert (found["p, o4-mini"], found["p, DeepSeek-V3.1"]) == (".265", "<.001")
    assert isinstance(found["This run"], Interval)
    assert found["This run"].low is not None
    assert found["p, this run"] == pytest.approx(0.4795, abs=1e-4)


def test_tokens_mechanisms_and_tension_pairs_have_their_tables() -> None:
    pair = "no_comma+num_bullet_lists"
    stacks = [stack("safe", (True, False), "title+no_comma"), stack("t", (True, True), pair, experiment="tension")]
    found = tables([*RUNS, *stacks])
    tense = one(found["published-table-14"], Pair="no_comma+number_bullet_lists")
    assert isinstance(tense["This run"], Interval)
    assert (tense["This run"].value, tense["Llama-3.3-70B"]) == (1.0, pytest.approx(-0.067))
    assert one(found["published-table-9"], Load="GSM8K", Template="natural")["output, mean of three models"] == 624
    assert len(found["published-table-10"].rows) == 5
    assert len({spec.slug for spec in PRINTED}) == len(PRINTED) == 10
