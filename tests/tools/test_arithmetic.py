import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from forgetscope.core.errors import SettingError
from tools.arithmetic import generator
from tools.arithmetic.generator import TEMPLATES, WordProblem, generate_problems
from tools.arithmetic.language import Draft, clock, count, plural
from tools.arithmetic.rows import ROWS, rows_text

_MARK = re.compile(r"<<([^=<>]+)=([^<>]+)>>")
_MANY = generate_problems(1_000, np.random.default_rng(20))


def _evaluate(expression: str) -> Fraction:
    """A reader of its own for sums of products: left to right, `*` and `/` before `+` and `-`, no separators."""
    value, sign = Fraction(0), 1
    for part in re.split(r"([+-])", expression):
        if part in "+-":
            sign = 1 if part == "+" else -1
            continue
        first, *rest = re.split(r"([*/])", part)
        product = Fraction(first)
        for operator, factor in zip(rest[::2], rest[1::2], strict=True):
            product = product * Fraction(factor) if operator == "*" else product / Fraction(factor)
        value += sign * product
    return value


def _of_template(name: str) -> list[WordProblem]:
    return [problem for problem in _MANY if problem.template == name]


def _graph_of_operations(problem: WordProblem) -> tuple[str, ...]:
    """The expressions with given numbers as `n` and earlier results as `s0`, `s1`, ...: what is computed from what."""
    source: dict[str, str] = {}
    graph = []
    for i, (expression, value) in enumerate(_MARK.findall(problem.answer)):
        graph.append(re.sub(r"\d+", lambda number: source.get(number.group(), "n"), expression))
        source[value] = f"s{i}"
    return tuple(graph)


def test_the_rows_in_the_package_are_what_this_tool_makes() -> None:
    assert (Path(__file__).parents[2] / ROWS).read_text(encoding="utf-8") == rows_text()


def test_there_are_at_least_24_templates_and_their_graphs_of_operations_differ() -> None:
    assert len(TEMPLATES) >= 24
    # The commonest graph of a template, as a number that happens to equal an earlier result disturbs single ones.
    graphs = {Counter(map(_graph_of_operations, _of_template(name))).most_common(1)[0][0] for name in TEMPLATES}
    assert len(graphs) >= 36


def test_gold_equals_an_independent_evaluation_of_the_marks() -> None:
    for problem in _MANY:
        marks = _MARK.findall(problem.answer)
        for expression, value in marks:
            assert _evaluate(expression) == Fraction(value), problem
        assert int(marks[-1][1]) == problem.gold


def test_every_number_computed_with_was_given_or_computed_before() -> None:
    # 100 (percent) and the numbers of a definition (2 for half, 60 minutes, 1000 ml, 1 more bus ...) need not be given.
    definitions = {"1", "2", "3", "4", "5", "6", "60", "100", "1000"}
    for problem in _MANY:
        known = set(re.findall(r"\d+", problem.question.replace(",", ""))) | definitions
        if problem.template == "left_over_after_packing" or problem.template == "vehicles_rounded_up":
            known |= {str(n) for n in range(1, 20)}  # the number of full boxes or buses, found by trying
        for expression, value in _MARK.findall(problem.answer):
            assert set(re.findall(r"\d+", expression)) <= known, problem
            known.add(value)


def test_every_result_is_a_positive_whole_number() -> None:
    for problem in _MANY:
        for _, value in _MARK.findall(problem.answer):
            assert re.fullmatch(r"[1-9]\d*", value), problem


def test_the_number_of_steps_is_two_to_six_and_equals_the_marks() -> None:
    for problem in _MANY:
        assert problem.steps == len(_MARK.findall(problem.answer)) == len(problem.answer.split("\n")) - 1
    assert {problem.steps for problem in _MANY} == {2, 3, 4, 5, 6}


def test_the_last_line_holds_the_gold_with_or_without_separators() -> None:
    written = set()
    for problem in _MANY:
        last = problem.answer.split("\n")[-1]
        assert last in (f"#### {problem.gold}", f"#### {problem.gold:,}")
        assert problem.answer.count("####") == 1
        if problem.gold >= 1_000:
            written.add("," in last)
    assert True in written


def test_the_same_seed_gives_the_same_list_and_another_seed_another() -> None:
    first, again, other = (generate_problems(80, np.random.default_rng(seed)) for seed in (42, 42, 137))
    assert first == again
    assert first != other


def test_270_problems_have_270_questions() -> None:
    for seed in (42, 137, 256):
        problems = generate_problems(270, np.random.default_rng(seed))
        assert len({problem.question for problem in problems}) == 270


@pytest.mark.parametrize("n", [0, 1, 18, 45, 100])
def test_any_number_of_problems_is_spread_evenly_over_the_templates(n: int) -> None:
    problems = generate_problems(n, np.random.default_rng(7))
    uses = Counter(problem.template for problem in problems)
    assert len(problems) == n
    assert len(uses) == min(n, len(TEMPLATES))
    if n >= len(TEMPLATES):
        assert max(uses.values()) - min(uses.values()) <= 1


def test_a_negative_number_is_refused_in_one_line() -> None:
    with pytest.raises(SettingError, match=r"number of problems cannot be negative; found -1"):
        generate_problems(-1, np.random.default_rng(0))


def test_more_problems_than_a_template_has_questions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    only = Draft("How many?", ("One and one are 1 + 1 = <<1+1=2>>2.", "Less 1 is 2 - 1 = <<2-1=1>>1."), 1, False)
    # All of the dictionary at once: put back entry by entry it would be in another order, and deal other problems.
    monkeypatch.setattr(generator, "TEMPLATES", {"one_question": lambda _: only})
    with pytest.raises(SettingError, match="one_question has no new question left"):
        generate_problems(2, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("template", "low", "high"),
    [
        ("ages_from_a_future_sum", 20, 50),
        ("change_from_a_note", 1, 99),
        ("score_for_an_average", 50, 100),
        ("vehicles_rounded_up", 2, 8),
        ("weeks_to_a_goal", 2, 20),
        ("minutes_before_departure", 20, 120),
        ("pages_to_catch_up", 20, 40),
        ("catching_up", 5, 80),
        ("filling_with_a_leak", 20, 100),
        ("pay_with_commission", 1_400, 4_000),
        ("discount_then_delivery", 20, 260),
        ("left_over_after_packing", 1, 10),
    ],
)
def test_gold_stays_within_what_can_happen(template: str, low: int, high: int) -> None:
    problems = _of_template(template)
    assert problems
    for problem in problems:
        assert low <= problem.gold <= high, problem


def test_no_answer_is_larger_than_a_grade_school_problem_has() -> None:
    assert max(problem.gold for problem in _MANY) < 60_000
    assert sum(problem.gold >= 1_000 for problem in _MANY) > 100


def test_numbers_and_nouns_agree() -> None:
    text = "\n".join(problem.question + "\n" + problem.answer for problem in _MANY)
    assert not re.search(r"(?<![\d,.:/*+=-] )(?<![\d,.:])\b1 \w+[^s\W]s\b", text)
    plurals = set(re.findall(r"\d (\w+s)\b", text))
    singulars = {word[:-1] for word in plurals} & set(re.findall(r"\w+", text))
    for singular in singulars:
        wrong = rf"(?<![\d,.:])(?!1 )\d[\d,]* {singular}\b(?! (?:be|trees|bulbs|cards|frames)\b)"
        assert not re.search(wrong, text), re.search(wrong, text)


def test_questions_are_clean_prose_that_ends_with_one_question() -> None:
    for problem in _MANY:
        question = problem.question
        assert question.endswith("?")
        assert question.count("?") == 1
        assert question[0].isupper()
        assert not re.search(r"  |\.\.|\{|\}|None|\s[.,?]", question), question
        assert not re.search(r"\b[Aa] [aeio]|\b[Aa]n [^aeiouh]", question), question
        assert re.search(r"[Hh]ow many|What is the smallest number", question), question


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("tray", "trays"), ("box", "boxes"), ("berry", "berries"), ("loaf", "loaves"), ("class", "classes")],
)
def test_regular_plurals(noun: str, expected: str) -> None:
    assert plural(noun) == expected
    assert count(1, noun) == f"1 {noun}"
    assert count(1_200, noun) == f"1,200 {expected}"


@pytest.mark.parametrize(
    ("minutes", "expected"), [(0, "12:00 a.m."), (495, "8:15 a.m."), (720, "12:00 p.m."), (1_190, "7:50 p.m.")]
)
def test_times_of_day(minutes: int, expected: str) -> None:
    assert clock(minutes) == expected
