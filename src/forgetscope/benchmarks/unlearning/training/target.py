"""Making a target: a model that knows the corpus, so that there is something to forget.

From nothing (the embedded Llama), by fitting a given model to the corpus, or as it is given. What it knows is measured
before anything else is done with it: a target that does not know its corpus cannot forget it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.unlearning.data.chunking import cut_into_chunks
from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.data.records import Corpus, Question
from forgetscope.benchmarks.unlearning.evaluation.base import FACTOR_SCHEMA, Subject
from forgetscope.benchmarks.unlearning.evaluation.measures import evaluate
from forgetscope.benchmarks.unlearning.prompts import question_prompt
from forgetscope.benchmarks.unlearning.scoring.scores import words_of
from forgetscope.benchmarks.unlearning.settings import EvaluationSettings
from forgetscope.benchmarks.unlearning.training.batches import EncodedText
from forgetscope.benchmarks.unlearning.training.fitting import EpochLog, fit
from forgetscope.benchmarks.unlearning.training.models import (
    LanguageModel,
    embedded_model,
    load_model,
    load_tokenizer,
    weights_sha256,
)
from forgetscope.benchmarks.unlearning.training.processes import current_processes
from forgetscope.benchmarks.unlearning.training.target_settings import EMBEDDED, TargetSettings
from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer, train_tokenizer
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.io.files import write_text
from forgetscope.io.received import read_form

TARGET_NAME = "target.json"


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
        return read_form(path, TargetRecord, "not the record of a target")
    except FileNotFoundError:
        raise RunFolderError("no target here", where=str(folder), next_step="forgetscope unlearn target") from None


def load_target(folder: Path) -> LanguageModel:
    """The target of a folder, on the CPU, ready to evaluate."""
    record = read_target(folder)
    settings = record.settings
    model = load_model(record.path or str(folder), revision=settings.revision if record.path else None)
    return replace(model, tokenizer=replace(model.tokenizer, closes_texts=settings.closes_texts), name=settings.model)
