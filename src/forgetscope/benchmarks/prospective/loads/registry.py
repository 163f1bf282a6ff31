"""All loads by name, in the paper's order of operational load."""

import functools
from typing import Any

from forgetscope.benchmarks.prospective.loads.load import LoadContent, LoadTask, Pool, TaskVerdict
from forgetscope.core.registry import Registry

_ROOM = "forgetscope.benchmarks.prospective.loads"
_OURS = {
    "triviaqa": f"{_ROOM}.trivia:TRIVIAQA",
    "mmlu": f"{_ROOM}.choice:MMLU",
    "gsm8k_x1": f"{_ROOM}.arithmetic:GSM8K_X1",
    "gsm8k_x3": f"{_ROOM}.arithmetic:GSM8K_X3",
    "gsm8k_x5": f"{_ROOM}.arithmetic:GSM8K_X5",
    "cnn_dailymail": f"{_ROOM}.summary:CNN_DAILYMAIL",
}

LOADS: Registry[LoadTask[Any]] = Registry("load", "forgetscope.loads", _OURS, LoadTask)
PAPER_LOADS = tuple(_OURS)
"""What `--loads all` means; others are run when they are named."""


def pools(loads: tuple[str, ...] = PAPER_LOADS) -> dict[str, Pool[Any]]:
    """The pools of these loads, by name."""
    found = [LOADS[name].pool for name in dict.fromkeys(loads)]
    return {pool.name: pool for pool in found}


@functools.lru_cache(maxsize=128)  # a fresh sample is scored for the log, then for the table
def score_task(content: LoadContent, reply: str, *, prompt: str) -> TaskVerdict:
    """Both verdicts on a reply; `prompt` is removed where the reply echoes it (repaired scorers only)."""
    return LOADS[content.load].score(content, reply, prompt)
