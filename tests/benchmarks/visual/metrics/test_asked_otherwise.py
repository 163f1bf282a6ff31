"""Other ways of asking: accuracy of each, beside the plain question on the same items."""

from forgetscope.benchmarks.visual.metrics.asked_otherwise import asked_otherwise_figures
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.visual.metrics.small_tables import row, rows, some, study

OF = {"split": "animals", "mode": "generate", "condition": "unlearn_soft"}


def test_a_way_of_asking_is_compared_with_the_plain_question_on_the_same_items_alone() -> None:
    found = FigureIndex(
        asked_otherwise_figures(
            study(
                rows(some(1, 4), "unlearn_soft"),
                rows(some(2, 2), "unlearn_soft", probe="short_answer", chance=0.0),
                rows(some(2, 4), "unlearn_soft", phrasing=1),
                rows(some(3, 4), "unlearn_soft", order=1),
                rows(some(1, 2), probe="short_answer", chance=0.0, control="no_image"),
                rows(some(2, 2), probe="short_answer", chance=0.0),
            )
        )
    )
    assert found.value("asked.forget", **OF, asked="short_answer") == 1
    assert found.value("asked.plainly", **OF, asked="short_answer") == 1 / 2  # the first two of four items
    assert found.value("asked.forget", **OF, asked="rephrased") == 1 / 2
    assert found.value("asked.plainly", **OF, asked="rephrased") == 1 / 4
    assert found.value("asked.forget", **OF, asked="reordered") == 3 / 4
    baseline = {**OF, "condition": "baseline_normal"}
    assert found.value("asked.forget", **baseline, asked="short_answer", control="no_image") == 1 / 2


def test_what_was_not_asked_and_what_was_asked_of_the_other_side_gives_no_figure() -> None:
    kept = row("one", True, "unlearn_soft", side="retain", phrasing=1)
    assert list(asked_otherwise_figures(study([kept], rows(some(1, 2))))) == []
