"""The points of the cues by which the repaired reading of word problems finds the answer in a reply.

Fits them to the written replies of the tests, whose answers were read by people, and to the workings of the embedded
problems without their last line: of all numbers of a reply, and of giving no answer, the one read should be the
likeliest (a softmax over the sums of the cues' points, pulled towards what one would say beforehand). Writes the table
`number_cue_points.json` and prints how many replies are read as a person reads them, each left out of the fit, and all.
"""

import json
import random
from pathlib import Path

import numpy as np
from cue_fit import fitted_points

from forgetscope.benchmarks.prospective.loads.arithmetic import PROBLEMS, final_number
from forgetscope.benchmarks.prospective.loads.reading import number_cues
from forgetscope.benchmarks.prospective.loads.reading.stated_number import candidates, marked_values
from forgetscope.benchmarks.prospective.loads.reading.stated_numbers import text_of

REPLIES = Path(__file__).parent.parent / "tests/benchmarks/prospective/loads/replies/gsm8k.jsonl"
TABLE = Path(number_cues.__file__).with_name("number_cue_points.json")
EXPECTED = {
    **{
        "announced": 40,
        "answer label": 30,
        "maths label": 30,
        "after correction": 20,
        "but after a denial": 30,
        "rounds": 20,
        "from one to": 20,
        "a result in whole": 20,
        "may or must": 8,
        "is worked out": 20,
    },
    **{
        "equals": 10,
        "of the load": 15,
        "beside the load": -20,
        "something else beside the load": -40,
        "concludes": 10,
        "so": 10,
        "in total": 10,
        "left": 10,
        "final": 10,
    },
    **{"last of a list of labels": 15, "explained after": 10, "made": 5, "variable": 5, "like a verb": 4},
    **{"denied": -30, "of something else": -30, "denied after": -30, "operand before": -20, "operand after": -20},
    **{
        "retells": -20,
        "text part before": -20,
        "text part after": -20,
        "before correction": -20,
        "announced later": -20,
    },
    **{
        "doubted": -20,
        "after the announced": -20,
        "checks": -15,
        "about the reply": -20,
        "in another unit": -20,
        "numbered thing": -15,
        "with unknown": -15,
    },
    **{"equals a given number": -15, "in a list of labels": -10, "said again - calculates": -10, "in brackets": -10},
    **{"counts text": -10, "remark": -10, "time of day": -10, "shares no word": -5, "general": -5, "not whole": -4},
    **{
        "refuses": 20,
        "is all of something else": 20,
        "is cut off": 10,
        "ends in mid-sentence": 20,
        "concludes nothing": 10,
    },
}
"""What one would say of a cue beforehand, in points."""
FOLDS, EVERY, WORTH = 8, 7, 0.3
"""Folds; one working in so many is taken, and counts so much."""


class Fit:
    def __init__(self, rows: list[tuple[str, float | None, float]], names: list[str]) -> None:
        self.rows = [row for row in rows if not marked_values(text_of(row[0]))]
        self.names = names
        self.matrices, self.right = [], []
        for reply, read, _ in self.rows:
            found, none = candidates(text_of(reply))
            sets = [*(mention.cues for mention in found), none]
            values = [*(mention.value for mention in found), None]
            self.matrices.append(np.array([[name in cues for name in names] for cues in sets], dtype=float))
            self.right.append(
                np.array(
                    [value is read or (None not in (value, read) and abs(value - read) < 1e-6) for value in values]
                )
            )
        self.expected = np.array([EXPECTED.get(name, 0) / 10 for name in names])

    def points(self, rows: list[int]) -> np.ndarray:
        rows = [row for row in rows if self.right[row].any()]
        cues, right = [self.matrices[row] for row in rows], [self.right[row] for row in rows]
        return fitted_points(cues, right, [self.rows[row][2] for row in rows], self.expected)

    def is_read(self, row: int, points: np.ndarray) -> bool:
        return bool(self.right[row][int((self.matrices[row] @ points).argmax())])


def training_rows() -> list[tuple[str, float | None, float]]:
    """Replies, the number a person reads in each, and what it counts."""
    written = [json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()]
    answers = [json.loads(line)["answer"] for line in PROBLEMS.embedded.read_text(encoding="utf-8").splitlines()]
    return [
        *((row["reply"], row["parsed"], 1.0) for row in written),
        *((answer.rpartition("\n####")[0], final_number(answer), WORTH) for answer in answers[::EVERY]),
    ]


def main() -> None:
    fit = Fit(training_rows(), sorted(number_cues.POINTS))
    order = list(range(len(fit.rows)))
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
