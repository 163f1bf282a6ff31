"""The retain side by entanglement: low, high and all of it, what of it the KL term sees, and the questions about it.

A subset decides the KL data only; every cell is evaluated on the questions of low and high and on world facts
(protocols, section 4). Some chunks of both are held back from every KL term, so that damage to what was trained on
can be told from damage to what was not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.unlearning.data.records import Chunk, Question, QuestionSet, RetainSubset
from forgetscope.benchmarks.unlearning.entanglement.measures import Entanglement
from forgetscope.core.errors import SettingError
from forgetscope.stats.streams import named_stream


class RetainSettings(BaseModel):
    """How the retain side is split.

    Attributes:
        threshold: Chunks at or below it are low: the median of the scores, or a value.
        held_back: Share of the low and of the high chunks that no KL term sees.
        match_tokens: Cut every subset down to the tokens of the smallest, by a seeded draw: `original` has about twice
            the data otherwise.
        seed: Of the draws.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    threshold: Literal["median"] | float = "median"
    held_back: float = Field(default=0.25, ge=0, lt=1)
    match_tokens: bool = False
    seed: int = Field(default=0, ge=0)


@dataclass(frozen=True)
class RetainPlan:
    """Which retain chunks are low and high, and which each KL term sees.

    Attributes:
        threshold: The score up to which a chunk is low.
        low, high: All chunks of the subset, held back or not; what questions are assigned by.
        undefined: Chunks without a score: part of `original` only.
        kl: The chunks the KL term sees, by subset.
        tokens: Unique tokens of these, as the chunks' tokenizer counts them.
    """

    threshold: float
    low: tuple[str, ...]
    high: tuple[str, ...]
    undefined: tuple[str, ...]
    kl: Mapping[RetainSubset, tuple[str, ...]]
    tokens: Mapping[RetainSubset, int]

    @property
    def held_back(self) -> tuple[str, ...]:
        """Chunks of low and high that are in no KL term at all."""
        seen = {name for names in self.kl.values() for name in names}
        return tuple(name for name in (*self.low, *self.high) if name not in seen)


def plan_retain(
    chunks: Sequence[Chunk], entanglement: Entanglement, settings: RetainSettings | None = None
) -> RetainPlan:
    """The retain chunks split at the threshold, with what each KL term sees.

    Args:
        chunks: All retain chunks.
        entanglement: Their scores.
        settings: Where to split, and what to hold back.

    Raises:
        SettingError: all scores are equal, none is defined, or one of the subsets is empty.
    """
    settings = settings or RetainSettings()
    scores = entanglement.defined
    threshold = _threshold(scores, settings)
    low = tuple(chunk.id for chunk in chunks if chunk.id in scores and scores[chunk.id] <= threshold)
    high = tuple(chunk.id for chunk in chunks if chunk.id in scores and scores[chunk.id] > threshold)
    for name, found in (("low", low), ("high", high)):
        if not found:
            raise SettingError(
                f"no retain chunk is of {name} entanglement",
                where="data.retain.threshold",
                found=settings.threshold,
                allowed=f"a value from {min(scores.values()):.3f} to below {max(scores.values()):.3f}, or median",
            )
    back = {name for found in (low, high) for name in _held_back(found, settings)}
    kl = {
        RetainSubset.LOW: tuple(name for name in low if name not in back),
        RetainSubset.HIGH: tuple(name for name in high if name not in back),
        RetainSubset.ORIGINAL: tuple(chunk.id for chunk in chunks if chunk.id not in back),
    }
    sizes = {chunk.id: chunk.tokens for chunk in chunks}
    if settings.match_tokens:
        kl = match_retain_tokens(kl, sizes, seed=settings.seed)
    return RetainPlan(
        threshold=threshold,
        low=low,
        high=high,
        undefined=tuple(chunk.id for chunk in chunks if chunk.id not in scores),
        kl=kl,
        tokens={subset: sum(sizes[name] for name in names) for subset, names in kl.items()},
    )


def match_retain_tokens(
    subsets: Mapping[RetainSubset, Sequence[str]], tokens: Mapping[str, int], *, seed: int
) -> dict[RetainSubset, tuple[str, ...]]:
    """Subsets of about as many tokens as the smallest has: whole chunks in a seeded order while they fit, at least one.

    Args:
        subsets: Chunk ids by subset.
        tokens: Of each chunk.
        seed: Of the order.
    """
    target = min(sum(tokens[name] for name in names) for names in subsets.values())
    return {subset: _within(names, tokens, target, f"{subset}", seed) for subset, names in subsets.items()}


def _within(names: Sequence[str], tokens: Mapping[str, int], target: int, purpose: str, seed: int) -> tuple[str, ...]:
    order = named_stream(seed, f"match retain tokens {purpose}").permutation(len(names))
    chosen: set[str] = set()
    left = target
    for index in order:
        name = names[int(index)]
        if tokens[name] <= left or not chosen:
            chosen.add(name)
            left -= tokens[name]
    return tuple(name for name in names if name in chosen)


def _threshold(scores: Mapping[str, float], settings: RetainSettings) -> float:
    if not scores:
        raise SettingError(
            "no retain chunk has an entanglement score",
            where="data.measure",
            next_step="another data.extractor, or data.measure: text",
        )
    if len(set(scores.values())) == 1:
        raise SettingError(
            f"all {len(scores)} retain chunks are equally entangled with the forget side: there is no low and high",
            where="data.measure",
            found=next(iter(scores.values())),
            next_step="match entities by alias (data.matching), or data.measure: relations or text",
        )
    return float(np.median(list(scores.values()))) if settings.threshold == "median" else settings.threshold


def _held_back(names: Sequence[str], settings: RetainSettings) -> set[str]:
    """The share to hold back, rounded down, so that one chunk at least is left."""
    rng = named_stream(settings.seed, "held back from KL")
    count = min(int(len(names) * settings.held_back), len(names) - 1)
    return {names[int(index)] for index in rng.permutation(len(names))[:count]}


def assign_questions(questions: Iterable[Question], plan: RetainPlan) -> tuple[Question, ...]:
    """Retain questions as questions of low or high, by their chunk, and whether a KL term may see that chunk.

    Questions without a chunk, or about one without a score, stay in `retain`; a source's own low and high stay what
    they are; questions about the forget side and the world are returned unchanged.

    Args:
        questions: Placed in chunks (`place_questions`).
        plan: The split of the retain chunks.
    """
    set_of = dict.fromkeys(plan.low, QuestionSet.LOW) | dict.fromkeys(plan.high, QuestionSet.HIGH)
    seen = {name for names in plan.kl.values() for name in names}

    def assigned(question: Question) -> Question:
        if question.chunk is None or question.set not in (QuestionSet.RETAIN, QuestionSet.LOW, QuestionSet.HIGH):
            return question
        moved = set_of.get(question.chunk, question.set) if question.set is QuestionSet.RETAIN else question.set
        return question.model_copy(update={"set": moved, "used_for_kl": question.chunk in seen})

    return tuple(map(assigned, questions))
