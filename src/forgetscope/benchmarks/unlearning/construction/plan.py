"""What a build would ask: chunks and prompts, nothing sent."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.building import Prompt
from forgetscope.benchmarks.unlearning.construction.prompts import (
    SYSTEM,
    answer_prompt,
    questions_prompt,
    triplets_prompt,
)
from forgetscope.benchmarks.unlearning.data.chunking import TextTokenizer, cut_into_chunks
from forgetscope.benchmarks.unlearning.data.records import Chunk, Corpus, Side
from forgetscope.core.bounds import LARGEST, MOST_PARTS, MOST_TOKENS
from forgetscope.io.tokens import count_cl100k
from forgetscope.stats.streams import named_stream

TRIPLETS, QUESTIONS, ANSWERS = "triplets", "questions", "answers"
STEPS = (TRIPLETS, QUESTIONS, ANSWERS)

COUNTED_CHUNKS = 200
"""Prompt tokens are counted on so many chunks and scaled up."""


class GridDataBuildSettings(BaseModel):
    """What decides what a build can give, beside the models' replies.

    Attributes:
        chunk_tokens: Length of a chunk in the target's tokens.
        questions: Asked for about a chunk; 0 builds triplets alone.
        about: `retain`, as in the paper; `both` for a corpus without questions about its forget side.
        question_chunks: Chunks of a side that questions are asked about, drawn; None takes all.
        limit: The first so many chunks of each side, to try a builder out; no grid takes such a build.
        verifies: Whether a second model must find each answer in the text.
        max_tokens: Of a reply.
        temperature: 0 is greedy.
        send_schema: The form of each reply goes with the request, for providers that enforce it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunk_tokens: int = Field(ge=8, le=MOST_TOKENS)
    questions: int = Field(default=4, ge=0, le=MOST_PARTS)
    about: tuple[Side, ...] = (Side.RETAIN,)
    question_chunks: int | None = Field(default=None, ge=1, le=LARGEST)
    limit: int | None = Field(default=None, ge=1, le=LARGEST)
    verifies: bool = False
    max_tokens: int = Field(default=2048, ge=1, le=MOST_TOKENS)
    temperature: float = Field(default=0.0, ge=0, le=2)
    seed: int = Field(default=42, ge=0, le=LARGEST)
    send_schema: bool = True


@dataclass(frozen=True)
class GridDataBuildPlan:
    """What would be asked.

    Attributes:
        corpus: As loaded.
        chunks: Of forget and retain, of each of which triplets are asked for.
        asked_about: Ids of those that questions are asked for.
        calls, prompt_tokens: By step, if no reply is asked for again and every question comes through.
    """

    settings: GridDataBuildSettings
    corpus: Corpus
    chunks: tuple[Chunk, ...]
    asked_about: frozenset[str]
    calls: dict[str, int]
    prompt_tokens: dict[str, int]

    @property
    def all_calls(self) -> int:
        """Of every step."""
        return sum(self.calls.values())

    @property
    def all_prompt_tokens(self) -> int:
        """Of every step."""
        return sum(self.prompt_tokens.values())


def plan_build(settings: GridDataBuildSettings, corpus: Corpus, tokenizer: TextTokenizer) -> GridDataBuildPlan:
    """The build of a corpus cut as its grid cuts it.

    Args:
        settings: Of the build.
        corpus: As the grid loads it.
        tokenizer: The target's.
    """
    sides = {
        side: cut_into_chunks(documents, tokenizer, tokens=settings.chunk_tokens)[: settings.limit]
        for side, documents in ((Side.FORGET, corpus.forget), (Side.RETAIN, corpus.retain))
    }
    chunks = tuple(chunk for found in sides.values() for chunk in found)
    about = [sides[side] for side in settings.about] if settings.questions else []
    asked = frozenset(chunk.id for found in about for chunk in _drawn(found, settings))
    counted = dict.fromkeys(STEPS, 0)
    tokens = dict.fromkeys(STEPS, 0)
    sample = chunks[:COUNTED_CHUNKS]
    for chunk in chunks:
        for step, times, _ in _prompts(chunk, settings, is_asked=chunk.id in asked):
            counted[step] += times
    for chunk in sample:  # of any side: the first chunks are of the forget side, which may not be asked about
        for step, _, prompt in _prompts(chunk, settings, is_asked=True):
            tokens[step] += count_cl100k(SYSTEM) + count_cl100k(prompt.text)
    expected = {step: round(tokens[step] * counted[step] / max(1, len(sample))) for step in STEPS}
    return GridDataBuildPlan(settings, corpus, chunks, asked, counted, expected)


def _prompts(
    chunk: Chunk, settings: GridDataBuildSettings, *, is_asked: bool
) -> Iterator[tuple[str, int, Prompt[BaseModel]]]:
    """Each step's prompt about a chunk, and how often one like it is sent."""
    yield TRIPLETS, 1, triplets_prompt(chunk.text)
    if is_asked:
        yield QUESTIONS, 1, questions_prompt(chunk.text, settings.questions)
        if settings.verifies:
            yield ANSWERS, settings.questions, answer_prompt(chunk.text, "A question of the usual length?", 1)


def _drawn(chunks: Sequence[Chunk], settings: GridDataBuildSettings) -> list[Chunk]:
    """The chunks to ask about, in the order of the text."""
    if settings.question_chunks is None or settings.question_chunks >= len(chunks):
        return list(chunks)
    order = named_stream(settings.seed, "unlearning chunks asked about").permutation(len(chunks))
    return [chunks[place] for place in sorted(int(place) for place in order[: settings.question_chunks])]
