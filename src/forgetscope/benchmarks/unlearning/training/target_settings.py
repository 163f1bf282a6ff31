"""Every setting of a target, the model that knows its corpus, and which model stands for one that never knew."""

import hashlib
import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED, SHIPPED_RETAIN_ONLY, WEIGHTS_SHA256
from forgetscope.models.weights import sha256_of

Precision = Literal["auto", "float32", "bfloat16"]

EMBEDDED = "embedded"

TARGET_VERSION = 1
"""Raised whenever the same settings would give another target."""


class FitSettings(BaseModel):
    """How a model is fitted to texts.

    Attributes:
        epochs: Passes over the texts, at most.
        learning_rate: Highest; AdamW.
        batch_tokens: Tokens a step, padding included: short texts come in larger batches.
        answer_weight: What a token of a solved question's answer counts, against 1 for any other. A model that learns
            from nothing spends its effort on the many words of questions, and an answer is two or three tokens.
        warmup_steps: Over which the rate rises from 0; it falls again over the last quarter of the steps.
        weight_decay: Of AdamW.
        max_gradient_norm: Longer gradients are shortened to this.
        stop_at_nll: Training ends after an epoch whose mean loss, in nats a token, is at most this; None runs on.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    epochs: int = Field(default=100, ge=1)
    learning_rate: float = Field(default=2e-3, gt=0)
    batch_tokens: int = Field(default=512, ge=1)
    answer_weight: float = Field(default=1.0, gt=0)
    warmup_steps: int = Field(default=20, ge=0)
    weight_decay: float = Field(default=0.0, ge=0)
    max_gradient_norm: float = Field(default=1.0, gt=0)
    stop_at_nll: float | None = Field(default=None, gt=0)


class Gate(BaseModel):
    """What a target must know, by mean ROUGE-L F1 (0-1) on the forget side.

    Attributes:
        verbatim: Of continuations.
        knowledge: Of answers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    verbatim: float = Field(default=0.9, ge=0, le=1)
    knowledge: float = Field(default=0.8, ge=0, le=1)


class TargetSettings(BaseModel):
    """Which model becomes the target, and how it learns the corpus.

    Attributes:
        model: `embedded` (from nothing), `shipped` (that one as it came out, taken as given with `fit: null`),
            `shipped-retain-only` (the one that never knew its forget side), `smollm2`, a folder, a GGUF file, or a hub
            id.
        revision: Commit of a hub id.
        fit: How it learns; None takes it as it is given.
        teaches: What it is fitted to: the documents, or also the questions with their answers (never paraphrases).
            A model from nothing has to learn the world facts as well.
        teaches_triplets: Whether it also learns the gold triplets of the retain side: the format is then no news to it,
            as it is none to a model that has read the web, while the forget side's facts are not taught in it.
        sides: `both` as a target; `retain` gives the model that never knew what is to be forgotten.
        closes_texts: Whether texts end with the end mark; a given model's training decides.
        gate: What it must know then. A retain-only model is not tested.
        vocabulary, hidden, layers: Of the embedded model.
        precision: Of forward passes.
        seed: Of weights and order.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = EMBEDDED
    revision: str | None = None
    fit: FitSettings | None = FitSettings(epochs=48, answer_weight=6.0)
    teaches: Literal["documents", "documents_and_questions"] = "documents_and_questions"
    teaches_triplets: bool = False
    sides: Literal["both", "retain"] = "both"
    closes_texts: bool = True
    gate: Gate = Gate()
    vocabulary: int = Field(default=2048, ge=259)
    hidden: int = Field(default=128, ge=8)
    layers: int = Field(default=4, ge=1)
    precision: Precision = "auto"
    seed: int = Field(default=0, ge=0)

    @property
    def knows_its_corpus_alone(self) -> bool:
        """Whether a word that is not in the corpus must be babble."""
        return self.model in (EMBEDDED, *WEIGHTS_SHA256)

    @property
    def retain_only(self) -> "TargetSettings | None":
        """The same start and recipe without the forget texts; None where the target is given and its recipe unknown."""
        if self.model == SHIPPED and self.fit is None:
            return self.model_copy(update={"model": SHIPPED_RETAIN_ONLY, "sides": "retain"})
        return self.model_copy(update={"sides": "retain"}) if self.fit is not None else None

    def identity(self, corpus_sha256: str, chunk_tokens: int) -> str:
        """What the target is known by before it is made: its recipe, and the content of a given folder's weights."""
        recipe = {
            "version": TARGET_VERSION,
            "settings": self.model_dump(mode="json", exclude={"gate"}),
            "weights": _content(self.model),
            "corpus": corpus_sha256,
            "chunk_tokens": chunk_tokens,
        }
        return hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()[:16]


def _content(model: str) -> list[str]:
    if model in WEIGHTS_SHA256:
        return [WEIGHTS_SHA256[model]]
    folder = Path(model)
    return [sha256_of(path) for path in sorted(folder.glob("*.safetensors"))] if folder.is_dir() else []
