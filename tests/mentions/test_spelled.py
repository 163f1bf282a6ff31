"""Words that are spelled out are read as the word."""

import pytest

from forgetscope.mentions.spelled import joined


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("It is C-O-L-E-M-A-K.", "It is COLEMAK."),
        ("L a r k s p u r  C r e s c e n t", "Larkspur  Crescent"),
        ("C-O-2", "CO2"),
        ("7-7-1-9, 1, 2, 3", "7-7-1-9, 1, 2, 3"),
        ("a b, I am", "a b, I am"),
    ],
)
def test_letters_with_one_sign_between_are_a_word(text: str, read: str) -> None:
    assert joined(text) == read
