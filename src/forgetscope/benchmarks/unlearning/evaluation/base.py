"""What measures are given and what they give: the subject under evaluation, its settings, and sample rows."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.scoring.scores import Overlap, is_exact, status_of
from forgetscope.benchmarks.unlearning.settings import EvaluationSettings
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.results import ColumnKind, SampleColumn, Value, kinds_of, repeats_itself

if TYPE_CHECKING:
    from forgetscope.benchmarks.unlearning.training.models import LanguageModel

BENCHMARK = "unlearning"


FACTOR_COLUMNS: Mapping[str, SampleColumn] = {
    "cell": SampleColumn(pl.String, "id of the cell; `target` and `retain_only` for the models beside the grid's"),
    "corpus": SampleColumn(pl.String, "the corpus"),
    "method": SampleColumn(
        pl.String, "the method; `target` before unlearning, `retain_only` for a model that never knew"
    ),
    "semantics": SampleColumn(pl.String, "losses as the paper prints them, as its code has them, or proper ones"),
    "forget_format": SampleColumn(pl.String, "the format of the forget texts"),
    "retain_subset": SampleColumn(pl.String, "which retain texts training saw"),
    "learning_rate": SampleColumn(pl.Float64, "of the training"),
    "lambda_retain": SampleColumn(pl.Float64, "weight of the retain loss"),
    "epochs": SampleColumn(pl.Float64, "passes over the forget texts"),
}
"""What a cell is."""

FACTOR_SCHEMA = kinds_of(FACTOR_COLUMNS)
"""Their types."""

SAMPLE_COLUMNS: Mapping[str, SampleColumn] = {
    **FACTOR_COLUMNS,
    "measure": SampleColumn(pl.String, "`verbatim`, `retain_verbatim`, `knowledge_SET` or `paraphrased_SET`"),
    "question_set": SampleColumn(
        pl.String, "the set of a question: `forget`, `retain`, `world`; null for continuations"
    ),
    "used_for_kl": SampleColumn(
        pl.Boolean, "whether training saw the text the question is about; null for a question about no text"
    ),
    "document": SampleColumn(pl.String, "the document it is from"),
    "chunk": SampleColumn(pl.String, "the part of the document"),
    "reference": SampleColumn(pl.String, "the first of the right texts"),
    "score": SampleColumn(
        pl.Float64, "ROUGE-L F1 without stemmer, 0 to 1, best over the right texts; null where the model was not asked"
    ),
    "rouge_l_recall": SampleColumn(pl.Float64, "ROUGE-L recall without stemmer"),
    "rouge_l_f1_stemmed": SampleColumn(pl.Float64, "ROUGE-L F1 with Porter's stemmer"),
    "rouge_l_recall_stemmed": SampleColumn(pl.Float64, "ROUGE-L recall with the stemmer"),
    "rouge_1_recall": SampleColumn(pl.Float64, "ROUGE-1 recall"),
    "exact": SampleColumn(pl.Boolean, "whether the reply is one of the right texts"),
    "gibberish": SampleColumn(pl.Boolean, "whether the reply is babble"),
}
"""Columns beside the core ones."""

SAMPLE_SCHEMA = kinds_of(SAMPLE_COLUMNS)
"""Their types."""

LIKELIHOOD_SCHEMA: dict[str, ColumnKind] = {
    **FACTOR_SCHEMA,
    "seed": pl.Int64,
    "text": pl.String,
    "kind": pl.String,
    "tokens": pl.Int64,
    "nll": pl.Float64,
    "target_nll": pl.Float64,
    "min_k": pl.Float64,
    "extraction_strength": pl.Float64,
    "weight": pl.Float64,
}
"""One row a scored text. `kind`: `forget_format` (as trained on), `forget`, `retain_low`, `retain_high`, `retain` or
`holdout`; `nll`, `target_nll` are summed, in nats; `weight`: share of its gradient the method still lets through."""


EPOCH_SCHEMA: dict[str, ColumnKind] = {
    "epoch": pl.Int64,
    "cell": pl.String,
    "seed": pl.Int64,
    "measure": pl.String,
    "item": pl.String,
    "score": pl.Float64,
}
"""One row a sample after one epoch of a training that was followed."""


@dataclass(frozen=True)
class Subject:
    """A model under evaluation and all that measures need to know.

    Attributes:
        model: Changed by no measure.
        data: Of the grid.
        settings: Of the evaluation.
        factors: What the cell is, by the columns of `FACTOR_SCHEMA`.
        seed: Of the cell.
        lexicon: Words a model of this corpus can know, to tell babble; empty where it knows more than the corpus.
        forget_format: The format it was trained on; None for the target.
        method: The method it was trained with; None for the target.
        target_nll: By text id, summed negative log-likelihood under the target, in nats; empty for the target.
        failure: Why there is no model to evaluate (training diverged): every sample is then lost, and counted.
    """

    model: "LanguageModel"
    data: GridData
    settings: EvaluationSettings
    factors: Mapping[str, Value]
    seed: int
    lexicon: frozenset[str] = frozenset()
    forget_format: str | None = None
    method: Method | None = None
    target_nll: Mapping[str, float] = field(default_factory=dict)
    failure: str = ""


@dataclass(frozen=True)
class Measured:
    """What a measure found.

    Attributes:
        samples, likelihoods: Rows of the two tables.
        figures: Of the whole cell, name to value; None: undefined.
        by_question: What a test of two models needs of single questions: by the figure's name, by the question's id.
    """

    samples: list[dict[str, Value]] = field(default_factory=list)
    likelihoods: list[dict[str, Value]] = field(default_factory=list)
    figures: dict[str, float | None] = field(default_factory=dict)
    by_question: dict[str, dict[str, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """One sample as it was posed.

    Attributes:
        item: Id of the question or chunk.
        form: `verbatim`, `knowledge`, `paraphrased`.
        measure: As in `SAMPLE_COLUMNS`.
        prompt: What the model was shown.
        references: Texts that would be right.
        is_cut_by_design: Whether the limit of tokens is the measure's own.
    """

    item: str
    form: str
    measure: str
    prompt: str
    references: tuple[str, ...]
    is_cut_by_design: bool
    question_set: str | None = None
    used_for_kl: bool | None = None
    document: str | None = None
    chunk: str | None = None


@dataclass(frozen=True)
class ModelReply:
    """What came back: the text that is scored, and how it ended."""

    text: str
    finish_reason: FinishReason
    input_tokens: int
    output_tokens: int
    seconds: float | None = None
    error: str = ""


def sample_row(
    subject: Subject, asked: Asked, reply: ModelReply, found: Overlap, *, gibberish: bool
) -> dict[str, Value]:
    """A row of the sample table."""
    status = status_of(
        reply.text, found, reply.finish_reason, gibberish=gibberish, is_cut_by_design=asked.is_cut_by_design
    )
    scored = status not in (Status.MODEL_ERROR, Status.NOT_SENT)
    row: dict[str, Value] = {
        "benchmark": BENCHMARK,
        "model": subject.model.name,
        "sample_id": f"{BENCHMARK}/{asked.item}/{asked.form}/cell={subject.factors['cell']}",
        "item": asked.item,
        "form": asked.form,
        "seed": subject.seed,
        "status": status.value,
        "raw_pass": found.rouge_l_f1 >= 0.5 if scored else None,
        "finish_reason": reply.finish_reason.value,
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "seconds": reply.seconds,
        "looped": repeats_itself(reply.text),
        "messages": json.dumps([{"role": "user", "content": asked.prompt}], ensure_ascii=False),
        "reply": reply.text,
        "reasoning": "",
        "error": reply.error,
        "measure": asked.measure,
        "question_set": asked.question_set,
        "used_for_kl": asked.used_for_kl,
        "document": asked.document,
        "chunk": asked.chunk,
        "reference": asked.references[0],
        "score": found.rouge_l_f1 if scored else None,
        "rouge_l_recall": found.rouge_l_recall if scored else None,
        "rouge_l_f1_stemmed": found.rouge_l_f1_stemmed if scored else None,
        "rouge_l_recall_stemmed": found.rouge_l_recall_stemmed if scored else None,
        "rouge_1_recall": found.rouge_1_recall if scored else None,
        "exact": is_exact(reply.text, asked.references) if scored else None,
        "gibberish": gibberish if scored else None,
    }
    return {**row, **subject.factors}
