"""The points of the cues by which the repaired reading of factual questions finds the answer among a reply's names.

Fits them to the written replies of the tests, whose answers were read by people: of all names of a reply, and of giving
no answer, one that makes the reply right where it is, or wrong where it is wrong, should be the likeliest (a softmax
over the sums of the cues' points, pulled towards what one would say beforehand). Writes the table
`name_cue_points.json` and prints how many replies are read as a person reads them, each left out of the fit, and all.
"""

import json
import random
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from forgetscope.benchmarks.prospective.loads.reading import name_cues
from forgetscope.benchmarks.prospective.loads.reading.name_mentions import candidates
from forgetscope.benchmarks.prospective.loads.reading.names import names_of, stands_in
from forgetscope.benchmarks.prospective.loads.reading.stated_name import text_of

REPLIES = Path(__file__).parent.parent / "tests/benchmarks/prospective/loads/replies/triviaqa.jsonl"
TABLE = Path(name_cues.__file__).with_name("name_cue_points.json")
EXPECTED = {
    25: "other than, yes follows",
    20: "in answer, ticked",
    15: "bare line, last announced, after turning back, leans, but after a denial, in translation",
    10: "announced, it is, refuses, is the answer",
    5: "own, is, most asked words, led to, asked word follows, asked label, only of its kind, ends clause",
    3: "verbs of giving",
    -5: "fewer asked words, once, other label, announced before, with",
    -10: "other heading, about oneself, my own, question, asked, sentence concedes, came later, role follows,"
    " says role",
    -15: "not in answer, compared, beside, in order, others say, possessive, in small letters, one or the other,"
    " leads to the next, capital after + own, second of two nouns",
    -20: "relation, took back, hyphen before, hyphen after, denied after, first thought",
    -25: "denied, no follows, that other, part of a name",
    -30: "crossed",
}
"""What one would say of a cue beforehand, by points."""
FOLDS, PULL = 6, 0.5
"""Folds; how strongly the points are pulled towards what is expected."""


class Fit:
    def __init__(self, rows: list[dict[str, object]]) -> None:
        self.cues, self.right = [], []
        for row in rows:
            aliases, question = (row["value"], *row["aliases"]), row["question"]
            fresh = {words: alias for words, alias in names_of(aliases).items() if not stands_in(words, question)}
            if not fresh:
                continue
            found, none = candidates(text_of(row["reply"], names_of(aliases)), fresh, question)
            right = [(one.alias is not None) == row["is_right"] for one in found] + [not row["is_right"]]
            if found and any(right):
                self.cues.append([*(one.cues for one in found), none])
                self.right.append(np.array(right, dtype=float))
        self.names = sorted({cue for sets in self.cues for cues in sets for cue in cues})
        expected = {name.strip(): points for points, names in EXPECTED.items() for name in names.split(",")}
        self.expected = np.array([expected.get(name, 0) / 10 for name in self.names])
        self.matrices = [
            np.array([[name in cues for name in self.names] for cues in sets], float) for sets in self.cues
        ]

    def points(self, rows: list[int]) -> np.ndarray:
        matrix = np.concatenate([self.matrices[row] for row in rows])
        right = np.concatenate([self.right[row] for row in rows])
        sizes = [len(self.matrices[row]) for row in rows]
        starts, group = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(rows)), sizes)

        def loss(points: np.ndarray) -> tuple[float, np.ndarray]:
            sums = matrix @ points
            likely = np.exp(sums - np.maximum.reduceat(sums, starts)[group])
            likely /= np.add.reduceat(likely, starts)[group]
            given = np.add.reduceat(likely * right, starts) + 1e-300
            off = points - self.expected
            slope = matrix.T @ (likely - likely * right / given[group]) + PULL * off
            return float(-np.log(given).sum() + PULL * (off**2).sum() / 2), slope

        return minimize(loss, self.expected, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x

    def is_read(self, row: int, points: np.ndarray) -> bool:
        return bool(self.right[row][int((self.matrices[row] @ points).argmax())])


def main() -> None:
    fit = Fit([json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()])
    order = list(range(len(fit.cues)))
    random.Random(1).shuffle(order)
    read = 0
    for fold in range(FOLDS):
        left_out = order[fold::FOLDS]
        points = fit.points(sorted(set(order) - set(left_out)))
        read += sum(fit.is_read(row, points) for row in left_out)
    points = fit.points(order)
    print(f"left out of the fit {read}, fitted {sum(fit.is_read(row, points) for row in order)} of {len(order)}")
    table = {name: round(10 * value) for name, value in zip(fit.names, points, strict=True)}
    table = dict(sorted(table.items(), key=lambda entry: -entry[1]))
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
