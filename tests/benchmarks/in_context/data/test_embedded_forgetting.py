"""The rules of the embedded instructional-forgetting items: what must hold so that recall and leakage can be told by
rule, and that the factors of the analysis are balanced."""

import re
from collections import Counter
from collections.abc import Iterable
from importlib.resources import as_file, files

import pytest

from forgetscope.benchmarks.in_context.data.items import Fact, FillerDialogue, Forgotten, InstructionalForgettingItem
from forgetscope.benchmarks.in_context.scoring.forgetting import Leak, find_fact
from forgetscope.io.records import RecordT, read_records
from forgetscope.io.tokens import count_cl100k
from forgetscope.mentions.same_wording import folded, mentions


def _read(name: str, record: type[RecordT]) -> list[RecordT]:
    with as_file(files("forgetscope.benchmarks.in_context.data").joinpath("embedded", name)) as path:
        return read_records(path, record)


_ITEMS = _read("instructional_forgetting.jsonl", InstructionalForgettingItem)
_EACH = pytest.mark.parametrize("item", _ITEMS, ids=[item.id for item in _ITEMS])

_SHORTEST_LENGTH = 500
"""Tokens of the shortest context length of the paper: an item beyond it is left out there."""

_MEMORY_CUE = re.compile(
    r"\b(before|earlier|mention(ed)?|told|said|gave|came up with|suggest(ed)?|recommend(ed)?|remember|recall"
    r"|previously|already|we (agreed|discussed|settled)"
    r"|did (i|you) (say|tell|mention|suggest|recommend|come up with))\b",
    re.IGNORECASE,
)

# What a model may well say that keeps the request. None of it may look like the fact.
_WITHHOLDING = """
I'm sorry, but you asked me to forget that, so I can't tell you. I don't have that information any more.
I don't know. As you asked, I have set that detail aside and won't bring it up again. Yes, I'm sure.
You took that back, so I have nothing to go on. What should I put there instead? I may ask you for it once more.
If you'd like, you can share it again, or I could make a new suggestion. I left a blank for you to fill in: [name].
That's no longer something I can recall, since it was in one of the first messages of our conversation that you told
me to disregard. I can still help with the rest. Would you like me to go on with it, or is there anything else?
"""


def _verbatim(fact: Fact) -> tuple[str, ...]:
    return (fact.value, *fact.aliases)


def _giving_away(fact: Fact) -> tuple[str, ...]:
    return (*_verbatim(fact), *fact.paraphrases)


def _wordings(fact: Fact) -> tuple[str, ...]:
    return (*_giving_away(fact), *fact.parts, *fact.hints)


def _found(text: str, wordings: Iterable[str]) -> list[str]:
    return [wording for wording in wordings if mentions(text, wording)]


def _questions(item: InstructionalForgettingItem) -> str:
    assert item.neighbour is not None
    assert item.reask is not None
    return "\n".join((item.query, item.reask, item.neighbour.query))


def _memory(item: InstructionalForgettingItem) -> str:
    return "\n".join(turn.content for turn in item.memory)


def _all_text(item: InstructionalForgettingItem) -> str:
    return "\n".join((_memory(item), item.request, item.request_reply or "", _questions(item)))


def _turns_with(item: InstructionalForgettingItem, fact: Fact) -> list[int]:
    return [place for place, turn in enumerate(item.memory) if _found(turn.content, _verbatim(fact))]


def _repeats_the_fact(item: InstructionalForgettingItem) -> bool:
    return any(_found(item.request, _giving_away(fact)) for fact in item.facts)


def test_there_are_sixty_items_with_ids_in_order() -> None:
    assert [item.id for item in _ITEMS] == [f"if-{number:03d}" for number in range(1, 61)]


@_EACH
def test_an_item_is_verified_and_complete(item: InstructionalForgettingItem) -> None:
    assert 1 <= len(item.facts) <= 3
    assert item.is_verified
    assert item.domain
    assert item.neighbour is not None
    assert item.reask is not None
    assert item.unrelated == ()
    assert item.source == ""


@_EACH
def test_the_memory_has_three_to_six_exchanges_and_fits_the_shortest_length(item: InstructionalForgettingItem) -> None:
    assert 3 <= len(item.memory) // 2 <= 6
    before_the_query = (*(turn.content for turn in item.memory), item.request, item.request_reply or "")
    assert sum(map(count_cl100k, before_the_query)) <= 0.9 * _SHORTEST_LENGTH


@_EACH
def test_every_fact_stands_in_one_or_two_turns_first_by_the_one_who_said_it(item: InstructionalForgettingItem) -> None:
    for fact in item.facts:
        turns = _turns_with(item, fact)
        assert 1 <= len(turns) <= 2, fact.value
        assert item.memory[turns[0]].role == item.said_by, fact.value


@_EACH
def test_every_fact_has_aliases_paraphrases_and_hints(item: InstructionalForgettingItem) -> None:
    for fact in item.facts:
        assert fact.aliases, fact.value
        assert fact.paraphrases or fact.parts, fact.value
        assert fact.hints, fact.value


@_EACH
def test_no_question_and_no_acknowledgement_tells_the_fact_or_hints_at_it(item: InstructionalForgettingItem) -> None:
    for fact in item.facts:
        assert _found(_questions(item), _wordings(fact)) == []
        assert _found(item.request_reply or "", _wordings(fact)) == []


@_EACH
def test_a_request_that_only_describes_the_fact_does_not_hint_at_it(item: InstructionalForgettingItem) -> None:
    if not _repeats_the_fact(item):
        for fact in item.facts:
            assert _found(item.request, fact.hints) == []


@_EACH
def test_a_reply_that_withholds_contains_no_wording_of_a_fact_and_no_answer(item: InstructionalForgettingItem) -> None:
    assert item.neighbour is not None
    assert _found(_WITHHOLDING, item.neighbour.answers) == []
    for fact in item.facts:
        assert _found(_WITHHOLDING, _wordings(fact)) == []


@_EACH
def test_a_fact_is_distinctive_no_other_item_happens_to_mention_it(item: InstructionalForgettingItem) -> None:
    elsewhere = "\n".join(_all_text(other) for other in _ITEMS if other.id != item.id)
    for fact in item.facts:
        assert _found(elsewhere, _giving_away(fact)) == []


@_EACH
def test_every_wording_adds_something_to_the_stronger_ones(item: InstructionalForgettingItem) -> None:
    for fact in item.facts:
        assert len({folded(wording) for wording in _wordings(fact)}) == len(_wordings(fact))
        for alias in fact.aliases:
            assert _found(alias, (other for other in _verbatim(fact) if other != alias)) == []
        for wording in (*fact.paraphrases, *fact.parts):
            assert _found(wording, _verbatim(fact)) == []
        for part in fact.parts:
            assert _found(part, fact.paraphrases) == []
        for hint in fact.hints:
            assert _found(hint, (*_giving_away(fact), *fact.parts)) == []


@_EACH
def test_the_neighbour_asks_for_something_else_that_only_the_memory_tells(item: InstructionalForgettingItem) -> None:
    assert item.neighbour is not None
    assert _found(_memory(item), item.neighbour.answers)
    assert _found("\n".join((_questions(item), item.request)), item.neighbour.answers) == []
    for fact in item.facts:
        assert _found("\n".join(_wordings(fact)), item.neighbour.answers) == []
        assert _found("\n".join(item.neighbour.answers), _wordings(fact)) == []


@_EACH
def test_the_memory_cue_is_marked_where_the_query_has_one(item: InstructionalForgettingItem) -> None:
    assert bool(_MEMORY_CUE.search(item.query)) == item.memory_cue


@_EACH
def test_the_reask_puts_the_question_in_other_words(item: InstructionalForgettingItem) -> None:
    assert item.reask is not None
    query, reask = set(folded(item.query).split()), set(folded(item.reask).split())
    assert len(query & reask) < 0.6 * min(len(query), len(reask))


@_EACH
def test_a_memory_never_told_hints_at_no_fact_where_it_was_rewritten_and_still_tells_the_neighbour(
    item: InstructionalForgettingItem,
) -> None:
    assert item.neighbour is not None
    never = "\n".join(turn.content for turn in item.memory_never_told)
    rewritten = "\n".join(turn.content for turn in item.never_told)
    assert _found(never, item.neighbour.answers)
    for fact in item.facts:
        assert not find_fact(never, fact).leak.recalls
        assert find_fact(rewritten, fact).leak is Leak.NONE


@_EACH
def test_a_rewritten_turn_is_another_one_about_as_long(item: InstructionalForgettingItem) -> None:
    assert item.never_told
    for rewritten in item.never_told:
        original = item.memory[rewritten.turn].content
        assert rewritten.content != original
        assert abs(len(rewritten.content.split()) - len(original.split())) <= 4


@_EACH
def test_a_placebo_hints_at_no_fact_and_tells_nothing_of_the_neighbour(item: InstructionalForgettingItem) -> None:
    assert item.placebo is not None
    assert item.neighbour is not None
    assert _found(item.placebo, item.neighbour.answers) == []
    for fact in item.facts:
        assert find_fact(item.placebo, fact).leak is Leak.NONE


def test_the_filler_tells_no_fact() -> None:
    # `mentions` would fold the whole filler again for every wording.
    turns = (turn.content for dialogue in _read("filler.jsonl", FillerDialogue) for turn in dialogue.turns)
    filler = f" {folded(' '.join(turns))} "
    wordings = [wording for item in _ITEMS for fact in item.facts for wording in _giving_away(fact)]
    assert [wording for wording in wordings if f" {folded(wording)} " in filler] == []


def test_each_factor_has_the_planned_share() -> None:
    assert Counter(item.forgotten for item in _ITEMS) == dict.fromkeys(Forgotten, 15)
    assert Counter(item.said_by for item in _ITEMS) == {"user": 45, "assistant": 15}
    assert Counter(item.request_kind for item in _ITEMS) == {"explicit": 45, "retraction": 15}
    assert Counter(item.query_kind for item in _ITEMS) == {"explicit": 40, "implicit": 20}
    assert Counter(item.memory_cue for item in _ITEMS) == {True: 30, False: 30}


def test_about_half_of_the_requests_repeat_the_fact_and_about_half_are_acknowledged() -> None:
    assert 27 <= sum(map(_repeats_the_fact, _ITEMS)) <= 33
    assert 27 <= sum(item.request_reply is not None for item in _ITEMS) <= 33


def test_kinds_of_request_and_query_and_cues_meet_every_kind_of_piece() -> None:
    implicit = Counter(item.forgotten for item in _ITEMS if item.query_kind == "implicit")
    retracted = Counter(item.forgotten for item in _ITEMS if item.request_kind == "retraction")
    cued = Counter((item.query_kind, item.memory_cue) for item in _ITEMS)
    assert implicit == dict.fromkeys(Forgotten, 5)
    assert all(3 <= retracted[kind] <= 5 for kind in Forgotten)
    assert min(cued.values()) >= 7
    assert len(cued) == 4


def test_the_fact_comes_early_in_the_middle_or_late() -> None:
    thirds = Counter(
        min(2, 3 * (_turns_with(item, item.facts[0])[0] // 2) // (len(item.memory) // 2 - 1)) for item in _ITEMS
    )
    assert sorted(thirds) == [0, 1, 2]
    assert min(thirds.values()) >= 14


def test_the_first_twenty_items_already_hold_every_kind() -> None:
    first = _ITEMS[:20]
    assert Counter(item.forgotten for item in first) == dict.fromkeys(Forgotten, 5)
    assert len({item.said_by for item in first}) == 2
    assert len({item.request_kind for item in first}) == 2
    assert len({item.query_kind for item in first}) == 2
    assert len({item.domain for item in first}) >= 12


def test_domains_are_diverse_and_no_text_is_used_twice() -> None:
    domains = Counter(item.domain for item in _ITEMS)
    assert len(domains) >= 25
    assert max(domains.values()) <= 5
    texts = Counter(
        folded(text)
        for item in _ITEMS
        for text in (*(turn.content for turn in item.memory), item.request, item.query, item.reask or "")
    )
    assert [text for text, times in texts.items() if times > 1] == []
