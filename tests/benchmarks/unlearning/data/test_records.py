"""Documents, chunks, questions, triplets, and what a corpus refuses."""

import pytest
from pydantic import ValidationError

from forgetscope.benchmarks.unlearning.data.records import (
    Corpus,
    Document,
    Question,
    QuestionSet,
    Side,
    Triplet,
    VerbatimPrompt,
)
from forgetscope.core.errors import DataError
from forgetscope.io.records import Provenance

PROVENANCE = (Provenance("corpus", "test", "", "0" * 64, 1),)


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
