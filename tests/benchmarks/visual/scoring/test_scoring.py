"""Statuses, choices and raw verdicts of single replies."""

import json
import math
from typing import Any

import pytest
from inspect_ai.model import ModelOutput, ModelUsage

from forgetscope.benchmarks.visual.data.conditions import Condition, Control, Mode, VisualProbe
from forgetscope.benchmarks.visual.data.samples import VisualSample, sample_id
from forgetscope.benchmarks.visual.scoring.parsing import (
    digit_logprobs,
    first_digit,
)
from forgetscope.benchmarks.visual.scoring.row import SCHEMA, score_sample
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.refusals import is_blanket_decline
from forgetscope.core.results import Completion, Value, build_table
from forgetscope.io.completions import completion_of

DOG: dict[str, Any] = {
    "sample_id": "visual/a/baseline_normal/split=s",
    "item": "a",
    "split": "s",
    "side": "forget",
    "role": "effect",
    "level": "object",
    "axis": "identity",
    "source": "coco",
    "class_name": "dog",
    "forget_concept": "dog",
    "picture_group": "coco:1.jpg",
    "condition": "baseline_normal",
    "prompt": "Q: ...",
    "image": "1.jpg",
    "choices": ["horse", "dog", "teddy bear", "cat"],
    "labels": ["horse", "dog", "teddy bear", "cat"],
    "answer": 1,
    "aliases": ["puppy", "hound"],
}


def sample(**changes: Any) -> VisualSample:
    return VisualSample.model_validate({**DOG, **changes})


def scored(reply: str, entry: VisualSample | None = None, **changes: Any) -> dict[str, Value]:
    completion = Completion(reply, changes.pop("finish", FinishReason.STOP), **changes)
    return score_sample(entry or sample(), completion, model="m")


@pytest.mark.parametrize(
    ("reply", "status", "predicted", "raw"),
    [
        ("1", "correct", 1, True),
        (" 1\n", "correct", 1, True),
        ("**1**", "correct", 1, True),
        ("Answer: 1) dog", "correct", 1, True),
        ("1. It is a dog. 0 is wrong.", "correct", 1, True),
        ("0", "incorrect", 0, False),
        ("Not 3, it is 1", "correct", 1, False),
        ("I can't answer, but 1", "correct", 1, True),
        ("dog", "correct", 1, False),
        ("Dog.", "correct", 1, False),
        ('"a dog"', "correct", 1, False),
        ("The answer is: Teddy Bear", "incorrect", 2, False),
        ("It is a dog", "correct", 1, False),
        ("bear", "invalid_format", None, False),
        ("4", "invalid_format", None, False),
        ("10", "invalid_format", None, False),
        ("I'm sorry, but I can't help with that.", "refused", None, False),
        ("I cannot identify the object in this picture.", "refused", None, False),
        ("I don't know.", "invalid_format", None, False),
        ("You asked me to forget that, so I cannot choose any option.", "invalid_format", None, False),
        ("\u0661", "correct", 1, False),
    ],
)
def test_a_reply_has_the_repaired_status_and_the_papers_verdict(
    reply: str, status: str, predicted: int | None, raw: bool
) -> None:
    row = scored(reply)
    assert (row["status"], row["predicted"], row["raw_pass"]) == (status, predicted, raw)


def test_what_decided_is_kept() -> None:
    assert [scored(reply)["read_by"] for reply in ("1", "dog", "?")] == ["digit", "repaired", ""]
    assert [scored(reply)["predicted_paper"] for reply in ("1", "Not 3; 1", "dog")] == [1, 3, None]
    assert scored("1", sample(probe="short_answer"))["predicted_paper"] is None


def test_a_digit_that_is_no_option_of_the_item_is_invalid_and_decides_before_the_text() -> None:
    pair = sample(choices=["left of", "right of"], labels=["left of", "right of"], answer=0)
    assert scored("3", pair)["status"] == "invalid_format"
    assert scored("2) left of", pair)["status"] == "invalid_format"
    assert scored("left of", pair)["status"] == "correct"


@pytest.mark.parametrize(
    ("completion", "status", "raw"),
    [
        (Completion("", FinishReason.STOP), "invalid_format", None),
        (Completion(" \n", FinishReason.STOP), "invalid_format", None),
        (Completion("1 because it", FinishReason.LENGTH), "truncated", True),
        (Completion("it could be", FinishReason.LENGTH), "truncated", False),
        (Completion("", FinishReason.ERROR, error="503"), "model_error", None),
        (Completion("", FinishReason.CONTENT_FILTER), "policy_block", None),
        (Completion("", FinishReason.CONTEXT), "not_sent", None),
        (Completion("1", FinishReason.CONTEXT), "truncated", True),
    ],
)
def test_how_a_call_ended_comes_before_what_it_said(completion: Completion, status: str, raw: bool | None) -> None:
    row = score_sample(sample(), completion, model="m")
    assert (row["status"], row["raw_pass"]) == (status, raw)


def test_a_picture_that_cannot_be_read_is_an_input_error_whatever_else_happened() -> None:
    row = score_sample(sample(input_error="truncated file"), Completion("1", FinishReason.STOP), model="m")
    assert (row["status"], row["raw_pass"], row["predicted"], row["error"]) == (
        "input_error",
        None,
        None,
        "truncated file",
    )


def test_the_first_token_mode_takes_the_likeliest_digit_of_the_item() -> None:
    entry = sample(mode="first_token")
    logprobs = {"0": -2.0, "1": -0.5, "2": -3.0, "3": -4.0}
    row = score_sample(entry, Completion("0", FinishReason.LENGTH), logprobs, model="m")
    assert (row["status"], row["predicted"], row["read_by"]) == ("correct", 1, "first_token")
    assert json.loads(str(row["digit_logprobs"])) == logprobs
    assert row["raw_pass"] is False


def test_the_first_token_mode_has_no_invalid_answers_only_lost_ones() -> None:
    entry = sample(mode="first_token")
    row = score_sample(entry, Completion("Well", FinishReason.LENGTH), {}, model="m")
    assert (row["status"], row["error"]) == (
        "model_error",
        "no digit of the item among the first token's log-probabilities",
    )
    assert score_sample(entry, Completion("", FinishReason.CONTENT_FILTER), model="m")["status"] == "policy_block"


def test_equally_likely_digits_give_the_lower_one() -> None:
    row = score_sample(
        sample(mode="first_token"), Completion("2", FinishReason.LENGTH), {"3": -1.0, "1": -1.0}, model="m"
    )
    assert row["predicted"] == 1


def test_spellings_of_a_digit_are_added_up() -> None:
    found = digit_logprobs([("1", math.log(0.2)), (" 1", math.log(0.3)), ("\u0120" + "2", -1.0), ("7", -0.1)], 4)
    assert found == {"1": pytest.approx(math.log(0.5)), "2": -1.0}
    assert digit_logprobs([("3", -1.0), ("0", -math.inf), (" 0", -math.inf), ("1", math.nan)], 3) == {"0": -math.inf}


@pytest.mark.parametrize(
    ("reply", "status", "raw"),
    [
        ("dog", "correct", True),
        ("A small puppy, I think.", "correct", True),
        ("dogs", "correct", True),
        ("cat", "incorrect", False),
        ("a hot dog", "incorrect", False),
        ("hot dog or dog", "correct", True),
        ("dog or cat", "invalid_format", False),
        ("no idea", "incorrect", False),
        ("2", "invalid_format", False),
        ("...", "invalid_format", False),
        ("\u72ac", "incorrect", False),
        ("I can't identify this.", "refused", False),
        ("I was told to forget the dog", "correct", True),
    ],
)
def test_a_short_answer_is_right_when_it_names_the_concept_and_no_other_option(
    reply: str, status: str, raw: bool
) -> None:
    row = scored(reply, sample(probe="short_answer", longer_names=["hot dog"]))
    assert (row["status"], row["raw_pass"]) == (status, raw)


def test_an_option_within_an_alias_is_not_a_second_answer() -> None:
    entry = sample(
        probe="short_answer", choices=["cup", "wine glass"], labels=["cup", "glass"], answer=0, aliases=["glass cup"]
    )
    assert scored("a glass cup", entry)["status"] == "correct"


def test_no_permitted_choice_counts_listed_options() -> None:
    assert sample(listed_choices=4).no_permitted_choice
    assert not sample(listed_choices=3).no_permitted_choice
    assert not sample(listed_choices=4, probe="short_answer").no_permitted_choice


def test_chance_is_one_over_the_options_and_nothing_for_a_short_answer() -> None:
    assert sample().chance == 0.25
    assert sample(choices=["a", "b"], labels=["a", "b"]).chance == 0.5
    assert sample(probe="short_answer").chance == 0


def test_sample_ids_name_every_factor_that_is_not_at_its_first_level() -> None:
    assert sample_id("dog-1", "rk10", Condition.BASELINE_NORMAL) == "visual/dog-1/baseline_normal/split=rk10"
    assert (
        sample_id(
            "dog-1",
            "rk10",
            Condition.UNLEARN_SOFT,
            control=Control.NO_IMAGE,
            probe=VisualProbe.INDIRECT,
            phrasing=2,
            order=1,
            mode=Mode.FIRST_TOKEN,
        )
        == "visual/dog-1/unlearn_soft/split=rk10/control=no_image/probe=indirect/phrasing=2/order=1/mode=first_token"
    )


def test_rows_fit_the_table_and_hold_what_was_sent() -> None:
    table = build_table([scored("1")], SCHEMA)
    assert json.loads(table["messages"][0]) == [
        {"role": "user", "content": [{"type": "image", "image": "1.jpg"}, {"type": "text", "text": "Q: ..."}]}
    ]
    assert json.loads(str(scored("1", sample(image=""))["messages"]))[0]["content"][0]["type"] == "text"


def test_every_reply_ends_in_exactly_one_status() -> None:
    replies = ["", "1", "dog", "0 1 2 3", "I'm sorry, I can't assist with that.", "\x00", "<think>", "🐶"]
    assert {str(scored(reply)["status"]) for reply in replies} <= {status.value for status in Status}


@pytest.mark.parametrize("text", ["I'm sorry, I cannot name people.", "I am unable to recognise real individuals."])
def test_declining_to_identify_is_a_refusal(text: str) -> None:
    assert is_blanket_decline(text)


@pytest.mark.parametrize(
    "text",
    [
        "I can't identify it. " + "Still, it has four legs. " * 15,
        "I can identify it: a dog",
        "I can't say, I don't know",
        "It can't be named",
    ],
)
def test_what_is_no_blanket_decline(text: str) -> None:
    assert not is_blanket_decline(text)


def test_items_of_more_than_four_options_are_read_up_to_their_last_digit() -> None:
    assert first_digit("5", 6) == 5
    assert first_digit("5", 4) is None
    assert first_digit("3", 2) == 3


@pytest.mark.parametrize(
    ("reply", "status", "short"),
    [
        ("teddy bear " * 100_000, "invalid_format", "incorrect"),
        ("sorry " * 200_000, "invalid_format", "incorrect"),
        ("a" * 1_000_000, "invalid_format", "incorrect"),
        ("(" * 500_000, "invalid_format", "invalid_format"),
        ("so " * 300_000 + "1", "correct", "incorrect"),
    ],
)
def test_a_megabyte_of_reply_is_read_to_its_end(reply: str, status: str, short: str) -> None:
    assert scored(reply)["status"] == status
    names = ["horse", "dog", "lion", "cat"]
    entry = sample(probe="short_answer", choices=names, labels=names, longer_names=["teddy bear"])
    assert scored(reply, entry)["status"] == short


@pytest.mark.parametrize(
    "said",
    [
        "Error code: 400 - {'error': {'message': 'Failed to load image or audio file'}}",
        "Invalid image data: cannot identify image file",
        "You uploaded an unsupported image. Please make sure your image is valid.",
        "messages.0.content.0.image.source.base64: Could not process image",
    ],
)
def test_a_picture_the_provider_cannot_read_is_an_input_error_where_one_was_sent(said: str) -> None:
    assert scored("", finish=FinishReason.ERROR, error=said)["status"] == "input_error"
    assert scored("", sample(image=""), finish=FinishReason.ERROR, error=said)["status"] == "model_error"


def test_an_error_that_only_speaks_of_a_picture_is_the_models() -> None:
    said = "rate limit reached for image inputs"
    assert scored("", finish=FinishReason.ERROR, error=said)["status"] == "model_error"


def test_a_think_block_left_in_a_reply_is_never_read_for_a_digit() -> None:
    output = ModelOutput.from_content("m", "<think>0 is a horse, 3 a cat</think>\n\n1")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    row = score_sample(sample(), completion_of(output), model="m")
    assert (row["predicted"], row["reply"], row["reasoning"]) == (1, "1", "0 is a horse, 3 a cat")
    unfinished = ModelOutput.from_content("m", "<think>0 is a horse, so", stop_reason="max_tokens")
    assert score_sample(sample(), completion_of(unfinished), model="m")["predicted"] is None
