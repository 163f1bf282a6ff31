"""The rows of the package's pool, in GSM8K's format."""

import json
from pathlib import Path

from forgetscope.stats.streams import named_stream
from tools.arithmetic.generator import generate_problems

POOL = 1080
"""Problems in the pool: four times what one run draws."""

ROWS = Path("src/forgetscope/benchmarks/prospective/data/embedded/arithmetic.jsonl")


def rows_text() -> str:
    """The whole file, always the same: a line of canonical JSON a problem.

    Canonical, so that the file's hash is the one by which runs named these problems while they were still generated.
    """
    problems = generate_problems(POOL, named_stream(0, "embedded arithmetic pool"))
    rows = ({"answer": problem.answer, "question": problem.question} for problem in problems)
    return "".join(json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n" for row in rows)
