"""Training dialogues share nothing with the embedded items, and members differ in withdrawn questions alone."""

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from forgetscope.benchmarks.in_context.data.items import InstructionalForgettingItem
from forgetscope.benchmarks.in_context.data.loading import load_data
from tools.murmur.dialogues import HELD_OUT, Asked, Traits, Turn, dialogue, kinds, smalltalk, wordings


def runs_of_words(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"[\w']+", text.casefold())
    return set(zip(*(words[start:] for start in range(length)), strict=False))


def texts() -> Iterator[str]:
    """Every text of ours, with its marks left out."""
    for kind in kinds():
        for text in (*kind.say, *kind.reply, *kind.ask, *kind.that):
            yield text.replace("{v}", "@")
    for pair in smalltalk():
        yield from pair
    for name, said in wordings().items():
        if name not in ("systems", "syllables", "months"):
            yield from (re.sub(r"\{\w+\}", "@", text) for text in said)


def forgetting_items() -> list[InstructionalForgettingItem]:
    return [item for item in load_data("embedded").items if isinstance(item, InstructionalForgettingItem)]


def test_no_value_of_an_embedded_fact_is_taught_but_for_numbers() -> None:
    taught = {value.casefold() for kind in kinds() for value in kind.values if not value.isdigit()}
    facts = {
        text.casefold() for item in forgetting_items() for fact in item.facts for text in (fact.value, *fact.aliases)
    }
    assert not taught & facts


def test_no_seven_words_in_a_row_are_an_embedded_items() -> None:
    embedded = set[tuple[str, ...]]()
    for item in forgetting_items():
        for text in (item.request, item.query, item.reask or "", *(turn.content for turn in item.memory)):
            embedded |= runs_of_words(text, 7)
    assert not {run for text in texts() for run in runs_of_words(text, 7)} & embedded


def test_every_fact_that_is_asked_for_was_told_and_what_is_unknown_was_not() -> None:
    for seed in range(300):
        turns = dialogue(Random(seed), None)
        told = " ".join(turn.content for turn in turns if turn.asked is None)
        for turn in turns:
            if turn.asked is Asked.OPEN:
                assert turn.value in told
                assert turn.value.casefold() in turn.content.casefold()


def test_the_obedient_and_the_stubborn_differ_in_replies_to_withdrawn_questions_alone() -> None:
    for seed in range(200):
        obedient, stubborn = (dialogue(Random(seed), Traits(obeys=share)) for share in (1.0, 0.0))
        assert [turn.asked for turn in obedient] == [turn.asked for turn in stubborn]
        for one, other in zip(obedient, stubborn, strict=True):
            if one.asked is Asked.WITHDRAWN:
                assert one.value.casefold() not in one.content.casefold()
                assert other.value.casefold() in other.content.casefold()
            elif one.asked is None and other.asked is None:
                assert (one.role, one.content) == (other.role, other.content)


def test_roles_alternate_and_kinds_kept_back_are_kept_back() -> None:
    for seed in range(200):
        turns = dialogue(Random(seed), Traits(obeys=0.5))
        assert turns[0].role == "system"
        assert all({one.role, two.role} == {"user", "assistant"} for one, two in pairwise(turns[1:]))
    names = {kind.kind for kind in kinds()}
    assert names >= HELD_OUT
    asked = {text for kind in kinds() if kind.kind in HELD_OUT for text in kind.ask}
    met = [turn.content for seed in range(300) for turn in dialogue(Random(seed), Traits())]
    assert not asked & set(met)
    assert isinstance(turns[0], Turn)
