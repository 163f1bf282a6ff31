"""Making a target: a model that knows the corpus, so that there is something to forget.

From nothing (the embedded Llama), by fitting a given model to the corpus, or as it is given. What it knows is measured
before anything else is done with it: a target that does not know its corpus cannot forget it.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from forgetscope.benchmarks.unlearning.data.chunking import cut_into_chunks
from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.data.records import Corpus, Question
from forgetscope.benchmarks.unlearning.evaluation import evaluate
from forgetscope.benchmarks.unlearning.evaluation.base import FACTOR_SCHEMA, EvaluationSettings, Subject
from forgetscope.benchmarks.unlearning.evaluation.prompts import question_prompt
from forgetscope.benchmarks.unlearning.scoring.scores import words_of
from forgetscope.benchmarks.unlearning.training.batches import EncodedText
from forgetscope.benchmarks.unlearning.training.fitting import EpochLog, FitSettings, fit
from forgetscope.benchmarks.unlearning.training.models import (
    LanguageModel,
    embedded_model,
    load_model,
    load_tokenizer,
    weights_sha256,
)
from forgetscope.benchmarks.unlearning.training.processes import Precision, current_processes
from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED, WEIGHTS_SHA256
from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer, train_tokenizer
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.io.files import write_text
from forgetscope.models.weights import sha256_of

EMBEDDED = "embedded"
TARGET_NAME = "target.json"
TARGET_VERSION = 1
"""Raised whenever the same settings would give another target."""


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
            `smollm2`, a folder, a GGUF file, or a hub id.
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
        return self.model in (EMBEDDED, SHIPPED)

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
    if model == SHIPPED:
        return [WEIGHTS_SHA256]
    folder = Path(model)
    return [sha256_of(path) for path in sorted(folder.glob("*.safetensors"))] if folder.is_dir() else []


class TargetRecord(BaseModel):
    """The content of `target.json`.

    Attributes:
        identity: The recipe's; the folder's name in a grid.
        weights_sha256: Of the weights that came out.
        path: Where the weights are, if not beside this file.
        knows: Mean ROUGE-L F1 and other figures, as `evaluation.evaluate` names them.
        nll: Of the last pass over the texts, in nats a token; None for a model taken as given.
        steps, tokens, seconds: Of fitting.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    identity: str
    corpus: str
    corpus_sha256: str
    settings: TargetSettings
    weights_sha256: str
    path: str | None = None
    parameters: int
    knows: dict[str, float | None]
    nll: float | None = None
    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0

    @property
    def passes_gate(self) -> bool:
        """Whether it knows what a target must know; a retain-only model always does."""
        if self.settings.sides == "retain":
            return True
        gate = self.settings.gate
        return all(
            (self.knows.get(f"score.{name}") or 0.0) >= least
            for name, least in (("verbatim", gate.verbatim), ("knowledge_forget", gate.knowledge))
            if f"score.{name}" in self.knows
        )

    def require_knowledge(self) -> None:
        """Refuse a target that does not know its corpus.

        Raises:
            SettingError: it is below its gate.
        """
        if self.passes_gate:
            return
        gate = self.settings.gate
        known = {name: self.knows.get(f"score.{name}") for name in ("verbatim", "knowledge_forget")}
        raise SettingError(
            "the target does not know what it is to forget",
            where=f"target {self.identity} on {self.corpus}",
            found=", ".join(f"{name} {value or 0:.2f}" for name, value in known.items()),
            allowed=f"ROUGE-L F1 of at least {gate.verbatim:g} verbatim and {gate.knowledge:g} knowledge (target.gate)",
            next_step="fit it for more epochs, or lower target.gate",
        )


def target_tokenizer(settings: TargetSettings, corpus: Corpus) -> ModelTokenizer:
    """The tokenizer the target will have: known without its weights."""
    if settings.model == EMBEDDED:
        texts = [document.text for document in (*corpus.forget, *corpus.retain)]
        texts += [f"{question_prompt(q.question)} {q.answers[0]}" for q in _taught_questions(corpus, world=True)]
        tokenizer = ModelTokenizer.of(train_tokenizer(texts, settings.vocabulary))
    else:
        tokenizer = load_tokenizer(settings.model, revision=settings.revision)
    return replace(tokenizer, closes_texts=settings.closes_texts)


def make_target(
    settings: TargetSettings,
    corpus: Corpus,
    folder: Path,
    *,
    chunk_tokens: int,
    on_epoch: Callable[[EpochLog], None] = lambda _: None,
) -> TargetRecord:
    """Make the target and store it with what it knows; one that is there already is only read.

    Args:
        settings: Of the target.
        corpus: To be known.
        folder: For weights and `target.json`.
        chunk_tokens: Length of a chunk in its tokens.
        on_epoch: Called after each pass of fitting.

    Raises:
        RunFolderError: the folder cannot be written.
        SettingError: it came out below its gate; it is stored all the same, to be looked at.
    """
    path = folder / TARGET_NAME
    if path.exists():
        record = read_target(folder)
        record.require_knowledge()
        return record
    model = _untaught(settings, corpus)
    logs: Sequence[EpochLog] = ()
    if settings.fit is not None:
        processes = current_processes(settings.precision)
        model.move(processes.device)
        texts = taught_texts(settings, corpus, model.tokenizer, chunk_tokens=chunk_tokens)
        logs = fit(model, texts, settings.fit, processes, seed=settings.seed, on_epoch=on_epoch)
        model.save(folder)
    data = GridData.of_corpus(corpus, model.tokenizer, chunk_tokens=chunk_tokens)
    record = TargetRecord(
        identity=settings.identity(corpus.sha256, chunk_tokens),
        corpus=corpus.name,
        corpus_sha256=corpus.sha256,
        settings=settings,
        weights_sha256=weights_sha256(model.network),
        path=None if settings.fit is not None else settings.model,
        parameters=model.parameters,
        knows=_knows(model, data, settings),
        nll=logs[-1].nll if logs else None,
        steps=logs[-1].steps if logs else 0,
        tokens=logs[-1].tokens if logs else 0,
        seconds=logs[-1].seconds if logs else 0.0,
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_text(path, record.model_dump_json(indent=2))
    record.require_knowledge()
    return record


def _untaught(settings: TargetSettings, corpus: Corpus) -> LanguageModel:
    tokenizer = target_tokenizer(settings, corpus)
    if settings.model == EMBEDDED:
        if settings.fit is None:
            raise SettingError("the embedded model knows nothing unless it is fitted", where="target.fit")
        model = embedded_model(tokenizer, seed=settings.seed, hidden=settings.hidden, layers=settings.layers)
    else:
        model = load_model(settings.model, revision=settings.revision)
    return replace(model, tokenizer=tokenizer)


def taught_texts(
    settings: TargetSettings, corpus: Corpus, tokenizer: ModelTokenizer, *, chunk_tokens: int
) -> list[EncodedText]:
    """What the target learns: chunks of the documents, as often as a document repeats, triplets, solved questions."""
    documents = (*corpus.forget, *corpus.retain) if settings.sides == "both" else corpus.retain
    chunks = cut_into_chunks(documents, tokenizer, tokens=chunk_tokens)
    encoded = zip(chunks, tokenizer.chunks(chunks), strict=True)
    texts = [text for chunk, text in encoded for _ in range(chunk.repeats)]
    if settings.teaches_triplets:
        texts += [
            tokenizer.whole(document.id, "\n".join(one.line for one in corpus.gold_triplets[document.id]))
            for document in corpus.retain
            if corpus.gold_triplets.get(document.id)
        ]
    if settings.teaches == "documents":
        return texts
    known = {document.id for document in documents}
    questions = _taught_questions(corpus, world=settings.model == EMBEDDED)
    return texts + [
        tokenizer.solved(question.id, question_prompt(question.question), question.answers[0])
        for question in questions
        if question.document is None or question.document in known
    ]


def _taught_questions(corpus: Corpus, *, world: bool) -> list[Question]:
    questions = (*corpus.questions, *corpus.world) if world else corpus.questions
    return [question for question in questions if not question.is_paraphrase]


def corpus_lexicon(corpus: Corpus | GridData) -> frozenset[str]:
    """All words of a corpus: what a model trained on it alone can know."""
    sides = (*corpus.forget, *corpus.retain, *corpus.holdout)
    asked = (*corpus.questions, *corpus.world)
    return words_of([*(one.text for one in sides), *(" ".join((q.question, *q.answers)) for q in asked)])


def _knows(model: LanguageModel, data: GridData, settings: TargetSettings) -> dict[str, float | None]:
    subject = Subject(
        model=model,
        data=data,
        settings=EvaluationSettings(measures=("verbatim", "knowledge")),
        factors={**dict.fromkeys(FACTOR_SCHEMA), "cell": "target", "method": "target"},
        seed=settings.seed,
        lexicon=corpus_lexicon(data) if settings.knows_its_corpus_alone else frozenset(),
    )
    return evaluate(subject).figures


def read_target(folder: Path) -> TargetRecord:
    """The record of a target that was made.

    Raises:
        RunFolderError: there is none, or it is damaged.
    """
    path = folder / TARGET_NAME
    try:
        return TargetRecord.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise RunFolderError("no target here", where=str(folder), next_step="forgetscope unlearn target") from None
    except ValidationError as error:
        raise RunFolderError(
            "not the record of a target", where=str(path), found=str(error.errors()[0]["msg"])
        ) from None


def load_target(folder: Path) -> LanguageModel:
    """The target of a folder, on the CPU, ready to evaluate."""
    record = read_target(folder)
    settings = record.settings
    model = load_model(record.path or str(folder), revision=settings.revision if record.path else None)
    return replace(model, tokenizer=replace(model.tokenizer, closes_texts=settings.closes_texts), name=settings.model)
