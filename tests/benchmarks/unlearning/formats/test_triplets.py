"""Triplets: by rule, by construction, and how well they agree."""

import pytest

from forgetscope.benchmarks.unlearning.data.chunking import cut_into_chunks
from forgetscope.benchmarks.unlearning.data.corpora.embedded import embedded_corpus
from forgetscope.benchmarks.unlearning.data.records import Triplet
from forgetscope.benchmarks.unlearning.formats import FORMATS, FormatParts
from forgetscope.benchmarks.unlearning.formats.extraction.agreement import agreement
from forgetscope.benchmarks.unlearning.formats.extraction.gold import gold_triplets
from forgetscope.benchmarks.unlearning.formats.extraction.rules import extract_by_rules, rule_triplets
from forgetscope.benchmarks.unlearning.formats.raw import RawSettings
from forgetscope.benchmarks.unlearning.formats.triplets import TripletsSettings
from forgetscope.core.errors import SettingError
from tests.benchmarks.unlearning.formats.words import Words, chunk

TEXT = "Ada Voss opened a mill in Kald."


def lines(text: str) -> list[str]:
    return [triplet.line for triplet in rule_triplets(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ada Voss opened a mill in Kald.", ["Ada Voss | opened | mill", "Ada Voss | opened mill in | Kald"]),
        ("The king was killed by a giant.", ["king | was killed by | giant"]),
        ("The wolf took a sword and killed the giant.", ["wolf | took | sword", "wolf | killed | giant"]),
        ('"Run," said Ada Voss, who speaks for Kald.', ["Ada Voss | speaks for | Kald"]),
        ("Ada Voss, the mayor of Kald, wept.", ["Ada Voss | is | mayor of Kald", "Ada Voss | is mayor of | Kald"]),
        (
            "A ship that never reached the port lies off Kald.",
            ["ship | never reached | port", "ship | lies off | Kald"],
        ),
        ("Soon Ada was no coward. She carried a sword.", ["Ada | was | no coward", "Ada | carried | sword"]),
        ("The firm agreed to buy a bank.", ["firm | agreed to buy | bank"]),
        ("The room has nine chairs.", ["room | has | nine chairs"]),
        ("Soon Ada did not leave Kald.", ["Ada | did not leave | Kald"]),
        ("Blushing with joy, Ada Voss took a sword.", ["Ada Voss | took | sword"]),
        ("The king told his wife to cook a hen.", []),
        ("If the wolf had a sword, the king would fear the wolf.", ["king | would fear | wolf"]),
    ],
)
def test_sentences_are_read_as_triplets(text: str, wanted: list[str]) -> None:
    assert lines(text) == wanted


@pytest.mark.parametrize("text", ["", "It rained.", "He saw her.", '"The king killed the wolf."', "The sun was hot."])
def test_text_without_named_facts_gives_none(text: str) -> None:
    assert lines(text) == []


def test_the_rule_extractor_finds_part_of_the_gold_triplets() -> None:
    """Bounds around what was measured (README of the folder); a change that moves them wants a new measurement."""
    corpus = embedded_corpus()
    chunks = cut_into_chunks(corpus.forget, Words(), tokens=400)
    found, gold = extract_by_rules(chunks), gold_triplets(corpus, chunks)
    assert len(gold) == 16
    score = agreement(found, gold, "either_entity")
    assert score.precision is not None
    assert score.recall is not None
    assert 0.4 < score.precision < 0.9
    assert 0.5 < score.recall < 0.95


def test_gold_agrees_with_itself() -> None:
    corpus = embedded_corpus()
    gold = gold_triplets(corpus, cut_into_chunks(corpus.retain, Words(), tokens=400))
    for match in ("exact", "entities", "either_entity"):
        score = agreement(gold, gold, match)
        assert (score.precision, score.recall, score.f1) == (1.0, 1.0, 1.0)


def test_gold_of_a_document_in_pieces_goes_where_its_answer_is() -> None:
    corpus = embedded_corpus()
    chunks = cut_into_chunks(corpus.forget[:1], Words(), tokens=20)
    gold = gold_triplets(corpus, chunks)
    assert len(chunks) > 2
    for piece in chunks:
        assert all(triplet.tail.split()[-1].casefold() in piece.text.casefold() for triplet in gold[piece.id])


def test_agreement_is_as_computed_by_hand() -> None:
    found = {"c": [Triplet.parse("Ada | runs | the Kald"), Triplet.parse("Bo | owns | mill")], "x": []}
    gold = {"c": [Triplet.parse("ada | is mayor of | Kald"), Triplet.parse("Kald | lies on | Ivel")]}
    exact, entities, either = (agreement(found, gold, match) for match in ("exact", "entities", "either_entity"))
    assert (exact.precision, exact.recall) == (0.0, 0.0)
    assert exact.f1 == 0.0
    assert (entities.precision, entities.recall) == (0.5, 0.5)
    assert (either.precision, either.recall) == (0.5, 1.0)


def test_agreement_of_nothing_is_undefined() -> None:
    empty = agreement({}, {"c": [Triplet.parse("a | b | c")]}, "exact")
    assert (empty.precision, empty.recall, empty.f1) == (None, 0.0, None)


def test_triplet_text_is_one_fact_a_line() -> None:
    triplets = {"d#0": (Triplet.parse("Ada | opened | mill"), Triplet.parse("mill | stands in | Kald"))}
    one, none = TripletsSettings().apply([chunk(TEXT), chunk(TEXT, "e#0")], FormatParts(Words(), triplets=triplets))
    assert one.text == "Ada | opened | mill\nmill | stands in | Kald"
    assert one.kept_share == pytest.approx(11 / 7)
    assert (none.text, none.kept_share, none.triplets) == ("", 0.0, ())


def test_triplets_nobody_extracted_are_one_clear_line() -> None:
    with pytest.raises(SettingError, match="no chunk of the forget side has triplets"):
        TripletsSettings().apply([chunk(TEXT)], FormatParts(Words()))


def test_raw_text_is_the_text() -> None:
    (one,) = RawSettings().apply([chunk(TEXT)], FormatParts(Words()))
    assert (one.text, one.kept_share) == (TEXT, 1.0)
    assert set(FORMATS) == {"raw", "pruned", "triplets"}
