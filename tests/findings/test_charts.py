"""Specifications of charts: each line's figures over the categories, and the words for who cannot see them."""

from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Figure, Interval
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import plus, said_values
from forgetscope.findings.tables import Factors

OVER: dict[str, Factors] = {"MMLU": {"load": "mmlu"}, "GSM8K": {"load": "gsm8k"}}
INDEX = FigureIndex(
    [
        Figure("kept", {"load": "mmlu", "prompt": "plain"}, 0.5, n=8, low=0.2, high=0.8),
        Figure("kept", {"load": "gsm8k", "prompt": "plain"}, -0.25, n=8),
        Figure("kept", {"load": "gsm8k", "prompt": "other"}, None, n=0, note="nothing was sent"),
    ]
)
LINES = [line("plain", "kept", prompt="plain"), line("other", "kept", prompt="other")]


def test_lines_are_drawn_over_the_categories() -> None:
    found = chart(INDEX, "bars", "T", over=OVER, lines=LINES, summary="Kept. {said}.", slug="t")
    assert found.categories == ("MMLU", "GSM8K")
    assert [each.points for each in found.series] == [
        (Interval(0.5, 0.2, 0.8), Interval(-0.25)),
        (None, Interval(None, note="nothing was sent")),
    ]
    assert found.summary == "Kept. plain: MMLU 50.0%, GSM8K −25.0%. other: nothing defined."


def test_the_first_line_can_be_said_without_its_name_and_by_signs() -> None:
    found = chart(INDEX, "bars", "T", over=OVER, lines=LINES, summary="Gained: {values}.", write=plus)
    assert found.summary == "Gained: MMLU +50.0, GSM8K -25.0."
    assert chart(INDEX, "bars", "T", over=OVER, lines=[], summary="Gained: {values}.").summary == "Gained: ."


def test_of_many_values_only_the_ends_are_said() -> None:
    (plain, _) = chart(INDEX, "bars", "T", over=OVER, lines=LINES, summary="").series
    assert said_values(plain, ("MMLU", "GSM8K"), most=1) == "−25.0% (GSM8K) to 50.0% (MMLU)"
