"""Each load scorer on replies whose reading a person would agree on, and on recorded solutions of real models."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.prospective.loads.arithmetic import read_number
from forgetscope.benchmarks.prospective.loads.choice import paper_letter, stated_letter
from forgetscope.benchmarks.prospective.loads.load import LoadContent
from forgetscope.benchmarks.prospective.loads.reading.passages import plain
from forgetscope.benchmarks.prospective.loads.reading.replies import (
    without_echo,
    without_json,
    without_postscript,
)
from forgetscope.benchmarks.prospective.loads.reading.stated_chain import stated_chain
from forgetscope.benchmarks.prospective.loads.reading.stated_number import stated_number
from forgetscope.benchmarks.prospective.loads.registry import score_task
from forgetscope.benchmarks.prospective.loads.summary import summary_part

CHOICES = ("Lima", "Quito", "La Paz", "Bogota")


def numbers(*golds: str) -> LoadContent:
    load = {1: "gsm8k_x1", 3: "gsm8k_x3", 5: "gsm8k_x5"}[len(golds)]
    return LoadContent(load=load, ids=("a",), text="", golds=tuple((gold,) for gold in golds))


def letter(gold: str) -> LoadContent:
    return LoadContent(load="mmlu", ids=("a",), text="", golds=((gold,),), choices=CHOICES)


@pytest.mark.parametrize(
    ("reply", "paper", "repaired"),
    [
        ("The answer is (B).", "B", "B"),
        ("the answer is b", None, "B"),
        ("A TALE OF HILLS. THE ANSWER IS B BECAUSE QUITO IS HIGH", "A", "B"),
        ("**B. Quito**", "B", "B"),
        ("I will answer a question. B", "B", "B"),
        ("A dog ran. the correct option is c) la paz", "A", "C"),
        ("It is Quito, of course.", None, "B"),
        ("A. Lima\nB. Quito\nC. La Paz\nD. Bogota", "A", None),
        ("The answer is a well-known city: B. Quito", "B", "B"),
        ('{"answer": "B"}', "B", "B"),
        ("I first thought the answer is A, but the answer is D", "A", "D"),
        ("I think a is right", None, None),
        ("My pick: A", "A", "A"),
        ("My pick: B", "B", "B"),
        ("I would go with A because it is high up", "A", "A"),
        ("A good question with no answer", "A", None),
        ("", None, None),
    ],
)
def test_letters_as_the_paper_reads_them_and_as_they_are_meant(
    reply: str, paper: str | None, repaired: str | None
) -> None:
    assert (paper_letter(reply), stated_letter(reply, CHOICES)) == (paper, repaired)


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("She has 3 + 4 = 7 apples.", 7),
        ("So the answer is $1,234.50.", 1234.5),
        ("5 * 2 = 10. The answer is 10.\n\nWritten in 2024.", 10),
        ("12 of 20 are red = 60%. So 8 are left.", 8),
        ("3 + 4 = 7 dollars.\n\nThis took me 5 minutes.", 7),
        ("work\n#### 42", 42),
        ("nothing here", None),
    ],
)
def test_the_stated_number_is_the_answer_a_person_reads(reply: str, number: float | None) -> None:
    assert stated_number(reply) == number


def test_a_postscript_with_a_number_fools_the_paper_and_not_us() -> None:
    verdict = score_task(numbers("7"), "She has 7 apples.\n\nP.S. Call me at 99.", prompt="")
    assert (verdict.paper, verdict.repaired) == (False, True)


def test_thousands_separators_in_reply_and_gold_agree() -> None:
    assert score_task(numbers("2125"), "It costs $2,125.", prompt="").paper
    assert read_number("$2,125.00") == 2125


@pytest.mark.parametrize(
    ("reply", "answers"),
    [
        ("Problem 1: 3+4=7\nProblem 2: 10\nProblem 3: The answer is 5", (7, 10, 5)),
        ("1. 5\n2. 6\n3. 7", (5, 6, 7)),
        ("**Problem 1:** first 1. do\n2. do = 12\n**Problem 2:** 3\n**Problem 3**: 9.", (12, 3, 9)),
        (
            "Problem 1: How many?\nProblem 2: What?\nProblem 3: Who?\n\nAnswer 1: 4\nAnswer 2: 5\nAnswer 3: 6",
            (4, 5, 6),
        ),
    ],
)
def test_chains_are_read_problem_by_problem(reply: str, answers: tuple[float, ...]) -> None:
    assert stated_chain(plain(reply), ("", "", "")) == answers


def test_a_chain_is_right_only_when_every_problem_is() -> None:
    verdict = score_task(numbers("1", "2", "3"), "1. 1\n2. 9\n3. 3", prompt="")
    assert (verdict.paper, verdict.repaired, verdict.parts) == (True, False, (True, False, True))


def test_a_chain_without_labels_is_unreadable_not_wrong() -> None:
    assert score_task(numbers("1", "2", "3"), "All done: 3", prompt="").repaired is None


def test_an_alias_inside_a_word_counts_for_the_paper_only() -> None:
    content = LoadContent(load="triviaqa", ids=("a",), text="", golds=(("Rome", "Roma"),))
    verdict = score_task(content, "An aromatic tea.", prompt="")
    assert (verdict.paper, verdict.repaired) == (True, False)


def test_an_echoed_prompt_gives_no_answer_away() -> None:
    prompt = "Which of these four cities is the capital of Ecuador today?\nA. Lima\nB. Quito\nC. La Paz\nD. Bogota"
    reply = prompt + "\n\nMy answer: C"
    assert without_echo(reply, prompt).strip() == "My answer: C"
    assert score_task(letter("C"), reply, prompt=prompt).repaired is True


def test_a_summary_is_looked_for_where_it_is_announced() -> None:
    reply = "A poem about the sea and the sky.\n\n**Summary of the article:**\nThe mayor opened the bridge on Monday."
    assert summary_part(reply).strip() == "The mayor opened the bridge on Monday."
    content = LoadContent(
        load="cnn_dailymail", ids=("a",), text="", golds=(("The mayor opened the bridge on Monday .",),)
    )
    verdict = score_task(content, reply, prompt="")
    assert verdict.repaired_score == pytest.approx(1.0)
    assert verdict.paper_score < 1.0


def test_a_postscript_is_cut_off_whatever_its_spelling() -> None:
    for mark in ("P.S.", "P.P.S", "p.s."):
        assert without_postscript(f"Total 7.\n{mark} 99 things").strip() == "Total 7."


def test_a_line_that_begins_like_a_postscript_is_kept() -> None:
    text = "Total 7.\nPsychologists agree, and\nPS5 players do."
    assert without_postscript(text) == text


def test_json_that_cannot_be_read_is_read_as_text() -> None:
    for reply in ("[" + "1" * 5000 + "]", "[" * 100_000, "```json\n{", "```"):
        assert without_json(reply) == reply
        score_task(numbers("7"), reply, prompt="")
    assert without_json('```JSON\n{"answer": 7}\n```') == "answer: 7"


@pytest.mark.parametrize("unit", ["\n", " ", "answer\n", "*\n", "```\n", "problem ", "1. ", "("])
def test_a_long_run_of_anything_is_read_in_one_pass(unit: str) -> None:
    """Patterns that go back over what they passed would take minutes here, and the suite's limit would show it."""
    for content in (numbers("7"), numbers("1", "2", "3"), letter("B")):
        score_task(content, "Well:" + unit * (100_000 // len(unit)) + "é", prompt="")


@given(st.text(max_size=200))
def test_any_reply_gets_a_verdict(reply: str) -> None:
    for content in (numbers("7"), numbers("1", "2", "3"), letter("B")):
        score_task(content, reply, prompt=reply[:50])


def test_both_number_scorers_agree_with_the_recorded_verdicts_of_gsm8k(real_data: Path) -> None:
    path = real_data / "gsm8k" / "example_model_solutions_even.jsonl"
    compared = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gold = row["ground_truth"].rpartition("A:")[2].strip().replace(",", "")
        for name in ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"):
            verdict = score_task(numbers(gold), row[name]["solution"], prompt=row["question"])
            assert verdict.paper == row[name]["is_correct"]
            assert (verdict.repaired is True) == row[name]["is_correct"]
            compared += 1
    assert compared == 2640


def test_the_alias_scorer_agrees_with_the_judge_where_an_alias_was_given(real_data: Path) -> None:
    folder = real_data / "triviaqa"
    items = {
        row["qid"]: row for row in json.loads((folder / "triviaqa_persona_sample.json").read_text(encoding="utf-8"))
    }
    rows = [
        json.loads(line) for line in (folder / "recorded_responses_even.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    verdicts = [
        score_task(
            LoadContent(
                load="triviaqa",
                ids=("a",),
                text=items[row["qid"]]["question"],
                golds=(tuple(items[row["qid"]]["aliases"]),),
            ),
            row["content"],
            prompt="",
        )
        for row in rows
    ]
    judged = [row["judge_verdict"] == "correct" for row in rows]
    assert sum(verdict.repaired is right for verdict, right in zip(verdicts, judged, strict=True)) >= 790
    assert not any(verdict.repaired and not right for verdict, right in zip(verdicts, judged, strict=True))
