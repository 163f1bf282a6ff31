"""An items file in, its prompts out: `forgetscope visual prompts`."""

import json
from collections.abc import Sequence
from pathlib import Path

from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, Condition, OracleTarget, parse_condition
from forgetscope.benchmarks.visual.data.records import MOST_CHOICES
from forgetscope.benchmarks.visual.prompts import PHRASINGS, choice_prompt, class_list, instruction_text
from forgetscope.benchmarks.visual.splits.item_files import PromptRow, read_prompt_rows
from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from forgetscope.io.files import require_apart, write_text

PROMPT_CONDITIONS = tuple(
    condition for condition, info in CONDITIONS.items() if info.names in ("nothing", "forget_list", "concept")
)
"""Conditions whose text follows from the row and the forget list; the others draw something for each item."""


def write_prompts(
    items: Path,
    out: Path,
    *,
    condition: str,
    oracle_target: str = "concept",
    phrasing: int = 0,
    forget: Sequence[str] | None = None,
) -> int:
    """Write the prompt of every row under one condition; gives how many.

    The forget list is that of the rows to be forgotten (all that name a forget concept and do not say `"side":
    "retain"`), sorted, or the one given. Other rows get no oracle text: there they reuse the baseline, as in the paper.

    Raises:
        UnknownNameError: no such condition or target.
        SettingError: a condition that needs whole items, or no such phrasing.
        DataError: a row does not fit.
    """
    chosen = _prompt_condition(condition)
    if oracle_target not in [*OracleTarget]:
        raise UnknownNameError("no such target", where="--oracle-target", found=oracle_target, allowed=[*OracleTarget])
    if not 0 <= phrasing < PHRASINGS:
        raise SettingError("no such phrasing", where="--phrasing", found=phrasing, allowed=f"0 to {PHRASINGS - 1}")
    require_apart(out, [items])
    rows = read_prompt_rows(items)
    for number, row in enumerate(rows, start=1):
        if not 2 <= len(row.choices) <= MOST_CHOICES:
            raise DataError(f"2 to {MOST_CHOICES} choices", where=f"{items}, row {number}", found=len(row.choices))
    listed = class_list(forget or [row.forget_concept for row in rows if row.is_forgotten])
    if CONDITIONS[chosen].names == "forget_list" and not listed:
        raise SettingError("there is no forget concept to list", where="--forget", found=str(items))
    prompts = [row_prompt(row, chosen, listed, OracleTarget(oracle_target), phrasing) for row in rows]
    write_text(out, "".join(json.dumps({"prompt": prompt}, ensure_ascii=False) + "\n" for prompt in prompts))
    return len(prompts)


def row_prompt(row: PromptRow, condition: Condition, listed: str, target: OracleTarget, phrasing: int = 0) -> str:
    """The prompt of one row under a condition."""
    is_oracle = CONDITIONS[condition].names_the_answer
    named = row.class_name if target is OracleTarget.CLASS else row.forget_concept
    said = (
        ""
        if is_oracle and not row.is_forgotten
        else instruction_text(condition, listed=listed, target=named if is_oracle else "", phrasing=phrasing)
    )
    return choice_prompt(row.question, row.choices, said)


def _prompt_condition(name: str) -> Condition:
    condition = parse_condition(name)
    if condition not in PROMPT_CONDITIONS:
        raise SettingError(
            "this condition draws something for each item of a split",
            where="--condition",
            found=condition.value,
            allowed=PROMPT_CONDITIONS,
            next_step="forgetscope visual build writes its samples to controls.jsonl",
        )
    return condition
