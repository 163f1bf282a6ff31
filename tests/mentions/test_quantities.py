"""Numbers and dates in a text: told whole, in part, or not."""

import pytest

from forgetscope.mentions.quantities import is_number, quantity_told

WHOLE: dict[str, tuple[str, ...]] = {
    "18,400": (
        "$18,400",
        "18400 dollars",
        "18 400",
        "18.400",
        "18.4k",
        "18.4 thousand",
        "eighteen thousand four hundred",
        "Eighteen thousand and four hundred.",
    ),
    "39": (
        "39 Nm",
        "39Nm",
        "thirty-nine",
        "39.0 Nm",
        "39 newton-metres.",
    ),
    "27 January": (
        "January 27th",
        "27th of January",
        "the twenty-seventh of January",
        "27/1",
        "1/27",
        "27.01.",
        "Jan. 27",
        "27 Jan 1990",
        "January the 27th",
        "2024-01-27",
    ),
    "23 May": (
        "May 23rd",
        "23.5.",
        "twenty-third of May",
    ),
    "7719": (
        "7719",
        "77 19",
        "7-7-1-9",
        "7 7 1 9",
        "seven seven one nine",
        "double seven one nine",
        "seventy-seven nineteen",
    ),
    "1964": (
        "1964",
        "nineteen sixty-four",
        "'64",
    ),
    "2009": (
        "in 2009",
        "two thousand and nine",
        "twenty oh nine",
        "'09",
    ),
    "685": (
        "685 words",
        "six hundred and eighty-five",
        "six eighty-five",
    ),
    "79": (
        "79",
        "seventy-nine",
        "79-year-old",
        "Seventy-nine, and swimming",
    ),
    "2,870": (
        "£2,870",
        "2870",
        "2.87k",
        "twenty-eight seventy",
        "2,870.00",
    ),
    "52,300": (
        "£52.3k",
        "fifty-two thousand three hundred",
    ),
}
IN_PART: dict[str, tuple[str, ...]] = {
    "18,400": (
        "about 18,000",
        "18,000",
        "roughly 18k",
        "a little over eighteen thousand",
        "18,500 or so",
        "around $18.5k",
        "between 18,000 and 19,000",
    ),
    "39": (
        "Just under 40 Nm.",
        "about 40 newton metres",
    ),
    "27 January": (
        "At the end of January.",
        "late January",
        "the 27th",
        "in January",
        "around 25 January",
    ),
    "23 May": (
        "Late May.",
        "the last week of May",
        "the 23rd",
    ),
    "1964": ("around 1965",),
    "2009": ("around 2010",),
    "685": (
        "around 690",
        "nearly 700",
    ),
    "79": ("almost 80",),
    "2,870": (
        "Just under £2,900.",
        "£2,900",
        "£3,000",
        "nearly three thousand pounds",
    ),
    "52,300": (
        "around fifty-two thousand",
        "Roughly fifty thousand pounds.",
    ),
}
NOT_TOLD: dict[str, tuple[str, ...]] = {
    "18,400": (
        "14,800",
        "118,400",
        "18,400.50",
        "under 20,000",
        "18",
        "eighteen and a half thousand",
    ),
    "39": (
        "40 Nm",
        "1939",
        "0.39",
        "39/40",
        "3.9",
        "139",
        "39,000",
        "the 39th",
        "35-39",
        "around 38-40",
    ),
    "27 January": (
        "27 February",
        "5 January",
        "27",
        "the 27th of March",
        "27/11",
        "January 2027",
    ),
    "23 May": (
        "it may be 23",
        "23 March",
        "You may start early",
    ),
    "7719": (
        "7791",
        "17719",
        "code 771",
    ),
    "1964": (
        "1965",
        "1946",
    ),
    "2009": (
        "2019",
        "2009-10-03",
    ),
    "685": (
        "500 words",
        "700 words",
    ),
    "79": ("80",),
    "2,870": ("2,780",),
    "52,300": ("48,900",),
}


def _each(said: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(value, text) for value, texts in said.items() for text in texts]


@pytest.mark.parametrize(("value", "text"), _each(WHOLE))
def test_another_writing_of_a_number_or_date_tells_it(value: str, text: str) -> None:
    told = quantity_told(text, value)
    assert told is not None
    assert told.is_whole


@pytest.mark.parametrize(("value", "text"), _each(IN_PART))
def test_what_comes_near_or_is_a_piece_tells_it_in_part(value: str, text: str) -> None:
    told = quantity_told(text, value)
    assert told is not None
    assert not told.is_whole


@pytest.mark.parametrize(("value", "text"), _each(NOT_TOLD))
def test_other_numbers_and_numbers_inside_others_tell_nothing(value: str, text: str) -> None:
    assert quantity_told(text, value) is None


def test_what_is_no_number_and_no_date_is_left_to_its_wording() -> None:
    assert quantity_told("In Lisbon", "Lisbon") is None
    assert [is_number(wording) for wording in ("39", "2,870", "39Nm", "27 January")] == [True, True, False, False]
