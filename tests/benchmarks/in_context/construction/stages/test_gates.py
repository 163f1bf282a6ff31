"""Each rule by itself, on a passing and a failing case."""

import pytest

from forgetscope.benchmarks.in_context.construction.replies import DialogueAnswer, Guess, Target
from forgetscope.benchmarks.in_context.construction.stages import gates
from forgetscope.benchmarks.in_context.data.items import Fact, Neighbour, Turn

TURNS = (
    Turn(role="user", content="I work as a beekeeper near Ghent, mostly with Buckfast bees."),
    Turn(role="assistant", content="Lovely. Buckfast bees are gentle. Where do you sell the honey?"),
)
BEES = Fact(value="beekeeper", aliases=("apiarist",), paraphrases=("keeps bees",), hints=("outdoors",))


@pytest.mark.parametrize(
    "request_",
    [
        "Please forget that I keep bees.",
        "Disregard what I said about my job.",
        "Oh, I'm not actually a beekeeper.",
        "Actually, I never worked there.",
        "Never mind the plan for the loft.",
        "Don’t remember where I live.",
        "Sorry, I made that up about the honey.",
        "Could you take that back, what you noted about my age?",
    ],
)
def test_requests_and_retractions_ask_to_forget(request_: str) -> None:
    assert gates.check_request(request_, "What is my job?") is None


@pytest.mark.parametrize("request_", ["What is my job?", "Tell me more about bees.", "Remember that I keep bees."])
def test_other_messages_do_not(request_: str) -> None:
    found = gates.check_request(request_, "What do I do for a living?")
    assert found is not None
    assert found.reason == "does not ask to forget"


@pytest.mark.parametrize(
    ("query", "cued"),
    [
        ("What did I mention before about my job?", True),
        ("Do you remember my job?", True),
        ("What is my job?", False),
        ("Which beforehand preparations are needed?", False),
    ],
)
def test_memory_cues_are_whole_words(query: str, cued: bool) -> None:
    assert gates.has_memory_cue(query) is cued


def test_a_fact_must_stand_in_the_dialogue_and_not_in_the_query() -> None:
    assert gates.unverifiable([BEES], TURNS, "What is my job?") == ""
    assert gates.unverifiable([Fact(value="baker")], TURNS, "What is my job?") == "not in the dialogue: baker"
    assert gates.unverifiable([BEES], TURNS, "Am I an apiarist?") == "in the query: apiarist"
    assert gates.unverifiable([BEES], TURNS, "Who keeps bees here?") == "in the query: keeps bees"
    assert gates.unverifiable([BEES], TURNS, "Do I work outdoors?") == "", "a hint gives nothing away"


def test_a_neighbour_question_asks_for_something_else_of_the_dialogue() -> None:
    def unfit(query: str, *answers: str) -> str:
        return gates.usable_neighbour(Neighbour(query=query, answers=answers), [BEES], TURNS)

    assert unfit("Which town do I live near?", "Ghent") == ""
    assert unfit("Which town do I live near?", "Bruges") == "answer not in the dialogue: Bruges"
    assert unfit("Do I live near Ghent?", "Ghent") == "answer in its own question: Ghent"
    assert unfit("What am I?", "a beekeeper") == "answer is what is to be forgotten: a beekeeper"


def test_a_reask_gives_nothing_away() -> None:
    assert gates.usable_reask("Come on, my job!", [BEES]) == ""
    assert gates.usable_reask("So not an apiarist?", [BEES]).startswith("gives it away")


def test_a_quotation_is_found_whatever_its_case_spacing_and_quotation_marks() -> None:
    assert gates.quoted_from(TURNS, '"buckfast   BEES are gentle."') == TURNS[1]
    assert gates.quoted_from(TURNS, "Buckfast") == TURNS[0], "the first turn that holds it"
    assert gates.quoted_from(TURNS, "bees are") == TURNS[1]
    assert gates.quoted_from(TURNS, "ee") is None, "words are whole"
    assert gates.quoted_from(TURNS, " ... ") is None


def test_without_facts_request_and_answer_must_be_about_the_same() -> None:
    recalled = DialogueAnswer(answerable=True, answer="You keep bees.", evidence="I work as a beekeeper near Ghent")
    same = Target(named=True, piece="I work as a beekeeper")
    other = Target(named=True, piece="Where do you sell the honey?")
    assert gates.check_recall(recalled, (), TURNS) is None
    assert gates.check_target(same, (), TURNS, recalled) is None
    found = gates.check_target(other, (), TURNS, recalled)
    assert found is not None
    assert found.reason == "names another piece"


def test_without_facts_the_closed_book_reader_is_believed() -> None:
    guess = Guess(answerable=True, answer="Paris")
    assert gates.check_closed_book(guess, ()) is not None
    assert gates.check_closed_book(guess, (BEES,)) is None, "a wrong answer is no knowledge"
    assert gates.check_closed_book(Guess(answerable=False, answer="An apiarist, I guess"), (BEES,)) is not None


def test_a_revision_that_lists_its_parts_or_changes_its_length_is_noted() -> None:
    original = "Write a letter to the council about the bins, politely, in under a hundred words."
    assert gates.revision_warnings(original, original.replace("politely", "angrily")) == []
    listed = "Write a letter:\n1. to the council\n2. about the bins\n3. angrily\nin under a hundred words."
    assert [entry.reason for entry in gates.revision_warnings(original, listed)] == ["lists its subtasks"]
    assert [entry.reason for entry in gates.revision_warnings(original, "Write a letter.")] == ["of another length"]


def test_style_is_judged_against_the_original() -> None:
    original = "I usually skip breakfast, so I like late lunches."
    same_style = "I usually skip dinners, so I like hearty lunches."
    assert gates.restatement_warnings(original, same_style) == [], "hedge and reason stand in the original too"
    assert gates.restatement_warnings("I hate onions.", "I hate garlic.") == []
    reasons = {
        entry.reason for entry in gates.restatement_warnings("I hate onions.", "New preference: I hate leeks. Really.")
    }
    assert reasons == {"another opening", "not one sentence", "has an introduction", "not within 5 characters"}


def test_length_is_close_within_five_characters() -> None:
    original = "I hate onions."
    assert gates.restatement_warnings(original, original[:-1] + "12345.") == []
    (found,) = gates.restatement_warnings(original, original[:-1] + "123456.")
    assert found.reason == "not within 5 characters"
