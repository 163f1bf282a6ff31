"""Greedy continuation of many prompts at once, with a key-value cache from which finished rows are taken out.

A batch goes on until its last row has stopped; with rows of very different length most of that would be computed for
rows that are done. So a finished row leaves the batch, and the rest go on in a smaller one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import DynamicCache

from forgetscope.benchmarks.unlearning.training.models import LanguageModel

BATCH_TOKENS = 16_384
"""Positions of prompt and continuation a batch holds at most."""


@dataclass(frozen=True)
class Continuation:
    """What a model wrote.

    Attributes:
        ids: Token ids, the end mark left out.
        stopped: Whether it came to an end by itself or at a stop, not at the limit of tokens.
    """

    ids: tuple[int, ...]
    stopped: bool


def never(_: Sequence[int]) -> bool:
    """A stop that never comes."""
    return False


def continue_greedily(
    model: LanguageModel,
    prompts: Sequence[Sequence[int]],
    *,
    max_new_tokens: int,
    is_over: Callable[[Sequence[int]], bool] = never,
    batch_tokens: int = BATCH_TOKENS,
) -> list[Continuation]:
    """The likeliest next tokens of each prompt, one after the other.

    Args:
        model: Put into evaluation mode.
        prompts: Token ids; none empty.
        max_new_tokens: Of a continuation.
        is_over: Asked after each token, with the continuation so far; True ends it there.
        batch_tokens: Positions a batch holds at most.

    Returns:
        One continuation a prompt, in order. Batching may change the last digits of logits and with them, where two
        tokens are all but equally likely, the text.
    """
    model.network.train(False)
    order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
    found: dict[int, Continuation] = {}
    start = 0
    while start < len(order):
        size = 1
        while (
            start + size < len(order)
            and (len(prompts[order[start + size]]) + max_new_tokens) * (size + 1) <= batch_tokens
        ):
            size += 1
        rows = order[start : start + size]
        batch = _Decoding(model, [prompts[index] for index in rows], max_new_tokens, is_over)
        found.update(zip(rows, batch.run(), strict=True))
        start += size
    return [found[index] for index in range(len(prompts))]


class _Decoding:
    """One batch from its prompts to the last token."""

    def __init__(
        self,
        model: LanguageModel,
        prompts: Sequence[Sequence[int]],
        max_new_tokens: int,
        is_over: Callable[[Sequence[int]], bool],
    ) -> None:
        self._model = model
        self._limit = max_new_tokens
        self._is_over = is_over
        self._written: list[list[int]] = [[] for _ in prompts]
        self._stopped = [False] * len(prompts)
        self._ends = _end_ids(model)
        longest = max(len(prompt) for prompt in prompts)
        device = model.device
        self._next = torch.full((len(prompts), longest), model.tokenizer.pad_id, dtype=torch.long)
        self._attended = torch.zeros(len(prompts), longest, dtype=torch.long)
        for row, prompt in enumerate(prompts):  # on the left: what follows must stand right behind the prompt
            self._next[row, longest - len(prompt) :] = torch.tensor(list(prompt))
            self._attended[row, longest - len(prompt) :] = 1
        self._next, self._attended = self._next.to(device), self._attended.to(device)

    @torch.inference_mode()
    def run(self) -> list[Continuation]:
        cache = DynamicCache()
        alive = list(range(len(self._written)))
        for _ in range(self._limit):
            logits = self._forward(cache)
            self._next = logits.argmax(-1, keepdim=True)
            keep = [place for place, row in enumerate(alive) if self._goes_on(row, int(self._next[place]))]
            if not keep:
                break
            if len(keep) < len(alive):
                alive = [alive[place] for place in keep]
                places = torch.tensor(keep, device=logits.device)
                self._next, self._attended = self._next[places], self._attended[places]
                cache.batch_select_indices(places)
            self._attended = torch.cat([self._attended, self._attended.new_ones(len(alive), 1)], 1)
        return [Continuation(tuple(ids), stopped) for ids, stopped in zip(self._written, self._stopped, strict=True)]

    def _forward(self, cache: DynamicCache) -> Tensor:
        positions = (self._attended.cumsum(1) - 1).clamp_min(0)[:, -self._next.shape[1] :]
        output = self._model.network(
            input_ids=self._next,
            attention_mask=self._attended,
            position_ids=positions,
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        )
        logits: Tensor = output.logits[:, -1]
        return logits

    def _goes_on(self, row: int, token: int) -> bool:
        if token in self._ends:
            self._stopped[row] = True
            return False
        self._written[row].append(token)
        self._stopped[row] = self._is_over(self._written[row])
        return not self._stopped[row]


def _end_ids(model: LanguageModel) -> frozenset[int]:
    """All marks that end a text: the tokenizer's, and those of the model's own generation settings."""
    configured = getattr(model.network.generation_config, "eos_token_id", None)
    several = configured if isinstance(configured, list) else [configured]
    return frozenset(int(mark) for mark in (*several, model.tokenizer.end) if mark is not None)
