"""The schedule of a cell, batches and their parts."""

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.training.batches import (
    BUCKET_TOKENS,
    EncodedText,
    collate,
    make_schedule,
    micro_batches,
    padding_share,
)


def schedule(
    forget: int = 10, retain: int = 7, *, epochs: int = 3, seed: int = 0, bucketed: bool = True
) -> list[object]:
    lengths = [20 + 13 * index % 100 for index in range(forget)]
    return list(make_schedule(lengths, [30] * retain, epochs=epochs, batch_size=4, seed=seed, bucketed=bucketed))


@pytest.mark.parametrize("bucketed", [True, False])
def test_an_epoch_is_one_pass_over_the_forget_texts(bucketed: bool) -> None:
    steps = make_schedule([9] * 10, [9] * 7, epochs=3, batch_size=4, seed=0, bucketed=bucketed)
    assert len(steps) == 9
    for epoch in range(3):
        taken = [index for step in steps if step.epoch == epoch for index in step.forget]
        assert sorted(taken) == list(range(10))


def test_every_step_has_as_many_retain_as_forget_texts() -> None:
    steps = make_schedule([9] * 10, [9] * 7, epochs=2, batch_size=4, seed=0, bucketed=True)
    assert [len(step.forget) for step in steps] == [len(step.retain) for step in steps]


def test_retain_texts_come_in_a_cycle_that_goes_on_over_epochs() -> None:
    """Thirty draws of seven texts: four full turns and two more, so every text four or five times."""
    steps = make_schedule([9] * 10, [9] * 7, epochs=3, batch_size=4, seed=0, bucketed=True)
    drawn = [index for step in steps for index in step.retain]
    assert all(sorted(drawn[turn * 7 : turn * 7 + 7]) == list(range(7)) for turn in range(4))
    assert set(Counter(drawn).values()) == {4, 5}


def test_the_same_seed_gives_the_same_schedule_and_another_seed_another() -> None:
    assert schedule(seed=1) == schedule(seed=1)
    assert schedule(seed=1) != schedule(seed=2)


def test_in_buckets_texts_of_similar_length_meet() -> None:
    lengths = [16, 400, 20, 410, 25, 390, 18, 405]
    steps = make_schedule(lengths, [9], epochs=5, batch_size=4, seed=0, bucketed=True)
    for step in steps:
        members = [lengths[index] for index in step.forget]
        assert max(members) - min(members) <= BUCKET_TOKENS


def test_without_retain_texts_no_step_has_any() -> None:
    steps = make_schedule([9] * 5, [], epochs=1, batch_size=4, seed=0, bucketed=True)
    assert [step.retain for step in steps] == [(), ()]


@given(st.integers(1, 20), st.integers(1, 5), st.integers(1, 4))
def test_processes_share_an_effective_batch_without_loss_and_in_step(texts: int, size: int, processes: int) -> None:
    parts = [micro_batches(range(texts), size, rank=rank, processes=processes) for rank in range(processes)]
    assert len({len(part) for part in parts}) == 1, "all take part in every forward pass"
    counted = [index for part in parts for indices, weight in part if weight for index in indices]
    assert sorted(counted) == list(range(texts))


def test_a_batch_is_padded_on_the_right_and_the_first_token_is_never_predicted() -> None:
    batch = collate([EncodedText("a", (5, 6, 7)), EncodedText("b", (8, 9))], pad_id=0)
    assert batch.input_ids.tolist() == [[5, 6, 7], [8, 9, 0]]
    assert batch.attention_mask.tolist() == [[1, 1, 1], [1, 1, 0]]
    assert batch.mask.tolist() == [[1.0, 1.0], [1.0, 0.0]]
    assert batch.to(torch.device("cpu")).mask.sum() == EncodedText("a", (5, 6, 7)).predicted + 1


def test_the_share_of_padding_of_a_hand_counted_batch() -> None:
    assert padding_share([10, 5, 5]) == pytest.approx(1 / 3)
