"""The words for what became of the samples say what was lost, and name only what could have happened."""

import polars as pl
import pytest

from forgetscope.core.outcomes import Status
from forgetscope.diagnostics.findings import OutcomeWords, account_columns, outcome_findings, outcome_table
from forgetscope.diagnostics.outcomes import OutcomeCell, outcome_figures
from forgetscope.findings.figures import Cell
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import label

RUN: dict[str, Cell] = {"cell": "run"}
ONE: dict[str, Cell] = {"cell": "one"}
NAMES = (label("Cell", "cell"),)
WORDS = OutcomeWords("Right", "Wrong", "right", "Cut replies are left out.", "Refusals are left out.")


def frame_of(statuses: list[str]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "status": statuses,
            "raw_pass": [status == "correct" for status in statuses],
            "finish_reason": ["length" if status == "truncated" else "stop" for status in statuses],
            "looped": [False] * len(statuses),
            "output_tokens": [10] * len(statuses),
            "reply": ["words"] * len(statuses),
        },
        schema_overrides={"status": pl.String, "finish_reason": pl.String, "looped": pl.Boolean, "reply": pl.String},
    )


def index_of(statuses: list[str], planned: int | None = None) -> FigureIndex:
    frame, count = frame_of(statuses), len(statuses) if planned is None else planned
    cells = [OutcomeCell(factors, frame, count) for factors in (ONE, RUN)]
    return FigureIndex(entry for cell in cells for entry in outcome_figures(cell, 64))


def said(statuses: list[str], planned: int | None = None) -> str:
    found = outcome_findings(index_of(statuses, planned), RUN, [ONE], words=WORDS, max_tokens=64, floor=0.9)
    return " ".join(f"{entry.verdict}: {entry.text}" for entry in found)


def test_a_run_without_losses_says_so_in_one_plain_sentence() -> None:
    assert said(["correct", "incorrect"]) == (
        "note: All 2 samples have an outcome, and no more than 5% of the replies were cut off."
    )


def test_what_was_lost_is_told_apart_by_who_lost_it() -> None:
    text = said(["correct", "model_error", "judge_unparseable", "judge_unparseable", "judge_error"], planned=6)
    assert "5 of 6 samples have no outcome" in text
    assert "(1 lost to errors, 2 with a verdict that could not be read, 1 without a verdict, 1 not in the logs)" in text
    assert "below the floor of 90%" in text


def test_a_run_with_cut_replies_is_length_limited_and_says_what_that_does() -> None:
    text = said(["truncated"] * 2 + ["correct"] * 8)
    assert text.startswith("warning: Length-limited: 20.0% of the replies were cut off at 64 tokens (1 cell above 5%).")
    assert "Cut replies are left out." in text
    assert "No limit is suggested: only 8 of 10 replies ended" in text


def test_an_empty_table_is_a_warning_and_no_error() -> None:
    assert said([], planned=0) == "warning: The sample table is empty: nothing was planned."


def test_refusals_and_unreadable_answers_above_five_percent_are_warned_of() -> None:
    text = said(["refused", "invalid_format", "correct"])
    assert "33.3% of the replies were refusals. Refusals are left out." in text
    assert "33.3% of the replies were empty or had no answer to read." in text


@pytest.mark.parametrize("status", [status.value for status in Status])
def test_every_status_has_a_column_where_it_occurs(status: str) -> None:
    table = outcome_table(index_of([status]), NAMES, [ONE], words=WORDS)
    headings = [WORDS.correct, WORDS.incorrect, "Cut off", *(shown.column.label for shown in account_columns())]
    assert [table.rows[0].get(heading, 0) for heading in headings].count(1) == 1
    assert sum(int(str(table.rows[0].get(heading, 0))) for heading in headings) == 1


def test_only_outcomes_that_could_have_occurred_are_named_as_absent() -> None:
    table = outcome_table(index_of(["correct"]), NAMES, [ONE], words=WORDS)
    assert table.note.endswith("Outcomes that no sample has: refused, invalid format, model error, not sent, missing.")
