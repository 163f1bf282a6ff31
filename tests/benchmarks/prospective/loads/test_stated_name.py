"""Whether a reply gives an accepted name as its answer, where the written replies do not say it."""

import pytest

from forgetscope.benchmarks.prospective.loads.choice import stated_letter
from forgetscope.benchmarks.prospective.loads.reading.stated_name import stated_name


def test_a_salutation_on_a_line_of_its_own_says_nothing() -> None:
    letter = "Dear Mrs Haddad,\n\nThe answer is Canberra.\n\nYours, Ida"
    assert stated_name(letter, ("Canberra",), "What is the capital of Australia?") == "Canberra"
    assert stated_name("Dear Canberra,", ("Canberra",), "What is the capital of Australia?") is None


def test_a_name_in_a_part_beside_the_answer_is_none() -> None:
    names = ("James Cameron", "Cameron")
    asked = "Who directed the 1997 film Titanic?"
    assert stated_name("Steven Spielberg directed it, with James Cameron as one of the actors.", names, asked) is None
    assert stated_name("Kate Winslet starred, James Cameron directed.", names, asked) == "James Cameron"


def test_a_slip_of_one_letter_is_the_name_and_another_name_is_not() -> None:
    asked = "What is the capital of Australia?"
    assert stated_name("Canbera", ("Canberra",), asked) == "Canberra"
    assert stated_name("alfred hitchock", ("Alfred Hitchcock",), "Who directed Psycho?") == "Alfred Hitchcock"
    assert stated_name("Manet", ("Monet",), "Who painted the water lilies?") is None


@pytest.mark.parametrize(
    ("reply", "name", "is_given"),
    [
        ("Fjodor Dostojewski", "Fyodor Dostoevsky", True),
        ("bhat", "Baht", True),
        ("Otawa", "Ottawa", True),
        ("Florenz", "Florence", True),
        ("the covelant bond", "Covalent", True),
        ("I'll be back.", "Bach", False),
        ("Lenin", "Lennon", False),
        ("Niger", "Nigeria", False),
        ("The gulf", "Golf", False),
    ],
)
def test_a_name_counts_as_one_writes_it_by_ear_or_in_another_tongue(reply: str, name: str, is_given: bool) -> None:
    assert (stated_name(reply, (name,), "What is it?") is not None) is is_given


def test_a_number_or_date_counts_in_other_words() -> None:
    assert stated_name("nineteen-twelve", ("1912",), "In which year did the Titanic sink?") == "1912"
    assert stated_name("It is the seventeenth of March.", ("17 March",), "When is St Patrick's Day?") == "17 March"
    assert stated_name("July 4th", ("14 July",), "On what date is Bastille Day?") is None


@pytest.mark.parametrize(
    ("reply", "aliases", "asked", "is_given"),
    [
        ("Canberra, not Sydney.", ("Canberra",), "What is the capital of Australia?", True),
        ("I'd rule out Canberra; Sydney is correct.", ("Canberra",), "What is the capital of Australia?", False),
        ("Answer: Canberra. Wait, correction: Sydney.", ("Canberra",), "What is the capital of Australia?", False),
        ("Wrong answer: Canberra\nRight answer: Sydney", ("Canberra",), "What is the capital of Australia?", False),
        ("Newton's laws were set out by Galileo Galilei.", ("Newton",), "Who set out the laws of motion?", False),
        ("Naples, Florida", ("Naples",), "Which city lies at the foot of Vesuvius?", False),
        ("Ottawa, Kansas.", ("Ottawa", "Ottawa, Ontario"), "What is the capital of Canada?", False),
        ("Atlanta, Georgia", ("Atlanta",), "Which US city hosted the 1996 Olympics?", True),
        ("It was Rembrandt Peale.", ("Rembrandt",), "Who painted The Night Watch?", False),
        ("Fleming.", ("Ian Fleming",), "Who created James Bond?", True),
        ("<answer>origami</answer>", ("Origami",), "What is the Japanese art of folding paper?", True),
        ("Venedig (Venice)", ("Venice",), "Which Italian city has canals?", True),
        ("T. S. Eliot", ("George Eliot",), "Who wrote Middlemarch?", False),
        ("The monarch was John.", ("King John",), "Which king signed Magna Carta?", True),
        ("Quebec, Romeo, **Tango**, Victor", ("Tango",), "Which letter of the alphabet for radio is T?", True),
        ("By Aldous Huxley.\n\nP.S. He also wrote Island.", ("Aldous Huxley",), "Who wrote Brave New World?", True),
    ],
)
def test_a_denied_name_and_a_part_of_another_name_are_no_answer(
    reply: str, aliases: tuple[str, ...], asked: str, is_given: bool
) -> None:
    assert (stated_name(reply, aliases, asked) is not None) is is_given


@pytest.mark.parametrize(
    "reply",
    [
        "1969-07-20",
        "07/20/1969",
        "20.07.1969",
        "July 20th, 1969",
        "the twentieth of July, nineteen sixty-nine",
        "16 July 1969... no, wait, that's the launch. 20 July 1969.",
    ],
)
def test_a_date_is_one_in_any_writing(reply: str) -> None:
    assert stated_name(reply, ("20 July 1969",), "On what date did people first land on the Moon?") == "20 July 1969"
    other = reply.replace("20", "21").replace("twentieth", "tenth")
    assert stated_name(other, ("20 July 1969",), "On what date was the landing?") is None


def test_a_year_is_given_by_a_date_in_it() -> None:
    asked = "In which year did the Great Fire of London take place?"
    assert stated_name("It broke out on 2 September 1666 and went on for days.", ("1666",), asked) == "1666"
    assert stated_name("02/09/1666", ("1666",), asked) == "1666"


@pytest.mark.parametrize(
    ("reply", "name", "asked"),
    [
        ("Mashed chick-peas.", "Chickpeas", "What is the main ingredient of hummus?"),
        ("Henry the 8th", "Henry VIII", "Which English king had six wives?"),
        ("It was Logie Baird.", "John Logie Baird", "Who invented television?"),
        ("AG Bell", "Alexander Graham Bell", "Who invented the telephone?"),
        ("Och, that'd be Everest, laddie.", "Everest", "Which is the highest mountain?"),
        ("Certes, 'twas Vivaldi that penned them.", "Vivaldi", "Who composed 'The Four Seasons'?"),
    ],
)
def test_a_name_counts_parted_numbered_shortened_and_in_dialect(reply: str, name: str, asked: str) -> None:
    assert stated_name(reply, (name, name.split()[-1]) if name[0] in "JA" else (name,), asked) is not None


def test_a_kind_of_it_is_another_thing() -> None:
    asked, names = "What is Turdus merula called in English?", ("Blackbird", "the blackbird")
    assert stated_name("The red-winged blackbird, a North American species.", names, asked) is None
    assert stated_name("Table tennis", ("tennis",), "Which sport is played at the Wimbledon championships?") is None


def test_questions_that_a_model_goes_on_to_put_and_answer_are_none_of_the_reply() -> None:
    asked = "Which band recorded the 1973 album 'The Dark Side of the Moon'?"
    more = "\n\nQuestion: Which band recorded Hotel California?\nAnswer: "
    assert stated_name(f"Pink Floyd{more}Eagles", ("Pink Floyd",), asked) == "Pink Floyd"
    assert stated_name(f"Eagles{more}Pink Floyd", ("Pink Floyd",), asked) is None
    assert stated_name(f"Sure.\n\nQuestion: {asked}\nAnswer: Pink Floyd", ("Pink Floyd",), asked) == "Pink Floyd"
    rivers = ("Euphrates", "Jordan", "Tigris", "Nile")
    again = "C.\n\nQuestion: Which river flows through Cairo?\nA. Tigris\nB. Nile\nC. Danube\nD. Rhine\nAnswer: B"
    assert stated_letter(again, rivers, "Which river flows through Baghdad?") == "C"
    assert (
        stated_letter("Q: Which river flows through Baghdad?\nA: C", rivers, "Which river flows through Baghdad?")
        == "C"
    )


@pytest.mark.parametrize(
    ("reply", "name", "asked", "is_given"),
    [
        ("In 1928, at St Mary's in London, it was Fleming.", "Alexander Fleming", "Who discovered penicillin?", True),
        ("He was born in Port of Spain, Trinidad.", "Spain", "In which country was Picasso born?", False),
        ("He was born in Málaga, Spain.", "Spain", "In which country was Picasso born?", True),
        ('D stands for "Day".', "Day", "What does the D in D-Day stand for?", True),
        ("People take it for a jellyfish.", "Jellyfish", "What is a man o' war often taken for by people?", True),
    ],
)
def test_a_place_is_told_from_a_person_and_a_part_of_another_name(
    reply: str, name: str, asked: str, is_given: bool
) -> None:
    assert (stated_name(reply, (name,), asked) is not None) is is_given
