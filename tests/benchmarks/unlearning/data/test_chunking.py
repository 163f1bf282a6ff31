"""Cutting documents at token counts, never through a character, and placing questions where their answer is."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.data.chunking import cut_into_chunks, place_questions
from forgetscope.benchmarks.unlearning.data.records import Document, Question, QuestionSet, Side


class Bytes:
    """A tokenizer of UTF-8 bytes: it can cut through a character."""

    def encode(self, text: str) -> list[int]:
        return list(text.encode())

    def decode(self, token_ids: Sequence[int]) -> str:
        return bytes(token_ids).decode(errors="replace")


class Pieces(Bytes):
    """Loses the blank before what it decodes, as SentencePiece tokenizers do."""

    def decode(self, token_ids: Sequence[int]) -> str:
        return super().decode(token_ids).removeprefix(" ")


def document(name: str, side: Side, text: str) -> Document:
    return Document(id=name, side=side, text=text)


def question(answer: str, span: tuple[int, int] | None = None, about: str | None = "d") -> Question:
    return Question(
        id="q", set=QuestionSet.FORGET, question="Who was it?", answers=(answer,), document=about, span=span
    )


@given(st.text(min_size=1, max_size=300), st.integers(8, 40))
def test_chunks_joined_are_the_text_and_no_character_is_cut(text: str, tokens: int) -> None:
    if not text.strip() or "\N{REPLACEMENT CHARACTER}" in text:
        return
    source = document("d", Side.FORGET, text)
    for tokenizer in (Bytes(), Pieces()):
        chunks = cut_into_chunks([source], tokenizer, tokens=tokens)
        joined = "".join(chunk.text for chunk in chunks)
        assert joined.split() == source.text.split()
        assert all(len(chunk.text.encode()) <= tokens + 1 or chunk.text.isspace() for chunk in chunks)
        assert [chunk.id for chunk in chunks] == [f"d#{number}" for number in range(len(chunks))]


def test_chunks_have_the_asked_number_of_tokens() -> None:
    chunks = cut_into_chunks([document("d", Side.RETAIN, "x" * 25)], Bytes(), tokens=10)
    assert [chunk.tokens for chunk in chunks] == [10, 10, 5]


def test_a_question_goes_to_the_chunk_that_has_its_answer() -> None:
    source = document("d", Side.FORGET, "The mill burned. " + "It was dark and nothing moved. " * 3 + "Ada saw it.")
    chunks = cut_into_chunks([source], Bytes(), tokens=40)
    assert len(chunks) > 2
    (placed,) = place_questions([question("ada")], chunks)
    assert placed.chunk == next(chunk.id for chunk in chunks if "Ada" in chunk.text)
    (unplaced,) = place_questions([question("Bruno")], chunks)
    assert unplaced.chunk is None


def test_a_span_decides_where_the_answer_is_not_in_the_text() -> None:
    source = document("d", Side.FORGET, "x" * 40 + "y" * 40)
    chunks = cut_into_chunks([source], Bytes(), tokens=40)
    (placed,) = place_questions([question("because of the storm", span=(35, 60))], chunks)
    assert placed.chunk == "d#1"


def test_a_question_about_no_document_stays_without_a_chunk() -> None:
    chunks = cut_into_chunks([document("d", Side.FORGET, "Ada saw it all.")], Bytes(), tokens=40)
    (world,) = place_questions([question("Ada", about=None)], chunks)
    assert world.chunk is None
