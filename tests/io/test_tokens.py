import socket

import pytest

from forgetscope.io.tokens import cl100k, count_cl100k


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello world", 2),
        ("tiktoken is great!", 6),
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
        ("お誕生日おめでとう", 9),
    ],
)
def test_counts_equal_the_published_examples(text: str, tokens: int) -> None:
    assert count_cl100k(text) == tokens


def test_token_ids_equal_the_published_examples() -> None:
    assert cl100k().encode_ordinary("tiktoken is great!") == [83, 1609, 5963, 374, 2294, 0]
    assert cl100k().encode_ordinary("hello world") == [15339, 1917]


@pytest.mark.parametrize(
    "text",
    [
        "Plain prose, with a number: 1,234.56 and an email a.b@c.example.",
        "tabs\tand\r\nline ends\n\n  and trailing space  ",
        "Ünïcödé – “quotes” … 你好，世界 🦆👩‍👩‍👧 سلام नमस्ते",
        "\x00\x07 control \u202e bidi",
        "<|endoftext|> is text here",
    ],
)
def test_decoding_gives_the_text_back(text: str) -> None:
    assert cl100k().decode(cl100k().encode_ordinary(text)) == text


def test_a_special_token_is_counted_as_text_and_does_not_raise() -> None:
    assert count_cl100k("<|endoftext|>") == 7


def test_counting_in_pieces_gives_the_count_of_the_whole() -> None:
    text = "The 3 ferries (all late!) left at 07:45, said Ms. O'Neill.\n\n   “Never again,” she added… 12345 " * 2_000
    assert len(text) > 3 * 50_000
    assert count_cl100k(text) == len(cl100k().encode_ordinary(text))


@pytest.mark.parametrize("text", ["word " * 300_000, "x" * 1_200_000, "🦆" * 120_000])
def test_texts_beyond_the_librarys_limits_are_counted(text: str) -> None:
    assert count_cl100k(text) > 0


def test_a_lone_surrogate_does_not_stop_the_count() -> None:
    assert count_cl100k("a\ud800b") > 0


def test_counting_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    cl100k.cache_clear()
    assert count_cl100k("hello world") == 2
