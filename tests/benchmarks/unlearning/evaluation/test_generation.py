"""Greedy continuation in batches against the library's own, one prompt at a time."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.evaluation.generation import continue_greedily
from forgetscope.stats import named_stream
from tests.benchmarks.unlearning.small_models import VOCABULARY, small_model

MODEL = small_model(seed=3)


def prompts(count: int, seed: int) -> list[list[int]]:
    stream = named_stream(seed, "prompts")
    return [stream.integers(3, VOCABULARY, int(stream.integers(1, 15))).tolist() for _ in range(count)]


def by_the_library(prompt: list[int], most: int) -> list[int]:
    """The reference: transformers, one prompt, no padding."""
    written = MODEL.network.generate(  # type: ignore[operator]
        input_ids=torch.tensor([prompt]),
        attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
        max_new_tokens=most,
        do_sample=False,
        pad_token_id=0,
    )[0, len(prompt) :].tolist()
    ids = [int(token) for token in written]
    return ids[: ids.index(2)] if 2 in ids else ids


def test_batches_continue_as_the_library_does_one_by_one() -> None:
    asked = prompts(12, 1)
    found = continue_greedily(MODEL, asked, max_new_tokens=12)
    assert [list(one.ids) for one in found] == [by_the_library(prompt, 12) for prompt in asked]


@settings(max_examples=8)
@given(st.integers(20, 400))
def test_how_prompts_are_batched_does_not_matter(batch_tokens: int) -> None:
    asked = prompts(9, 2)
    whole = continue_greedily(MODEL, asked, max_new_tokens=6)
    assert continue_greedily(MODEL, asked, max_new_tokens=6, batch_tokens=batch_tokens) == whole


def test_rows_that_are_over_leave_the_batch_and_the_others_are_not_disturbed() -> None:
    asked = prompts(10, 4)
    whole = continue_greedily(MODEL, asked, max_new_tokens=10)
    stopped = continue_greedily(MODEL, asked, max_new_tokens=10, is_over=lambda ids: ids[-1] % 3 == 0)
    assert any(one.stopped for one in stopped)
    for full, cut in zip(whole, stopped, strict=True):
        assert cut.ids == full.ids[: len(cut.ids)]
        assert cut.stopped == (cut.ids[-1] % 3 == 0)
        assert all(token % 3 for token in cut.ids[:-1])


def test_a_continuation_that_reaches_the_limit_has_not_stopped() -> None:
    (found,) = continue_greedily(MODEL, [[5, 6]], max_new_tokens=3)
    assert len(found.ids) == 3
    assert not found.stopped
