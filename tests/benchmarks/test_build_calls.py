"""Replies on disk as they arrive: given back for the same call alone, whatever the kill left behind."""

from pathlib import Path

from forgetscope.benchmarks.build_calls import Call, CallJournal, call_key
from forgetscope.core.outcomes import FinishReason


def _call(row: str, reply: str, key: str = "k", attempt: int = 1) -> Call:
    return Call(
        key=key,
        row=row,
        step="revise",
        attempt=attempt,
        model="m",
        prompts="p",
        reply=reply,
        finish=FinishReason.STOP,
    )


def test_a_reply_is_given_back_for_its_own_call_alone(tmp_path: Path) -> None:
    journal = CallJournal(tmp_path)
    journal.keep(_call("a", "one"))
    again = CallJournal(tmp_path)
    kept = again.take("a", "revise", 1, "k")
    assert kept is not None
    assert kept.reply == "one"
    for row, step, attempt, key in (("b", "revise", 1, "k"), ("a", "facts", 1, "k"), ("a", "revise", 2, "k")):
        assert again.take(row, step, attempt, key) is None
    assert again.take("a", "revise", 1, "other words, model or decoding") is None


def test_keys_depend_on_every_part() -> None:
    parts = ("model", {"max_tokens": 64}, [["user", "a"]])
    assert call_key(*parts) == call_key("model", {"max_tokens": 64}, [("user", "a")])
    for other in (("m", *parts[1:]), (parts[0], {"max_tokens": 65}, parts[2]), (*parts[:2], [["user", "b"]])):
        assert call_key(*other) != call_key(*parts)
