"""The run beside the paper's models: the right printed figures, and every reason why the two are not the same thing."""

import polars as pl
import pytest

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.in_context.metrics import InContextStudy, compute_figures
from forgetscope.benchmarks.in_context.report.published import caveats, published_section
from forgetscope.benchmarks.in_context.report.results import results
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.findings.figures import Finding, Interval, Section, Table
from tests.benchmarks.in_context.answered import answered_table, with_judge

SETTINGS = InContextSettings(max_tokens=256, limit=3, lengths="native,500,1000", strategies="noforget,forget")
PLAIN = InContextSettings(max_tokens=256, limit=3, probes="none")


def section_of(settings: InContextSettings, table: pl.DataFrame | None = None, decoding: str = "greedy") -> Section:
    study = InContextStudy.of(answered_table(settings) if table is None else table, settings, {})
    return published_section(study, compute_figures(study), decoding)


def tables_of(section: Section) -> dict[str, Table]:
    return {block.slug: block for block in section.blocks if isinstance(block, Table)}


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return tables_of(section_of(SETTINGS))


def test_each_scenario_has_the_run_first_and_the_papers_eleven_models(tables: dict[str, Table]) -> None:
    for scenario in ("instructional-forgetting", "subtask-revision", "dynamic-preference"):
        rows = tables[f"published-{scenario}"].rows
        assert rows[0]["Model"] == "this run"
        assert isinstance(rows[0]["SFRR"], Interval)
        assert len(rows) == 12
    (row,) = [row for row in tables["published-instructional-forgetting"].rows if row["Model"] == "GPT-O3mini"]
    assert row == {
        "Model": "GPT-O3mini",
        "NA": pytest.approx(0.9648),
        "FA": pytest.approx(0.6308),
        "SFRR": pytest.approx(0.6288),
        "NA - FA": pytest.approx(0.334),
        "WR": pytest.approx(0.0241),
    }


def test_averages_stand_beside_the_mean_of_the_run(tables: dict[str, Table]) -> None:
    rows = tables["published-average"].rows
    assert [row["Model"] for row in rows][:5] == ["this run", "Mistral-7B", "Llama3-8B", "Qwen2.5-7B", "Mixtral-8x7B"]
    assert rows[-1]["SFRR"] == pytest.approx(0.7054)


def test_both_prompts_stand_beside_the_papers_as_it_reads_replies(tables: dict[str, Table]) -> None:
    rows = tables["published-table-2"].rows
    assert len(rows) == 18
    one = {row["Prompt"]: row for row in rows if (row["Scenario"], row["Measure"]) == ("dynamic preference", "SFRR")}
    assert one["forget"]["GPT-5"] == pytest.approx(0.7664)
    assert one["noforget"]["GPT-5"] == pytest.approx(0.7912)
    assert isinstance(one["forget"]["This run"], Interval)


def test_lengths_are_those_of_both(tables: dict[str, Table]) -> None:
    rows = tables["published-lengths-subtask-revision"].rows
    assert [(row["Measure"], row["Length"]) for row in rows] == [
        (measure, length) for measure in ("NA", "FA", "SFRR") for length in ("500", "1k")
    ]
    assert rows[0]["GPT-4o"] == pytest.approx(0.8391)
    assert rows[-1]["Llama-3.3-70B"] == pytest.approx(0.8062)


def test_a_plain_run_has_the_main_tables_alone() -> None:
    assert [*tables_of(section_of(PLAIN))] == [
        "published-instructional-forgetting",
        "published-subtask-revision",
        "published-dynamic-preference",
        "published-average",
    ]


def test_a_run_of_one_scenario_has_its_table_and_no_average() -> None:
    settings = InContextSettings(max_tokens=256, limit=6, scenarios="dynamic_preference")
    assert [*tables_of(section_of(settings))] == ["published-dynamic-preference"]


def said(settings: InContextSettings, table: pl.DataFrame | None = None, decoding: str = "greedy") -> str:
    study = InContextStudy.of(answered_table(settings) if table is None else table, settings, {})
    return " ".join(caveats(study, compute_figures(study), decoding))


def test_what_keeps_a_run_apart_from_the_paper_is_said() -> None:
    text = said(PLAIN)
    assert "embedded data, written for this project: compare shapes, not levels" in text
    assert "scored by rule, the paper's by a judge (GPT-O4mini)" in text
    assert "last clause of subtask revision" in text
    assert "greedily" not in text
    assert "cut off" not in text


def test_another_decoding_data_direction_or_setting_is_said() -> None:
    assert "decoded with greedy + frequency_penalty 0.5" in said(PLAIN, decoding="greedy + frequency_penalty 0.5")
    other = PLAIN.model_copy(update={"data": "/some/folder", "direction": "reversed"})
    text = said(other, answered_table(PLAIN))
    assert "items cannot be had" in text
    assert "embedded" not in text
    assert "in the other direction" in text
    late = InContextSettings(max_tokens=256, limit=1, lengths="500", strategies="forget")
    assert "at 500 length with the forget prompt" in said(late)


def test_cut_replies_and_judged_ones_are_said() -> None:
    table = answered_table(PLAIN)
    first = pl.col("item") == table["item"][0]
    cut = table.with_columns(status=pl.when(first).then(pl.lit("truncated")).otherwise("status"))
    assert "2 replies were cut off at 256 tokens" in said(PLAIN, cut)
    judged = with_judge(table, sensitivity=1, specificity=1).with_columns(
        decided_by=pl.when(first).then(pl.lit("judge")).otherwise("decided_by")
    )
    assert "lab/judge with our rubrics, the paper's all by GPT-O4mini" in said(PLAIN, judged)


def test_the_section_is_there_only_when_asked_for() -> None:
    table = answered_table(PLAIN)
    for published in (True, False):
        found = results(table, FigureFacts(PLAIN, {}, 0.98, published, "greedy"))
        assert ("published" in [section.slug for section in found.sections]) == published


def test_caveats_are_warnings() -> None:
    findings = [block for block in section_of(PLAIN).blocks if isinstance(block, Finding)]
    assert findings
    assert {finding.verdict for finding in findings} == {"warning"}
