"""The repaired readings on replies of many styles, with gold readings decided by reading; a row is a row of `score`.

The replies and what they say were written in rounds, each before the readings were mended for it. What is still read
otherwise has `read_as` in its row: mostly two answers in one reply that only the question tells apart.
"""

import json
from pathlib import Path

import pytest

from forgetscope.api.scoring import score

REPLIES = Path(__file__).parent / "replies"


@pytest.mark.parametrize(
    ("name", "kind", "reading"),
    [
        ("gsm8k", "gsm8k", "parsed"),
        ("gsm8k_chains", "gsm8k", "parsed"),
        ("mmlu", "mmlu", "chosen"),
        ("triviaqa", "triviaqa", "is_right"),
    ],
)
def test_replies_are_read_as_a_person_reads_them(name: str, kind: str, reading: str) -> None:
    gold = [json.loads(line) for line in (REPLIES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    verdicts = [row["repaired"] for row in score(kind, REPLIES / f"{name}.jsonl").verdicts]
    assert len(gold) == len(verdicts) > 200
    read = [verdict[reading] for verdict in verdicts if isinstance(verdict, dict)]
    assert read == [row.get("read_as", row[reading]) for row in gold]
    assert sum("read_as" in row for row in gold) <= 0.06 * len(gold)
