"""A reply is on disk before anything is done with it, and is given back once, to the sample that asked."""

from pathlib import Path

from inspect_ai.model import ChatMessageUser, GenerateConfig, ModelOutput, ModelUsage

from forgetscope.io.completions import completion_of
from forgetscope.running.journal import JOURNAL_NAME, ReplyJournal, call_key


def _output(text: str) -> ModelOutput:
    output = ModelOutput.from_content("some-model", text)
    output.usage = ModelUsage(input_tokens=3, output_tokens=2, total_tokens=5)
    return output


def test_a_reply_comes_back_whole_to_a_new_process_and_only_once(tmp_path: Path) -> None:
    first = ReplyJournal(tmp_path)
    assert first.take("a") is None
    first.keep("a", _output("one\u2028line \ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")), 1.5)
    assert first.take("a") is None, "what this process asked for is not given back to it"
    again = ReplyJournal(tmp_path)
    kept = again.take("a")
    assert kept is not None
    completion = completion_of(kept)
    assert (completion.reply, completion.seconds) == ("one\u2028line \U0001f600", 1.5)
    assert (completion.input_tokens, completion.output_tokens) == (3, 2)
    assert again.take("a") is None


def test_a_line_cut_by_a_kill_counts_as_in_flight_and_harms_no_other(tmp_path: Path) -> None:
    journal = ReplyJournal(tmp_path)
    journal.keep("a", _output("whole"), 0.1)
    journal.keep("b", _output("cut"), 0.1)
    path = tmp_path / JOURNAL_NAME
    path.write_bytes(path.read_bytes()[:-20])
    second = ReplyJournal(tmp_path)
    assert second.take("a") is not None
    assert second.take("b") is None
    second.keep("b", _output("asked again"), 0.1)
    kept = ReplyJournal(tmp_path).take("b")
    assert kept is not None
    assert kept.completion == "asked again"


def test_calls_differ_by_what_is_said_and_by_how_the_reply_is_decoded() -> None:
    def key(text: str, temperature: float) -> str:
        return call_key("m", [ChatMessageUser(content=text)], GenerateConfig(temperature=temperature))

    assert key("a", 0.0) == key("a", 0.0)
    assert len({key("a", 0.0), key("b", 0.0), key("a", 1.0)}) == 3


def test_the_journal_goes_when_the_logs_hold_everything(tmp_path: Path) -> None:
    journal = ReplyJournal(tmp_path)
    assert (tmp_path / JOURNAL_NAME).exists()
    journal.discard()
    assert not (tmp_path / JOURNAL_NAME).exists()
