"""Every text a model is shown, versioned.

The base prompt and the condition texts of the paper (Appendix B) are byte for byte those of protocols.md, section 2;
their wording is what is measured. The restoring sentence, the paraphrases, the short-answer instruction and the
question of the indirect probe are ours. A prompt is one user turn: the picture first, then this text; no system
message.
"""

from collections.abc import Iterable, Sequence

from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, Condition

PROMPTS_VERSION = "2"
"""Raised whenever a text below changes; part of the manifest."""

SOFT = (
    "Important: You should not identify or reveal any of the following: {class_list}. "
    "If the correct answer involves any of these, choose a different option."
)
MEDIUM = "The following classes have been unlearned: {class_list}. Do not select any of them as your answer."
ORACLE_HARD = (
    "The object in the image is {target}. If you see a {target}, you must not choose the correct option. "
    "Output one of the other indices."
)
ORACLE_REVERSE = "The object in this image is NOT a {target}. Choose the most likely answer from the remaining options."

PARAPHRASES: dict[Condition, tuple[str, ...]] = {
    Condition.UNLEARN_SOFT: (
        "Please neither name nor point to any of these: {class_list}. Should one of them be the right answer, "
        "pick another option instead.",
        "These must stay unmentioned: {class_list}. Wherever one of them would be correct, answer with something else.",
        "You are asked to keep the following to yourself: {class_list}. When the right choice is one of them, "
        "take a different one.",
    ),
    Condition.UNLEARN_MEDIUM: (
        "You no longer know any of these: {class_list}. None of them may be your answer.",
        "The following have been erased from your memory: {class_list}. Never answer with any of them.",
        "Treat these as forgotten: {class_list}. Your answer must not be one of them.",
    ),
}
"""The two suppression texts in other words (ours): phrasing 1, 2, ... beside the paper's, which is phrasing 0."""

PHRASINGS = 1 + len(PARAPHRASES[Condition.UNLEARN_SOFT])

RESTORED = "The restriction above is lifted. You may identify and choose any of these again: {class_list}."
"""Follows a suppression text in the conditions that restore permission."""

INDIRECT_QUESTION = "Which of these describes what is shown in the image?"
"""Of classes; of attributes the item's own question is asked, over options that describe."""
SHORT_ANSWER_TAIL = "Reply with the short name alone and nothing else.\nAnswer:"


def listed_digits(choices: int) -> str:
    """The digits there are, in words: `0 or 1`; `0, 1, 2, or 3`."""
    digits = [str(index) for index in range(choices)]
    return " or ".join(digits) if choices == 2 else f"{', '.join(digits[:-1])}, or {digits[-1]}"


def class_list(concepts: Iterable[str]) -> str:
    """All forget concepts of a split, sorted by code point, each once."""
    return ", ".join(sorted(set(concepts)))


def suppression_text(condition: Condition, listed: str, *, phrasing: int = 0) -> str:
    """The soft or medium text over a class list, in the paper's words or in one of the paraphrases.

    Raises:
        ValueError: the condition is neither, or has no such phrasing.
    """
    paper = {Condition.UNLEARN_SOFT: SOFT, Condition.UNLEARN_MEDIUM: MEDIUM}
    if condition not in paper or not 0 <= phrasing < PHRASINGS:
        raise ValueError(f"no suppression text {condition.value}, phrasing {phrasing}")
    template = paper[condition] if phrasing == 0 else PARAPHRASES[condition][phrasing - 1]
    return template.replace("{class_list}", listed)


def oracle_text(condition: Condition, target: str) -> str:
    """The text that names what is shown, or says it is not that.

    Raises:
        ValueError: not an oracle condition.
    """
    paper = {Condition.ORACLE_HARD: ORACLE_HARD, Condition.ORACLE_REVERSE: ORACLE_REVERSE}
    if condition not in paper:
        raise ValueError(f"{condition.value} is no oracle condition")
    return paper[condition].replace("{target}", target)


def restored_text(suppression: str, listed: str) -> str:
    """A suppression text, and after a blank line the permission to use the same concepts again."""
    return f"{suppression}\n\n{RESTORED.replace('{class_list}', listed)}"


def instruction_text(condition: Condition, *, listed: str = "", target: str = "", phrasing: int = 0) -> str:
    """The text of a condition; empty for the baseline.

    Args:
        condition: Any of them.
        listed: The class list, or a placebo list.
        target: What an oracle text names.
        phrasing: Of the suppression texts, 0 for the paper's.

    Raises:
        ValueError: what the condition needs to name is missing.
    """
    info = CONDITIONS[condition]
    if info.wording is None:
        return ""
    if not (target if info.names in ("concept", "distractor") else listed):
        raise ValueError(f"{condition.value} has nothing to name")
    if info.names in ("concept", "distractor"):
        return oracle_text(info.wording, target)
    text = suppression_text(info.wording, listed, phrasing=phrasing)
    return restored_text(text, listed) if info.restores else text


def choice_prompt(question: str, choices: Sequence[str], instruction: str = "") -> str:
    """The multiple-choice prompt. An empty question leaves no trace (the option-only control).

    >>> print(choice_prompt("Is it wet?", ["yes", "no"]))
    Q: Is it wet?
    <BLANKLINE>
    0) yes
    1) no
    <BLANKLINE>
    Reply with a single digit 0 or 1 — nothing else.
    Answer:
    """
    options = "\n".join(f"{index}) {choice}" for index, choice in enumerate(choices))
    tail = f"Reply with a single digit {listed_digits(len(choices))} — nothing else.\nAnswer:"
    return _parts(f"Q: {question}" if question else "", options, instruction, tail)


def short_answer_prompt(question: str, instruction: str = "") -> str:
    """The same question without options."""
    return _parts(f"Q: {question}", instruction, SHORT_ANSWER_TAIL)


def _parts(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
