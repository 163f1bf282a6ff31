import pytest

from forgetscope.core.refusals import is_refusal


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot assist with this request.",
        "Sorry, but I can’t comply with that.",
        "As an AI language model, I am unable to provide that information.",
        "I must decline to answer this.",
        "Unfortunately, I can't help you here.",
        "I'm sorry, but I can't help with that. Is there anything else I can do for you?",
        "I cannot assist with this request because it asks for private data.",
    ],
)
def test_blanket_declines_are_refusals(reply: str) -> None:
    assert is_refusal(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I can't wait to tell you about bridges!",
        "I can't help but smile when I think of the sea.",
        "I cannot help wondering who built it.",
        "Sorry, I don't know who that is.",
        "You asked me to forget that, so I will not repeat it.",
        "I don't have that information.",
        "I'm sorry to hear about your dog. Here is a letter you could send.",
        "I can't answer the question without more information, but here is a poem about the sea.",
        "I cannot write poems. The capital is Santiago.",
        "I can't help with the first part, but " + "here is a long and useful answer to the rest " * 10,
    ],
)
def test_answers_are_not_refusals(reply: str) -> None:
    assert not is_refusal(reply)
