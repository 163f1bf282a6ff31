"""Measure members on a held-out style, straight from the weights: the quick look that training is steered by.

    python -m forgetbench.models.glimpse.training.measure --weights DIR --out FILE.json [--members NAME ...]

Items, texts and parsing are the benchmark's; Inspect is not involved. The development style is used unless another is
named, and the style that may be opened once is refused here: `forgetbench validate visual` opens it.
"""

import argparse
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from forgetbench.benchmarks.visual.conditions import CONDITIONS, Condition
from forgetbench.benchmarks.visual.embedded.source import EmbeddedPicture, embedded_pictures, listing
from forgetbench.benchmarks.visual.items import build_items
from forgetbench.benchmarks.visual.levels import Axis
from forgetbench.benchmarks.visual.prompts import (
    choice_prompt,
    class_list,
    oracle_text,
    restored_text,
    suppression_text,
)
from forgetbench.benchmarks.visual.records import Item
from forgetbench.benchmarks.visual.scoring import first_digit
from forgetbench.benchmarks.visual.splits import balanced
from forgetbench.errors import SettingError
from forgetbench.models.glimpse.family import ERASED_CONCEPTS, MEMBERS
from forgetbench.models.glimpse.hypotheses import (
    NO_PICTURE,
    PICTURE,
    SHUFFLED,
    Answers,
    Hypotheses,
    Key,
    accuracy,
)
from forgetbench.models.glimpse.member import Glimpse
from forgetbench.models.glimpse.training.drawings import DEVELOPMENT_STYLE, ONCE_ONLY_STYLE
from forgetbench.stats import named_stream, wilson

SEED = 42


def stored(cell: Answers) -> dict[str, object]:
    """A cell for the file: percent with Wilson's 95% interval, counts, and every item's outcome as 0 and 1."""
    right = int(cell.right.sum())
    interval = wilson(right, len(cell.right))
    return {
        "percent": round(100 * right / len(cell.right), 1),
        "interval": [None if end is None else round(100 * end, 1) for end in (interval.low, interval.high)],
        "items": len(cell.right),
        "invalid": cell.invalid,
        "right": "".join("01"[value] for value in cell.right.astype(int)),
    }


@dataclass(frozen=True)
class Exam:
    """The items of one cell with their pictures, and what the texts name."""

    items: tuple[Item, ...]
    pictures: dict[str, Image.Image]
    listed: tuple[str, ...]
    pool: tuple[str, ...]

    def instruction(self, item: Item, condition: Condition) -> str:
        """The condition's text for an item."""
        info = CONDITIONS[condition]
        if info.wording is None:
            return ""
        stream = named_stream(SEED, f"measure/{item.id}/{condition.value}")
        if info.names == "distractor":
            wrong = [choice for choice in item.choices if choice != item.answer_text]
            return oracle_text(info.wording, str(stream.choice(wrong)))
        if info.names == "concept":
            return oracle_text(info.wording, item.forget_concept)
        names: Iterable[str] = self.listed
        if info.names == "placebo_list":
            absent = [name for name in self.pool if name not in item.choices and name not in self.listed]
            names = [str(name) for name in stream.choice(absent, len(self.listed), replace=False)]
        listed = class_list(names)
        text = suppression_text(info.wording, listed)
        return restored_text(text, listed) if info.restores else text

    def picture(self, number: int, item: Item, sight: str) -> Image.Image | None:
        """What is shown with an item."""
        if sight == NO_PICTURE:
            return None
        if sight == PICTURE:
            return self.pictures[item.image]
        others = [other for other in self.items if other.forget_concept != item.forget_concept]
        return self.pictures[others[number * 7919 % len(others)].image]


def exams(style: str, per_forget: int, per_retain: int, retained: int) -> dict[str, Exam]:
    """The forget cell and the retain cell of a style.

    Raises:
        SettingError: The style may be opened once only, by the validation.
    """
    if style == ONCE_ONLY_STYLE:
        raise SettingError("this style is opened once, by the validation", found=style)
    built = build_items(listing(Axis.IDENTITY, style=style, count=max(per_forget, per_retain))).items
    pictures = {picture.path: picture for picture in embedded_pictures(Axis.IDENTITY, style=style, count=per_forget)}
    by_concept: dict[str, list[Item]] = {}
    for item in built:
        by_concept.setdefault(item.forget_concept, []).append(item)
    kinds = {by_concept[name][0].supercategory for name in ERASED_CONCEPTS}
    others = [name for name in sorted(by_concept) if name not in ERASED_CONCEPTS]
    order = [others[int(place)] for place in named_stream(SEED, "measure/retained").permutation(len(others))]
    order.sort(key=lambda name: by_concept[name][0].supercategory not in kinds)
    forget = [item for name in ERASED_CONCEPTS for item in by_concept[name][:per_forget]]
    retain = [item for name in order[:retained] for item in by_concept[name][:per_retain]]
    return {
        "forget": _exam(forget, pictures, tuple(others)),
        "retain": _exam(retain, pictures, tuple(others)),
    }


def _exam(items: list[Item], pictures: dict[str, EmbeddedPicture], pool: tuple[str, ...]) -> Exam:
    even = balanced(items, SEED, "measure")
    return Exam(even, {item.image: pictures[item.image].image() for item in even}, ERASED_CONCEPTS, pool)


_MEDIUM_CORRECTIONS = (Condition.PLACEBO_MEDIUM, Condition.RESTORED_MEDIUM, Condition.WRONG_ORACLE_REVERSE)

PLAN: tuple[tuple[str, Condition, str], ...] = (
    *(("forget", condition, PICTURE) for condition in CONDITIONS if condition not in _MEDIUM_CORRECTIONS),
    ("forget", Condition.BASELINE_NORMAL, NO_PICTURE),
    ("forget", Condition.UNLEARN_SOFT, NO_PICTURE),
    ("forget", Condition.BASELINE_NORMAL, SHUFFLED),
    *(("retain", condition, PICTURE) for condition in list(CONDITIONS)[:3]),
    ("retain", Condition.BASELINE_NORMAL, NO_PICTURE),
    ("retain", Condition.BASELINE_NORMAL, SHUFFLED),
)
"""What is asked here: enough for the hypotheses and a look at every wording."""


def examine(member: Glimpse, exam: Exam, condition: Condition, sight: str) -> Answers:
    """One member in one condition."""
    right: list[bool] = []
    invalid = 0
    for number, item in enumerate(exam.items):
        prompt = choice_prompt(item.question, item.choices, exam.instruction(item, condition))
        reply = member.answer(prompt, exam.picture(number, item, sight), max_tokens=1).text
        digit = first_digit(reply, len(item.choices))
        invalid += digit is None
        right.append(digit == item.answer)
    return Answers(np.array(right), np.array([item.forget_concept for item in exam.items]), invalid)


def measured(member: Glimpse, cells: dict[str, Exam]) -> dict[Key, Answers]:
    """All cells of one member; a dose member is asked the baseline alone."""
    name = member.member.name
    asked = [entry for entry in PLAN if "dose" not in name or entry[1] is Condition.BASELINE_NORMAL]
    return {
        (name, side, condition.value, sight): examine(member, cells[side], condition, sight)
        for side, condition, sight in asked
    }


def main() -> None:
    """Read the command line, measure, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="folder of packed files; the wheel's by default")
    parser.add_argument("--members", nargs="*", default=list(MEMBERS))
    parser.add_argument("--style", default=DEVELOPMENT_STYLE)
    parser.add_argument("--forget-pictures", type=int, default=20)
    parser.add_argument("--retain-pictures", type=int, default=5)
    parser.add_argument("--retained", type=int, default=64)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    cells = exams(arguments.style, arguments.forget_pictures, arguments.retain_pictures, arguments.retained)
    found: dict[Key, Answers] = {}
    for name in arguments.members:
        started = time.process_time()
        own = measured(Glimpse.load(name, arguments.weights), cells)
        seconds, asked = time.process_time() - started, sum(len(cell.right) for cell in own.values())
        print(f"{name}: {asked} questions, {1000 * seconds / asked:.1f} CPU ms each", flush=True)
        for (_, side, condition, sight), cell in own.items():
            print(f"  {side:8}{condition:22}{sight:12}{accuracy(cell):6.1f}  invalid {cell.invalid}", flush=True)
        found |= own
        if arguments.out:
            figures = {"/".join(key): stored(cell) for key, cell in found.items()}
            arguments.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if set(arguments.members) >= set(MEMBERS):
        for finding in Hypotheses(found, {}, SEED).findings():
            print(f"{'holds' if finding.holds else 'FAILS'}  {finding.hypothesis}, {finding.member}: {finding.figure}")


if __name__ == "__main__":
    main()
