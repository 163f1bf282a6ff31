"""The file of later judgements: rounds, what counts, and what a kill leaves."""

from pathlib import Path

from forgetscope.judging.records import Judgement
from forgetscope.running.judgements import JUDGEMENTS_NAME, JudgementFile


def said(judge: str, verdict: str | None = "yes", *, aspect: str = "answer", error: str = "") -> Judgement:
    held = None if verdict is None else {"verdict": verdict}
    return Judgement.model_validate(
        {"aspect": aspect, "rubric": "r", "judge": judge, "verdict": held, "replies": [], "error": error}
    )


LOGGED = (said("log"), said("log", aspect="reask"))


def test_without_a_file_the_logged_judgements_count(tmp_path: Path) -> None:
    assert JudgementFile(tmp_path).instead_of("s", LOGGED) == LOGGED
    assert not (tmp_path / JUDGEMENTS_NAME).exists()


def test_a_later_round_counts_per_aspect(tmp_path: Path) -> None:
    file = JudgementFile(tmp_path)
    round_ = file.open_round(["a"], ["{}"], "noon")
    file.keep(round_, "s", said("a", "no"))
    for read in (file, JudgementFile(tmp_path)):
        assert read.instead_of("s", LOGGED) == (LOGGED[1], said("a", "no"))
        assert read.instead_of("another", LOGGED) == LOGGED


def test_a_panel_counts_when_all_of_it_has_answered(tmp_path: Path) -> None:
    file = JudgementFile(tmp_path)
    round_ = file.open_round(["a", "b"], ["1", "2"], "noon")
    file.keep(round_, "s", said("b"))
    assert file.instead_of("s", LOGGED[:1]) == LOGGED[:1]
    file.keep(round_, "s", said("a"))
    assert file.instead_of("s", LOGGED[:1]) == (said("a"), said("b"))


def test_a_round_left_open_is_continued_by_the_same_judges_alone(tmp_path: Path) -> None:
    first = JudgementFile(tmp_path).open_round(["a"], ["1"], "noon")
    assert JudgementFile(tmp_path).open_round(["a"], ["1"], "later") == first == "noon"
    assert JudgementFile(tmp_path).open_round(["a"], ["other arguments"], "later") == "later"
    assert JudgementFile(tmp_path).open_round(["a"], ["1"], "noon") == "noon (3)", "names are unique"


def test_a_closed_round_is_over(tmp_path: Path) -> None:
    file = JudgementFile(tmp_path)
    file.close_round(file.open_round(["a"], ["1"], "noon"))
    assert JudgementFile(tmp_path).open_round(["a"], ["1"], "later") == "later"


def test_the_last_round_that_reached_a_sample_counts(tmp_path: Path) -> None:
    file = JudgementFile(tmp_path)
    for name, verdict in (("noon", "yes"), ("dusk", "no")):
        round_ = file.open_round(["a"], [name], name)
        file.keep(round_, "s", said("a", verdict))
    file.open_round(["a"], ["night"], "night")
    assert file.instead_of("s", LOGGED[:1]) == (said("a", "no"),)


def test_a_lost_judge_may_be_asked_again_in_the_same_round(tmp_path: Path) -> None:
    file = JudgementFile(tmp_path)
    round_ = file.open_round(["a"], ["1"], "noon")
    file.keep(round_, "s", said("a", None, error="down"))
    assert not file.has(round_, "s", "answer", "a")
    assert file.instead_of("s", ()) == (said("a", None, error="down"),)
    file.keep(round_, "s", said("a"))
    assert file.has(round_, "s", "answer", "a")
    assert file.instead_of("s", ()) == (said("a"),)
