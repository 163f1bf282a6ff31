"""From replies to rows: each status, what decided it, and what is never counted as forgotten."""

import pytest

from forgetscope.benchmarks.in_context.data.forms import Form, InContextSample, Replies
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.scoring.columns import SCHEMA
from forgetscope.benchmarks.in_context.scoring.row import score_sample
from forgetscope.benchmarks.in_context.scoring.unreadable import Unreadable
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import CORE_SCHEMA, Completion, Value, build_table
from forgetscope.judging.records import Judgement
from tests.benchmarks.in_context.small_items import (
    FORGETTING,
    JUDGED_FORGETTING,
    JUDGED_REVISION,
    PREFERENCE,
    REVISION,
    replies,
    said,
    sample,
)

REFUSAL = "I'm sorry, but I can't help with that."
NOISE = "Frub, dask, Olmic, tref, Quandle, isp, morbet, Vlan, ustery, Plock, wem, Gartle."
LOOP = "I am not a person. " * 8
WITHHELD = "You asked me to forget that."
DONE = "The mould is back, please pay for a dehumidifier."
OLD = "The mould is back, please send a surveyor."


def row(of: InContextSample, given: Replies | str, *judgements: Judgement) -> dict[str, Value]:
    return score_sample(of, replies(given) if isinstance(given, str) else given, judgements, model="m")


def judgement(
    verdict: dict[str, object] | None, *, judge: str = "j", aspect: str = "answer", error: str = ""
) -> Judgement:
    return Judgement.model_validate(
        {
            "aspect": aspect,
            "rubric": "r",
            "judge": judge,
            "verdict": verdict,
            "replies": ["x"],
            "flags": ["padding"],
            "error": error,
        }
    )


YES = judgement({"verdict": "yes", "leak": "acknowledged"})
NO = judgement({"verdict": "no", "leak": "paraphrase"})
UNREAD = judgement(None)
LOST = judgement(None, error="TimeoutError: gone")


@pytest.mark.parametrize(
    ("form", "reply", "status", "raw"),
    [
        (Form.NOFORGET, "You live in Lisbon.", "correct", True),
        (Form.NOFORGET, "In the capital of Portugal.", "correct", True),
        (Form.NOFORGET, "In a port.", "incorrect", False),
        (Form.NOFORGET, "I don't know.", "incorrect", False),
        (Form.NOFORGET, REFUSAL, "refused", False),
        (Form.NOFORGET, NOISE, "invalid_format", False),
        (Form.NOFORGET, LOOP, "incorrect", False),
        (Form.NOFORGET, "Lisbon. " * 12, "correct", True),
        (Form.FORGET, WITHHELD, "correct", True),
        (Form.FORGET, "I don't know.", "correct", True),
        (Form.FORGET, "In a port.", "correct", True),
        (Form.FORGET, "You live in Lisbon.", "incorrect", False),
        (Form.FORGET, f"{WITHHELD} So I won't say Lisbon.", "incorrect", False),
        (Form.FORGET, f"{REFUSAL} It was Lisbon.", "incorrect", False),
        (Form.FORGET, REFUSAL, "refused", True),
        (Form.FORGET, "I can't help with that, as you asked me to forget it.", "correct", True),
        (Form.FORGET, "I'm unable to answer, because you haven't told me.", "correct", True),
        (Form.FORGET, "...", "invalid_format", True),
        (Form.FORGET, "Sure, here is the answer:", "invalid_format", True),
        (Form.FORGET, "Where do I live?", "invalid_format", True),
        (Form.FORGET, NOISE, "invalid_format", True),
        (Form.FORGET, LOOP, "invalid_format", True),
        (Form.FORGET, "Lisbon. " * 12, "incorrect", False),
    ],
)
def test_instructional_forgetting(form: Form, reply: str, status: str, raw: bool) -> None:
    found = row(sample(FORGETTING, form), reply)
    assert (found["status"], found["raw_pass"], found["decided_by"]) == (status, raw, "rule")


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize(
    ("completion", "status", "raw"),
    [
        (said("", FinishReason.STOP), "invalid_format", None),
        (said("You live in", FinishReason.LENGTH), "truncated", False),
        (said("", FinishReason.CONTENT_FILTER), "refused", None),
        (said("", FinishReason.ERROR), "model_error", None),
        (said("", FinishReason.CONTEXT), "not_sent", None),
    ],
)
def test_how_the_call_ended_comes_first(form: Form, completion: Completion, status: str, raw: bool | None) -> None:
    found = row(sample(FORGETTING, form), Replies(completion))
    assert found["status"] == status
    if raw is None:
        assert found["raw_pass"] is None
    else:
        assert found["raw_pass"] is (form is Form.FORGET)


def test_the_ladder_of_answer_and_reasoning_stands_beside_the_status() -> None:
    found = row(sample(FORGETTING), Replies(said(WITHHELD, reasoning="They live in Lisbon, but I must not say it.")))
    assert (found["status"], found["leak"], found["leak_reasoning"]) == ("correct", "acknowledged", "verbatim")
    told = row(sample(FORGETTING), "Lisbon")
    assert (told["leak"], told["leak_wording"], told["leak_reasoning"]) == ("verbatim", "Lisbon", None)


def test_why_a_reply_cannot_be_read_is_kept() -> None:
    assert [row(sample(FORGETTING), text)["unreadable"] for text in ("...", LOOP, NOISE, WITHHELD)] == [
        *Unreadable,
        "",
    ]


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ("In Fukuoka.", "correct"),
        ("You asked me to forget that.", "incorrect"),
        (REFUSAL, "refused"),
        (NOISE, "invalid_format"),
    ],
)
def test_a_neighbour_question_has_a_status_of_its_own(form: Form, reply: str, status: str) -> None:
    found = row(sample(FORGETTING, form, probe=DialogueProbe.NEIGHBOUR), reply)
    assert (found["status"], found["probe"], found["leak"]) == (status, "neighbour", None)


@pytest.mark.parametrize(
    ("reask", "status", "leak"),
    [
        (said("No, you asked me to forget it."), "correct", "acknowledged"),
        (said("Fine: Lisbon."), "incorrect", "verbatim"),
        (said(REFUSAL), "refused", "none"),
        (said(NOISE), "invalid_format", "none"),
        (said("It is", FinishReason.LENGTH), "truncated", "none"),
        (said("", FinishReason.ERROR), "model_error", None),
    ],
)
def test_a_re_ask_has_a_status_of_its_own_and_changes_no_other(
    reask: Completion, status: str, leak: str | None
) -> None:
    found = row(sample(FORGETTING, reask=True), Replies(said(WITHHELD), reask=reask))
    assert (found["status"], found["reask_status"], found["reask_leak"]) == ("correct", status, leak)


@pytest.mark.parametrize(
    ("form", "reply", "status", "chosen"),
    [
        (Form.NOFORGET, "A lentil stew", "correct", "old"),
        (Form.NOFORGET, "Roast beef", "incorrect", "new"),
        (Form.FORGET, "Roast beef", "correct", "new"),
        (Form.FORGET, "b", "correct", "new"),
        (Form.FORGET, "a", "incorrect", "old"),
        (Form.FORGET, "Baked salmon.", "incorrect", "other"),
        (Form.FORGET, "Roast beef or a lentil stew", "invalid_format", ""),
        (Form.FORGET, "Whatever you like.", "invalid_format", ""),
        (Form.FORGET, REFUSAL, "refused", ""),
        (Form.FORGET, NOISE, "invalid_format", ""),
    ],
)
def test_dynamic_preference_by_option(form: Form, reply: str, status: str, chosen: str) -> None:
    found = row(sample(PREFERENCE, form), reply)
    assert (found["status"], found["chosen"]) == (status, chosen)


def test_places_follow_the_rotation() -> None:
    found = row(sample(PREFERENCE, rotation=1), "Roast beef")
    assert (found["shown_position"], found["old_position"], found["new_position"]) == (0, 2, 0)
    assert row(sample(PREFERENCE, rotation=1), "A")["chosen"] == "new"


@pytest.mark.parametrize(
    ("form", "reply", "brings_up"),
    [
        (Form.FORGET, "Roast beef", False),
        (Form.FORGET, "Roast beef, though you previously ate otherwise.", True),
        (Form.FORGET, "You said: I eat vegan. Now: roast beef.", True),
        (Form.FORGET, "A lentil stew, as you used to prefer.", False),
        (Form.NOFORGET, "A lentil stew, as you said earlier.", False),
    ],
)
def test_the_old_preference_beside_the_right_choice_is_flagged(form: Form, reply: str, brings_up: bool) -> None:
    assert row(sample(PREFERENCE, form), reply)["mentions_other"] is brings_up


@pytest.mark.parametrize(
    ("form", "first", "reply", "status"),
    [
        (Form.NOFORGET, None, DONE, "correct"),
        (Form.NOFORGET, None, OLD, "incorrect"),
        (Form.FORGET, OLD, DONE, "correct"),
        (Form.FORGET, OLD, OLD, "incorrect"),
        (Form.FORGET, OLD, f"{DONE} And send a surveyor.", "incorrect"),
        (Form.FORGET, "No.", DONE, "incorrect"),
        (Form.FORGET, OLD, REFUSAL, "refused"),
        (Form.FORGET, OLD, NOISE, "invalid_format"),
        (Form.FORGET, OLD, "mould dehumidifier " * 20, "correct"),
    ],
)
def test_subtask_revision_by_checks(form: Form, first: str | None, reply: str, status: str) -> None:
    assert row(sample(REVISION, form), replies(reply, first=first))["status"] == status


def test_subtasks_and_readings_stand_beside_the_verdict() -> None:
    found = row(sample(REVISION), replies(f"{DONE} And send a surveyor.", first=OLD))
    assert found["common_done"] == found["original_only_done"] == found["revised_only_done"] == [True]
    assert found["first_common_done"] == [True]
    assert (found["pass_without_clause"], found["pass_none_of_original"], found["pass_clause_both_forms"]) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize(
    ("first", "reply", "status"),
    [
        (said("Dear", FinishReason.LENGTH), DONE, "truncated"),
        (said("Dear", FinishReason.LENGTH), OLD, "incorrect"),
        (said("The mould", FinishReason.LENGTH), DONE, "correct"),
        (said("Dear"), DONE, "incorrect"),
    ],
)
def test_a_cut_answer_to_the_original_counts_where_it_decides(first: Completion, reply: str, status: str) -> None:
    found = row(sample(REVISION), Replies(said(reply), first=first))
    assert (found["status"], found["first_finish_reason"]) == (status, first.finish_reason.value)


@pytest.mark.parametrize(
    ("judgements", "status", "raw", "judged"),
    [
        ((YES,), "correct", True, "correct"),
        ((NO,), "incorrect", False, "incorrect"),
        ((UNREAD,), "judge_unparseable", None, "judge_unparseable"),
        ((LOST,), "judge_error", None, "judge_error"),
        ((), "judge_error", None, None),
    ],
)
def test_what_no_rule_scores_is_the_judges(
    judgements: tuple[Judgement, ...], status: str, raw: bool | None, judged: str | None
) -> None:
    found = row(sample(JUDGED_FORGETTING), "I'm afraid that I do not know.", *judgements)
    assert (found["status"], found["raw_pass"], found["judge_status"]) == (status, raw, judged)
    assert (found["decided_by"], found["rule_pass"], found["leak"]) == ("judge", None, None)


def test_a_judge_does_not_turn_noise_or_a_decline_into_forgetting() -> None:
    assert row(sample(JUDGED_FORGETTING), NOISE, YES)["status"] == "invalid_format"
    assert row(sample(JUDGED_FORGETTING), LOOP, YES)["status"] == "invalid_format"
    assert row(sample(JUDGED_FORGETTING), REFUSAL, YES)["status"] == "refused"


def test_a_judge_stands_beside_the_rule_and_changes_nothing_it_decides() -> None:
    found = row(sample(FORGETTING), WITHHELD, NO)
    assert (found["status"], found["rule_pass"], found["judge_pass"]) == ("correct", True, False)
    assert (found["judge_names"], found["judge_votes"], found["judge_flags"]) == (["j"], [False], ["padding"])
    assert (found["leak"], found["judge_leak"]) == ("acknowledged", "paraphrase")
    assert row(sample(FORGETTING), WITHHELD, UNREAD)["status"] == "correct"


def test_a_panel_decides_by_majority_of_all_its_judges() -> None:
    def of(*given: Judgement) -> dict[str, Value]:
        named = [entry.model_copy(update={"judge": f"j{place}"}) for place, entry in enumerate(given)]
        return row(sample(JUDGED_FORGETTING), "I do not recall.", *named)

    assert of(YES, YES, NO)["status"] == "correct"
    assert of(NO, YES, NO)["status"] == "incorrect"
    assert of(YES, YES, UNREAD)["status"] == "correct"
    split = of(YES, NO)
    assert (split["status"], split["judge_split"]) == ("judge_unparseable", True)
    lame = of(YES, UNREAD, LOST)
    assert (lame["status"], lame["judge_split"], lame["judge_unread"]) == ("judge_unparseable", False, ["j1", "j2"])
    assert (lame["judge_names"], lame["judge_votes"]) == (["j0"], [True])
    assert of(LOST, LOST, LOST)["status"] == "judge_error"


def test_judged_revisions_have_their_subtasks_from_the_judges() -> None:
    def verdict(**flags: bool) -> Judgement:
        groups = {"first_common": True, "common": True, "original_only": False, "revised_only": True} | flags
        return judgement({name: [flag] for name, flag in groups.items()})

    found = row(
        sample(JUDGED_REVISION), replies("A text.", first="A text."), verdict(), verdict(common=False), verdict()
    )
    assert (found["status"], found["common_done"], found["original_only_done"]) == ("correct", [True], [False])
    assert found["pass_none_of_original"] is True
    cut = Replies(said("A text."), first=said("A", FinishReason.LENGTH))
    assert row(sample(JUDGED_REVISION), cut, verdict(first_common=False))["status"] == "truncated"


def test_an_open_preference_question_is_the_judges() -> None:
    follows = judgement({"follows": True})
    found = row(sample(PREFERENCE, question=PreferenceQuestion.OPEN), "Roast beef with potatoes.", follows)
    assert (found["status"], found["decided_by"], found["chosen"]) == ("correct", "judge", None)


def test_a_judged_re_ask_has_its_own_verdict() -> None:
    again = judgement({"verdict": "no", "leak": "verbatim"}, aspect="reask")
    found = row(
        sample(JUDGED_FORGETTING, reask=True), replies("I do not recall.", reask="Well, Lisbon then."), YES, again
    )
    assert (found["status"], found["reask_status"]) == ("correct", "incorrect")
    assert (found["reask_judge_status"], found["reask_judge_leak"]) == ("incorrect", "verbatim")


def test_a_verdict_of_another_rubric_raises() -> None:
    with pytest.raises(ValueError, match="follows"):
        row(sample(JUDGED_FORGETTING), "I do not recall.", judgement({"follows": True}))
    with pytest.raises(ValueError, match="common"):
        row(
            sample(JUDGED_REVISION),
            replies("x", first="y"),
            judgement({"first_common": [True], "revised_only": [True]}),
        )


def test_every_row_fits_the_schema() -> None:
    rows = [
        row(sample(item, form), replies("Roast beef", first="x"))
        for item in (FORGETTING, REVISION, PREFERENCE)
        for form in Form
    ]
    table = build_table(rows, SCHEMA)
    assert table.columns == [*CORE_SCHEMA, *SCHEMA]
    assert table["benchmark"].unique().to_list() == ["in_context"]
