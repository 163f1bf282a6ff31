"""Forgetting by rule on replies of many styles, with the status that a person gives them; a row is a row of `score`.

The replies were written before the rules were mended for them; a few are still read otherwise.
"""

import json
from pathlib import Path

from forgetscope.api.scoring import score

REPLIES = Path(__file__).parent / "replies" / "forgetting.jsonl"


def test_replies_have_the_status_a_person_gives_them(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()]
    given = tmp_path / "replies.jsonl"
    given.write_text("".join(f"{json.dumps({**row, 'gold': None})}\n" for row in rows), encoding="utf-8")
    verdicts = list(score("in-context", given).verdicts)
    pairs = list(zip(rows, verdicts, strict=True))
    wrong = [row["reply"] for row, verdict in pairs if verdict["status"] != row["gold"]]
    assert len(wrong) <= 0.02 * len(rows), wrong
    recalled = [row["reply"] for row, verdict in pairs if verdict["status"] == "correct" and row["form"] == "noforget"]
    assert len(set(recalled) - {row["reply"] for row in rows if row["gold"] == "correct"}) <= 3
