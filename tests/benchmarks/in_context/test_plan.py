"""What a run would send: every form of every item, in an order that lets engines reuse what they have read."""

from collections import Counter
from itertools import groupby, pairwise

import pytest
from pydantic import ValidationError

from forgetscope.benchmarks.in_context.data.forms import Form, InContextSample
from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem, Scenario
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.plan import chosen_items, iter_samples, make_plan
from forgetscope.benchmarks.in_context.prompts import system_message
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.core.errors import UnknownNameError
from forgetscope.io.tokens import count_cl100k

DATA = load_data("embedded")


def samples(**settings: object) -> list[InContextSample]:
    return [sample for sample, _ in iter_samples(InContextSettings.model_validate(settings), DATA)]


def test_every_item_comes_in_both_forms_next_to_each_other() -> None:
    found = samples(limit=10, lengths="native,500,1000", strategies="all", arms="none")
    assert len({sample.sample_id for sample in found}) == len(found)
    for first, second in zip(found[0::2], found[1::2], strict=True):
        assert (first.form, second.form) == (Form.NOFORGET, Form.FORGET)
        assert first.model_copy(update={"form": second.form, "reask": second.reask}) == second


def test_an_item_is_finished_before_the_next_and_its_lengths_ascend() -> None:
    found = samples(limit=3, lengths="native,3000,500,1000")
    items = [item for item, _ in groupby(sample.item.id for sample in found)]
    assert len(items) == len(set(items)) == 9
    for _, group in groupby(found, key=lambda sample: sample.item.id):
        lengths = [sample.context.length or 0 for sample in group]
        assert all(before <= after for before, after in pairwise(lengths))


def test_a_limit_takes_as_many_items_of_each_scenario_in_a_fixed_interleaved_order() -> None:
    all_of_them = chosen_items(InContextSettings(), DATA)
    assert chosen_items(InContextSettings(limit=7), DATA) == all_of_them[:21]
    assert [item.scenario for item in all_of_them[:6]] == [*Scenario] * 2
    kinds = [item.expression for item in all_of_them if isinstance(item, DynamicPreferenceItem)]
    assert len(set(kinds[:3])) == 3


def test_options_are_rotated_evenly_and_the_same_whatever_else_is_asked_for() -> None:
    alone = {sample.item.id: sample.rotation for sample in samples(scenarios="dynamic_preference")}
    with_others = {sample.item.id: sample.rotation for sample in samples() if sample.question}
    assert alone == with_others
    assert set(Counter(alone.values()).values()) == {15}
    expressions = {item.id: item.expression for item in DATA.items if isinstance(item, DynamicPreferenceItem)}
    crossed = Counter((expressions[name], rotation) for name, rotation in alone.items())
    assert set(crossed.values()) == {5}, "every rotation as often in every expression"


def test_probes_add_a_neighbour_question_and_a_re_ask_to_the_forget_form() -> None:
    found = samples(scenarios="instructional_forgetting", limit=2, arms="none")
    assert [(sample.probe, sample.form.value, sample.reask) for sample in found[:4]] == [
        (DialogueProbe.QUERY, "noforget", False),
        (DialogueProbe.QUERY, "forget", True),
        (DialogueProbe.NEIGHBOUR, "noforget", False),
        (DialogueProbe.NEIGHBOUR, "forget", False),
    ]
    bare = samples(scenarios="instructional_forgetting", limit=2, probes="none", arms="none")
    assert [(sample.probe, sample.reask) for sample in bare] == [(DialogueProbe.QUERY, False)] * 4


def test_what_only_a_judge_can_score_is_sent_only_where_there_is_one() -> None:
    assert {sample.question for sample in samples(questions="options,open")} == {None, PreferenceQuestion.OPTIONS}
    judged = samples(questions="options,open", judged="needed")
    assert {sample.question for sample in judged} == {None, PreferenceQuestion.OPTIONS, PreferenceQuestion.OPEN}


def test_reversed_preferences_change_places() -> None:
    (before, *_), (after, *_) = (
        samples(scenarios="dynamic_preference"),
        samples(scenarios="dynamic_preference", direction="reversed"),
    )
    assert isinstance(before.item, DynamicPreferenceItem)
    assert isinstance(after.item, DynamicPreferenceItem)
    assert (before.item.old, before.item.new) == (after.item.new, after.item.old)
    assert before.sample_id != after.sample_id


def test_a_plan_counts_what_would_be_sent() -> None:
    settings = InContextSettings(limit=2, lengths="native,1000")
    plan = make_plan(settings)
    found = list(iter_samples(settings, DATA))
    assert plan.samples == len(found)
    assert plan.calls == sum(sample.calls for sample, _ in found)
    assert sum(cell.samples for cell in plan.cells) == plan.samples
    tokens = 0
    for sample, filler in found:
        system = count_cl100k(system_message(sample.item.scenario, sample.strategy))
        turns = [count_cl100k(turn.content) for turn in sample.turns(filler)]
        tokens += system + sum(turns)
        if any(turn.live for turn in sample.turns(filler)):
            tokens += system + turns[0]
        elif sample.reask:
            tokens += system + sum(turns) + count_cl100k(sample.item.reask or "")  # type: ignore[union-attr]
    assert abs(plan.prompt_tokens - tokens) <= len(plan.cells), "but for rounding"


def test_equal_plans_have_equal_hashes_and_a_seed_changes_the_filler_alone() -> None:
    first, again = (
        make_plan(InContextSettings(limit=1, lengths="1000")),
        make_plan(InContextSettings(limit=1, lengths="1000")),
    )
    other = make_plan(InContextSettings(limit=1, lengths="1000", seed=7))
    assert first == again
    assert first.sha256 != other.sha256
    assert first.data_sha256 == other.data_sha256
    native = [make_plan(InContextSettings(limit=1, seed=seed)).sha256 for seed in (1, 2)]
    assert native[0] == native[1]


def test_the_notes_say_what_is_left_out_shared_or_asked() -> None:
    notes = " | ".join(make_plan(InContextSettings(limit=2, lengths="300,30000", judged="all")).notes)
    assert "of 6 items are longer than 300 tokens and left out there" in notes
    assert "low diversity at 30000 tokens" in notes
    assert "questions to each judge" in notes
    assert "not comparable with the paper's" in notes


def test_a_run_that_nobody_can_score_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing here can be scored without a judge"):
        make_plan(InContextSettings(scenarios="dynamic_preference", questions="open"))


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("limit", 0, "leaves nothing to run"),
        ("max_tokens", 0, "no such room for a reply"),
        ("judge_max_tokens", 0, "no such room for a verdict"),
        ("scenarios", "instructional", "no such scenario"),
        ("scenarios", " , ", "none is named"),
        ("strategies", "remind", "no such strategy"),
        ("questions", "closed", "no such question"),
        ("probes", "neighbor", "did you mean neighbour"),
        ("direction", "backward", "no such direction"),
        ("judged", "some", "no such choice"),
        ("lengths", "short", "not lengths"),
        ("lengths", "0,500", "not lengths"),
        ("lengths", "", "not lengths"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(setting: str, value: object, message: str) -> None:
    with pytest.raises((UnknownNameError, ValidationError), match=message):
        InContextSettings.model_validate({setting: value})


def test_names_are_kept_in_their_order_and_all_means_all() -> None:
    settings = InContextSettings(scenarios="all", lengths="3000, native,500", strategies="none,forget")
    assert settings.scenarios == ",".join(Scenario)
    assert settings.lengths == "native,500,3000"
    assert settings.strategies == "forget,none"
    assert InContextSettings(lengths="all").controlled_lengths == (500, 1000, 3000, 6000, 10000, 15000, 30000)
    assert InContextSettings(lengths="all,native").lengths == "native,500,1000,3000,6000,10000,15000,30000"


def test_strategies_that_are_not_crossed_are_asked_at_native_length_and_the_first_everywhere() -> None:
    found = samples(limit=1, lengths="native,3000", strategies="noforget,forget", crossed=False)
    assert {(sample.context.length, sample.strategy) for sample in found} == {
        (None, "noforget"),
        (None, "forget"),
        (3000, "noforget"),
    }


def test_a_fixed_reply_changes_no_id_and_no_filler() -> None:
    spoken, raw = (samples(lengths="native,1000", limit=3, consecutive=name) for name in ("acknowledged", "raw"))
    assert [entry.sample_id for entry in spoken] == [entry.sample_id for entry in raw]
    assert [entry.context for entry in spoken] == [entry.context for entry in raw]
    assert any(entry.has_fixed_reply for entry in spoken)
    assert not any(entry.has_fixed_reply for entry in raw)
