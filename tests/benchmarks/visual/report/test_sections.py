"""The sections of a run: what they say of full, partial and empty tables."""

from dataclasses import replace

import polars as pl
import pytest

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS
from forgetscope.benchmarks.visual.report.names import cell_name
from forgetscope.benchmarks.visual.report.results import MOST_HEADLINES, results
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.findings.figures import Browser, Chart, Figure, Finding, Gallery, Interval, Results, Table
from tests.benchmarks.visual.metrics.small_tables import Row, rows, some, table

FACTS = FigureFacts(VisualSettings(), {}, 0.98)


def results_of(frame: pl.DataFrame, facts: FigureFacts = FACTS) -> Results:
    return results(frame, facts)


def obedient(split: str = "animals", **changes: str) -> list[Row]:
    """A model that knows its concept, avoids it when listed or named, and answers again when permitted."""
    right = {"restored_soft": 20, "placebo_soft": 20, "wrong_oracle_hard": 20}
    asked = ["unlearn_soft", "unlearn_medium", "oracle_hard", "oracle_reverse", *right]
    parts = [
        rows(some(20, 20), role="eligibility", split=split, **changes),
        rows(some(20, 20), split=split, **changes),
        rows(some(5, 20), split=split, control="no_image", **changes),
        *(rows(some(right.get(name, 0), 20), name, split=split, **changes) for name in asked),
        *(
            rows(some(18, 20), name, split=split, side="retain", **changes)
            for name in ("baseline_normal", "unlearn_soft")
        ),
    ]
    return [entry for part in parts for entry in part]


def blocks(found: Results, kind: type) -> list[Table | Chart | Finding | Browser | Gallery]:
    return [block for section in found.sections for block in section.blocks if isinstance(block, kind)]


def sentences(found: Results) -> str:
    return " ".join(finding.text for finding in found.headlines)


def named(found: Results, slug: str) -> Table:
    (block,) = [block for section in found.sections for block in section.blocks if getattr(block, "slug", "") == slug]
    assert isinstance(block, Table)
    return block


def test_the_headlines_say_what_suppression_did_whether_it_is_still_there_and_how_many_concepts() -> None:
    found = results_of(table(obedient()))
    assert len(found.headlines) <= MOST_HEADLINES
    forget, retain, permission, verdicts = found.headlines
    assert forget.text.startswith(
        "Under soft suppression, forget accuracy (repaired reading) fell by 100.0 points, from 100.0% to 0.0% (95% "
    )
    assert forget.verdict == "shown"
    assert retain.text.startswith("Cost: retain accuracy did not move (95% interval")
    assert retain.text.endswith("undecided: the interval holds zero.")
    assert retain.verdict == "undecided"
    assert "with the concepts allowed again, forget accuracy is 100.0% (0.0% while suppressed)" in permission.text
    assert verdicts == Finding(
        "Verdicts on 1 forget concept: 1 suppressed. The paper's rule would call none of 1 unlearned.", "note"
    )


def test_a_badge_of_a_headline_is_that_of_its_difference() -> None:
    blind = rows(some(20, 20), "restored_soft", control="no_image")
    permission = results_of(table(obedient(), blind)).headlines[2]
    assert permission.verdict == "undecided"
    assert permission.text.endswith("undecided: the interval holds zero.")


def test_no_sentence_of_a_report_calls_a_concept_forgotten() -> None:
    found = results_of(table(obedient()), replace(FACTS, published=True))
    said = [finding.text for finding in blocks(found, Finding) if isinstance(finding, Finding)]
    assert not any("forgot" in text for text in said)


def test_five_splits_still_have_four_headlines_at_most() -> None:
    many = [entry for place in range(5) for entry in obedient(f"split-{place:02}")]
    found = results_of(table(many))
    assert len(found.headlines) <= MOST_HEADLINES
    assert "Verdicts on 5 forget concepts: 5 suppressed." in sentences(found)
    kinds = [block.kind for block in blocks(found, Chart) if isinstance(block, Chart)]
    assert kinds == ["bars", "bars", "plane", "heatmap"], "figures 3a, 3b, 4 and 5, not one chart a split"


def test_levels_and_axes_have_a_row_each_and_the_whole_run_one() -> None:
    places = obedient("rooms", level="scene", axis="type_indoor", forget_concept="kitchen")
    found = results_of(table(obedient(), places))
    listed = [
        (row["Level or axis"], row["Concepts"], row["Suppressed"]) for row in named(found, "levels-table-generate").rows
    ]
    assert listed == [
        ("object level", 1, 1),
        ("scene level", 1, 1),
        ("identity axis", 1, 1),
        ("type indoor axis", 1, 1),
        ("all concepts", 2, 2),
    ]
    (alone,) = named(results_of(table(obedient())), "levels-table-generate").rows
    assert alone["Level or axis"] == "all concepts"


def test_a_run_of_the_baseline_alone_says_that_nothing_was_suppressed() -> None:
    found = results_of(table(rows(some(3, 4))))
    assert "Forget accuracy at baseline is 75.0%; no suppression was run" in sentences(found)
    assert "suppressed" not in sentences(found)


def test_a_run_in_which_nothing_could_be_scored_says_so_and_has_no_verdict_but_not_eligible() -> None:
    found = results_of(table(rows([None] * 4), rows([None] * 4, "unlearn_soft")))
    assert "no answer to read" in sentences(found)
    assert "Nothing can be said of soft suppression: no scored samples." in sentences(found)
    assert "1 not eligible" in sentences(found)


def test_lost_samples_come_before_any_figure() -> None:
    found = results_of(table(obedient()), replace(FACTS, planned={"forget baseline_normal": 80}))
    assert found.headlines[0].verdict == "warning"
    assert "60 not in the logs" in found.headlines[0].text
    assert found.sections[0].slug == "outcomes"


def test_figure_4_reuses_the_baselines_retain_accuracy_for_oracles_and_says_so() -> None:
    found = results_of(table(obedient()))
    listed = {str(row["Condition"]): row for row in named(found, "trade-off").rows}
    assert listed["oracle, hard"]["Retain"] == listed["baseline"]["Retain"]
    assert listed["oracle, hard"]["Retain taken from"] == "baseline"
    assert listed["soft suppression"]["Retain taken from"] == ""


def test_a_run_is_set_beside_the_paper_on_demand_with_its_caveats() -> None:
    assert "published" not in {section.slug for section in results_of(table(obedient())).sections}
    found = results_of(table(obedient()), replace(FACTS, published=True))
    (section,) = [section for section in found.sections if section.slug == "published"]
    said = " ".join(block.text for block in section.blocks if isinstance(block, Finding))
    assert "1/800" in said
    assert "1/50" in said
    assert "5 of Table 1's thirteen splits" in said
    assert "embedded drawings" in said
    assert len(named(found, "published-appendix-a").rows) == 97
    ours = [row for row in named(found, "published-levels").rows if str(row["whose"]).startswith("this run")]
    assert [row["level"] for row in ours] == ["object"]
    coco = named(found, "published-levels").rows[0]
    assert coco["forget, baseline"] == pytest.approx(0.853, abs=5e-4)


def test_figures_have_one_name_and_factors_each_whatever_was_run() -> None:
    found = results_of(table(obedient()))
    keys = [(figure.name, tuple(sorted(figure.factors.items(), key=str))) for figure in found.figures]
    assert len(keys) == len(set(keys))
    assert all(isinstance(figure, Figure) for figure in found.figures)


def test_a_cell_is_named_in_words() -> None:
    assert cell_name("forget unlearn_soft no_image") == "forget, soft suppression, no image"
    assert cell_name("eligibility baseline_normal shuffled_image") == "eligibility, baseline, shuffled image"
    assert len(PAPER_CONDITIONS) == 5


def test_pictures_that_cannot_be_read_come_first_with_their_reasons() -> None:
    frame = table(obedient())
    lost = pl.col("item") == "forget-fox-3"
    frame = frame.with_columns(
        status=pl.when(lost).then(pl.lit("input_error")).otherwise("status"),
        error=pl.when(lost).then(pl.lit("truncated")).otherwise("error"),
    )
    first = results_of(frame).headlines[0]
    assert first.verdict == "warning"
    count = frame.filter(lost).height
    assert first.text.startswith(f"1 picture could not be read, so {count} of {frame.height} samples have no reply")
    assert first.text.endswith("truncated (1).")


def test_permission_is_said_to_be_a_hint_with_what_it_gives_without_the_picture() -> None:
    assert "names the right option, a hint; how strong one was not measured." in sentences(
        results_of(table(obedient()))
    )
    blind = rows(some(5, 20), "restored_soft", control="no_image")
    said = sentences(results_of(table(obedient(), blind)))
    assert "a hint: without the picture 25.0% are right, so the picture adds 75.0 points (95% interval" in said
    (levels,) = named(results_of(table(obedient(), blind)), "levels-table-generate").rows
    assert isinstance(levels["Restored, no picture"], Interval)
    assert levels["Restored, no picture"].value == 0.25


def test_a_text_that_allows_people_again_is_no_hint_at_what_is_asked_of_them() -> None:
    of_people = table(obedient()).with_columns(labels=pl.lit(["baker", "nurse", "pilot", "tailor"]))
    assert "The text that allows them names people, no option." in sentences(results_of(of_people))


def test_verdicts_say_on_how_many_pictures_they_rest_and_what_so_few_cannot_say() -> None:
    found = results_of(table(obedient()))
    assert [(row["pictures"], row["known"]) for row in named(found, "concepts").rows] == [(20, 20)]
    said = [finding.text for finding in blocks(found, Finding) if isinstance(finding, Finding)]
    assert any("1 of 1 verdict on known concepts rest on 20 pictures each" in text for text in said)
    assert any("takes 144 for an even chance" in text for text in said)


def test_figure_4_has_a_point_a_split_and_condition_and_figure_5_a_row_a_split() -> None:
    found = results_of(table(obedient("one"), obedient("two")))
    (plane,) = [block for block in blocks(found, Chart) if isinstance(block, Chart) and block.kind == "plane"]
    (changes,) = [block for block in blocks(found, Chart) if isinstance(block, Chart) and block.kind == "heatmap"]
    assert [series.label for series in plane.series][:2] == ["baseline", "soft suppression"]
    assert all(len(series.across) == len(series.points) == 2 for series in plane.series)
    assert [series.label for series in changes.series] == ["one", "two"]
