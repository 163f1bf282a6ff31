"""Measure members on the development drawings, straight from the weights: the look that training is steered by.

    python -m tools.glimpse.measure --weights DIR --out FILE.json [--members NAME ...]

The samples, texts and scoring are those of the validation (`benchmarks.visual.family`), without verdicts. The style
that may be opened once is refused here: `forgetscope validate visual` opens it.
"""

import argparse
import json
import time
from pathlib import Path

from forgetscope.benchmarks.visual.embedded.source import EMOJI_STYLE
from forgetscope.benchmarks.visual.family.answering import answered, asked_members, cells
from forgetscope.benchmarks.visual.family.examination import QUICK, SEED, Sizes, examination
from forgetscope.models.glimpse.family import MEMBERS
from forgetscope.models.glimpse.hypotheses import CellAnswers, Hypotheses, Key, accuracy
from forgetscope.models.glimpse.member import Glimpse
from forgetscope.stats import wilson


def stored(cell: CellAnswers) -> dict[str, object]:
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


def main() -> None:
    """Read the command line, measure, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="folder of packed files; the wheel's by default")
    parser.add_argument("--members", nargs="*", default=list(MEMBERS))
    parser.add_argument("--style", default=EMOJI_STYLE)
    parser.add_argument("--forget-pictures", type=int, default=QUICK.forget)
    parser.add_argument("--retain-pictures", type=int, default=QUICK.retain)
    parser.add_argument("--retained", type=int, default=QUICK.retained)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    sizes = Sizes(arguments.forget_pictures, arguments.retain_pictures, arguments.retained)
    exam = examination(arguments.style, sizes)
    found: dict[Key, CellAnswers] = {}
    for name in asked_members(arguments.members):
        started = time.process_time()
        table = answered(Glimpse.load(name, arguments.weights), exam)
        seconds = time.process_time() - started
        print(f"{name}: {table.height} questions, {1000 * seconds / table.height:.1f} CPU ms each", flush=True)
        own = cells(table)
        for (_, side, condition, sight), cell in own.items():
            print(f"  {side:8}{condition:22}{sight:12}{accuracy(cell):6.1f}  invalid {cell.invalid}", flush=True)
        found |= own
        if arguments.out:
            figures = {"/".join(key): stored(cell) for key, cell in found.items()}
            arguments.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if {key[0] for key in found} >= set(MEMBERS):
        for one in Hypotheses(found, {}, SEED).findings():
            print(f"{'holds' if one.holds else 'FAILS'}  {one.hypothesis}, {one.member}: {one.figure} ({one.limit})")


if __name__ == "__main__":
    main()
