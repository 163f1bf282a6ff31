"""The points of the cues by which the repaired reading of word problems finds the answer in a reply.

Fits them to the written replies of the tests, whose answers were read by people, and to the workings of the embedded
problems without their last line: of all numbers of a reply, and of giving no answer, the one read should be the
likeliest (a softmax over the sums of the cues' points, pulled towards what one would say beforehand). A reply whose
problem is known is fitted with it, and once more without it, for less. Writes the table `number_cue_points.json` and
prints how many replies are read as a person reads them, each left out of the fit, and all.
"""

import json
import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from cue_fit import fitted_points
from numpy.typing import NDArray

from forgetscope.benchmarks.prospective.loads.arithmetic import PROBLEMS, final_number, number_text
from forgetscope.benchmarks.prospective.loads.reading import number_cues
from forgetscope.benchmarks.prospective.loads.reading.stated_number import candidates, marked_values
from forgetscope.benchmarks.prospective.loads.reading.stated_numbers import answering_text

REPLIES = Path(__file__).parent.parent / "tests/benchmarks/prospective/loads/replies/gsm8k.jsonl"
TABLE = Path(number_cues.__file__).with_name("number_cue_points.json")
EXPECTED: dict[str, int] = {
    cue: points
    for points, cues in {
        50: "announced|tells the problem alone",
        30: "answer line + only|answer label|maths label|but after a denial|announced + given",
        35: "is cut off before it concludes",
        25: "is cut off|leaves it open",
        20: "asks for more|after correction|rounds|from one to|a result in whole|is worked out|as answer"
        "|refuses|is all of something else",
        15: "names the question|of the load|last of a list of labels",
        10: "equals|concludes|so|in total|left|final|explained after|settles|unit asked|closest"
        "|is cut off at work|nothing fits"
        "|concludes nothing",
        8: "labelled + made|last in sentence + made of all others|may or must",
        5: "made|variable|announced + no other value",
        -5: "shares no word|general",
        -10: "goes into a later one|asks for a number|explaining alone|tells a difference"
        "|said again - calculates|in a list of labels|in brackets|counts text|remark|time of day"
        "|other unit"
        "|compound|compound end|for example|sentence in brackets",
        -15: "checks|numbered thing|with unknown|equals a given number|foreign|tried|said in the problem|equals + given"
        "|not whole",
        -25: "in what is cut off|checked alone|in the passage cut off",
        -20: "beside the load|operand before|operand after|retells|text part before|text part after|before correction"
        "|announced later|doubted|after the announced|about the reply|in another unit|given|aside"
        "|hypothetical - first with numbers",
        -30: "denied|of something else|denied after|after another question",
        -40: "something else beside the load",
    }.items()
    for cue in cues.split("|")
}
"""What one would say of some cues beforehand, in points."""
FOLDS, EVERY, SEEN = 8, 3, 2
"""Folds; one working in so many is taken; a cue has points if so many numbers have it."""
UNASKED, WORKING = 0.5, 1.2
"""What a reply counts without its problem, and a working, where a reply with its problem counts 1."""

COMPOSED, AFTERMATH = 150, 0.2
"""How many answers are made to go on in either way, and what each counts."""
GOES_ON = (
    "{reply}\n\nQuestion: {question}\nAnswer: {other}",
    "{reply}\n\nQ: {question}\nA: {other}",
    "Answer: {reply}\n\n### Question:\n{question}\n\n### Answer:\n{other}",
    "{reply}\n\nHere is another one: {question} {other}",
    "{reply} {question} {other}",
)
SUPPOSES = (
    "If it were {a} instead, it would be {b}.",
    "With {a} of them it would have been {b}.",
    "For {a} that would make {b}, and for {b} even more.",
    "Had it been {a}, the result would be {b}.",
    "Over {a} weeks this would come to {b}.",
    "That's nearly {b}!",
    "By comparison, {a} would give {b}.",
    "(If there were {a} more, we'd have {b}.)",
    "If you take {a}, you'd get {b}, but that was not the question.",
    "Last year it was {a}, the year before {b}.",
)
CHECKS = (
    "Check: {read} + {a} = {sum} ✓",
    "(Check: {sum} − {a} = {read}; {a} + {read} = {sum}.)",
    "To verify: {sum} - {read} = {a}. That matches the problem.",
    "Let's check: {read} + {a} = {sum}, as it should be.",
    "Verification: {a} + {read} = {sum}, which is correct.",
    "Quick check: {read} and {a} are {sum}. Yes!",
)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A reply, the problem it answers ("" where that is left out), the number a person reads in it, what it counts."""

    reply: str
    question: str
    read: float | None
    worth: float


class Fit:
    """The cues of all numbers of the replies, a matrix a reply, and which of the numbers are the one read."""

    def __init__(self, rows: Collection[Row]) -> None:
        texts = [(row, answering_text(row.reply, row.question)) for row in rows]
        texts = [(row, text) for row, text in texts if not marked_values(text)]
        self.rows = [row for row, _ in texts]
        found = [candidates(text, row.question) for row, text in texts]
        cues = [[*(mention.cues for mention in mentions), none] for mentions, none in found]
        counts = Counter(cue for sets in cues for one in sets for cue in one)
        self.names = sorted(cue for cue, count in counts.items() if count >= SEEN)
        self.matrices: list[Array] = [
            np.array([[name in one for name in self.names] for one in sets], float) for sets in cues
        ]
        self.right: list[Array] = [
            np.array([_is_same(value, row.read) for value in (*(mention.value for mention in mentions), None)], float)
            for row, (mentions, _) in zip(self.rows, found, strict=True)
        ]
        self.expected: Array = np.array([EXPECTED.get(name, 0) / 10 for name in self.names])

    def points(self, rows: Collection[int]) -> Array:
        """What each cue is worth, in tens of points, fitted to some of the replies."""
        rows = [row for row in rows if self.right[row].any()]
        cues, right = [self.matrices[row] for row in rows], [self.right[row] for row in rows]
        fitted: Array = fitted_points(cues, right, [self.rows[row].worth for row in rows], self.expected)
        return fitted

    def is_read(self, row: int, points: Array) -> bool:
        """Whether the number with the most points is the one a person reads."""
        return bool(self.right[row][int((self.matrices[row] @ points).argmax())])


def _is_same(value: float | None, read: float | None) -> bool:
    return value is read if value is None or read is None else abs(value - read) < 1e-6


def training_rows() -> Iterator[Row]:
    """The written replies and some of the workings, with their problems and without."""
    written: list[dict[str, Any]] = [json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()]
    problems = [json.loads(line) for line in PROBLEMS.embedded.read_text(encoding="utf-8").splitlines()][::EVERY]
    for row in written:
        question = row.get("question", "")
        if question:
            yield Row(row["reply"], question, row["parsed"], 1.0)
        yield Row(row["reply"], "", row["parsed"], UNASKED if question else 1.0)
    for row in problems:
        for question in ("", row["question"]):
            yield Row(row["answer"].rpartition("\n####")[0], question, final_number(row["answer"]), WORKING)


def composed(rows: Sequence[Row]) -> Iterator[Row]:
    """Answers that go on: with the next problem, a check, or what answers nothing, which may stand first.

    Also problems told alone, and workings cut off before their last number.
    """
    dice = random.Random(2)
    answers = [row for row in rows if row.question and row.read is not None and len(row.reply) < 400]
    chatter = [row.reply for row in rows if row.question and row.read is None and len(row.reply.split()) > 12]
    for row in dice.sample(answers, COMPOSED):
        other, goes_on = dice.choice(answers), dice.choice(GOES_ON)
        if other.question != row.question:
            reply = goes_on.format(reply=row.reply, question=other.question, other=other.reply)
            yield Row(reply, row.question, row.read, AFTERMATH)
    for after in (SUPPOSES, CHECKS):
        for row in dice.sample(answers, COMPOSED):
            gap, some = dice.choice((" ", "\n\n")), dice.randint(2, 30)
            more, read = dice.randint(10, 400), number_text(float(row.read or 0))
            told = dice.choice(after).format(a=some, b=more, read=read, sum=number_text(float(row.read or 0) + some))
            for question in (row.question, ""):
                yield Row(f"{row.reply}{gap}{told}", question, row.read, AFTERMATH)
    for row in dice.sample(answers, COMPOSED):
        talk = dice.choice(chatter)
        reply = dice.choice((f"{row.reply}\n\n{talk}", f"{talk}\n\n{row.reply}"))
        yield Row(reply, row.question, row.read, AFTERMATH)
    for row in dice.sample(answers, COMPOSED // 3):
        told = row.question.rpartition(". ")[0]
        yield Row(
            dice.choice(('{{"question": "{}."', "{}.", "Problem: {}.")).format(told), row.question, None, AFTERMATH
        )
    workings = [row for row in rows if row.worth == WORKING and row.question]
    for row in dice.sample(workings, COMPOSED):
        lines = row.reply.split("\n")
        whole, cut = lines[: (at := dice.randrange(len(lines)))], lines[at]
        words = cut.partition("=")[0].split(" ")
        begun = "\n".join([*whole, " ".join(words[: dice.randint(2, max(2, len(words) - 1))])])
        if not begun.endswith("."):
            for question in (row.question, ""):
                yield Row(begun, question, None, AFTERMATH)


def main() -> None:
    """Fits, prints how well, writes the table."""
    rows = list(training_rows())
    fit = Fit([*rows, *composed(rows)])
    replies = sorted({row.reply for row in fit.rows})
    random.Random(1).shuffle(replies)
    fold = {reply: place % FOLDS for place, reply in enumerate(replies)}
    everything = range(len(fit.rows))
    read: Counter[tuple[bool, bool]] = Counter()
    for left_out in range(FOLDS):
        points = fit.points([row for row in everything if fold[fit.rows[row].reply] != left_out])
        for row in (row for row in everything if fold[fit.rows[row].reply] == left_out):
            read[bool(fit.rows[row].question), fit.is_read(row, points)] += 1
    points = fit.points(everything)
    for asked in (True, False):
        of_kind = [row for row in everything if bool(fit.rows[row].question) is asked]
        fitted = sum(fit.is_read(row, points) for row in of_kind)
        print(f"{'with' if asked else 'without'} it: left out {read[asked, True]}, fitted {fitted} of {len(of_kind)}")
    table = {name: round(10 * value) for name, value in zip(fit.names, points, strict=True)}
    table = dict(sorted(table.items(), key=lambda entry: -entry[1]))
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
