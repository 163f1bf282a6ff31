"""The preference items shipped with the package keep the rules they were written by."""

import re
from collections import Counter
from importlib.resources import as_file, files
from itertools import combinations, permutations
from statistics import mean

import pytest

from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem, FillerDialogue, Preference, Turn
from forgetscope.io.records import read_records

EXPRESSIONS = ("direct", "multiple_choice", "dialogue")
STRONG_DOMAINS = {"ethics", "faith", "health", "insurance", "money", "safety"}
HEDGES = {"maybe", "perhaps", "might", "probably", "usually", "sometimes", "often", "mostly", "tend", "somewhat"}
REASONS = {"because", "since", "therefore", "so", "due"}
RULES_DECLARED = r"\b(i (only|always|never|prefer|refuse)|my preference|as a rule|my rule|from now on)\b"
CHOICE = re.compile(r"^(\d)\. (.+)$", re.MULTILINE)
NUMERALS = {1: "1|one|first", 2: "2|two|second", 3: "3|three|third", 4: "4|four|fourth"}
# Asking to drop something is another scenario's interference.
ASKS_TO_FORGET = r"\b(forg[eo]t\w*|disregard\w*|never ?mind|scratch that|(what|as) i (said|told you)|changed my mind)\b"


def _items() -> list[DynamicPreferenceItem]:
    with as_file(
        files("forgetscope.benchmarks.in_context.data").joinpath("embedded", "dynamic_preference.jsonl")
    ) as path:
        return read_records(path, DynamicPreferenceItem)


ITEMS = _items()
EACH = pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
BY_EXPRESSION = {name: [item for item in ITEMS if item.expression == name] for name in EXPRESSIONS}


def each_of(expression: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("item", BY_EXPRESSION[expression], ids=lambda item: item.id)


def both(item: DynamicPreferenceItem) -> tuple[Preference, Preference]:
    return item.old, item.new


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['-][^\W_]+)*", text.casefold())


# Words that say nothing of a topic: grammar, and verbs that go with anything.
LIGHT_WORDS = frozenset(
    words(
        "a an and any are as at be but by do every everything for from get give go has have how i if in into is it keep"
        " like me my no not nothing of off on one only or our out put should someone that the them there they things"
        " this to until up want we what when where whether which who will with you your"
    )
)


def stems(text: str) -> set[str]:
    """Content words without a plural or verb ending, enough to see that two texts speak of the same thing."""
    content = (word for word in words(text) if word not in LIGHT_WORDS)
    return {re.sub(r"(ing|ed|es|s)$", "", word) if len(word) > 4 else word for word in content}


def said(turns: tuple[Turn, ...], role: str) -> str:
    return "\n".join(turn.content for turn in turns if turn.role == role)


def test_there_are_sixty_items_whose_expressions_take_turns() -> None:
    assert [item.id for item in ITEMS] == [f"dp-{number:03d}" for number in range(1, 61)]
    assert [item.expression for item in ITEMS] == list(EXPRESSIONS) * 20


def test_about_a_third_of_each_expression_is_a_matter_of_health_ethics_faith_safety_or_money() -> None:
    for items in BY_EXPRESSION.values():
        assert 5 <= sum(item.domain in STRONG_DOMAINS for item in items) <= 8


def test_the_domains_are_many_and_none_has_more_than_seven_items() -> None:
    counts = Counter(item.domain for item in ITEMS)
    assert len(counts) >= 20
    assert max(counts.values()) <= 7


def test_the_topics_that_a_filler_dialogue_also_has_carry_its_name_so_that_the_two_are_kept_apart() -> None:
    """A talk about the excess of an insurance next to a choice of policies would lean on the choice."""
    shared = {"buoyancy", "coffee", "insurance", "photography", "plumbing"}
    with as_file(files("forgetscope.benchmarks.in_context.data").joinpath("embedded", "filler.jsonl")) as path:
        topics = {filler.topic for filler in read_records(path, FillerDialogue)}
    assert shared <= topics
    assert shared == topics & {item.domain for item in ITEMS}


@EACH
def test_a_statement_is_one_decisive_first_person_sentence_without_reasons(item: DynamicPreferenceItem) -> None:
    for preference in both(item):
        text = preference.text
        assert text.endswith(".")
        assert len(re.findall(r"[.!?]", text)) == 1
        assert {"i", "i'm"} & set(words(text))
        assert not (HEDGES | REASONS) & set(words(text))


@EACH
def test_both_statements_open_alike_and_are_of_similar_length(item: DynamicPreferenceItem) -> None:
    old, new = words(item.old.text), words(item.new.text)
    assert old[:2] == new[:2]
    assert set(old[:4]) & set(new[:4]) >= set(old[:2])
    lengths = sorted((len(item.old.text), len(item.new.text)))
    assert lengths[0] / lengths[1] >= 0.75


@each_of("direct")
def test_a_direct_preference_is_a_statement_and_a_short_acknowledgement(item: DynamicPreferenceItem) -> None:
    for preference in both(item):
        assert len(preference.turns) == 2
        assert len(words(preference.turns[1].content)) <= 30


@each_of("multiple_choice")
def test_a_chosen_preference_is_a_question_numbered_choices_a_pick_and_an_acknowledgement(
    item: DynamicPreferenceItem,
) -> None:
    for preference in both(item):
        question, offer, _, acknowledgement = (turn.content for turn in preference.turns)
        choices = CHOICE.findall(offer)
        assert "?" in question
        assert [number for number, _ in choices] == [str(n) for n in range(1, len(choices) + 1)]
        assert 3 <= len(choices) <= 4
        assert not CHOICE.search(acknowledgement)
        assert picked_number(preference) in range(1, len(choices) + 1)


def picked_number(preference: Preference) -> int:
    """The number the user's pick opens with: "2, no question", "The third one"."""
    opening = words(preference.turns[2].content)[:3]
    return next(number for word in opening for number, forms in NUMERALS.items() if word in forms.split("|"))


def test_the_pick_stands_at_no_place_in_the_list_more_than_half_the_time() -> None:
    for which in ("old", "new"):
        counts = Counter(picked_number(getattr(item, which)) for item in BY_EXPRESSION["multiple_choice"])
        assert max(counts.values()) <= 10
        assert len(counts) >= 3


@each_of("dialogue")
def test_a_dialogue_of_two_to_four_exchanges_declares_no_rule(item: DynamicPreferenceItem) -> None:
    for preference in both(item):
        assert 4 <= len(preference.turns) <= 8
        assert not re.search(RULES_DECLARED, said(preference.turns, "user").casefold())


@EACH
def test_no_turn_holds_an_option_or_a_statement_word_for_word(item: DynamicPreferenceItem) -> None:
    for preference in both(item):
        heard = " ".join(words("\n".join(turn.content for turn in (*preference.turns, *item.unrelated))))
        for text in (*item.options, item.old.text, item.new.text):
            assert " ".join(words(text)) not in heard


@EACH
def test_nobody_is_asked_to_forget_anything(item: DynamicPreferenceItem) -> None:
    heard = "\n".join(turn.content for turn in (*item.old.turns, *item.new.turns, *item.unrelated))
    assert not re.search(ASKS_TO_FORGET, f"{heard}\n{item.question}".casefold())


@EACH
def test_the_question_asks_and_shares_no_telling_word_with_one_preference_alone(item: DynamicPreferenceItem) -> None:
    assert item.question.endswith("?")
    telling = stems(item.old.text) ^ stems(item.new.text)
    assert not telling & stems(item.question)


@EACH
def test_options_are_six_to_eighteen_words_and_within_three_words_of_each_other(item: DynamicPreferenceItem) -> None:
    lengths = [len(words(option)) for option in item.options]
    assert all(6 <= length <= 18 for length in lengths)
    assert max(lengths) - min(lengths) <= 3
    assert all(option[0].isupper() and option[-1].isalpha() for option in item.options)


@EACH
def test_no_option_holds_or_begins_another(item: DynamicPreferenceItem) -> None:
    for one, other in permutations((" ".join(words(option)) for option in item.options), 2):
        assert one not in other


def test_old_and_new_stand_at_every_place_equally_often() -> None:
    pairs = Counter((item.options.index(item.old.option), item.options.index(item.new.option)) for item in ITEMS)
    assert pairs == dict.fromkeys(permutations(range(4), 2), 5)
    for items in BY_EXPRESSION.values():
        for which in ("old", "new"):
            places = Counter(item.options.index(getattr(item, which).option) for item in items)
            assert places == dict.fromkeys(range(4), 5)


def test_the_length_of_an_option_does_not_give_it_away() -> None:
    groups: dict[str, list[int]] = {"old": [], "new": [], "neither": []}
    for item in ITEMS:
        for option in item.options:
            name = "old" if option == item.old.option else "new" if option == item.new.option else "neither"
            groups[name].append(len(words(option)))
    means = [mean(lengths) for lengths in groups.values()]
    assert max(means) - min(means) <= 0.5


def test_counting_shared_words_does_not_find_the_option_of_a_preference() -> None:
    for which in ("old", "new"):
        found = 0
        for item in ITEMS:
            preference = getattr(item, which)
            shared = {option: len(stems(option) & stems(preference.text)) for option in item.options}
            best = max(shared.values())
            found += shared[preference.option] == best and list(shared.values()).count(best) == 1
        assert found <= len(ITEMS) // 3


def test_about_half_of_each_expression_has_a_session_or_two_about_something_else() -> None:
    for items in BY_EXPRESSION.values():
        assert 8 <= sum(bool(item.unrelated) for item in items) <= 12
        assert all(len(item.unrelated) in (0, 2, 4) for item in items)


@EACH
def test_the_session_about_something_else_does_not_touch_the_preference(item: DynamicPreferenceItem) -> None:
    about = stems(item.old.text) | stems(item.new.text)
    assert not about & stems("\n".join(turn.content for turn in item.unrelated))


def test_no_two_items_are_variations_of_one_another() -> None:
    content = {item.id: stems(" ".join((item.question, *item.options))) for item in ITEMS}
    for (one, first), (other, second) in combinations(content.items(), 2):
        assert len(first & second) / len(first | second) < 0.2, (one, other)
