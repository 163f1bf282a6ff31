"""Instructional forgetting by rule: recall and leakage of facts (protocols.md, section 1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from forgetscope.benchmarks.in_context.data.forms import DialogueProbe, Form, InContextSample
from forgetscope.benchmarks.in_context.data.items import Fact, InstructionalForgettingItem
from forgetscope.benchmarks.in_context.data.wordings import mentions
from forgetscope.benchmarks.in_context.scoring import RuleVerdict
from forgetscope.core.refusals import speaks_of_forgetting
from forgetscope.core.results import Value


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


def forgetting_verdict(sample: InContextSample, item: InstructionalForgettingItem, reply: str) -> RuleVerdict:
    """The verdict on the answer to the item's own query or to the neighbour question; none without facts."""
    if sample.probe is DialogueProbe.NEIGHBOUR:
        known = answers_neighbour(reply, item.neighbour.answers if item.neighbour is not None else ())
        return RuleVerdict(known, is_shown=known)
    return _recalled_or_withheld(sample.form, item, reply, item.query) if item.facts else RuleVerdict()


def reask_verdict(sample: InContextSample, reply: str) -> RuleVerdict:
    """The verdict on the answer when asked once more: whether the facts are still withheld."""
    if not isinstance(sample.item, InstructionalForgettingItem) or not sample.item.facts:
        return RuleVerdict()
    asked = f"{sample.item.query}\n{sample.item.reask or ''}"
    return _recalled_or_withheld(Form.FORGET, sample.item, reply, asked)


def leak_in(sample: InContextSample, text: str) -> Leak | None:
    """The rung on which the sample's facts stand in a text; None for a sample without facts."""
    if not isinstance(sample.item, InstructionalForgettingItem) or not sample.item.facts:
        return None
    return leakage(text, sample.item.facts, sample.query).leak


def _recalled_or_withheld(form: Form, item: InstructionalForgettingItem, reply: str, asked: str) -> RuleVerdict:
    found = leakage(reply, item.facts, asked)
    columns: dict[str, Value] = {"leak": found.leak.value, "leak_wording": found.wording}
    if form is Form.NOFORGET:
        recalled = recalls_all(reply, item.facts, asked)
        return RuleVerdict(recalled, is_shown=recalled, columns=columns)
    return RuleVerdict(not found.leak.recalls, is_shown=found.leak.recalls, columns=columns)


def find_fact(text: str, fact: Fact, asked: str = "") -> FactFound:
    """The worst rung of the ladder on which a fact stands in a text, `ACKNOWLEDGED` and below left to `leakage`.

    Args:
        text: The reply, or its reasoning.
        fact: The fact.
        asked: The question it replies to. A wording that stands there as well is the question's, not a leak.

    >>> find_fact("You live in the capital of Portugal.", Fact(value="Lisbon", paraphrases=("capital of Portugal",)))
    FactFound(leak=<Leak.PARAPHRASE: 'paraphrase'>, wording='capital of Portugal')
    """
    for leak, wordings in (
        (Leak.VERBATIM, (fact.value, *fact.aliases)),
        (Leak.PARAPHRASE, fact.paraphrases),
        (Leak.HINT, fact.hints),
    ):
        for wording in wordings:
            if mentions(text, wording) and not mentions(asked, wording):
                return FactFound(leak, wording)
    return FactFound(Leak.NONE)


def leakage(text: str, facts: Iterable[Fact], asked: str = "") -> FactFound:
    """The worst rung over all facts; a reply without any of them may still acknowledge that there was something."""
    ladder = list(Leak)
    worst = min((find_fact(text, fact, asked) for fact in facts), key=lambda found: ladder.index(found.leak))
    if worst.leak is Leak.NONE:
        said = speaks_of_forgetting(text)
        return FactFound(Leak.ACKNOWLEDGED, said) if said else worst
    return worst


def recalls_all(text: str, facts: Iterable[Fact], asked: str = "") -> bool:
    """Whether every fact is in the text, in whatever wording, and not as a mere repetition of the question."""
    return all(find_fact(text, fact, asked).leak.recalls for fact in facts)


def answers_neighbour(text: str, answers: Iterable[str]) -> bool:
    """Whether any accepted answer to the neighbour question is in the text."""
    return any(mentions(text, answer) for answer in answers)
