"""The generated news: what is true of it by construction, for several seeds and sizes."""

import re
from collections import Counter

import pytest
from pydantic import ValidationError

from forgetscope.benchmarks.unlearning.data.corpora.embedded import (
    EmbeddedSettings,
    embedded_articles,
    embedded_corpus,
)
from forgetscope.benchmarks.unlearning.data.corpora.embedded.articles import SHAPES
from forgetscope.benchmarks.unlearning.data.corpora.embedded.events import (
    EventType,
    event_types,
    slot_names,
    starts_with_pronoun,
)
from forgetscope.benchmarks.unlearning.data.records import Corpus, QuestionSet, Side
from forgetscope.core.errors import SettingError

SEEDS = (0, 1, 2)


def occurrences(answer: str, text: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(answer)}(?!\w)", text, re.IGNORECASE))


def shares_entity(corpus: Corpus, document: str) -> bool:
    forget = {entity for source in corpus.forget for t in corpus.gold_triplets[source.id] for entity in t.entities}
    return any(entity in forget for triplet in corpus.gold_triplets[document] for entity in triplet.entities)


def test_there_are_more_than_twenty_event_types_each_told_in_several_ways() -> None:
    types = event_types()
    assert len(types) >= 20
    assert len({event.name for event in types}) == len(types)
    assert all(len(event.leads) >= 3 and len(event.quotes) >= 2 and len(event.facts) == 4 for event in types)
    assert all(len(fact.sentences) >= 2 for event in types for fact in event.facts)


def test_every_answer_slot_has_values_for_the_largest_corpus() -> None:
    for event in event_types():
        for slot in event.slots.values():
            if slot.number is not None:
                assert slot.number[1] - slot.number[0] >= 59, event.name
            if slot.pair is not None:
                assert len(set(slot.pair[0])) * len(set(slot.pair[1])) >= 60, event.name


def test_articles_a_and_an_come_out_right() -> None:
    text = " ".join(
        document.text for seed in range(8) for document in embedded_corpus(EmbeddedSettings(seed=seed)).documents
    )
    assert not re.findall(r"\b[Aa] [aeio]\w+", text)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_answer_occurs_once_in_its_article_and_in_no_question_about_it(seed: int) -> None:
    corpus = embedded_corpus(EmbeddedSettings(seed=seed))
    texts = {document.id: document.text for document in corpus.documents}
    asked: dict[str, list[str]] = {}
    for question in corpus.questions:
        asked.setdefault(question.document or "", []).append(question.question)
    for question in corpus.questions:
        assert question.document is not None
        assert occurrences(question.answers[0], texts[question.document]) == 1
        assert not occurrences(question.answers[0], " ".join(asked[question.document]))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_question_has_one_right_answer_and_no_other_article_answers_it(seed: int) -> None:
    corpus = embedded_corpus(EmbeddedSettings(seed=seed, forget=60, retain=60))
    assert len({question.question for question in corpus.questions}) == len(corpus.questions)
    tails: dict[tuple[str, str], set[str]] = {}
    for triplets in corpus.gold_triplets.values():
        for triplet in triplets:
            if triplet.relation not in ("speaks for", "is mayor of"):
                tails.setdefault((triplet.head, triplet.relation), set()).add(triplet.tail)
    assert all(len(found) == 1 for found in tails.values())


def test_each_article_has_four_questions_each_with_a_paraphrase_of_the_same_answer() -> None:
    corpus = embedded_corpus()
    first = {question.id: question for question in corpus.questions if not question.is_paraphrase}
    assert set(Counter(question.document for question in first.values()).values()) == {4}
    for question in corpus.questions:
        if question.paraphrase_of is not None:
            assert question.answers == first[question.paraphrase_of].answers
            assert question.question != first[question.paraphrase_of].question
    assert Counter(question.set for question in corpus.questions) == {QuestionSet.FORGET: 128, QuestionSet.RETAIN: 192}


def test_gold_triplets_are_told_by_the_text() -> None:
    corpus = embedded_corpus()
    for document in corpus.documents:
        triplets = corpus.gold_triplets[document.id]
        assert len(triplets) >= 5
        words = set(re.findall(r"\w+", document.text.casefold()))
        for triplet in triplets:
            names = re.findall(r"\b[A-Z]\w+|\d+", f"{triplet.head} {triplet.tail}")
            assert all(name.casefold() in words for name in names), (document.text, triplet)


@pytest.mark.parametrize(("share", "expected"), [(0.0, 0), (0.25, 6), (0.5, 12), (1.0, 24)])
def test_the_dial_says_how_many_retain_articles_share_an_entity_with_forget(share: float, expected: int) -> None:
    for seed in SEEDS:
        corpus = embedded_corpus(EmbeddedSettings(seed=seed, entangled_share=share))
        shared = [document.id for document in corpus.retain if shares_entity(corpus, document.id)]
        assert len(shared) == expected


def test_no_one_event_type_or_shape_dominates() -> None:
    articles = [article for found in embedded_articles(EmbeddedSettings()).values() for article in found]
    assert max(Counter(article.setting.event.name for article in articles).values()) <= 4
    assert {article.shape for article in articles} == set(SHAPES)
    assert len({article.text.split(". ")[0] for article in articles}) == len(articles)


def test_the_same_seed_gives_the_same_corpus_and_another_gives_another() -> None:
    assert embedded_corpus().sha256 == embedded_corpus(EmbeddedSettings(seed=0)).sha256
    assert embedded_corpus().sha256 != embedded_corpus(EmbeddedSettings(seed=1)).sha256


def test_the_default_corpus_is_the_one_on_record() -> None:
    """Whoever changes a sentence raises GENERATOR_VERSION, as results name it."""
    assert embedded_corpus().sha256.startswith("45da2956d4ea4b87")


def test_forget_articles_are_repeated_as_often_as_asked() -> None:
    corpus = embedded_corpus(EmbeddedSettings(repeats=5))
    assert {document.repeats for document in corpus.forget} == {5}
    assert {document.repeats for document in (*corpus.retain, *corpus.holdout)} == {1}


def test_a_large_corpus_keeps_every_answer_different() -> None:
    corpus = embedded_corpus(EmbeddedSettings(forget=450, retain=450, holdout=100, entangled_share=0.3))
    by_relation = Counter(
        (article.setting.event.name, asked.slot, asked.answer)
        for found in embedded_articles(
            EmbeddedSettings(forget=450, retain=450, holdout=100, entangled_share=0.3)
        ).values()
        for article in found
        for asked in article.asked
    )
    assert max(by_relation.values()) == 1
    assert len(corpus.documents) == 1000


def test_too_much_entanglement_is_one_clear_line() -> None:
    with pytest.raises(SettingError, match="no room for 200 entangled retain articles"):
        embedded_corpus(EmbeddedSettings(forget=2, retain=200, entangled_share=1))
    with pytest.raises(ValidationError, match="at most 1000 articles"):
        EmbeddedSettings(forget=900, retain=200)


def test_world_facts_are_at_least_twenty_and_name_nothing_of_the_corpus() -> None:
    corpus = embedded_corpus()
    facts = [question for question in corpus.world if not question.is_paraphrase]
    assert len(facts) >= 20
    text = " ".join(document.text for document in corpus.documents)
    assert not any(occurrences(answer, text) for fact in facts for answer in fact.answers if len(answer) > 5)
    assert corpus.gold_triplets.keys() == {
        document.id for side in Side for document in corpus.documents if document.side is side
    }


def test_an_event_type_that_gives_its_answer_away_is_refused() -> None:
    row = event_types()[0].model_dump()
    row["facts"][0]["question"] = f"Is it {{{row['facts'][0]['slot']}}} in {{place}}?"
    with pytest.raises(ValidationError, match="without the answer"):
        EventType.model_validate(row)


def test_an_event_type_with_an_undeclared_slot_is_refused() -> None:
    row = event_types()[0].model_dump() | {"leads": ("{org} met {stranger} in {place}.",)}
    with pytest.raises(ValidationError, match="slots nobody declared: stranger"):
        EventType.model_validate(row)


def test_slots_and_pronouns_are_read_off_a_sentence() -> None:
    assert slot_names("{org} opened in {place}.") == {"org", "place"}
    assert starts_with_pronoun("It burned.")
    assert not starts_with_pronoun("Italy won.")
