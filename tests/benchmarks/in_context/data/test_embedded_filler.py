"""The rules of the embedded filler: it makes a context longer and tells nobody anything about the user."""

import re
from collections.abc import Iterator
from importlib.resources import as_file, files

import pytest

from forgetscope.benchmarks.in_context.data.items import FillerDialogue, InstructionalForgettingItem
from forgetscope.io.records import read_records
from forgetscope.io.tokens import count_cl100k
from forgetscope.mentions.same_wording import folded

_FOLDER = files("forgetscope.benchmarks.in_context.data").joinpath("embedded")
with as_file(_FOLDER.joinpath("filler.jsonl")) as _path:
    _FILLERS = read_records(_path, FillerDialogue)
_ALL = pytest.mark.parametrize("filler", _FILLERS, ids=[filler.id for filler in _FILLERS])

# Somebody asked to drop, or to think back to, what was said: it would be a second interference.
_ABOUT_THE_DIALOGUE = re.compile(
    r"\b(forg[eo]t\w*|ignor\w*|disregard\w*|never ?mind|scratch that|overlook\w*|remember\w*|remind\w*|recall\w*"
    r"|as (i|you) (said|mentioned)|(i|you) (said|told|mentioned)|changed my mind|last time|previous(ly)?)\b",
    re.IGNORECASE,
)
# Lasting facts about the user or likings: they would be a second memory.
_ABOUT_THE_USER = re.compile(
    r"\b(my name|call me|i live|i work|i study|i moved|i come from|i grew up|i was born|i prefer|i love|i like|i hate"
    r"|i enjoy|i can't stand|i always|i usually|i never|i'm an?|i am an?|i'm from|i am from|i'm allergic|i am allergic"
    r"|i'm planning|my favou?rite|my (wife|husband|partner|mother|mum|mom|father|dad|son|daughter|sister|brother|family"
    r"|aunt|uncle|grand\w+|friend|boss|job|company|office|school|house|flat|birthday|age|doctor|dog|cat|hobby))\b",
    re.IGNORECASE,
)
# Instructions of several requirements, and questions with options: they would be a second query.
_ASKS_FOR_A_TEXT = re.compile(
    r"\b(write|compose|draft) (me |us )?(an?|some)\b"
    r"|\b(exactly|at (least|most)|no more than|under|within) \w+ (words?|sentences?|paragraphs?|bullets?|lines?)\b",
    re.IGNORECASE,
)
_OFFERS_OPTIONS = re.compile(r"^\s*[-*]?\s*\(?[A-Da-d][.)]\s", re.MULTILINE)


def _exchange_tokens(filler: FillerDialogue) -> Iterator[int]:
    for user, assistant in zip(filler.turns[0::2], filler.turns[1::2], strict=True):
        yield count_cl100k(user.content) + count_cl100k(assistant.content)


def _of_user(filler: FillerDialogue) -> str:
    return "\n".join(turn.content for turn in filler.turns if turn.role == "user")


def _text(filler: FillerDialogue) -> str:
    return "\n".join(turn.content for turn in filler.turns)


def test_there_are_90_to_130_dialogues_with_ids_in_order() -> None:
    assert 90 <= len(_FILLERS) <= 130
    assert [filler.id for filler in _FILLERS] == [f"fd-{number:03d}" for number in range(1, len(_FILLERS) + 1)]


def test_together_they_have_41000_tokens() -> None:
    assert sum(sum(_exchange_tokens(filler)) for filler in _FILLERS) >= 41_000


def test_no_two_dialogues_have_the_same_topic() -> None:
    assert len({filler.topic.casefold() for filler in _FILLERS}) == len(_FILLERS) >= 60


def test_no_two_dialogues_share_a_run_of_eight_words() -> None:
    seen: dict[tuple[str, ...], str] = {}
    for filler in _FILLERS:
        words = re.findall(r"\w+", _text(filler).casefold())
        for run in zip(*(words[start:] for start in range(8)), strict=False):
            assert seen.setdefault(run, filler.id) == filler.id, run


def test_at_least_15_dialogues_have_an_exchange_under_60_tokens() -> None:
    assert sum(any(tokens < 60 for tokens in _exchange_tokens(filler)) for filler in _FILLERS) >= 15


def test_openings_and_lengths_vary() -> None:
    openings = {" ".join(filler.turns[0].content.casefold().split()[:3]) for filler in _FILLERS}
    assert len(openings) >= 0.85 * len(_FILLERS)
    assert len({len(filler.turns) for filler in _FILLERS}) >= 5


def test_no_fact_to_be_forgotten_stands_in_the_filler() -> None:
    with as_file(_FOLDER.joinpath("instructional_forgetting.jsonl")) as path:
        items = read_records(path, InstructionalForgettingItem)
    filler = f" {folded(' '.join(_text(entry) for entry in _FILLERS))} "
    wordings = [(item.id, wording) for item in items for fact in item.facts for wording in (fact.value, *fact.aliases)]
    assert wordings
    assert [(name, wording) for name, wording in wordings if f" {folded(wording)} " in filler] == []


@_ALL
def test_a_dialogue_has_2_to_8_exchanges_and_150_to_900_tokens(filler: FillerDialogue) -> None:
    assert 2 <= len(filler.turns) // 2 <= 8
    assert 150 <= sum(_exchange_tokens(filler)) <= 900


@_ALL
def test_a_topic_is_one_or_two_words(filler: FillerDialogue) -> None:
    assert 1 <= len(filler.topic.split()) <= 2


@_ALL
def test_nobody_is_asked_to_forget_or_to_think_back(filler: FillerDialogue) -> None:
    assert _ABOUT_THE_DIALOGUE.search(_text(filler)) is None


@_ALL
def test_nothing_is_learned_about_the_user(filler: FillerDialogue) -> None:
    assert _ABOUT_THE_USER.search(_of_user(filler)) is None


@_ALL
def test_no_text_with_requirements_is_asked_for(filler: FillerDialogue) -> None:
    assert _ASKS_FOR_A_TEXT.search(_of_user(filler)) is None


@_ALL
def test_no_options_are_offered(filler: FillerDialogue) -> None:
    assert _OFFERS_OPTIONS.search(_text(filler)) is None


@_ALL
def test_the_characters_are_those_of_a_keyboard_and_of_the_languages_named(filler: FillerDialogue) -> None:
    assert re.findall(r"[—–‘’“”…\u00a0\u200b\ufffd\t]", _text(filler)) == []


@pytest.mark.parametrize(
    ("rule", "breach"),
    [
        (_ABOUT_THE_DIALOGUE, "Please forget what I told you."),
        (_ABOUT_THE_DIALOGUE, "Never mind the first part."),
        (_ABOUT_THE_USER, "By the way, I live in a small town."),
        (_ABOUT_THE_USER, "I'm a nurse."),
        (_ABOUT_THE_USER, "My sister has the same one."),
        (_ASKS_FOR_A_TEXT, "Write a poem about rain."),
        (_ASKS_FOR_A_TEXT, "in no more than 50 words"),
        (_OFFERS_OPTIONS, "Which one?\nA) red\nB) blue"),
    ],
)
def test_each_rule_finds_a_breach(rule: re.Pattern[str], breach: str) -> None:
    assert rule.search(breach)
