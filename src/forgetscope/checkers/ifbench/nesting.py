"""Brackets in brackets and quotations in quotations, for two of IFBench's `format:`."""

from forgetscope.checkers.base import counted
from forgetscope.checkers.ifbench.record import unless
from forgetscope.checkers.record import NoParameters

_NESTED_BRACKETS, _NESTED_QUOTES = 5, 3
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


def brackets_published(_: NoParameters, reply: str) -> str:
    """Five open at once and the innermost of them closed."""
    stack: list[str] = []
    deepest = 0
    for character in reply:
        if character in _CLOSED_BY:
            stack.append(character)
            deepest = max(deepest, len(stack))
        elif character in ")]}":
            if not stack or _CLOSED_BY[stack.pop()] != character:
                stack, deepest = [], 0
            elif deepest >= _NESTED_BRACKETS:
                return ""
    return f"{counted(deepest, 'level')} of brackets, {_NESTED_BRACKETS} asked"


def brackets(_: NoParameters, reply: str) -> str:
    """Five levels, each of them closed."""
    stack: list[tuple[str, int]] = []  # what is open, and how many closed levels stand in it
    deepest = 0
    for character in reply:
        if character in _CLOSED_BY:
            stack.append((character, 0))
        elif character in ")]}":
            if not stack or _CLOSED_BY[stack[-1][0]] != character:
                stack = []
                continue
            levels = stack.pop()[1] + 1
            deepest = max(deepest, levels)
            if stack:
                stack[-1] = (stack[-1][0], max(stack[-1][1], levels))
    holds = deepest >= _NESTED_BRACKETS
    return unless(holds, f"{counted(deepest, 'level')} of brackets closed, {_NESTED_BRACKETS} asked")


def quotes(reply: str) -> str:
    """Three marks open at once, of two kinds in turn, and all three closed."""
    stack: list[str] = []
    deepest = 0
    for character in reply:
        if stack and character == stack[-1]:
            stack.pop()
            if deepest - len(stack) >= _NESTED_QUOTES:
                return ""
        elif character in "\"'":
            stack.append(character)
            deepest = max(deepest, len(stack))
    return f"no {_NESTED_QUOTES} levels of quotation marks that are closed"
