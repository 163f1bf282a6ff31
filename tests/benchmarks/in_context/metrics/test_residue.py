"""Residue of the reference models, and of replies of which it can be computed by hand."""

from collections.abc import Mapping

import pytest

from forgetscope.benchmarks.in_context.data.forms import NO_FILLER, Arm, Form, InContextSample, Part, Replies
from forgetscope.benchmarks.in_context.data.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.metrics import compute_figures
from forgetscope.benchmarks.in_context.metrics.outcomes import RUN
from forgetscope.benchmarks.in_context.metrics.residue import in_context_residues
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.plan import iter_samples, make_plan
from forgetscope.benchmarks.in_context.prompts import REQUEST_ACKNOWLEDGEMENT
from forgetscope.benchmarks.in_context.scoring.judges.rubrics import questions
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import Completion
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.in_context.answered import answered_table

SETTINGS = InContextSettings()
OF_THE_PAPER = InContextSettings(arms="none")
SAMPLES = [sample for sample, _ in iter_samples(SETTINGS, load_data("embedded"))]


def residues(name: str) -> Mapping[str, Figure]:
    """The residues of a reference model, by what should have deleted something."""
    index = FigureIndex(in_context_residues(InContextStudy.of(answered_table(SETTINGS, name), SETTINGS)))
    return {str(entry.factors["condition"]): entry for entry in index.named("residue")}


CONDITIONS = {"request", "request_states_fact", "placebo", "revision", "new_preference"}


def test_a_model_that_forgets_on_request_is_as_if_never_told_and_keeps_what_it_was_not_asked_to_forget() -> None:
    found = residues("perfect-forgetter")
    assert found.keys() == CONDITIONS
    assert {name: entry.value for name, entry in found.items()} == dict.fromkeys(CONDITIONS, 0.0) | {"placebo": 1.0}
    assert found["new_preference"].verdict == "as if never told"
    assert "needs 59" in found["request"].note


def test_after_a_request_to_forget_something_else_the_fact_is_what_is_asked_for() -> None:
    for name, status in (("perfect-forgetter", "correct"), ("stubborn", "correct"), ("amnesiac", "incorrect")):
        table = answered_table(SETTINGS, name)
        assert set(table.filter(table["arm"] == Arm.PLACEBO.value)["status"]) == {status}, name


def test_a_model_that_ignores_requests_has_all_of_it_still_there() -> None:
    found = residues("stubborn")
    assert {name: (entry.value, entry.verdict) for name, entry in found.items()} == dict.fromkeys(
        CONDITIONS, (1.0, "still there")
    )


def test_a_model_without_memory_has_nothing_to_forget_and_one_that_refuses_cannot_be_measured() -> None:
    assert {entry.verdict for name, entry in residues("amnesiac").items() if name != "revision"} == {
        "nothing to forget"
    }
    assert {entry.verdict for entry in residues("refuser").values()} == {"not measurable (refused)"}


def test_half_of_the_items_have_a_request_that_states_the_fact_and_are_apart() -> None:
    found = residues("stubborn")
    assert (found["request"].n, found["request_states_fact"].n, found["placebo"].n) == (30, 30, 60)
    assert found["revision"].n == 50


def test_the_arms_cost_what_the_plan_says_and_change_no_id_of_the_papers_forms() -> None:
    with_arms = {sample.sample_id for sample in SAMPLES}
    without = {sample.sample_id for sample, _ in iter_samples(OF_THE_PAPER, load_data("embedded"))}
    assert without < with_arms
    assert all("/arm=" in name for name in with_arms - without)
    assert len(with_arms - without) == 60 * 3 + 50 + 60 * 2
    assert make_plan(SETTINGS).samples == len(with_arms)


def test_no_figure_but_the_account_of_all_samples_changes_by_the_arms() -> None:
    with_arms, without = (
        {
            (entry.name, *sorted(map(str, entry.factors.items()))): entry
            for entry in compute_figures(InContextStudy.of(answered_table(settings), settings))
            if entry.factors != RUN
        }
        for settings in (InContextSettings(limit=12), InContextSettings(limit=12, arms="none"))
    )
    assert without.items() <= with_arms.items()
    assert {name.partition(".")[0] for name, *_ in with_arms.keys() - without.keys()} == {
        "residue",
        "arm",
        "outcomes",
        "truncated",
    }


def test_a_plan_says_what_the_arms_cost_and_how_many_items_they_need() -> None:
    said = "\n".join(make_plan(SETTINGS).notes)
    assert "290 for the same had nothing been told and 60 for a request to forget something else" in said
    assert "forgetting has 30 and needs 59 (too few); revision has 50 and needs 59 (too few); preference has 60" in said
    assert not [note for note in make_plan(OF_THE_PAPER).notes if "told" in note]


def test_what_only_a_judge_can_score_has_no_other_arms_and_no_arm_is_judged() -> None:
    settings = InContextSettings(limit=2, judged="all", questions="open")
    found = [sample for sample, _ in iter_samples(settings, load_data("embedded"))]
    assert {sample.arm for sample in found if isinstance(sample.item, DynamicPreferenceItem)} == {Arm.PAPER}
    replies = Replies(Completion("It was nothing.", FinishReason.STOP))
    assert {bool(questions(sample, replies)) for sample in found if sample.arm is not Arm.PAPER} == {False}


@pytest.mark.parametrize(
    "sample", [sample for sample in SAMPLES if sample.arm is Arm.NEVER][::7], ids=lambda one: one.sample_id
)
def test_what_was_never_told_stands_nowhere_before_the_query_but_in_the_request(sample: InContextSample) -> None:
    turns, item = sample.turns(NO_FILLER), sample.item
    said = " ".join(turn.content for turn in turns if turn.part is Part.MEMORY)
    if isinstance(item, InstructionalForgettingItem):
        assert said
        assert not any(fact.value in said for fact in item.facts)
    else:
        assert isinstance(item, DynamicPreferenceItem)
        assert not said


def test_a_placebo_is_the_forget_form_with_another_request_about_as_long() -> None:
    pairs = [sample for sample in SAMPLES if sample.arm is Arm.PLACEBO]
    assert len(pairs) == 60
    for sample in pairs:
        assert isinstance(sample.item, InstructionalForgettingItem)
        assert sample.form is Form.FORGET
        asked = [turn.content for turn in sample.turns(NO_FILLER) if turn.part is Part.INTERFERENCE]
        assert asked == [sample.item.placebo, REQUEST_ACKNOWLEDGEMENT]
        assert abs(len((sample.item.placebo or "").split()) - len(sample.item.request.split())) <= 3


def test_the_told_arm_of_a_revision_asks_the_original_instruction_alone() -> None:
    told = [sample for sample in SAMPLES if sample.arm is Arm.TOLD]
    assert len(told) == 50
    for sample in told:
        assert isinstance(sample.item, SubtaskRevisionItem)
        assert [turn.content for turn in sample.turns(NO_FILLER)] == [
            *(turn.content for turn in sample.item.unrelated),
            sample.item.original,
        ]


def test_a_never_told_that_says_the_fact_is_refused() -> None:
    item = next(one for one in load_data("embedded").items if isinstance(one, InstructionalForgettingItem))
    row = item.model_dump(mode="json")
    row["never_told"][0]["content"] += f" {item.facts[0].value}"
    with pytest.raises(ValueError, match="never to be told"):
        InstructionalForgettingItem.model_validate(row)
    row["never_told"] = [{"turn": 99, "content": "x"}]
    with pytest.raises(ValueError, match="rewrites turns"):
        InstructionalForgettingItem.model_validate(row)
