"""Packing: formatted texts of several chunks into training sequences of the chunk length (protocols, section 4).

A chunk's text stays together and is never joined with one of the other side. A text that is too long by itself is cut
between its lines, and only where a single line is too long through it.
"""

from collections.abc import Iterable, Sequence

from forgetscope.benchmarks.unlearning.data.chunking import TextTokenizer
from forgetscope.benchmarks.unlearning.data.records import FormattedChunk, PackedText

SEPARATOR = "\n"
"""Between the texts of two chunks; triplet text has one triplet a line within a chunk too."""

_UNPACKED = frozenset({"raw"})
"""Formats of which a chunk is a training sequence already."""


def pack(texts: Sequence[FormattedChunk], tokenizer: TextTokenizer, *, tokens: int) -> tuple[PackedText, ...]:
    """Training sequences of at most `tokens` tokens, in the order of the chunks; chunks without text are left out.

    Raw text is not packed. Texts with different `repeats` are not packed together either.

    Raises:
        ValueError: `tokens` is below 8.
    """
    if tokens < 8:
        raise ValueError(f"a training sequence has at least 8 tokens, found {tokens}")
    packed: list[PackedText] = []
    open_text: PackedText | None = None
    for text in texts:
        for part in _parts(text, tokenizer, tokens):
            joined = _join(open_text, part, tokenizer, tokens)
            if joined is None:
                packed += [open_text] if open_text is not None else []
                open_text = part
            else:
                open_text = joined
    packed += [open_text] if open_text is not None else []
    return tuple(one.model_copy(update={"id": f"{one.side}.{number:05d}"}) for number, one in enumerate(packed))


def _join(before: PackedText | None, after: PackedText, tokenizer: TextTokenizer, tokens: int) -> PackedText | None:
    if before is None or after.format in _UNPACKED:
        return None
    if (before.side, before.format, before.repeats) != (after.side, after.format, after.repeats):
        return None
    text = before.text + SEPARATOR + after.text
    # The sum is a quick lower bound; tokens may also merge or split at the seam.
    if before.tokens + after.tokens > tokens + 2:
        return None
    count = len(tokenizer.encode(text))
    if count > tokens:
        return None
    return before.model_copy(update={"text": text, "chunks": (*before.chunks, *after.chunks), "tokens": count})


def _parts(text: FormattedChunk, tokenizer: TextTokenizer, tokens: int) -> Iterable[PackedText]:
    if not text.text.strip():
        return
    pieces = [text.text] if text.format in _UNPACKED else _cut_to_fit(text.text, tokenizer, tokens)
    for piece in filter(str.strip, pieces):
        yield PackedText(
            id="part",
            side=text.side,
            format=text.format,
            chunks=(text.chunk,),
            text=piece,
            tokens=len(tokenizer.encode(piece)),
            repeats=text.repeats,
        )


def _cut_to_fit(text: str, tokenizer: TextTokenizer, tokens: int) -> list[str]:
    if len(tokenizer.encode(text)) <= tokens:
        return [text]
    lines = text.splitlines()
    if len(lines) == 1:
        ids = tokenizer.encode(text)
        # Re-encoding a stretch of tokens can give a token or two more: leave room.
        return [tokenizer.decode(ids[low : low + tokens - 4]) for low in range(0, len(ids), tokens - 4)]
    middle = len(lines) // 2
    return [
        piece for half in (lines[:middle], lines[middle:]) for piece in _cut_to_fit("\n".join(half), tokenizer, tokens)
    ]
