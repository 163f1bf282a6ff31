"""Entanglement by entities, relations and text: hand-computed values, bounds, and what is undefined."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.data.chunking import cut_into_chunks
from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings, embedded_corpus
from forgetscope.benchmarks.unlearning.data.records import Side, Triplet
from forgetscope.benchmarks.unlearning.entanglement import (
    Entanglement,
    EntityMatching,
    entity_entanglement,
    hashed_vectors,
    relation_entanglement,
    text_entanglement,
)
from forgetscope.benchmarks.unlearning.formats.extraction.gold import gold_triplets
from forgetscope.core.errors import DataError
from tests.benchmarks.unlearning.formats.words import Words, chunk

FORGET = [Triplet.parse("Kald | has | mill"), Triplet.parse("Ada Voss | is mayor of | Kald")]


def triplets(*lines: str) -> list[Triplet]:
    return [Triplet.parse(line) for line in lines]


def entities(lines: Sequence[str], forget: Sequence[Triplet] = FORGET, **matching: object) -> float | None:
    found = entity_entanglement(
        [chunk("x")], {"d#0": triplets(*lines)}, forget, EntityMatching.model_validate(matching)
    )
    return found.scores["d#0"]


def relations(*lines: str) -> float | None:
    return relation_entanglement([chunk("x")], {"d#0": triplets(*lines)}, FORGET).scores["d#0"]


def test_a_chunk_s_score_is_the_mean_over_triplets_of_matching_head_and_tail_by_two() -> None:
    assert entities(["Kald | lies on | Ivel", "mill | burned in | Kald"]) == pytest.approx((0.5 + 1) / 2)
    assert entities(["Ivel | flows into | Orm"]) == 0
    assert entities(["Kald | has | mill"]) == 1


def test_a_chunk_without_triplets_is_undefined_left_out_of_the_mean_and_counted() -> None:
    chunks = [chunk("x", name) for name in ("a#0", "b#0", "c#0", "e#0")]
    found = entity_entanglement(
        chunks, {"a#0": triplets("Kald | has | mill"), "b#0": triplets("Orm | has | Ivel"), "c#0": []}, FORGET
    )
    assert found.scores == {"a#0": 1.0, "b#0": 0.0, "c#0": None, "e#0": None}
    assert found.undefined == ("c#0", "e#0")
    assert found.mean == 0.5


def test_without_any_score_the_mean_is_undefined() -> None:
    assert Entanglement("entities", {"a": None}).mean is None


def test_matching_goes_from_exact_over_case_to_other_names() -> None:
    assert entities(["the kald | has | x"], by="exact") == 0
    assert entities(["the kald | has | x"], by="casefolded") == 0.5
    assert entities(["Voss | left | x"], by="casefolded") == 0
    assert entities(["Voss | left | x"], by="alias") == 0.5
    assert entities(["Old Town | has | x"], by="alias", aliases={"Old Town": "Kald"}) == 0.5


def test_a_last_name_two_people_share_is_nobody_s_alias() -> None:
    two = [*FORGET, Triplet.parse("Bo Voss | left | Kald")]
    assert entities(["Voss | left | x"], two, by="alias") == 0


def test_numbers_and_generic_nouns_can_be_left_out_of_both_sides_of_the_fraction() -> None:
    forget = triplets("Kald | paid | 41 crowns", "town | has | Kald")
    lines = ["Orm | paid | 41 crowns", "town | lies on | Ivel"]
    assert entities(lines, forget) == pytest.approx(0.5)
    assert entities(lines, forget, exclude_numbers=True) == pytest.approx((0 + 0.5) / 2)
    assert entities(lines, forget, exclude_numbers=True, exclude_generic=True) == 0
    assert entities(["mill | cost | 41 crowns"], forget, exclude_numbers=True, exclude_generic=True) is None


def test_relations_see_the_same_kind_of_fact_about_the_same_entity() -> None:
    assert relations("Bo Quist | was the mayor of | Kald") == 1
    assert relations("Bo Quist | lives in | Kald") == 0
    assert relations("Bo Quist | is mayor of | Orm") == 0
    assert relations("Bo Quist | was the mayor of | Kald", "Kald | lies on | Ivel") == 0.5


def test_a_forget_side_without_triplets_is_one_clear_line() -> None:
    for measure in (entity_entanglement, relation_entanglement):
        with pytest.raises(DataError, match="the forget side has no triplets"):
            measure([chunk("x")], {}, [])
    with pytest.raises(DataError, match="no chunks"):
        text_entanglement([chunk("x")], [])


def test_text_is_as_near_as_its_nearest_forget_chunk() -> None:
    forget = [chunk("The mill at Kald burned.", "f#0"), chunk("A comet was seen from Orm.", "f#1")]
    retain = [
        chunk("The mill at Kald burned.", "r#0", Side.RETAIN),
        chunk("A bank closed its branches.", "r#1", Side.RETAIN),
        chunk("!!", "r#2", Side.RETAIN),
    ]
    scores = text_entanglement(retain, forget).scores
    assert scores["r#0"] == pytest.approx(1)
    assert scores["r#1"] == 0
    assert scores["r#2"] is None


def test_text_takes_any_embedding() -> None:
    def embed(texts: Sequence[str]) -> np.ndarray:
        return np.array([[1.0, 0.0] if "mill" in text else [1.0, 1.0] for text in texts])

    found = text_entanglement([chunk("bridge", "r#0")], [chunk("mill", "f#0")], embed)
    assert found.scores["r#0"] == pytest.approx(1 / np.sqrt(2))


def test_a_word_all_texts_have_weighs_nothing() -> None:
    vectors = hashed_vectors(["the mill", "the bridge", "the the"])
    assert not vectors[2].any()
    assert vectors[0].any()


def test_the_histogram_counts_every_score_once() -> None:
    found = Entanglement("entities", {"a": 0.0, "b": 0.25, "c": 1.0, "e": None, "f": 0.1})
    bins = found.histogram(4)
    assert [one.chunks for one in bins] == [2, 1, 0, 1]
    assert (bins[0].low, bins[-1].high) == (0.0, 1.0)


@given(st.lists(st.tuples(*[st.sampled_from(["Kald", "Orm", "Ivel", "mill"])] * 3), max_size=8))
def test_a_score_lies_between_0_and_1_and_no_order_changes_it(rows: list[tuple[str, str, str]]) -> None:
    lines = [f"{head} | {relation} | {tail}" for head, relation, tail in rows]
    for by in ("exact", "casefolded", "alias"):
        score = entities(lines, by=by)
        assert (score is None) == (not lines)
        assert score is None or 0 <= score <= 1
        assert entities(list(reversed(lines)), by=by) == (score if score is None else pytest.approx(score))


def test_more_of_the_embedded_dial_is_more_entanglement() -> None:
    entity_means, relation_means = [], []
    for share in (0.0, 0.5, 1.0):
        corpus = embedded_corpus(EmbeddedSettings(entangled_share=share))
        forget = cut_into_chunks(corpus.forget, Words(), tokens=400)
        retain = cut_into_chunks(corpus.retain, Words(), tokens=400)
        known = [triplet for found in gold_triplets(corpus, forget).values() for triplet in found]
        gold = gold_triplets(corpus, retain)
        entity_means.append(entity_entanglement(retain, gold, known).mean or 0.0)
        relation_means.append(relation_entanglement(retain, gold, known).mean or 0.0)
    assert entity_means[0] == relation_means[0] == 0
    assert 0 < entity_means[1] < entity_means[2]
    assert 0 < relation_means[1] < relation_means[2]
