"""What the target said of each text before unlearning, computed once and kept on disk.

The reference model of NPO and of the KL term never changes, so running it at every step (as the published code does)
only repeats the same figures. Here each text is asked about once per target; every cell that unlearns from this
target reads the answer. Small vocabularies are kept whole (raw logits, from which log-probabilities follow, and which
the published variants need); large ones as the k likeliest log-probabilities, the rest being one tail
(`losses.kl_divergence_top_k`).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from forgetscope.benchmarks.unlearning.settings import KlMean
from forgetscope.benchmarks.unlearning.training import losses
from forgetscope.benchmarks.unlearning.training.batches import Batch, EncodedText, collate
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.core.errors import SettingError
from forgetscope.io.files import write_bytes

FULL_VOCABULARY = 8192
"""Vocabularies up to this size are kept whole: 4 bytes an entry and position."""

Kept = Literal["logits", "top_k", "nll"]
"""Whole rows of raw logits, the likeliest entries of each, or the likelihood of the text alone."""


@dataclass(frozen=True)
class ReferenceBatch:
    """What the reference says of a batch.

    Attributes:
        nll: (batch,), summed over predicted positions, in nats.
        logits: (batch, sequence, vocabulary), raw, 0 at padding; None where only the likeliest entries are known.
        top_log_probabilities, top_ids: (batch, sequence - 1, k); None where all logits are known.
        hidden_states: (batch, sequence, width) each; empty where they were not asked for.
    """

    nll: Tensor
    logits: Tensor | None = None
    top_log_probabilities: Tensor | None = None
    top_ids: Tensor | None = None
    hidden_states: tuple[Tensor, ...] = ()

    def kl(self, current_logits: Tensor, mask: Tensor, *, mean: KlMean, denominator: float) -> Tensor:
        """E4 of the batch: KL(reference || current), exact or its top-k lower bound.

        Args:
            current_logits: (batch, sequence, vocabulary).
            mask: (batch, sequence - 1).
            mean, denominator: As in `losses.kl_divergence`.
        """
        current = current_logits[:, :-1].float().log_softmax(-1)
        if self.logits is not None:
            reference = self.logits[:, :-1].log_softmax(-1)
            return losses.kl_divergence(reference, current, mask, mean=mean, denominator=denominator)
        if self.top_log_probabilities is None or self.top_ids is None:
            raise ValueError("a reference has logits or its likeliest entries")
        return losses.kl_divergence_top_k(
            self.top_log_probabilities, self.top_ids, current, mask, mean=mean, denominator=denominator
        )


class ReferenceSource(Protocol):
    """Where reference values come from."""

    def batch(self, texts: Sequence[EncodedText], batch: Batch, *, hidden_states: bool = False) -> ReferenceBatch:
        """What the reference says of these texts, collated as `batch`; its hidden states where they are asked for.

        Raises:
            SettingError: something of a text was not kept.
        """


class LiveReference:
    """The reference model, run every time: a second model, or the one in training with its adapter off.

    Right for a few steps of a model too large to keep anything of, and for comparing speed; otherwise use the cache.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @torch.no_grad()
    def batch(self, texts: Sequence[EncodedText], batch: Batch, *, hidden_states: bool = False) -> ReferenceBatch:  # noqa: ARG002
        """Run the model on the batch."""
        was_training = self._model.network.training
        self._model.network.train(False)
        states: tuple[Tensor, ...] = ()
        with self._model.without_adapter():
            if hidden_states:
                logits, states = self._model.logits_and_hidden_states(batch.input_ids, batch.attention_mask)
            else:
                logits = self._model.logits(batch.input_ids, batch.attention_mask)
        self._model.network.train(was_training)
        logits = logits.float()
        return ReferenceBatch(_nll(logits, batch), logits=logits, hidden_states=states)


def _nll(logits: Tensor, batch: Batch) -> Tensor:
    return losses.sequence_nll(losses.token_log_probabilities(logits, batch.input_ids), batch.mask)


class CachedReference:
    """Reference values on disk, one file a text, shared by all cells of a target.

    Args:
        folder: Of this target; made by `fill`. Files are named by the hash of the text's token ids.
        kept: What of each text; with `nll`, only `fill` and `nll` are of use.
        top_k: How many, where not whole.
        pad_id: Of the model.
        memory: Bytes of values held in memory at most; more are read again from disk.
    """

    def __init__(self, folder: Path, *, kept: Kept, pad_id: int, top_k: int = 0, memory: int = 1 << 30) -> None:
        self._folder = folder / (f"top_{top_k}" if kept == "top_k" else kept)
        self._kept = kept
        self._top_k = top_k
        self._pad_id = pad_id
        self._held: dict[tuple[int, ...], dict[str, Tensor]] = {}
        self._room = memory

    def fill(self, model: LanguageModel, texts: Sequence[EncodedText], *, batch_size: int = 8) -> int:
        """Compute what is missing; `model` must be the target itself. Returns how many texts that were.

        Raises:
            RunFolderError: the folder cannot be written, or the disk is full.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        missing = sorted({text.ids for text in texts if not self._path(text.ids).exists()}, key=len)
        for start in range(0, len(missing), batch_size):
            part = [EncodedText("", ids) for ids in missing[start : start + batch_size]]
            for text, values in zip(part, self._compute(model, part), strict=True):
                write_bytes(self._path(text.ids), save(values))
        return len(missing)

    @torch.no_grad()
    def _compute(self, model: LanguageModel, texts: Sequence[EncodedText]) -> list[dict[str, Tensor]]:
        batch = collate(texts, self._pad_id).to(model.device)
        model.network.train(False)
        with model.without_adapter():
            logits = model.logits(batch.input_ids, batch.attention_mask).float()
        nll = _nll(logits, batch).cpu()
        values: list[dict[str, Tensor]] = []
        for row, text in enumerate(texts):
            own = logits[row, : len(text.ids)]
            entry = {"nll": nll[row : row + 1].clone()}
            if self._kept == "logits":
                entry["logits"] = own.cpu().clone()
            elif self._kept == "top_k":
                top = own[:-1].log_softmax(-1).topk(self._top_k, dim=-1)
                entry["values"] = top.values.cpu().contiguous()
                entry["ids"] = top.indices.to(torch.int32).cpu().contiguous()
            values.append(entry)
        return values

    def batch(self, texts: Sequence[EncodedText], batch: Batch, *, hidden_states: bool = False) -> ReferenceBatch:
        """The kept values of these texts, padded like `batch`; hidden states are never kept."""
        if hidden_states:
            raise SettingError(
                "the method needs the reference's hidden states, which are not kept",
                where="method",
                found="reference_hidden_states",
                next_step="set execution.reference: live",
            )
        entries = [self._load(text.ids) for text in texts]
        device = batch.input_ids.device
        nll = torch.cat([entry["nll"] for entry in entries]).to(device)
        length = batch.input_ids.shape[1]
        if self._kept == "logits":
            return ReferenceBatch(nll, logits=_padded([entry["logits"] for entry in entries], length).to(device))
        return ReferenceBatch(
            nll,
            top_log_probabilities=_padded([entry["values"] for entry in entries], length - 1).to(device),
            top_ids=_padded([entry["ids"].long() for entry in entries], length - 1).to(device),
        )

    def nll(self, texts: Sequence[EncodedText]) -> dict[str, float]:
        """Summed negative log-likelihood of each text under the target, in nats, by id."""
        return {text.id: float(self._load(text.ids)["nll"]) for text in texts}

    def _load(self, ids: tuple[int, ...]) -> dict[str, Tensor]:
        held = self._held.get(ids)
        if held is not None:
            return held
        path = self._path(ids)
        try:
            values = load_file(path)
        except (OSError, SafetensorError) as error:
            raise SettingError(
                "no reference values for a text", where=str(path), found=str(error), next_step="fill the cache first"
            ) from None
        size = sum(value.nbytes for value in values.values())
        if size <= self._room:
            self._room -= size
            self._held[ids] = values
        return values

    def _path(self, ids: tuple[int, ...]) -> Path:
        name = hashlib.sha256(",".join(map(str, ids)).encode()).hexdigest()[:32]
        return self._folder / f"{name}.safetensors"


def _padded(rows: Sequence[Tensor], length: int) -> Tensor:
    """Rows (positions, entries) as (batch, length, entries), zeros behind."""
    out = rows[0].new_zeros(len(rows), length, rows[0].shape[1])
    for index, row in enumerate(rows):
        out[index, : len(row)] = row
    return out


def reference_cache(folder: Path, model: LanguageModel, *, top_k: int) -> CachedReference:
    """The cache that fits a model: whole rows for small vocabularies, else the `top_k` likeliest entries."""
    kept: Kept = "logits" if model.vocabulary <= FULL_VOCABULARY else "top_k"
    return CachedReference(folder, kept=kept, top_k=top_k, pad_id=model.tokenizer.pad_id)
