"""Reading what a model wrote: one object, or one sentence, and nothing that must be guessed."""

import pytest

from forgetscope.benchmarks.in_context.construction.replies import (
    FactAnnotation,
    ForgetRequest,
    Restatement,
    WrittenDialogue,
    attribution_of,
    read_reply,
)


def test_an_empty_text_is_no_request() -> None:
    value, problem = read_reply('{"forget_instruction": "  ", "test_question": "What?"}', ForgetRequest)
    assert value is None
    assert problem.startswith("forget_instruction:")


def test_an_attribution_has_a_flag_for_each_subtask() -> None:
    form = attribution_of(2)
    assert read_reply('{"a": [true, false], "b": [true, true]}', form)[0] is not None
    assert read_reply('{"a": [true], "b": [true, true]}', form)[0] is None


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        ("I avoid pears.", "I avoid pears."),
        ('"I avoid pears."\n', "I avoid pears."),
        ("“I avoid pears.”", "I avoid pears."),
        ("I'd rather not, that's 'it'", "I'd rather not, that's 'it'"),
    ],
)
def test_a_sentence_loses_its_quotation_marks(reply: str, sentence: str) -> None:
    assert read_reply(reply, Restatement) == (Restatement(preference=sentence), "")


@pytest.mark.parametrize("reply", ["", "  \n ", "One.\nTwo.", '"   "'])
def test_no_sentence_or_several_lines_are_none(reply: str) -> None:
    assert read_reply(reply, Restatement)[0] is None


def test_a_written_dialogue_alternates_and_ends_with_the_assistant() -> None:
    turns = ['{"role": "user", "content": "a"}', '{"role": "assistant", "content": "b"}'] * 2
    assert read_reply('{"turns": [' + ", ".join(turns) + "]}", WrittenDialogue)[0] is not None
    assert read_reply('{"turns": [' + ", ".join(turns[::-1]) + "]}", WrittenDialogue)[0] is None
    assert read_reply('{"turns": [' + ", ".join(turns[:2]) + "]}", WrittenDialogue)[0] is None


def test_an_annotation_needs_a_fact_and_known_factors() -> None:
    reply = '{"facts": [], "forgotten": "identity", "request_kind": "explicit", "query_kind": "explicit"}'
    assert read_reply(reply, FactAnnotation)[0] is None
    reply = reply.replace("[]", '[{"value": "Ghent"}]')
    value, _ = read_reply(reply, FactAnnotation)
    assert value is not None
    assert (value.neighbour, value.reask) == (None, None)
