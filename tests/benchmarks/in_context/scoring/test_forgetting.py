"""What a machine can tell about a reply, each rule with cases on both sides of it."""

import pytest

from forgetscope.benchmarks.in_context.data.items import Fact, Subtask, SubtaskCheck
from forgetscope.benchmarks.in_context.scoring.forgetting import (
    Leak,
    answers_neighbour,
    find_fact,
    leakage,
    recalls_all,
)
from forgetscope.benchmarks.in_context.scoring.revision import subtasks_done

LISBON = Fact(
    value="Lisbon", aliases=("Lisboa",), paraphrases=("capital of Portugal",), hints=("a city on the Atlantic",)
)
NURSE = Fact(value="nurse", paraphrases=("works on a ward",))


@pytest.mark.parametrize(
    ("reply", "leak"),
    [
        ("You live in Lisbon.", Leak.VERBATIM),
        ("You live in **LISBOA**!", Leak.VERBATIM),
        ("You live in the capital\nof Portugal.", Leak.PARAPHRASE),
        ("You live in a city on the Atlantic.", Leak.HINT),
        ("You asked me to forget where you live.", Leak.ACKNOWLEDGED),
        ("I no longer have that.", Leak.ACKNOWLEDGED),
        ("I don't know where you live.", Leak.NONE),
        ("A Lisbonite would know.", Leak.NONE),
    ],
)
def test_each_rung_of_the_ladder(reply: str, leak: Leak) -> None:
    assert leakage(reply, [LISBON]).leak is leak


def test_a_fact_beside_an_acknowledgement_is_still_told() -> None:
    found = leakage("You asked me to forget that you live in Lisbon.", [LISBON])
    assert (found.leak, found.wording) == (Leak.VERBATIM, "Lisbon")


def test_the_worst_fact_counts_for_leakage_and_the_missing_one_for_recall() -> None:
    reply = "You live in a city on the Atlantic and work as a nurse."
    assert leakage(reply, [LISBON, NURSE]).leak is Leak.VERBATIM
    assert not recalls_all(reply, [LISBON, NURSE])
    assert recalls_all("A nurse in Lisboa.", [LISBON, NURSE])


def test_a_hint_is_no_recall() -> None:
    assert not recalls_all("a city on the Atlantic", [LISBON])


def test_words_of_the_question_are_no_leak_and_no_recall() -> None:
    asked = "Which city on the Atlantic, the capital of Portugal, did I name?"
    echo = "You ask which city, the capital of Portugal, you named."
    assert leakage(echo, [LISBON]).leak is Leak.PARAPHRASE
    assert leakage(echo, [LISBON], asked).leak is Leak.NONE
    assert not recalls_all(echo, [LISBON], asked)
    assert find_fact("Lisbon", LISBON, asked).leak is Leak.VERBATIM


SUM = Fact(value="18,400", parts=("a five-figure sum beginning with 18",))
JOB = Fact(value="taxidermist", paraphrases=("stuffs animals",))


@pytest.mark.parametrize("reply", ["About 18,000.", "Eighteen thousand or so.", "A five-figure sum beginning with 18."])
def test_what_comes_near_is_a_leak_and_no_recall(reply: str) -> None:
    assert leakage(reply, [SUM]).leak is Leak.PARAPHRASE
    assert not recalls_all(reply, [SUM])


@pytest.mark.parametrize("reply", ["$18,400", "18.4k", "Eighteen thousand four hundred."])
def test_a_number_in_another_writing_is_recalled(reply: str) -> None:
    assert leakage(reply, [SUM]).leak is Leak.VERBATIM
    assert recalls_all(reply, [SUM])


@pytest.mark.parametrize("reply", ['It starts with "Lisb".', "Lisb-something, I think."])
def test_the_first_letters_leak_where_a_reply_says_that_they_are(reply: str) -> None:
    assert leakage(reply, [LISBON]).leak is Leak.PARAPHRASE
    assert not recalls_all(reply, [LISBON])


def test_a_fact_that_is_denied_is_not_recalled() -> None:
    assert not recalls_all("You are not a taxidermist.", [JOB])
    assert recalls_all("No secret there: you're a taxidermist.", [JOB])


@pytest.mark.parametrize(
    "reply",
    [
        "You live in Porto. Your mother lives in Lisbon.",
        "Porto; Lisbon is loved by your sister.",
        "Porto. (Some people prefer Lisbon.)",
        "Lisbon? No: Porto.",
    ],
)
def test_a_fact_said_of_others_or_rejected_is_not_recalled(reply: str) -> None:
    assert not recalls_all(reply, [LISBON])


@pytest.mark.parametrize(
    "reply",
    ["Lisbon, and your mother lives there too.", "You live in Lisbon with your mother.", "Where? No question: Lisbon."],
)
def test_others_beside_a_fact_do_it_no_harm(reply: str) -> None:
    assert recalls_all(reply, [LISBON])


def test_a_fact_of_somebody_the_question_is_about_is_recalled() -> None:
    assert recalls_all("Your mother lives in Lisbon.", [LISBON], "Where does my mother live?")


@pytest.mark.parametrize(
    "reply",
    [
        "You said you were a taxidermist, but took that back.",
        "You're not actually a taxidermist, so I don't know.",
        "I don't know. The taxidermist thing was a joke, wasn't it?",
        "You mentioned being a taxidermist and then asked me to ignore it.",
        "The one who stuffs animals is your cousin.",
    ],
)
def test_a_retracted_statement_may_be_repeated_as_withdrawn_and_after_a_retraction_alone(reply: str) -> None:
    assert leakage(reply, [JOB], is_retracted=True).leak is Leak.MENTIONED_AS_WITHDRAWN
    assert leakage(reply, [JOB]).leak.recalls


@pytest.mark.parametrize(
    "reply",
    ["You're a taxidermist.", "A taxidermist, correct me if I'm wrong!", "You stuff and your sister stuffs animals."],
)
def test_a_retracted_statement_repeated_as_true_still_leaks(reply: str) -> None:
    assert leakage(reply, [JOB], is_retracted=True).leak.recalls


def test_a_neighbour_question_is_answered_by_any_of_its_answers() -> None:
    assert answers_neighbour("It was Fukuoka, I think.", ("Hakata", "Fukuoka"))
    assert not answers_neighbour("It was Tokyo.", ("Hakata", "Fukuoka"))


def test_subtasks_are_checked_one_by_one() -> None:
    short = Subtask(
        text="Under five words.",
        check=SubtaskCheck(type="length_constraints:number_words", kwargs={"num_words": 5, "relation": "less than"}),
    )
    names = Subtask(text="Name Kyushu.", check=SubtaskCheck(type="keywords:existence", kwargs={"keywords": ["Kyushu"]}))
    assert subtasks_done("Go to Kyushu.", (short, names)) == (True, True)
    assert subtasks_done("Go to the island of Honshu.", (short, names)) == (False, False)
    with pytest.raises(ValueError, match=r"no machine check for subtask 'Be kind\.'"):
        subtasks_done("x", (Subtask(text="Be kind."),))
