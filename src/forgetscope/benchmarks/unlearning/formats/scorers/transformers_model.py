"""Any causal language model of transformers as a scorer."""

from collections.abc import Sequence
from pathlib import Path

import torch

from forgetscope.benchmarks.unlearning.formats.scorers.base import ScoredText, ScoredToken
from forgetscope.benchmarks.unlearning.training.models import LanguageModel, weights_sha256
from forgetscope.io.files import real_path

BATCH_TOKENS = 2048


class TransformersScorer:
    """Scores with a loaded model; each text begins after the model's beginning mark, where it has one.

    Texts longer than the model's window are read in windows that overlap by a half, so that every token is scored with
    at least half a window before it.

    Args:
        model: Whose tokenizer gives character offsets (every fast tokenizer does).
        window: Tokens read at once; the model's own window, at most 1,024, if None.
    """

    def __init__(self, model: LanguageModel, window: int | None = None) -> None:
        self._model = model
        self._window = min(window or 1024, model.context)
        begin = model.tokenizer.base.bos_token_id
        self._begin = begin if isinstance(begin, int) else model.tokenizer.base.eos_token_id
        self.name = model.name
        self.identities = identities(model)

    def score(self, texts: Sequence[str]) -> list[ScoredText]:
        """See `Scorer`."""
        encoded = [
            self._model.tokenizer.base(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
            for text in texts
        ]
        spans = [[(int(low), int(high)) for low, high in one["offset_mapping"]] for one in encoded]
        information = self._information([list(one["input_ids"]) for one in encoded])
        return [
            ScoredText(
                text,
                tuple(ScoredToken(low, high, value) for (low, high), value in zip(places, values, strict=True)),
            )
            for text, places, values in zip(texts, spans, information, strict=True)
        ]

    def _information(self, sequences: Sequence[list[int]]) -> list[list[float]]:
        pieces = [
            (number, start, low, ids[start:end])
            for number, ids in enumerate(sequences)
            for start, low, end in _windows(len(ids), self._window - 1)
        ]
        found: list[list[float]] = [[0.0] * len(ids) for ids in sequences]
        for batch in _batches(pieces):
            for (number, start, low, ids), values in zip(batch, self._forward([p[3] for p in batch]), strict=True):
                found[number][low : start + len(ids)] = values[low - start : len(ids)]
        return found

    @torch.inference_mode()
    def _forward(self, sequences: Sequence[list[int]]) -> list[list[float]]:
        longest = max(map(len, sequences)) + 1
        ids = torch.zeros((len(sequences), longest), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, sequence in enumerate(sequences):
            ids[row, : len(sequence) + 1] = torch.tensor([self._begin, *sequence])
            mask[row, : len(sequence) + 1] = 1
        device = self._model.device
        logits = self._model.logits(ids.to(device), mask.to(device))[:, :-1].float()
        information = torch.nn.functional.cross_entropy(
            logits.transpose(1, 2), ids[:, 1:].to(device), reduction="none"
        ).cpu()
        return [information[row, : len(sequence)].tolist() for row, sequence in enumerate(sequences)]


def identities(model: LanguageModel) -> frozenset[str]:
    """What a model's weights are known by: the name it was loaded under, its path, and their hash."""
    path = Path(model.name)
    paths = {str(real_path(path))} if path.exists() else set()
    return frozenset({model.name, weights_sha256(model.network), *paths})


def _windows(length: int, window: int) -> list[tuple[int, int, int]]:
    """(begin, first position scored, end) of each window over a sequence."""
    windows = [(0, 0, min(window, length))] if length else []
    while windows and windows[-1][2] < length:
        low = windows[-1][2]
        start = low - window // 2
        windows.append((start, low, min(start + window, length)))
    return windows


_Piece = tuple[int, int, int, list[int]]


def _batches(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Pieces of like length together, so that little is padding."""
    batches: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda piece: len(piece[3]), reverse=True):
        if batches and (len(batches[-1]) + 1) * (len(batches[-1][0][3]) + 1) <= BATCH_TOKENS:
            batches[-1].append(piece)
        else:
            batches.append([piece])
    return batches
