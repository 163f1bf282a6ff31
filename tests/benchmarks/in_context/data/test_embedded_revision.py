"""The subtask-revision items shipped with the package keep the rules they were written by."""

import re
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import as_file, files
from itertools import chain

import pytest

from forgetscope.benchmarks.in_context.data.items import Subtask, SubtaskCheck, SubtaskRevisionItem
from forgetscope.benchmarks.in_context.scoring.revision import subtasks_done
from forgetscope.checkers import CONSTRAINTS, Behaviour, check
from forgetscope.checkers.construct import compose
from forgetscope.checkers.reading import occurs
from forgetscope.io.records import read_records

COUNTS_BY_CHANGE = {"altered": 20, "removed": 15, "mixed": 15, "added": 10}
NUMBER_NAMES = dict(enumerate(["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]))
LANGUAGES = {
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "it": "Italian",
    "pt": "Portuguese",
}
MARKS = {
    "detectable_format:json_format": ["JSON"],
    "punctuation:no_comma": ["comma"],
    "reader:capitals": ["all capitals"],
    "reader:gaps": ["square brackets"],
    "reader:json": ["JSON"],
    "reader:name": ["double angle brackets", "<<"],
    "reader:points": ["bullet points"],
    "reader:quoted": ["double quotation marks"],
    "reader:starred": ["asterisks"],
}
MANNERS = {
    "besides",
    "relation",
    "let_relation",
    "place",
    "lists",
    "unit",
    "signature",
    "quotes",
    "within",
    "each",
    "root",
    "holding",
}
RESULTS = {"sr-033", "sr-036", "sr-060"}  # their keywords are numbers to be worked out, so the instruction hides them

# What nobody does unasked, so that it cannot stand in an answer to the revised instruction by chance.
NEVER_BY_CHANCE = {
    "reader:case",
    "reader:choice",
    "reader:closing",
    "reader:figures",
    "reader:hashtags",
    "reader:headings",
    "reader:json",
    "reader:name",
    "reader:opening",
    "reader:paragraph_opening",
    "reader:parts",
    "reader:points",
    "reader:ps",
    "reader:quoted",
}
POINTS_BACK = re.compile(
    r"\b(previous(ly)?|original(ly)?|no longer|rather than|not any ?more|changed? my mind|earlier|as before|this time"
    r"|scratch that|forget|ignore|skip the|drop the|actually|after all|on second thoughts?|new version|updated?"
    r"|revised?)\b",
    re.IGNORECASE,
)


def _items() -> list[SubtaskRevisionItem]:
    with as_file(
        files("forgetscope.benchmarks.in_context.data").joinpath("embedded", "subtask_revision.jsonl")
    ) as path:
        return read_records(path, SubtaskRevisionItem)


ITEMS = _items()
BY_ID = {item.id: item for item in ITEMS}
EACH = pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)


def both(item: SubtaskRevisionItem) -> tuple[tuple[str, tuple[Subtask, ...]], tuple[str, tuple[Subtask, ...]]]:
    """Each instruction with the subtasks it asks for."""
    return (
        (item.original, (*item.common, *item.original_only)),
        (item.revised, (*item.common, *item.revised_only)),
    )


def subtasks(item: SubtaskRevisionItem) -> tuple[Subtask, ...]:
    return (*item.common, *item.original_only, *item.revised_only)


def checks(wanted: Iterable[Subtask]) -> list[SubtaskCheck]:
    return [subtask.check for subtask in wanted if subtask.check is not None]


def types(wanted: Iterable[Subtask]) -> set[str]:
    return {one.type for one in checks(wanted)}


def done(reply: str, subtask: Subtask, behaviour: Behaviour) -> bool:
    (one,) = checks([subtask])
    return check(one.type, one.kwargs, reply, behaviour=behaviour).followed


def answer_to(prompt: str, wanted: Iterable[Subtask]) -> str | None:
    """A reply in which all the subtasks are done, in both behaviours of the checkers; None where none was found."""
    return _constructed(prompt, tuple(one.model_dump_json() for one in checks(wanted)))


@cache
def _constructed(prompt: str, wanted: tuple[str, ...]) -> str | None:
    instructions = [SubtaskCheck.model_validate_json(one) for one in wanted]
    return compose([(one.type, one.kwargs) for one in instructions], prompt=prompt)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def test_there_are_sixty_items_with_ids_in_order() -> None:
    assert [item.id for item in ITEMS] == [f"sr-{number:03d}" for number in range(1, 61)]


def test_the_kinds_of_change_are_balanced_also_in_the_first_twelve_items() -> None:
    assert Counter(item.change for item in ITEMS) == COUNTS_BY_CHANGE
    assert Counter(item.change for item in ITEMS[:12]) == {"altered": 4, "removed": 3, "mixed": 3, "added": 2}


def test_the_domains_are_many() -> None:
    assert len({item.domain for item in ITEMS}) >= 45


def test_the_checks_are_a_careful_readers_and_the_few_of_ifevals_that_a_reader_shares() -> None:
    used = {one for item in ITEMS for one in types(subtasks(item))}
    assert {name for name in CONSTRAINTS if name.startswith("reader:")} <= used
    assert {name for name in used if not name.startswith("reader:")} == {
        "keywords:letter_frequency",
        "length_constraints:number_sentences",
        "punctuation:no_comma",
    }


def test_most_instructions_are_prose_and_some_are_lists() -> None:
    assert 5 <= sum("\n" in item.original for item in ITEMS) <= 12


@EACH
def test_every_subtask_has_a_check_and_each_instruction_three_to_six(item: SubtaskRevisionItem) -> None:
    assert item.is_verified
    for _, wanted in both(item):
        assert 3 <= len(wanted) <= 6


@EACH
def test_the_change_is_what_it_is_called(item: SubtaskRevisionItem) -> None:
    removed, added = len(item.original_only), len(item.revised_only)
    match item.change:
        case "removed":
            assert removed
            assert not added
        case "added":
            assert added
            assert not removed
        case "altered":
            assert removed == added > 0
        case "mixed":
            assert removed
            assert added


@EACH
def test_the_instruction_names_what_is_checked(item: SubtaskRevisionItem) -> None:
    for instruction, wanted in both(item):
        for one in checks(wanted):
            if one.type == "reader:avoids":
                assert occurs(instruction, "|".join(named_values(one))), one
                continue
            for value in named_values(one):
                assert said_in(instruction, one, value) or item.id in RESULTS, (one.type, value)


def said_in(instruction: str, one: SubtaskCheck, value: str) -> bool:
    if one.type == "reader:entries":
        return all(part in instruction for part in value.split("="))
    return value.casefold() in instruction.casefold() or occurs(instruction, value)


def named_values(one: SubtaskCheck) -> list[str]:
    """The words and marks of a check that the instruction has to give: of several wordings, one."""
    if one.type == "keywords:letter_frequency":
        return ["percent sign" if one.kwargs["letter"] == "%" else str(one.kwargs["letter"])]
    if one.type == "reader:tongue":
        return [LANGUAGES[str(one.kwargs["language"])]]
    if one.type == "reader:case":
        return ["capital letters" if one.kwargs["case"] == "upper" else "lowercase letters"]
    values = chain.from_iterable(
        value if isinstance(value, list) else [value] for name, value in one.kwargs.items() if name not in MANNERS
    )
    return [*(value for value in values if isinstance(value, str)), *MARKS.get(one.type, [])]


@EACH
def test_the_instruction_names_every_number_that_is_counted(item: SubtaskRevisionItem) -> None:
    for instruction, wanted in both(item):
        said = set(words(instruction))
        for one in checks(wanted):
            for number in counted_numbers(one):
                at_most = {str(number - 1)} if "no more than" in instruction.casefold() else set()
                assert said & ({str(number), NUMBER_NAMES.get(number, "")} | at_most), (one, number)


def counted_numbers(one: SubtaskCheck) -> list[int]:
    """The numbers of a check that the instruction has to give; not 0 and 1 ("no bullets", "a gap") and positions."""
    numbers = [value for name, value in one.kwargs.items() if name != "nth" and isinstance(value, int)]
    return [number for number in numbers if number > 1]


@EACH
def test_an_answer_to_either_instruction_exists_and_is_not_an_answer_to_the_other(item: SubtaskRevisionItem) -> None:
    original, revised = (answer_to(instruction, wanted) for instruction, wanted in both(item))
    assert original is not None
    assert revised is not None
    for behaviour in Behaviour:
        if item.original_only:
            assert not all(done(revised, subtask, behaviour) for subtask in item.original_only)
        if item.revised_only:
            assert not all(done(original, subtask, behaviour) for subtask in item.revised_only)


@EACH
def test_a_machine_tells_the_outdated_subtasks_apart(item: SubtaskRevisionItem) -> None:
    asked = (*item.common, *item.revised_only)
    if item.change != "added":
        assert any(
            answer_to(item.revised, (*asked, subtask)) is None or never_by_chance(subtask, item.revised)
            for subtask in item.original_only
        )


def never_by_chance(subtask: Subtask, revised: str) -> bool:
    """Whether an answer to the revised instruction can only do this when it still has the original in mind."""
    (one,) = checks([subtask])
    match one.type, one.kwargs:
        case "reader:uses" | "reader:mentions" | "reader:entries", _:
            return any(not said_in(revised, one, value) for value in named_values(one))
        case "reader:times", {"times": int(times)}:
            return times >= 4
        case "reader:tongue", {"language": language}:
            return language != "en"
        case name, _:
            return name in NEVER_BY_CHANCE


@EACH
def test_the_revised_instruction_stands_on_its_own_in_the_words_of_the_original(item: SubtaskRevisionItem) -> None:
    assert not POINTS_BACK.search(item.revised)
    likeness = SequenceMatcher(None, item.original, item.revised, autojunk=False).ratio()
    assert 0.6 <= likeness < 1
    assert 0.55 <= len(item.revised) / len(item.original) <= 1.8


@EACH
def test_nothing_of_an_outdated_subtask_is_left_in_the_revised_instruction(item: SubtaskRevisionItem) -> None:
    for one in checks(item.original_only):
        if one.type in ("reader:mentions", "reader:uses", "reader:closing", "reader:opening", "reader:entries"):
            assert not all(said_in(item.revised, one, value) for value in named_values(one)), one


def test_instead_of_stands_in_a_handful_of_revisions_at_most() -> None:
    assert sum("instead" in item.revised.casefold() for item in ITEMS) <= 4


def test_no_two_items_share_a_run_of_seven_words() -> None:
    seen: dict[tuple[str, ...], str] = {}
    for item in ITEMS:
        runs = {
            tuple(text[start : start + 7])
            for text in (words(item.original), words(item.revised))
            for start in range(len(text) - 6)
        }
        assert not [(run, seen[run]) for run in runs if run in seen], item.id
        seen.update(dict.fromkeys(runs, item.id))


def test_half_of_the_items_have_one_unrelated_exchange_and_no_two_the_same() -> None:
    exchanges = [item.unrelated for item in ITEMS if item.unrelated]
    assert 28 <= len(exchanges) <= 32
    assert {len(exchange) for exchange in exchanges} == {2}
    assert len({exchange[0].content for exchange in exchanges}) == len(exchanges)


@EACH
def test_the_unrelated_exchange_has_no_word_that_is_checked(item: SubtaskRevisionItem) -> None:
    said = "\n".join(turn.content for turn in item.unrelated)
    for one in checks(subtasks(item)):
        if one.type in ("reader:mentions", "reader:uses", "reader:times", "reader:avoids"):
            assert not all(occurs(said, word) for word in named_values(one)), one


# Answers as a person would write them, to the original and to the revised instruction.
WRITTEN = {
    "sr-009": (
        "MISSING! BISCUIT IS GINGER AND SHY. LAST SEEN ON ELM ROAD. PLEASE CALL [PHONE].",
        "have you seen biscuit? she is ginger and microchipped and has been gone since sunday. please look in "
        "your sheds and garages and call us on [phone]. thank you!",
    ),
    "sr-012": (
        "Where is the whistle now? In the pocket of the yellow raincoat, which hangs on a hook in the greenhouse.",
        "Where is the whistle now? Inside Emil's violin case, which he left behind on the ferry.",
    ),
    "sr-013": (
        "<<Low Tide at Essaouira>>\nAmal Berrada, 2019. Huile sur toile de lin. La mer se retire et laisse "
        "derrière elle un miroir de sable où les bateaux attendent le soir.",
        "<<Low Tide at Essaouira>>\nAmal Berrada, 2019. Olio su tela di lino. Il mare si ritira e lascia "
        "dietro di sé uno specchio di sabbia dove le barche aspettano la sera.",
    ),
    "sr-027": (
        "<<No Cars at the Fish Market>>\n- The harbour council of Port Lindgren has voted 31 to 12 to close "
        "the old fish market to cars.\n- The ban starts on 2 May and spares only Saturday.\n- Shopkeepers "
        "handed in 900 signatures against it.",
        "Port Lindgren's harbour council voted 31 to 12 on Monday to close the old fish market to cars every "
        "day but Saturday. Shopkeepers had collected 900 signatures against the ban. Over to you Marit.",
    ),
    "sr-033": (
        "<<Five Tables>>\nThe mean spreads the money evenly: 60 dollars over five tables makes 12. The median "
        "is the one in the middle when you line them up: 5. One generous table pulls the mean far away from "
        "the usual tip.",
        "The mean spreads the money evenly: 75 dollars over five tables makes 15. The median is the one in the "
        "middle when you line them up: 9. The last table is an outlier and pulls only the mean.",
    ),
    "sr-036": (
        "- Brno to Mikulov: 09:40 to 11:30\n- Wine stop: 11:30 to 12:15\n- Mikulov to Graz: 12:15 to 14:25\n\n"
        "You arrive at **14:25**.",
        "- Brno to Mikulov: 10:15 to 12:05\n- Lunch: 12:05 to 13:25\n- Mikulov to Graz: 13:25 to 15:35\n\nYou "
        "arrive at **15:35**.",
    ),
    "sr-040": (
        "Herzlich willkommen in Sopot! Das WLAN-Passwort lautet mewa2024, der Code für den Schlüsselkasten ist "
        "4417. Die Mülltonnen stehen im Hof. Wir wünschen Ihnen schöne Tage am Meer.\n\nFamilie Sobczak",
        "Tervetuloa Sopotiin! Langattoman verkon salasana on mewa2024 ja avainlaatikon koodi on 4417. "
        "Roska-astiat ovat pihalla. Toivotamme teille mukavia päiviä meren äärellä.\n\nPerhe Sobczak",
    ),
    "sr-049": (
        "Ahoy, Mina!\n\nOn Wednesday Doctor Lund will paint my hole shut. You will hear a buzz and feel some "
        "water, and I will keep as still as a ship in port.\n\nAfterwards you get a sticker, I promise. Your "
        "tooth",
        "Dear Mina, this is your tooth speaking.\n\nOn Wednesday Doctor Lund will close the little hole in "
        "me.\n\nYou will hear a buzz and feel some water, and afterwards you get a balloon, I promise."
        "\n\nAbracadabra, and I am as good as new! Your tooth",
    ),
    "sr-052": (
        "The harbour lies still under a moon as thin as a nail paring. One lantern swings where the pier ends, "
        "and its light runs over the black water like spilled honey. Ropes creak. A dog barks twice in the "
        "town and then thinks better about it. The boats nod in their sleep, the nets drip, and it all smells "
        "like salt and tar. It is late. The gulls agree.",
        "At night the harbour is a room with the lamps turned low. A lantern hangs from the crane and paints "
        "one yellow stripe across the water. Two trawlers lean together, whispering about herring. A cat steps "
        "along the wall as though she owned every fish in it. Whether the boats leave before dawn is not up to "
        "the men asleep inside them. The tide decides.",
    ),
    "sr-060": (
        '{"Ravi": 24, "Maya": 12, "checkedby": "Oksana"}',
        '{"Ravi": 27, "Maya": 9, "checkedby": "Oksana"}',
    ),
}


@pytest.mark.parametrize("item", [BY_ID[name] for name in WRITTEN], ids=lambda item: item.id)
def test_a_written_answer_is_right_and_the_answer_to_the_original_is_wrong(item: SubtaskRevisionItem) -> None:
    outdated, right = WRITTEN[item.id]
    assert all(subtasks_done(outdated, (*item.common, *item.original_only)))
    assert all(subtasks_done(right, (*item.common, *item.revised_only)))
    assert not any(subtasks_done(right, item.original_only))
    assert not (item.revised_only and all(subtasks_done(outdated, item.revised_only)))
