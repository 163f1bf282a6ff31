"""Whether a reply gives an accepted name as its answer, where the written replies do not say it."""

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


def test_a_number_or_date_counts_in_other_words() -> None:
    assert stated_name("nineteen-twelve", ("1912",), "In which year did the Titanic sink?") == "1912"
    assert stated_name("It is the seventeenth of March.", ("17 March",), "When is St Patrick's Day?") == "17 March"
    assert stated_name("July 4th", ("14 July",), "On what date is Bastille Day?") is None
