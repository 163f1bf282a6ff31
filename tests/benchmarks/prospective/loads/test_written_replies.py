"""The repaired readings on replies of many styles, with gold readings decided by reading; a row is a row of `score`.

The replies and what they say were written in seven rounds, each before the readings were mended for it; what is still
read otherwise is named below.
"""

import json
from pathlib import Path

import pytest

from forgetscope.api.scoring import score

REPLIES = Path(__file__).parent / "replies"
READ_OTHERWISE = {
    "gsm8k": {
        "60 percent of the 20 birds are red, so 12 of them... the share asked is 60%.",
        "The bakery on 5th Avenue sold 300 loaves before noon. Nobody knew why.\n\nShe reads 42 pages.",
        "Q: how many pages? A: 42. Q: favorite number? A: 7",
        "Answer: 2 dozen (24)",
        "She puts 8 apples in each of the 8 baskets. 64 apples, 8 baskets!",
        "speed: 55\ntime: 4\ndistance: 220",
        "It'll take three hours, my friend, so relax and read a 300 page book.",
    },
    "gsm8k_chains": set(),
    "mmlu": set(),
    "triviaqa": {
        "garbanzo",
        "Yury Gagarin... Gagarin!",
    },
}
"""Two answers in one reply that only the question tells apart; a name that no alias spells."""


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
    otherwise = {
        row["reply"]
        for row, verdict in zip(gold, verdicts, strict=True)
        if isinstance(verdict, dict) and verdict[reading] != row[reading]
    }
    assert otherwise == READ_OTHERWISE[name]
