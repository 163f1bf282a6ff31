"""What is kept of the triplets a language model writes for a chunk, and why the rest is not."""

import re

from pydantic import ValidationError

from forgetscope.benchmarks.unlearning.construction.prompts import TripletDraft, TripletsReply
from forgetscope.benchmarks.unlearning.data.records import Chunk, Triplet

NOT_IN_THE_TEXT = "no word of the head, or none of the tail, stands in the text"
EMPTY_PART = "a part is empty"
TWICE = "it was given already"


def sift_triplets(chunk: Chunk, reply: TripletsReply) -> tuple[tuple[Triplet, ...], list[tuple[TripletDraft, str]]]:
    """The triplets of a reply that are about the chunk, each once; and the others, each with the reason."""
    words = set(_words(chunk.text))
    kept: dict[Triplet, None] = {}
    rejected: list[tuple[TripletDraft, str]] = []
    for row in reply.triplets:
        try:
            triplet = Triplet.cleaned(row.head, row.relation, row.tail)
        except ValidationError:
            rejected.append((row, EMPTY_PART))
            continue
        if triplet in kept:
            rejected.append((row, TWICE))
        elif not all(words & set(_words(entity)) for entity in triplet.entities):
            rejected.append((row, NOT_IN_THE_TEXT))
        else:
            kept[triplet] = None
    return tuple(kept), rejected


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
