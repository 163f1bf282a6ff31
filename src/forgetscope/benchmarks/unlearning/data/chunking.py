"""Cutting documents into chunks of the target's tokens, and finding the chunk that holds a question's answer."""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from forgetscope.benchmarks.unlearning.data.records import Chunk, Document, Question

_BLANKS = re.compile(r"\s+")


class TextTokenizer(Protocol):
    """What cutting and packing need of a tokenizer: ids of plain text, without special tokens, and back."""

    def encode(self, text: str) -> list[int]:
        """Token ids, no beginning or end mark added."""

    def decode(self, token_ids: Sequence[int]) -> str:
        """Their text."""


CHUNK_TOKENS = 2048
"""Chunk length of the paper's corpora (MUSE's choice)."""

EMBEDDED_CHUNK_TOKENS = 256
"""Chunk length for the embedded model."""


def cut_into_chunks(
    documents: Iterable[Document], tokenizer: TextTokenizer, *, tokens: int = CHUNK_TOKENS
) -> tuple[Chunk, ...]:
    """The chunks of each document in order, ids `document#0`, `document#1`, ...

    Where the tokenizer keeps text as it is, the chunks of a document joined are the document's text; a cut moves back
    by up to three tokens rather than through a character. Chunks of blanks alone are left out.

    Args:
        tokens: Length of a chunk in tokens of `tokenizer`; at least 8.

    Raises:
        ValueError: `tokens` is below 8.
    """
    if tokens < 8:
        raise ValueError(f"a chunk has at least 8 tokens, found {tokens}")
    return tuple(chunk for document in documents for chunk in _cut(document, tokenizer, tokens))


def _cut(document: Document, tokenizer: TextTokenizer, tokens: int) -> list[Chunk]:
    ids = tokenizer.encode(document.text)
    chunks: list[Chunk] = []
    first = at = 0
    while first < len(ids):
        last = _cut_between_characters(ids, first, min(first + tokens, len(ids)), tokenizer)
        piece = tokenizer.decode(ids[first:last])
        start = at
        # Some tokenizers drop a blank at the beginning of what they decode: take the piece from the text itself.
        blanks = _BLANKS.match(document.text, at)
        begin = blanks.end() if blanks else at
        if document.text.startswith(piece.lstrip(), begin):
            at = begin + len(piece.lstrip())
            piece = document.text[start:at]
        if piece.strip():
            chunks.append(
                Chunk(
                    id=f"{document.id}#{len(chunks)}",
                    document=document.id,
                    side=document.side,
                    text=piece,
                    tokens=last - first,
                    start=start,
                    repeats=document.repeats,
                )
            )
        first = last
    return chunks


def _cut_between_characters(ids: Sequence[int], start: int, end: int, tokenizer: TextTokenizer) -> int:
    if end == len(ids):
        return end
    for earlier in range(end, max(end - 4, start), -1):
        if not tokenizer.decode(ids[start:earlier]).endswith("\N{REPLACEMENT CHARACTER}"):
            return earlier
    return end


def place_questions(questions: Iterable[Question], chunks: Sequence[Chunk]) -> tuple[Question, ...]:
    """The questions, each with the chunk that holds its answer; world facts and what cannot be placed stay as they are.

    With a span: of the chunks it touches, the one it covers most, but before that one in which an answer's words stand.
    Without: the first chunk of the document in which they do, or its only one.
    """
    of_document: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        of_document.setdefault(chunk.document, []).append(chunk)
    return tuple(_place(question, of_document.get(question.document or "", [])) for question in questions)


def _place(question: Question, chunks: list[Chunk]) -> Question:
    if question.span is not None:
        low, high = question.span
        covered = {chunk.id: min(high, chunk.start + len(chunk.text)) - max(low, chunk.start) for chunk in chunks}
        chunks = sorted((c for c in chunks if covered[c.id] > 0), key=lambda c: -covered[c.id])
    told = [chunk for chunk in chunks if _tells(chunk.text, question.answers)]
    found = told[0] if told else chunks[0] if chunks and (len(chunks) == 1 or question.span is not None) else None
    return question if found is None else question.model_copy(update={"chunk": found.id})


def _tells(text: str, answers: Iterable[str]) -> bool:
    plain = " ".join(re.findall(r"\w+", text.casefold()))
    wanted = (" ".join(re.findall(r"\w+", answer.casefold())) for answer in answers)
    return any(answer and f" {answer} " in f" {plain} " for answer in wanted)
