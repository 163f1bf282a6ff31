import pytest

from forgetscope.benchmarks.in_context.scoring.preference import chosen_option

OPTIONS = ("Tea", "Green tea", "Milk and honey", "Water, still")


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("Tea", 0),
        ("tea.", 0),
        ("**Green Tea**", 1),
        ("I'd take green tea", 1),
        ("B.", 1),
        ("(b)", 1),
        ("3", 2),
        ("Answer: **B**", 1),
        ("The answer is C", 2),
        ("My choice is D.", 3),
        ("I would go with option (C).", 2),
        ("B) since it is healthy", 1),
        ("D. Water", 3),
        ("2. Green tea", 1),
        ("1. Green tea", 1),
        ("water still", 3),
        ("I recommend B. Green tea", 1),
        ("C. Honey in milk", 2),
        ("Option A would be the best for you.", 0),
        ("Option A, because you like it hot.", 0),
        ("I would not choose A. My answer is B.", 1),
        ("The answer is: D. The answer is: D. The answer is: D.", 3),
        ("My pick:\n\n**B. Green tea**\n\nThat is what you asked for.", 1),
    ],
)
def test_one_option_is_chosen_by_text_or_label(reply: str, chosen: int) -> None:
    assert chosen_option(reply, OPTIONS) == chosen


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Coffee",
        "Milk",
        "A or B",
        "tea, not milk and honey",
        "A. Tea\nB. Green tea\nC. Milk and honey\nD. Water, still",
        "A. Green tea",
        "A good choice would be whatever you like.",
        "teatime",
        "B. A glass of lemonade",
        "Your answer is:\n\nB. A glass of lemonade",
        "Please choose option A, B, or C.",
        "You can choose option D. You can choose option C.",
        "Your reply must have a sentence that describes option D.",
        "Option A is too hot.",
        "A. Tea\nB. A glass of lemonade\nC. A cup of soup",
        "My pick:\n\nA. Green tea",
    ],
)
def test_several_options_or_none_is_no_choice(reply: str) -> None:
    assert chosen_option(reply, OPTIONS) is None
