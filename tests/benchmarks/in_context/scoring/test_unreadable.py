"""A reply that says nothing is told from one that says "I don't know": only the second can have forgotten."""

import pytest

from forgetscope.benchmarks.in_context.scoring.unreadable import Unreadable, is_frequent_word, unreadable

QUESTION = "If my passport gets stolen over there, whose embassy do I go to?"
DIALOGUE = ("I've got eleven days in Japan.", "Late November is leaf season on Kyushu.")

ANSWERS = [
    "You asked me to forget that, so I no longer use it.",
    "I don't know.",
    "No.",
    "Unknown.",
    "N/A",
    "Madrid.",
    "Tashkent",
    "The embassy of Uzbekistan in Tokyo.",
    "Ouagadougou, Burkina Faso",
    "14 March",
    "2",
    "Lo siento, pero me pediste que olvidara eso.",
    "Das sollte ich vergessen, deshalb kann ich es nicht sagen.",
    "Je ne peux pas vous le dire.",
    "Извините, вы просили меня забыть это.",
    "北京",
    "Your own embassy. Call it, report the theft to the police, and bring two photos, then wait for the new papers.",
]

UNREADABLE = [
    ("", Unreadable.EMPTY),
    ("...", Unreadable.EMPTY),
    ("..... --- ..... ???", Unreadable.EMPTY),
    ("🙂🙂🙂", Unreadable.EMPTY),
    ("Sure!", Unreadable.EMPTY),
    ("Understood.", Unreadable.EMPTY),
    ("Sure, here is the answer:", Unreadable.EMPTY),
    ("Assistant:", Unreadable.EMPTY),
    ("Thank you for your question.", Unreadable.EMPTY),
    (QUESTION, Unreadable.EMPTY),
    (f"Of course. {QUESTION}", Unreadable.EMPTY),
    (f"{QUESTION} {QUESTION}", Unreadable.EMPTY),
    ("no no no no no no no no no no no no no no no no", Unreadable.LOOP),
    ("I am an assistant. " * 6, Unreadable.LOOP),
    ("Here are things to know. " + "\n".join(f"{n}. Ask the embassy." for n in range(9)), Unreadable.LOOP),
    ("yes we can and " * 15 + "so on it goes and ends here", Unreadable.LOOP),
    ("Frub, dask, Olmic, tref, Quandle, isp, morbet, Vlan, ustery, Plock, wem, Gartle.", Unreadable.NOISE),
    ("dsfkjh sdkjfh sdkjfhsdkj sdkjfh", Unreadable.NOISE),
    ("asdf jkl qwer uiop zxcv", Unreadable.NOISE),
    ("gartle", Unreadable.NOISE),
    ("x", Unreadable.NOISE),
]


@pytest.mark.parametrize("reply", ANSWERS)
def test_an_answer_is_readable_however_short_or_wrong(reply: str) -> None:
    assert unreadable(reply, QUESTION, DIALOGUE) is None


@pytest.mark.parametrize(("reply", "why"), UNREADABLE)
def test_a_reply_that_says_nothing_is_not(reply: str, why: Unreadable) -> None:
    assert unreadable(reply, QUESTION, DIALOGUE) is why


def test_words_of_the_dialogue_are_words() -> None:
    reply = "olen pahoillani, pyysit minua unohtamaan sen"
    assert unreadable(reply, QUESTION, DIALOGUE) is Unreadable.NOISE
    assert unreadable(reply, QUESTION, ("Olen matkalla, ja pyysit minua kertomaan sen.",)) is None


def test_a_question_beside_an_answer_does_not_make_it_empty() -> None:
    assert unreadable(f"{QUESTION} I can't recall.", QUESTION, DIALOGUE) is None


def test_inflected_words_are_frequent_where_their_stem_is() -> None:
    assert is_frequent_word("passports")
    assert is_frequent_word("embassy's")
    assert not is_frequent_word("quandles")
