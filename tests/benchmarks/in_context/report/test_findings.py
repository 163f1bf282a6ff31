"""What the report of an in-context run says: the sentence of each scenario, warnings, and what it leaves out."""

import pytest

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.in_context.metrics import compute_figures
from forgetscope.benchmarks.in_context.report.choices import bias_findings
from forgetscope.benchmarks.in_context.report.glance import change_findings, glance_findings, main_charts
from forgetscope.benchmarks.in_context.report.judges import judge_findings, judge_section
from forgetscope.benchmarks.in_context.report.leaks import leak_findings, leak_section
from forgetscope.benchmarks.in_context.report.lengths import length_section, trend_findings
from forgetscope.benchmarks.in_context.report.results import MOST_HEADLINES, results
from forgetscope.benchmarks.in_context.report.strategies import strategy_findings
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.findings.figures import Chart, Finding, Results, Section, Table
from tests.benchmarks.in_context.metrics.small_tables import (
    DP,
    IF,
    SETTINGS,
    SR,
    Row,
    cell,
    judged,
    pair,
    row,
    study_of,
    table_of,
)


def results_of(rows: list[Row], planned: dict[str, int] | None = None) -> Results:
    facts = FigureFacts(SETTINGS, planned or {}, completeness_floor=0.98)
    return results(table_of(rows), facts)


def scenario_findings(rows: list[Row]) -> tuple[Finding, ...]:
    study = study_of(rows)
    return glance_findings(study, compute_figures(study))


def section(results: Results, slug: str) -> Section:
    return next(entry for entry in results.sections if entry.slug == slug)


def all_scenarios(n11: int, n10: int, n01: int, n00: int) -> list[Row]:
    return [made for scenario in (IF, SR, DP) for made in cell(n11, n10, n01, n00, scenario)]


class TestEachScenario:
    def test_says_what_sfrr_is_of_in_its_own_words(self) -> None:
        texts = [finding.text for finding in scenario_findings(all_scenarios(2, 18, 0, 0))]
        assert texts[0] == (
            "Instructional forgetting: of the 20 facts it could recall, it withheld 10.0% (SFRR, 95% interval 2.8% to "
            "30.1%) when asked to forget. NA 100.0%, FA 10.0% (20 items scored in both forms)."
        )
        assert texts[1].startswith(
            "Subtask revision: of the 20 revised instructions it carried out when given alone, it carried out 10.0%"
        )
        assert texts[2].startswith("Dynamic preference: of the 20 items on which it followed the first preference, it")

    def test_rates_claim_nothing_and_have_no_badge(self) -> None:
        assert {finding.verdict for finding in scenario_findings(all_scenarios(2, 18, 0, 0))} == {"note"}

    def test_nothing_right_without_the_request_leaves_sfrr_out_and_no_change_is_said(self) -> None:
        rows = cell(0, 0, 6, 6)
        text = scenario_findings(rows)[0].text
        assert "it recalled none of 12 facts when not asked to forget" in text
        assert "SFRR is undefined. NA 0.0%, FA 50.0% (12 items" in text
        assert changes(rows) == ()

    def test_items_left_out_are_counted(self) -> None:
        assert "(10 items scored in both forms, 3 not)" in scenario_findings(cell(5, 5, 0, 0) + lost(3))[0].text

    def test_where_nothing_was_scored_it_says_why_as_the_table_does(self) -> None:
        rows = pair("a", "cut", "cut but passing") + pair("b", "cut", "refused")
        finding = scenario_findings(rows)[0]
        why = "no item could be scored in both forms (3 of 4 replies cut off, 1 refused)"
        assert finding == Finding(f"Instructional forgetting: {why}.")
        table = next(block for block in section(results_of(rows), "glance").blocks if isinstance(block, Table))
        cells = table.rows[0]
        assert {cells[name].note for name in ("NA", "FA", "SFRR")} == {why}  # type: ignore[union-attr]

    def test_headline_and_table_have_the_same_reading_where_the_papers_is_another(self) -> None:
        rows = cell(1, 0, 0, 0) + [made for n in range(3) for made in pair(f"c{n}", True, "cut but passing")]
        result = results_of(rows)
        said = next(finding.text for finding in result.headlines if finding.text.startswith("Instructional"))
        assert "it withheld 1 (SFRR 100.0%, too few for an interval) when" in said
        assert "(1 item scored in both forms, 3 not)" in said
        tables = {block.slug: block for block in section(result, "glance").blocks if isinstance(block, Table)}
        assert tables["main"].rows[0]["Items"] == 1
        assert tables["readings"].title.startswith("NA, FA and SFRR by other readings")


def changes(rows: list[Row]) -> tuple[Finding, ...]:
    study = study_of(rows)
    return change_findings(study, compute_figures(study))


class TestChangesOfAccuracy:
    def test_a_fall_that_is_sure_is_shown_with_its_interval_and_test(self) -> None:
        (finding,) = changes(cell(2, 18, 0, 0))
        assert finding.verdict == "shown"
        assert finding.text.startswith("Instructional forgetting: from NA to FA, accuracy fell by 90.0 points (95% int")
        assert finding.text.endswith(", p < 0.001, 20 items).")

    def test_a_difference_that_may_be_chance_is_undecided_and_says_so(self) -> None:
        (finding,) = changes(cell(8, 2, 1, 3))
        assert finding.verdict == "undecided"
        assert "fell by 7.1 points" in finding.text
        assert finding.text.endswith("; undecided: the interval holds zero.")

    def test_few_items_show_nothing_however_clear(self) -> None:
        (finding,) = changes(cell(0, 9, 0, 0))
        assert finding.verdict == "too few"
        assert finding.text.endswith("9 items); too few: a difference needs 10 items.")

    def test_a_perfect_forgetter_loses_nothing(self) -> None:
        (finding,) = changes(cell(12, 0, 0, 0))
        assert "accuracy did not change" in finding.text


def lost(count: int) -> list[Row]:
    return [made for number in range(count) for made in pair(f"lost-{number}", True, "lost")]


class TestHeadlines:
    def test_are_warnings_and_a_few_findings(self) -> None:
        rows = all_scenarios(3, 3, 1, 1) + lost(4) + [row("n", "forget", True, leak="none", reask_status="incorrect")]
        headlines = results_of(rows).headlines
        warnings = [finding for finding in headlines if finding.verdict == "warning"]
        assert warnings == list(headlines[: len(warnings)])
        assert 3 <= len(headlines) - len(warnings) <= MOST_HEADLINES

    def test_a_trend_that_is_shown_comes_after_the_scenarios(self) -> None:
        rows = cell(16, 0, 0, 0)
        for length, right in ((500, 16), (1000, 8), (2000, 2)):
            rows += cell(right, 0, 0, 16 - right, length=length)
        texts = [finding.text for finding in results_of(rows).headlines]
        assert texts[0].startswith("Instructional forgetting")
        assert "fell by 43.8 points for each doubling" in texts[1]

    def test_missing_samples_are_warned_of(self) -> None:
        headlines = results_of(cell(2, 0, 0, 0), {"instructional_forgetting forget native noforget": 10}).headlines
        assert headlines[0].verdict == "warning"
        assert "8 of 12 samples have no outcome (8 not in the logs)" in headlines[0].text

    def test_a_run_that_was_cut_off_suggests_a_token_limit(self) -> None:
        rows = [row(f"i{n}", "forget", True, output_tokens=20 + n) for n in range(40)]
        rows += [row(f"c{n}", "forget", "cut", output_tokens=64) for n in range(10)]
        warning = results_of(rows).headlines[0]
        assert warning.text.startswith("Length-limited: 20.0% of the replies were cut off at 1024 tokens")
        assert "left out of NA, FA and SFRR" in warning.text
        assert "Suggested limit:" in warning.text

    def test_what_they_say_is_not_said_again_under_what_was_found(self) -> None:
        results = results_of(all_scenarios(3, 5, 0, 0))
        found = next(entry for entry in results.sections if entry.slug == "findings")
        again = [block for block in found.blocks if block in results.headlines]
        assert again == []


class TestRunsOfAllShapes:
    @pytest.mark.parametrize("scenario", [IF, SR, DP])
    def test_one_scenario_has_no_mean_and_its_own_sections_alone(self, scenario: str) -> None:
        results = results_of(cell(3, 2, 1, 1, scenario))
        assert "average" not in {entry.factors.get("scenario") for entry in results.figures}
        assert section(results, "glance").title == "NA, FA and SFRR"
        assert {entry.slug for entry in results.sections} <= {
            "outcomes",
            "findings",
            "glance",
            "groups",
            "further",
            "samples",
        }

    def test_a_planned_run_without_a_single_sample_is_a_warning_and_the_browser(self) -> None:
        results = results_of([], {"dynamic_preference forget native noforget": 5})
        assert [finding.verdict for finding in results.headlines] == ["warning"]
        assert "5 of 5 samples have no outcome" in results.headlines[0].text
        assert [entry.slug for entry in results.sections] == ["outcomes", "samples"]

    def test_where_everything_was_cut_off_the_papers_reading_is_drawn_and_says_so(self) -> None:
        rows = [made for n in range(5) for made in pair(f"i{n}", "cut but passing", "cut")]
        charts = [block for block in section(results_of(rows), "glance").blocks if isinstance(block, Chart)]
        assert [chart.slug for chart in charts] == ["glance-paper"]
        assert charts[0].title.startswith("The paper's reading of the same replies")
        assert charts[0].series[0].points[0] is not None
        assert charts[0].series[0].points[0].value == 1.0

    def test_where_all_is_scored_only_our_reading_is_drawn(self) -> None:
        study = study_of(cell(2, 1, 0, 0))
        assert [chart.slug for chart in main_charts(study, compute_figures(study))] == ["glance"]

    def test_tables_of_every_length_are_folded_and_the_main_one_is_short(self) -> None:
        rows = [made for length in (None, 500, 1000) for made in cell(2, 1, 0, 0, length=length)]
        tables = {block.slug: block for block in section(results_of(rows), "glance").blocks if isinstance(block, Table)}
        assert (len(tables["main"].rows), tables["main"].folded) == (1, False)
        assert (len(tables["main-every"].rows), tables["main-every"].folded) == (3, True)

    def test_no_table_shows_a_name_of_the_code(self) -> None:
        rows = all_scenarios(2, 1, 1, 1) + cell(2, 1, 0, 1, length=500, strategy="forget", kind="multiple_choice")
        results = results_of(rows)
        cells = [
            str(value)
            for entry in results.sections
            for block in entry.blocks
            if isinstance(block, Table)
            for line in block.rows
            for column in block.columns
            if isinstance(value := line.get(column.key), str)
        ]
        assert cells
        assert not [text for text in cells if "_" in text]


class TestLengths:
    def rows(self, *lengths: int, strategy: str = "noforget") -> list[Row]:
        return [made for length in lengths for made in cell(3, 3, 1, 1, length=length, strategy=strategy)]

    def test_one_length_has_no_section_and_two_have_curves_without_a_trend(self) -> None:
        one, two = study_of(self.rows(500)), study_of(self.rows(500, 1000))
        assert length_section(one, compute_figures(one)) is None
        shown = length_section(two, compute_figures(two))
        assert shown is not None
        titles = [block.title for block in shown.blocks if isinstance(block, Chart)]
        assert titles[0] == "NA over context length (plain prompt)"
        assert (
            "2 lengths were run; a trend is tested over 3 or more" in trend_findings(two, compute_figures(two))[0].text
        )

    def test_trends_that_are_not_shown_are_one_sentence(self) -> None:
        study = study_of(self.rows(500, 1000, 2000))
        (finding,) = trend_findings(study, compute_figures(study))
        assert finding == Finding(
            "No trend with length is shown for NA in instructional forgetting, FA in instructional forgetting, SFRR in "
            "instructional forgetting.",
            "undecided",
        )

    def test_many_that_are_not_shown_are_counted(self) -> None:
        study = study_of(self.rows(500, 1000, 2000) + self.rows(500, 1000, 2000, strategy="forget"))
        assert "in 6 comparisons, which stand in the table" in trend_findings(study, compute_figures(study))[0].text

    def test_only_the_main_prompt_is_drawn(self) -> None:
        study = study_of(self.rows(500, 1000) + self.rows(500, 1000, strategy="forget"))
        shown = length_section(study, compute_figures(study))
        assert shown is not None
        assert all(len(block.series) == 1 for block in shown.blocks if isinstance(block, Chart))


def test_the_effect_of_a_prompt_is_said_with_its_sign() -> None:
    study = study_of(cell(0, 12, 0, 0) + cell(12, 0, 0, 0, strategy="forget"))
    (finding,) = strategy_findings(study, compute_figures(study))
    assert finding.verdict == "shown"
    assert finding.text.startswith(
        "Against the plain prompt, the reminder prompt raised FA in instructional forgetting by 100.0 points"
    )


def test_a_first_place_that_is_preferred_is_shown() -> None:
    rows = [
        {**made, "chosen": "old", "shown_position": 0}
        for number in range(20)
        for made in pair(f"i{number}", True, True, DP)
    ]
    study = study_of(rows)
    (finding,) = bias_findings(study, compute_figures(study))
    assert finding.verdict == "shown"
    assert "chosen in 100.0% of the replies, 75.0 points above the 25% expected without a bias" in finding.text


class TestLeaks:
    def test_what_came_out_when_asked_again_and_what_was_forgotten_beside_it(self) -> None:
        rows = [
            row("a", "forget", True, leak="none", reask_status="incorrect", leak_reasoning="verbatim"),
            row("b", "forget", True, leak="none", reask_status="correct", leak_reasoning="none"),
        ]
        rows += pair("a", True, False, probe="neighbour") + pair("b", True, True, probe="neighbour")
        study = study_of(rows)
        texts = " ".join(finding.text for finding in leak_findings(compute_figures(study), study.cells[0]))
        assert "Re-ask: of 2 facts withheld at first, 50.0% came out when the question was put again" in texts
        assert "of 2 neighbour facts it knew without the request, 50.0% were no longer answered" in texts
        assert "Reasoning: after the request, it names the fact in 50.0% of 2 replies" in texts

    def test_a_retraction_that_names_the_fact_has_a_row_of_its_own(self) -> None:
        rows = [
            row("a", "forget", True, leak="none"),
            row("b", "forget", False, leak="verbatim", request_kind="retraction"),
        ]
        study = study_of(rows)
        shown = leak_section(study, compute_figures(study))
        assert shown is not None
        table = next(block for block in shown.blocks if isinstance(block, Table) and block.slug == "requests")
        assert [line["Request"] for line in table.rows] == [
            "explicit, fact named",
            "retraction, fact named",
        ]

    def test_items_that_only_a_judge_can_score_have_no_ladder(self) -> None:
        study = study_of(cell(1, 1, 0, 0))
        assert leak_section(study, compute_figures(study)) is None


class TestJudges:
    rows = cell(4, 4, 0, 0)

    def votes(self, passing: str) -> dict[tuple[str, str], list[bool]]:
        return {(str(made["item"]), str(made["form"])): [str(made["item"]) in passing] for made in self.rows}

    def test_a_judged_scenario_says_how_far_judge_and_rule_agree(self) -> None:
        verified = judged(
            self.rows, {(f"if-{n:03d}", form): [n < 4] for n in range(8) for form in ("noforget", "forget")}
        )
        unverified = judged(
            [{**made, "item": f"u{made['item']}", "sample_id": f"u{made['sample_id']}"} for made in self.rows],
            {(f"uif-{n:03d}", form): [True] for n in range(8) for form in ("noforget", "forget")},
            decides=True,
        )
        text = scenario_findings(verified + unverified)[0].text
        assert text.endswith(
            "Scored by a judge; it agrees with the rule on 50.0% of 8 verified replies in the NoForget form and 100.0% "
            "of 8 verified replies in the Forget form."
        )

    def test_a_judge_nobody_could_check_is_said_to_be_unknown(self) -> None:
        votes = {(f"if-{n:03d}", form): [True] for n in range(8) for form in ("noforget", "forget")}
        text = scenario_findings(judged(self.rows, votes, decides=True))[0].text
        assert "how good the judge is cannot be told here" in text
        assert "--judge-what all" in text

    def test_a_judge_that_differs_from_the_rule_is_warned_of_before_its_figures(self) -> None:
        wrong = {(f"if-{n:03d}", "forget"): [n < 6] for n in range(8)}
        rows = judged(self.rows, wrong) + judged(pair("x", True, True), {("x", "forget"): [True]}, decides=True)
        study = study_of(rows)
        (warning,) = judge_findings(compute_figures(study))
        assert warning.verdict == "warning"
        assert "instructional forgetting Forget 75.0% of 8" in warning.text
        assert warning in results_of(rows).headlines

    @pytest.mark.parametrize(
        ("passes", "reason"),
        [
            (True, "the judge passed 4 of 4 replies that the rule fails"),
            (False, "the judge failed 12 of 12 replies that the rule passes"),
        ],
    )
    def test_a_judge_that_passes_or_fails_everything_has_no_figures(self, passes: bool, reason: str) -> None:
        both = ("noforget", "forget")
        checked = judged(self.rows, {(f"if-{n:03d}", form): [passes] for n in range(8) for form in both})
        decides = judged(
            cell(8, 0, 0, 0, SR), {(f"sr-{n:03d}", form): [passes] for n in range(8) for form in both}, decides=True
        )
        found = results_of(checked + decides)
        (warning,) = [entry for entry in found.headlines if entry.verdict == "warning"]
        assert warning.text.startswith(f"Subtask revision: {reason}. That is no judge")
        (said,) = [entry for entry in found.headlines if entry.text.startswith("Subtask revision: it was scored")]
        assert said.verdict == "note"
        assert "this is no result" in said.text
        by_judge = [
            entry
            for entry in found.figures
            if entry.factors.get("scenario") == SR and entry.name in ("na", "sfrr", "paper.fa")
        ]
        assert len(by_judge) == 3
        assert {(entry.value, entry.low, entry.note) for entry in by_judge} == {(None, None, f"no result: {reason}")}
        by_rule = [entry for entry in found.figures if entry.factors.get("scenario") == IF and entry.name == "na"]
        assert [entry.value for entry in by_rule] == [1.0]
        averages = [entry for entry in found.figures if entry.factors.get("scenario") == "average"]
        assert {entry.value for entry in averages} <= {None}

    def test_a_judge_that_was_given_no_wrong_reply_is_said_to_be_untried(self) -> None:
        both = ("noforget", "forget")
        right = judged(cell(8, 0, 0, 0), {(f"if-{n:03d}", form): [True] for n in range(8) for form in both})
        more = judged(pair("x", True, True), {("x", form): [True] for form in both}, decides=True)
        text = scenario_findings(right + more)[0].text
        assert text.endswith(
            "the rule fails none of these, so whether the judge can fail a wrong reply is not known "
            "('forgetscope try-judge' tells)."
        )

    def test_a_judge_nobody_could_check_is_warned_of_and_its_figures_say_so(self) -> None:
        votes = {(f"if-{n:03d}", form): [n < 4] for n in range(8) for form in ("noforget", "forget")}
        found = results_of(judged(self.rows, votes, decides=True))
        (warning,) = [entry for entry in found.headlines if entry.verdict == "warning"]
        assert warning.text.startswith(
            "Instructional forgetting scored by a judge: how good the judge is cannot be told"
        )
        (sfrr,) = [entry for entry in found.figures if entry.name == "sfrr"]
        assert "how good it is is not known" in sfrr.note

    def test_a_judge_that_decided_nothing_is_not_warned_of(self) -> None:
        study = study_of(judged(self.rows, {("if-000", "forget"): [False]}))
        assert judge_findings(compute_figures(study)) == ()
        assert judge_section(study, compute_figures(study)) is not None

    def test_verdicts_nobody_could_read_are_warned_of_first(self) -> None:
        votes = {(f"if-{n:03d}", "forget"): [True, False] if n < 6 else [True] for n in range(8)}
        (warning,) = judge_findings(compute_figures(study_of(judged(self.rows, votes))))
        assert warning.verdict == "warning"
        assert warning.text.startswith("Of 8 judged samples, 6 (75.0%) got no verdict that could be read")

    def test_scored_by_and_quality_stand_in_the_main_table(self) -> None:
        rows = judged(self.rows, {("if-000", "forget"): [True], ("if-000", "noforget"): [True]}, decides=True)
        table = next(block for block in section(results_of(rows), "glance").blocks if isinstance(block, Table))
        assert table.rows[0]["Scored by"] == "rule, 12.5% judge"
        assert table.rows[0]["Judge agrees with rule"] == "not known / not known"

    def test_a_panel_is_shown_judge_by_judge(self) -> None:
        votes = {(f"if-{n:03d}", form): [True, n < 4] for n in range(8) for form in ("noforget", "forget")}
        study = study_of(judged(self.rows, votes))
        shown = judge_section(study, compute_figures(study))
        assert shown is not None
        panel = next(block for block in shown.blocks if isinstance(block, Table) and block.slug == "panel")
        assert [line["Judge"] for line in panel.rows] == ["judge-1", "judge-2"]


def test_settings_of_the_run_are_named_in_the_warning() -> None:
    settings = InContextSettings(seed=7, max_tokens=48)
    facts = FigureFacts(settings, {}, completeness_floor=0.98)
    rows = [made for n in range(3) for made in pair(f"i{n}", "cut", "cut")]
    assert "cut off at 48 tokens" in results(table_of(rows), facts).headlines[0].text
