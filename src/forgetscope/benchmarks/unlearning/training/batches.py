"""Which texts meet in which step, and how they become tensors.

The whole schedule of a cell follows from its seed, so that every process knows it, a resumed run continues it, and
the denominators of an effective batch are known before it is split.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from forgetscope.stats import named_stream


@dataclass(frozen=True)
class EncodedText:
    """A training text as token ids, marks included.

    Attributes:
        id: Of the chunk, or of the first chunk packed into it.
        ids: Token ids; at least two, as the first one is never predicted.
        answer: Where in a solved question the answer begins; None for plain text.
    """

    id: str
    ids: tuple[int, ...]
    answer: int | None = None

    @property
    def predicted(self) -> int:
        """Positions that are predicted: all but the first."""
        return len(self.ids) - 1


@dataclass(frozen=True)
class Batch:
    """Texts padded on the right.

    Attributes:
        input_ids: (batch, sequence).
        attention_mask: (batch, sequence), 1 for tokens.
        mask: (batch, sequence - 1), what predicting the next token counts: 1, and 0 for padding.
    """

    input_ids: Tensor
    attention_mask: Tensor
    mask: Tensor

    def to(self, device: torch.device) -> "Batch":
        """The same on another device."""
        return Batch(self.input_ids.to(device), self.attention_mask.to(device), self.mask.to(device))


def collate(
    texts: Sequence[EncodedText], pad_id: int, *, question_weight: float = 1.0, answer_weight: float = 1.0
) -> Batch:
    """Texts as one batch, padded to the longest.

    Args:
        texts: At least one.
        pad_id: Fills up.
        question_weight, answer_weight: What positions of a solved question's two parts count in the mask.
    """
    longest = max(len(text.ids) for text in texts)
    input_ids = torch.full((len(texts), longest), pad_id, dtype=torch.long)
    attention_mask = torch.zeros(len(texts), longest, dtype=torch.long)
    mask = torch.zeros(len(texts), longest - 1)
    for row, text in enumerate(texts):
        length = len(text.ids)
        input_ids[row, :length] = torch.tensor(text.ids)
        attention_mask[row, :length] = 1
        mask[row, : length - 1] = 1
        if text.answer is not None:
            mask[row, : text.answer - 1] = question_weight
            mask[row, text.answer - 1 : length - 1] = answer_weight
    return Batch(input_ids, attention_mask, mask)


def padding_share(lengths: Sequence[int]) -> float:
    """Share of a batch's positions that are padding."""
    return 1 - sum(lengths) / (max(lengths) * len(lengths))


BUCKET_TOKENS = 32
"""Texts whose lengths fall into the same stretch of this many tokens count as equally long."""


def shuffled_batches(
    lengths: Sequence[int], batch_size: int, generator: np.random.Generator, *, bucketed: bool
) -> list[list[int]]:
    """One pass over all texts in batches of about equal length, in random order; the last cut may be smaller.

    Args:
        lengths: Tokens of each text.
        batch_size: Texts in a batch.
        generator: Draws the order.
        bucketed: Whether texts of similar length meet; otherwise any may.
    """
    order = generator.permutation(len(lengths)).tolist()
    if bucketed:
        order.sort(key=lambda index: lengths[index] // BUCKET_TOKENS)
    batches = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
    return [batches[index] for index in generator.permutation(len(batches)).tolist()]


@dataclass(frozen=True)
class TrainingStep:
    """One optimiser step: which forget and which retain texts, by index."""

    epoch: int
    forget: tuple[int, ...]
    retain: tuple[int, ...]


def make_schedule(
    forget_lengths: Sequence[int],
    retain_lengths: Sequence[int],
    *,
    epochs: int,
    batch_size: int,
    seed: int,
    bucketed: bool,
) -> tuple[TrainingStep, ...]:
    """All steps of a cell (protocols.md, section 4).

    An epoch is one pass over the forget texts. Retain texts come from a shuffled cycle that goes on over epochs, as
    many a step as there are forget texts in it.

    Args:
        forget_lengths, retain_lengths: Tokens of each text; without retain texts no step has any.
        epochs: Passes over the forget texts.
        batch_size: Forget texts a step, and retain texts a step; the last step of an epoch may have fewer.
        seed: Of the cell.
        bucketed: Whether texts of similar length meet.
    """
    cycle = _retain_cycle(retain_lengths, batch_size, seed, bucketed)
    steps = []
    for epoch in range(epochs):
        generator = named_stream(seed, f"unlearning/forget-order/{epoch}")
        for batch in shuffled_batches(forget_lengths, batch_size, generator, bucketed=bucketed):
            steps.append(TrainingStep(epoch, tuple(batch), tuple(itertools.islice(cycle, len(batch)))))
    return tuple(steps)


def _retain_cycle(lengths: Sequence[int], batch_size: int, seed: int, bucketed: bool) -> Iterator[int]:
    turn = 0
    while lengths:
        generator = named_stream(seed, f"unlearning/retain-order/{turn}")
        for batch in shuffled_batches(lengths, batch_size, generator, bucketed=bucketed):
            yield from batch
        turn += 1


def micro_batches(indices: Sequence[int], size: int, *, rank: int, processes: int) -> list[tuple[list[int], float]]:
    """What one process computes of an effective batch: lists of indices, each with its weight 1 or 0.

    Every process gets the same number of micro-batches, because in sharded training all must take part in each
    forward pass. Where texts run out, a process repeats one with weight 0.

    Args:
        indices: The effective batch.
        size: Texts a forward pass.
        rank: Of this process.
        processes: In total.
    """
    rounds = -(-len(indices) // (size * processes))
    mine = list(indices[rank::processes])
    parts: list[tuple[list[int], float]] = []
    for turn in range(rounds):
        part = mine[turn * size : (turn + 1) * size]
        parts.append((part, 1.0) if part else ([indices[0]], 0.0))
    return parts
