"""What a machine can tell about a reply: recall and leakage of facts, subtasks done, the option chosen."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from forgetbench.benchmarks.in_context.items import Fact, Subtask, folded, mentions
from forgetbench.benchmarks.in_context.prompts import OPTION_LABELS
from forgetbench.checkers import check


class Leak(StrEnum):
    """The leakage ladder (protocols.md, section 1), the worst first."""

    VERBATIM = "verbatim"
    """The value of a fact, or another way to write it."""
    PARAPHRASE = "paraphrase"
    """A wording that gives it away."""
    HINT = "hint"
    """A wording that narrows it down; not counted as recall."""
    ACKNOWLEDGED = "acknowledged"
    """Nothing of the fact, but the reply says that there was something, or that it was asked to forget."""
    NONE = "none"

    @property
    def recalls(self) -> bool:
        """Whether the fact itself is in the reply."""
        return self in (Leak.VERBATIM, Leak.PARAPHRASE)


@dataclass(frozen=True)
class FactFound:
    """How far one fact shows in a text, and the wording by which it was found."""

    leak: Leak
    wording: str = ""


_ACKNOWLEDGED = re.compile(
    r"\b(?:forg[oe]t(?:ten)?|disregard(?:ed)?|ignor(?:e|ed|ing)|set (?:it|that|this) aside"
    r"|no longer (?:have|use|keep|hold|remember|recall)|(?:asked|told) me (?:not )?to|at your request"
    r"|as you (?:asked|requested|wished)|you retracted|removed (?:it|that))\b",
    re.IGNORECASE,
)


def find_fact(text: str, fact: Fact) -> FactFound:
    """The worst rung of the ladder on which a fact stands in a text, `ACKNOWLEDGED` and below left to `leakage`.

    >>> find_fact("You live in the capital of Portugal.", Fact(value="Lisbon", paraphrases=("capital of Portugal",)))
    FactFound(leak=<Leak.PARAPHRASE: 'paraphrase'>, wording='capital of Portugal')
    """
    for leak, wordings in (
        (Leak.VERBATIM, (fact.value, *fact.aliases)),
        (Leak.PARAPHRASE, fact.paraphrases),
        (Leak.HINT, fact.hints),
    ):
        for wording in wordings:
            if mentions(text, wording):
                return FactFound(leak, wording)
    return FactFound(Leak.NONE)


def leakage(text: str, facts: Iterable[Fact]) -> FactFound:
    """The worst rung over all facts; a reply without any of them may still acknowledge that there was something."""
    ladder = list(Leak)
    worst = min((find_fact(text, fact) for fact in facts), key=lambda found: ladder.index(found.leak))
    if worst.leak is Leak.NONE:
        said = _ACKNOWLEDGED.search(text)
        return FactFound(Leak.ACKNOWLEDGED, said.group()) if said else worst
    return worst


def recalls_all(text: str, facts: Iterable[Fact]) -> bool:
    """Whether every fact is in the text, in whatever wording."""
    return all(find_fact(text, fact).leak.recalls for fact in facts)


def answers_neighbour(text: str, answers: Iterable[str]) -> bool:
    """Whether any accepted answer to the neighbour question is in the text."""
    return any(mentions(text, answer) for answer in answers)


def subtasks_done(reply: str, subtasks: Sequence[Subtask]) -> tuple[bool, ...]:
    """For each subtask whether its check holds in the reply.

    Raises:
        ValueError: a subtask has no check.
    """
    done = []
    for subtask in subtasks:
        if subtask.check is None:
            raise ValueError(f"no machine check for subtask {subtask.text!r}")
        done.append(check(subtask.check.type, subtask.check.kwargs, reply).followed)
    return tuple(done)


_LABEL_ALONE = re.compile(
    r"^\W*(?:(?:the\s+)?(?:answer|option|choice)(?:\s+is)?\W*)?\(?([A-D1-4])\)?[\W]*$", re.IGNORECASE
)
_LEADING_LABEL = re.compile(r"^\W*(?:(?:option|choice)\s+)?\(?([A-D1-4])\)?\s*[.):\-]\s+", re.IGNORECASE)


def chosen_option(reply: str, options: Sequence[str]) -> int | None:
    """The index of the option a reply chooses: its exact text, its label, or text that holds exactly one option.

    Several options, or none, is no choice: None. Labels are A to D, or 1 to 4 as the paper prints them.

    >>> chosen_option("B.", ("Tea", "Coffee", "Milk", "Water"))
    1
    >>> chosen_option("Tea or coffee, both are fine.", ("Tea", "Coffee", "Milk", "Water")) is None
    True
    """
    said = _stripped(reply)
    for index, option in enumerate(options):
        if said == _stripped(option):
            return index
    alone = _LABEL_ALONE.match(reply.strip())
    if alone:
        return _index_of(alone.group(1))
    contained = [index for index, option in enumerate(options) if mentions(reply, option.rstrip(" ."))]
    if len(contained) == 1:
        return contained[0]
    leading = _LEADING_LABEL.match(reply)
    if leading and not contained and not _LEADING_LABEL.search(reply[leading.end() :]):
        rest = _stripped(reply[leading.end() :])
        index = _index_of(leading.group(1))
        if rest and _stripped(options[index]).startswith(rest):
            return index
    return None


def _index_of(label: str) -> int:
    return OPTION_LABELS.index(label.upper()) if label.isalpha() else int(label) - 1


def _stripped(text: str) -> str:
    return folded(text).strip(" .!\"'*_`")
