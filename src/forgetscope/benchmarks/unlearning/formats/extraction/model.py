"""Triplets by a language model, as in the paper (section 4.1, Llama-3-405B): prompt, schema, repair, one retry."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from forgetscope.benchmarks.unlearning.data.construction_prompts import triplets_prompt
from forgetscope.benchmarks.unlearning.data.records import Chunk, Triplet
from forgetscope.benchmarks.unlearning.data.replies import Ask, ask_in_form


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True)

    head: Annotated[str, Field(max_length=200)]
    relation: Annotated[str, Field(max_length=200)]
    tail: Annotated[str, Field(max_length=200)]


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True)

    triplets: tuple[_Row, ...]


@dataclass(frozen=True)
class Extraction:
    """What a model extracted from chunks.

    Attributes:
        triplets: By chunk id, for every chunk with a readable reply; an empty tuple where it states no fact.
        unreadable: By chunk id, what was wrong with the second reply. Such a chunk has no triplets: undefined, not
        zero.
        ungrounded: Triplets left out because no word of the head, or none of the tail, stands in the chunk.
        calls: Replies asked for.
    """

    triplets: Mapping[str, tuple[Triplet, ...]]
    unreadable: Mapping[str, str]
    ungrounded: int
    calls: int


async def extract_by_model(chunks: Sequence[Chunk], ask: Ask, *, connections: int = 8) -> Extraction:
    """The triplets of each chunk as a language model sees them, each once.

    Args:
        chunks: Each is one prompt.
        ask: The model; an error it raises is not caught.
        connections: Prompts under way at once.
    """
    free = asyncio.Semaphore(connections)

    async def one(chunk: Chunk) -> tuple[str, tuple[Triplet, ...] | None, str, int, int]:
        async with free:
            reply = await ask_in_form(triplets_prompt(chunk.text), _Reply, ask)
        if reply.value is None:
            return chunk.id, None, reply.problem, 0, len(reply.replies)
        found = list(dict.fromkeys(filter(None, map(_triplet, reply.value.triplets))))
        grounded = tuple(triplet for triplet in found if _is_grounded(triplet, chunk.text))
        return chunk.id, grounded, "", len(found) - len(grounded), len(reply.replies)

    results = await asyncio.gather(*map(one, chunks))
    return Extraction(
        triplets={name: triplets for name, triplets, _, _, _ in results if triplets is not None},
        unreadable={name: problem for name, triplets, problem, _, _ in results if triplets is None},
        ungrounded=sum(dropped for *_, dropped, _ in results),
        calls=sum(calls for *_, calls in results),
    )


def _triplet(row: _Row) -> Triplet | None:
    try:
        return Triplet.cleaned(row.head, row.relation, row.tail)
    except ValidationError:  # an empty part
        return None


def _is_grounded(triplet: Triplet, text: str) -> bool:
    words = set(re.findall(r"\w+", text.casefold()))
    return all(words & set(re.findall(r"\w+", entity.casefold())) for entity in triplet.entities)
