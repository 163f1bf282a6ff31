"""Documents, chunks, questions, triplets, and what a corpus refuses."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from forgetbench.benchmarks.unlearning.records import (
    Corpus,
    Document,
    Question,
    QuestionSet,
    Side,
    Triplet,
    VerbatimPrompt,
    cut_into_chunks,
)
from forgetbench.data.records import Provenance
from forgetbench.errors import DataError

PROVENANCE = (Provenance("corpus", "test", "", "0" * 64, 1),)


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


def corpus(forget: str = "The mill burned.", retain: str = "The bridge opened.", **parts: object) -> Corpus:
    return Corpus(
        name="test",
        forget=(document("f", Side.FORGET, forget),),
        retain=(document("r", Side.RETAIN, retain),),
        questions=(),
        provenance=PROVENANCE,
        **parts,  # type: ignore[arg-type]
    )


def test_a_triplet_reads_back_from_its_line() -> None:
    triplet = Triplet(head="Osthaven  Port", relation="elected", tail="Maris\nHollis")
    assert triplet.line == "Osthaven Port | elected | Maris Hollis"
    assert Triplet.parse(triplet.line) == triplet


@pytest.mark.parametrize("line", ["a | b", "a | b | c | d", "a |  | c", ""])
def test_a_line_that_is_no_triplet_is_refused(line: str) -> None:
    with pytest.raises(DataError, match="not a triplet"):
        Triplet.parse(line)


def test_a_bar_inside_a_part_is_refused_and_can_be_cleaned() -> None:
    with pytest.raises(ValidationError, match=r"no '\|'"):
        Triplet(head="a|b", relation="r", tail="t")
    assert Triplet.cleaned("a|b", "r", "t").line == "a/b | r | t"


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


def test_the_same_text_on_both_sides_is_one_clear_line() -> None:
    with pytest.raises(DataError, match="forget and retain are the same text") as error:
        corpus("One story.", "One  story.")
    assert "\n" not in str(error.value)


def test_one_shared_document_is_refused() -> None:
    with pytest.raises(DataError, match="forget and holdout share a document"):
        corpus(holdout=(document("h", Side.HOLDOUT, "The mill burned."),))


def test_an_empty_side_is_refused() -> None:
    with pytest.raises(DataError, match="the forget side is empty"):
        Corpus(
            name="test",
            forget=(),
            retain=(document("r", Side.RETAIN, "The bridge opened."),),
            questions=(),
            provenance=PROVENANCE,
        )


def test_a_question_without_answers_is_refused() -> None:
    with pytest.raises(ValidationError, match="answers"):
        Question(id="q", set=QuestionSet.FORGET, question="What burned?", answers=())


def test_a_question_about_an_unknown_document_is_refused() -> None:
    question = Question(id="q", set=QuestionSet.FORGET, question="What burned?", answers=("the mill",), document="x")
    with pytest.raises(DataError, match="about no document"):
        Corpus(
            name="test",
            forget=(document("f", Side.FORGET, "The mill burned."),),
            retain=(document("r", Side.RETAIN, "The bridge opened."),),
            questions=(question,),
            provenance=PROVENANCE,
        )


def test_the_hash_follows_the_content() -> None:
    assert corpus().sha256 == corpus().sha256
    assert corpus().sha256 != corpus(forget="The mill burned down.").sha256


def test_a_verbatim_prompt_reads_muse_field_names() -> None:
    assert VerbatimPrompt.model_validate({"id": "v", "prompt": "a", "gt": "b"}).continuation == "b"
