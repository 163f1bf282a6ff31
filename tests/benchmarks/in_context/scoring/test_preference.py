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
        ("Milk", 2),
        ("Tea, not milk and honey.", 0),
    ],
)
def test_one_option_is_chosen_by_text_or_label(reply: str, chosen: int) -> None:
    assert chosen_option(reply, OPTIONS) == chosen


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Coffee",
        "A or B",
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
        "The answer is: D. Green tea",
    ],
)
def test_several_options_or_none_is_no_choice(reply: str) -> None:
    assert chosen_option(reply, OPTIONS) is None


DINNER = (
    "A carafe of the house Montepulciano at room temperature",
    "A jug of sparkling water with lemon and mint",
    "A cold draught lager in a tall frosted glass",
    "A gin and tonic with ice and cucumber slices",
)
ASKED = "We're at the trattoria tonight. What should I order to go with my meal?"


@pytest.mark.parametrize(
    "reply",
    [
        "B\n\nYou used to like wine. A and D would be wrong now.",
        "**B**",
        "\\boxed{\\text{B}}",
        '{"answer": "B"}',
        "The best option is B.",
        "I'd say B.",
        "B (not D)",
        "B over A.",
        "Option B: a jug of sparkling water",
        'I suggest "A jug of sparkling water with lemon and mint".',
        "Since you used to drink red wine (A), but now avoid alcohol, I'd pick B.",
        "If you still liked wine I'd have said A. As it stands: B.",
        "A) contains alcohol\nB) alcohol-free\nC) contains alcohol\nD) contains alcohol\n\nTherefore B.",
        "Let's see: A, C and D contain alcohol, so the answer must be B.",
        "A... actually, B.",
        "I'd pick B. D is a good runner-up.",
        "A: no\nB: yes\nC: no\nD: no",
        "Order the sparkling water, since you don't drink.",
        "Not the Montepulciano this time: the sparkling water!",
        "The correct option is not C, not D, not A, but B.",
    ],
)
def test_the_firmest_choice_decides_and_what_is_denied_or_past_does_not(reply: str) -> None:
    assert chosen_option(reply, DINNER, ASKED) == 1


@pytest.mark.parametrize(
    "reply",
    [
        "A or B",
        "It could be B or D.",
        "Both A and B are fine choices.",
        "None of them.",
        "A good meal deserves a good drink.",
        "E. A glass of milk",
        "I recommend a glass of tomato juice.",
        "I'm sorry, but I can't recommend alcohol.",
        "\n".join(f"{label}. {option}" for label, option in zip("ABCD", DINNER, strict=True)),
    ],
)
def test_a_hedge_a_list_or_an_offer_of_its_own_is_no_choice(reply: str) -> None:
    assert chosen_option(reply, DINNER, ASKED) is None
