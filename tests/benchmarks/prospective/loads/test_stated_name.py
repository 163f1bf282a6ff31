"""Whether a reply gives an accepted name as its answer, where the written replies do not say it."""

from forgetscope.benchmarks.prospective.loads.reading.stated_name import stated_name


def test_a_salutation_on_a_line_of_its_own_says_nothing() -> None:
    letter = "Dear Mrs Haddad,\n\nThe answer is Canberra.\n\nYours, Ida"
    assert stated_name(letter, ("Canberra",), "What is the capital of Australia?") == "Canberra"
    assert stated_name("Dear Canberra,", ("Canberra",), "What is the capital of Australia?") is None
