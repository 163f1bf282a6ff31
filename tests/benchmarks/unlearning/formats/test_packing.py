"""Packing: whole texts, never across sides, never too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.data.records import FormattedChunk, Side
from forgetscope.benchmarks.unlearning.formats import pack
from tests.benchmarks.unlearning.formats.words import Words


def text(words: int, name: str, side: Side = Side.FORGET, form: str = "pruned", repeats: int = 1) -> FormattedChunk:
    written = " ".join(f"{name}{number}" for number in range(words))
    return FormattedChunk(chunk=name, side=side, format=form, text=written, kept_share=1.0, repeats=repeats)


def test_texts_share_a_sequence_until_it_is_full() -> None:
    packed = pack([text(4, "a"), text(4, "b"), text(4, "c")], Words(), tokens=8)
    assert [one.chunks for one in packed] == [("a", "b"), ("c",)]
    assert [one.tokens for one in packed] == [8, 4]
    assert packed[0].text == "a0 a1 a2 a3\nb0 b1 b2 b3"


def test_the_sides_never_share_a_sequence() -> None:
    packed = pack([text(2, "a"), text(2, "b", Side.RETAIN)], Words(), tokens=8)
    assert [one.side for one in packed] == [Side.FORGET, Side.RETAIN]


def test_texts_repeated_differently_never_share_a_sequence() -> None:
    assert len(pack([text(2, "a"), text(2, "b", repeats=3)], Words(), tokens=8)) == 2


def test_raw_text_is_not_packed() -> None:
    assert len(pack([text(2, "a", form="raw"), text(2, "b", form="raw")], Words(), tokens=8)) == 2


def test_a_chunk_without_text_is_left_out() -> None:
    empty = FormattedChunk(chunk="a", side=Side.FORGET, format="triplets", text="", kept_share=0.0)
    assert pack([empty, text(2, "b")], Words(), tokens=8)[0].chunks == ("b",)
    assert pack([empty], Words(), tokens=8) == ()


def test_a_text_too_long_is_cut_between_its_lines() -> None:
    lines = "\n".join(f"h{n} | r{n} | t{n}" for n in range(5))
    long = FormattedChunk(chunk="a", side=Side.FORGET, format="triplets", text=lines, kept_share=1.0)
    packed = pack([long], Words(), tokens=12)
    assert all(one.tokens <= 12 for one in packed)
    assert "\n".join(one.text for one in packed) == lines


@given(st.lists(st.tuples(st.integers(1, 30), st.sampled_from(list(Side))), max_size=20), st.integers(8, 40))
def test_nothing_is_lost_or_reordered_and_nothing_is_too_long(sizes: list[tuple[int, Side]], tokens: int) -> None:
    texts = [text(words, f"x{'abcdefghijklmnopqrst'[n]}", side) for n, (words, side) in enumerate(sizes)]
    packed = pack(texts, Words(), tokens=tokens)
    assert " ".join(one.text for one in packed).split() == " ".join(one.text for one in texts).split()
    assert all(one.tokens <= tokens for one in packed)
    side_of = {one.chunk: one.side for one in texts}
    assert all({side_of[name] for name in one.chunks} == {one.side} for one in packed)
    assert len({one.id for one in packed}) == len(packed)


def test_sequences_shorter_than_eight_tokens_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 8"):
        pack([], Words(), tokens=4)
