"""How many dialogues of each form were sent, their turns and tokens, counted by hand."""

import json

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.in_context.report.results import results
from forgetscope.findings.figures import Table
from tests.benchmarks.in_context.metrics.small_tables import SETTINGS, Row, factors, figures_of, row, table_of


def sent(item: str, form: str, *texts: str, **changes: object) -> Row:
    """A dialogue of these turns, user and assistant in turn, under a system message."""
    turns = [
        {"part": "", "role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(texts)
    ]
    system = {"part": "", "role": "system", "content": "You are a helpful assistant who forgets nothing."}
    note = {"part": "", "role": None, "content": "the answer that would stand here"}
    return row(item, form, messages=json.dumps([system, note, *turns]), **changes)  # type: ignore[arg-type]


ROWS = [
    sent("a", "noforget", "one two"),
    sent("b", "noforget", "one two", "three", "four five six"),
    sent("a", "forget", "one two", "three", "four", "five", "six"),
    sent("a", "noforget", "a longer context " * 30, length=500),
]


def test_turns_and_tokens_are_of_the_dialogues_of_the_headline_by_form() -> None:
    index = figures_of(ROWS)

    def of(name: str, form: str) -> list[float | None]:
        return [index.value(f"{name}{end}", **factors(), form=form) for end in ("", ".least", ".most")]

    assert of("form.turns", "noforget") == [1.5, 1, 2]
    assert of("form.turns", "forget") == [3, 3, 3]
    assert of("form.tokens", "noforget") == [4, 2, 6]
    assert of("form.tokens", "forget") == [6, 6, 6]
    assert len(index.named("form.turns")) == 2


def test_they_stand_in_the_runs_own_report() -> None:
    sections = {section.slug: section for section in results(table_of(ROWS), FigureFacts(SETTINGS, {}, 0.98)).sections}
    tables = {block.slug: block for block in sections["further"].blocks if isinstance(block, Table)}
    cells = [list(line.values())[:4] for line in tables["forms"].rows]
    assert cells == [["instructional forgetting", "forget", 1, 3.0], ["instructional forgetting", "noforget", 2, 1.5]]
