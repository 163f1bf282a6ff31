"""The points of the cues by which the reading of letters, digits and options finds what a reply chooses.

Fits them to the written replies of the tests, whose choices were read by people. Writes the table
`option_cue_points.json` and prints how many replies are read as a person reads them, each left out of the fit, and all.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from cue_fit import fitted_points

from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.scoring.preference import wishes_behind, without_offers_of_its_own
from forgetscope.mentions import option_cues
from forgetscope.mentions.marks import Labels
from forgetscope.mentions.options import candidates, likeliest

TESTS = Path(__file__).parent.parent / "tests"
TABLE = Path(option_cues.__file__).with_name("option_cue_points.json")
EXPECTED = {
    "hint + spoken about": -15,
    "about": -40,
    **dict.fromkeys(("row with a cross",), 50),
    "all others are denied": 80,
    "set apart": 80,
    "says what was asked by far": 20,
    **dict.fromkeys(("row called right",), 40),
    **dict.fromkeys(("alone in bold",), 25),
    **dict.fromkeys(
        (
            "right",
            "final",
            "none: contradicts itself",
            "none: several announced alike",
            "none: answers twice",
            "none: several on conditions",
            "ends a calculation",
        ),
        20,
    ),
    **dict.fromkeys(("chosen", "after correction"), 15),
    **dict.fromkeys(
        (
            "two others are denied",
            "none: refuses",
            "only one announced",
            "bare line",
            "hints lead by 3",
            "none: 3 announced",
            "none: ends with several",
            "none: loops",
        ),
        10,
    ),
    **dict.fromkeys(("hints lead by 2", "none: 2 announced", "none: all maybe"), 5),
    **dict.fromkeys(("maybe", "asks"), -5),
    **dict.fromkeys(
        (
            "aside",
            "in brackets",
            "contradicted",
            "conditional",
            "condition after",
            "like",
            "another is announced",
            "hints lead by -1",
            "one of a list",
        ),
        -10,
    ),
    **dict.fromkeys(("asked to choose",), -15),
    **dict.fromkeys(
        (
            "denied before",
            "denied after",
            "all denied",
            "second",
            "past",
            "correction later",
            "withdrawn",
            "label of what is denied",
        ),
        -20,
    ),
    **dict.fromkeys(("row called wrong", "listed as something else"), -30),
}
"""What one would say of a cue beforehand, in points."""
FOLDS, SELDOM, PULL = 8, 6, 0.5
"""Folds; a cue of fewer replies is worth what is expected; how strongly points are pulled towards that."""

Candidates = tuple[list[tuple[int, set[str]]], set[str]]


def training_rows() -> Iterator[tuple[str, int | None, Candidates]]:
    """Replies, what a person says they choose, and their candidates."""
    for row in _rows("mentions/replies/digits.jsonl"):
        yield row["reply"], row["choice"], candidates(row["reply"], row["choices"], Labels.DIGITS)
    for row in _rows("benchmarks/visual/scoring/replies_read_by_hand.jsonl"):
        yield row["reply"], row["choice"], candidates(row["reply"], row["choices"], Labels.DIGITS)
    for name in ("mentions/replies/letters.jsonl", "benchmarks/prospective/loads/replies/mmlu.jsonl"):
        for row in _rows(name):
            chosen = None if row["chosen"] is None else "ABCD".index(row["chosen"])
            question = row.get("question", "")
            yield row["reply"], chosen, candidates(row["reply"], row["choices"], Labels.LETTERS, question)
    items = {item.question: item for item in load_data("embedded").items if isinstance(item, DynamicPreferenceItem)}
    for row in _rows("mentions/replies/wishes.jsonl"):
        item, options = items.get(row["q"]), row["options"]
        known = item is not None and set(options) == set(item.options)
        wishes = wishes_behind(item, options) if item and known else ()
        text = without_offers_of_its_own(row["reply"], options)
        yield row["reply"], row["chosen"], candidates(text, options, Labels.LETTERS, row["q"], wishes)


def _rows(name: str) -> Iterator[dict]:
    return map(json.loads, (TESTS / name).read_text(encoding="utf-8").splitlines())


class Fit:
    def __init__(self, rows: Sequence[tuple[str, int | None, Candidates]]) -> None:
        count = Counter(cue for *_, (found, none) in rows for cue in none.union(*(cues for _, cues in found)))
        self.names = sorted(cue for cue in count if count[cue] >= SELDOM)
        self.chosen = [chosen for _, chosen, _ in rows]
        self.options = [[*(option for option, _ in found), None] for *_, (found, _) in rows]
        self.cues = [
            np.array([[name in cues for name in self.names] for cues in (*(cues for _, cues in found), none)], float)
            for *_, (found, none) in rows
        ]
        self.expected = np.array([EXPECTED.get(name, 0) / 10 for name in self.names])

    def points(self, rows: Sequence[int]) -> np.ndarray:
        rows = [row for row in rows if self.chosen[row] in self.options[row]]
        right = [np.array([option == self.chosen[row] for option in self.options[row]], float) for row in rows]
        return fitted_points([self.cues[row] for row in rows], right, [1.0] * len(rows), self.expected, pull=PULL)

    def is_read(self, row: int, points: np.ndarray) -> bool:
        sums = zip(self.options[row], self.cues[row] @ points, strict=True)
        return likeliest(sums) == self.chosen[row]


def main() -> None:
    rows = list(training_rows())
    fit = Fit(rows)
    replies = sorted({reply for reply, *_ in rows})
    random.Random(1).shuffle(replies)
    fold_of = {reply: place % FOLDS for place, reply in enumerate(replies)}
    read = 0
    for fold in range(FOLDS):
        points = fit.points([row for row, (reply, *_) in enumerate(rows) if fold_of[reply] != fold])
        read += sum(fit.is_read(row, points) for row, (reply, *_) in enumerate(rows) if fold_of[reply] == fold)
    points = fit.points(range(len(rows)))
    print(
        f"left out of the fit {read}, fitted {sum(fit.is_read(row, points) for row in range(len(rows)))} of {len(rows)}"
    )
    table = dict(
        sorted(zip(fit.names, (round(10 * value) for value in points), strict=True), key=lambda entry: -entry[1])
    )
    table |= {name: value for name, value in EXPECTED.items() if name not in table}
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
