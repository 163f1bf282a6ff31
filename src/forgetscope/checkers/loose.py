"""IFEval's loose reading: eight variants of a reply, any of which may follow."""

from dataclasses import dataclass

from forgetscope.checkers.base import FOLLOWED, Behaviour, Verdict
from forgetscope.checkers.schema import PromptSpec


@dataclass(frozen=True, slots=True)
class PromptVerdict:
    """The verdicts on one reply, in the order of the prompt's instructions.

    Attributes:
        strict: On the reply as it is.
        loose: Followed when any of the eight variants follows; otherwise the strict verdict, so that its span
            points into the reply as it is.
    """

    strict: tuple[Verdict, ...]
    loose: tuple[Verdict, ...]

    @property
    def followed_strict(self) -> bool:
        """All instructions hold, strictly."""
        return all(verdict.followed for verdict in self.strict)

    @property
    def followed_loose(self) -> bool:
        """Each instruction holds in some variant, not necessarily the same one."""
        return all(verdict.followed for verdict in self.loose)


def loose_variants(reply: str) -> tuple[str, ...]:
    """The eight variants: as it is, without its first line, its last, both; each with and without asterisks.

    IFEval's own list and order (the paper's Appendix B.3 describes others; we follow IFEval). Lines end at `\\n` only;
    a variant that lost a line is also stripped of outer blanks.
    """
    lines = reply.split("\n")
    without_first = "\n".join(lines[1:]).strip()
    without_last = "\n".join(lines[:-1]).strip()
    without_both = "\n".join(lines[1:-1]).strip()
    return (
        reply,
        reply.replace("*", ""),
        without_first,
        without_last,
        without_both,
        without_first.replace("*", ""),
        without_last.replace("*", ""),
        without_both.replace("*", ""),
    )


def check_prompt(spec: PromptSpec, reply: str, *, behaviour: Behaviour = Behaviour.REFERENCE) -> PromptVerdict:
    """The strict and the loose verdict on every instruction of a prompt."""
    checkers = spec.checkers()
    strict = tuple(check(reply, behaviour) for check in checkers)
    # Variants that came out alike are looked at once.
    others = [variant for variant in dict.fromkeys(loose_variants(reply)) if variant != reply and variant.strip()]
    loose = tuple(
        FOLLOWED if verdict.followed or any(check(variant, behaviour).followed for variant in others) else verdict
        for check, verdict in zip(checkers, strict, strict=True)
    )
    return PromptVerdict(strict, loose)
