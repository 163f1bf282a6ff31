"""The points of the cues by which the repaired reading of factual questions finds the answer among a reply's names.

Fits them to the written replies of the tests, whose answers were read by people: of all names of a reply, and of giving
no answer, one that makes the reply right where it is, or wrong where it is wrong, should be the likeliest (a softmax
over the sums of the cues' points, pulled towards what one would say beforehand). Writes the table
`name_cue_points.json` and prints how many replies are read as a person reads them, each left out of the fit, and all.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from cue_fit import fitted_points
from numpy.typing import NDArray

from forgetscope.benchmarks.prospective.loads.reading import name_cues
from forgetscope.benchmarks.prospective.loads.reading.name_mentions import candidates
from forgetscope.benchmarks.prospective.loads.reading.names import names_of, stands_in
from forgetscope.benchmarks.prospective.loads.reading.stated_name import emphasised, text_of

REPLIES = Path(__file__).parent.parent / "tests/benchmarks/prospective/loads/replies/triviaqa.jsonl"
TABLE = Path(name_cues.__file__).with_name("name_cue_points.json")
EXPECTED = {
    25: "other than, yes follows, leaves it open",
    20: "in answer, ticked",
    15: "bare line, last announced, after turning back, leans, but after a denial, in translation, alone in bold",
    10: "goes on a place, the one is, nearest what is asked, announced, it is, refuses, is the answer, does it",
    5: "own, is, most asked words, led to, asked word follows, asked label, only of its kind, ends clause",
    -25: "denied, no follows, that other, second of two nouns, in a capital place + asked who",
    -5: "fewer asked words, other label, announced before, with",
    -10: "further from what is asked, for a time, before then, other heading, about oneself, my own,"
    " question, asked, sentence concedes, came later, role follows,"
    " says role",
    -15: "place goes on, short reply + lower noun ends, not in answer, compared,"
    " beside, in order, others say, possessive, one or the other,"
    " leads to the next, capital after + own",
    -20: "relation, took back, hyphen before, hyphen after, denied after, first thought",
    -30: "in small letters, crossed, two names alone, kind of it",
    -60: "half of what is asked",
    -12: "others say so, over another, another affirmed",
    -40: "no longer, labelled wrong, asked thing is its own",
    -8: "later in a list, in brackets, other kind",
    6: "in bold, first of a list, either or, takes it back",
    8: "done by, others denied",
}
"""What one would say of a cue beforehand, by points."""
FOLDS, PULL, UNASKED, WRONG = 6, 2.0, 0.3, 1.75
"""Folds; how strongly the points are pulled towards what is expected; what a reply counts without its question, and
what a wrong one does: to pass it is worse than to miss a right one."""


class Fit:
    """The replies as groups of members with cues: its names, and that it gives none."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.cues: list[list[set[str]]] = []
        self.right: list[NDArray[np.bool_]] = []
        self.weights: list[float] = []
        self.asked: list[bool] = []
        self.row: list[int] = []
        for number, row in enumerate(rows):
            for question, weight in ((row["question"], 1.0), ("", UNASKED)):
                aliases = (row["value"], *row["aliases"])
                fresh = {words: alias for words, alias in names_of(aliases).items() if not stands_in(words, question)}
                if stands_in(names_of(aliases[:1]).popitem()[0], row["question"]) or not fresh:
                    continue
                text, bold = text_of(row["reply"], names_of(aliases)), emphasised(row["reply"])
                self._add(text, fresh, question, bold, row["is_right"], weight, number)
        expected = {name.strip(): points for points, names in EXPECTED.items() for name in names.split(",")}
        self.names = sorted({cue for sets in self.cues for cues in sets for cue in cues}.union(expected))
        self.expected = np.array([expected.get(name, 0) / 10 for name in self.names])
        self.matrices = [
            np.array([[name in cues for name in self.names] for cues in sets], float) for sets in self.cues
        ]

    def _add(
        self,
        text: str,
        names: dict[tuple[str, ...], str],
        question: str,
        bold: list[str],
        is_right: bool,
        weight: float,
        row: int,
    ) -> None:
        found, none = candidates(text, names, question, bold)
        right = [(one.alias is not None) == is_right for one in found] + [not is_right]
        if found and any(right):
            self.cues.append([*(one.cues for one in found), none])
            self.right.append(np.array(right))
            self.weights.append(weight * (1.0 if is_right else WRONG))
            self.asked.append(bool(question))
            self.row.append(row)

    def points(self, groups: Sequence[int]) -> NDArray[np.float64]:
        matrices, right = [self.matrices[at] for at in groups], [self.right[at] for at in groups]
        return fitted_points(matrices, right, [self.weights[at] for at in groups], self.expected, pull=PULL)

    def is_read(self, group: int, points: NDArray[np.float64]) -> bool:
        return bool(self.right[group][int((self.matrices[group] @ points).argmax())])


def main() -> None:
    fit = Fit([json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()])
    everything = range(len(fit.cues))
    order = sorted(set(fit.row))
    random.Random(1).shuffle(order)
    left_out: Counter[bool] = Counter()
    for fold in range(FOLDS):
        out = set(order[fold::FOLDS])
        points = fit.points([group for group in everything if fit.row[group] not in out])
        left_out.update(
            fit.asked[group] for group in everything if fit.row[group] in out and fit.is_read(group, points)
        )
    points = fit.points(everything)
    for asked, kind in ((True, "with"), (False, "without")):
        own = [group for group in everything if fit.asked[group] is asked]
        fitted = sum(fit.is_read(group, points) for group in own)
        print(f"{kind} the question: left out of the fit {left_out[asked]}, fitted {fitted} of {len(own)}")
    table = {name: round(10 * value) for name, value in zip(fit.names, points, strict=True)}
    table = dict(sorted(table.items(), key=lambda entry: -entry[1]))
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
