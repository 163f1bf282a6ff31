"""What measures are given and what they give: the subject under evaluation, its settings, and sample rows."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.evaluation.prompts import AnswerCue, PromptStyle
from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.scoring.scores import Overlap, is_exact, status_of
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.results import Value, repeats_itself

BENCHMARK = "unlearning"

MeasureName = Literal[
    "verbatim", "knowledge", "likelihood", "paraphrases", "retain_verbatim", "truth_ratio", "relearning", "utility"
]


class RelearningSettings(BaseModel):
    """The relearning probe: how fast forgotten text comes back.

    Attributes:
        steps: Of ordinary training.
        share: Of the forget chunks it trains on, at least one; the others are watched.
        learning_rate: Of AdamW, constant.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: int = Field(default=10, ge=1)
    share: float = Field(default=0.1, gt=0, lt=1)
    learning_rate: float = Field(default=2e-5, gt=0)


class UtilitySettings(BaseModel):
    """Tasks of the lm-evaluation-harness; all but `tasks` as the harness names them.

    Attributes:
        tasks: Their names.
        num_fewshot: Solved examples; None as each task has it.
        limit: Questions of each task; None for all.
        batch_size: Requests at once.
        include_path: A folder with tasks of your own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: tuple[str, ...] = ()
    num_fewshot: int | None = Field(default=None, ge=0)
    limit: int | None = Field(default=None, ge=1)
    batch_size: int = Field(default=8, ge=1)
    include_path: str | None = None


class EvaluationSettings(BaseModel):
    """How a cell is evaluated; part of its hash.

    Attributes:
        measures: Which ones, in this order. The first three cost little and carry the paper's figures.
        verbatim_max_tokens: Generated and reference are both cut to this (MUSE: 128).
        knowledge_max_tokens: New tokens of an answer (MUSE: 32).
        prompt: How a question is put.
        answer_cue: What the prompt ends with.
        min_k: Share of a text's least likely tokens that Min-K averages.
        relearning: Of the probe.
        utility: Tasks of the measure `utility`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    measures: tuple[MeasureName, ...] = ("verbatim", "knowledge", "likelihood")
    verbatim_max_tokens: int = Field(default=128, ge=1)
    knowledge_max_tokens: int = Field(default=32, ge=1)
    prompt: PromptStyle = "plain"
    answer_cue: AnswerCue = "Answer:"
    min_k: float = Field(default=0.4, gt=0, le=1)
    relearning: RelearningSettings = RelearningSettings()
    utility: UtilitySettings = UtilitySettings()


FACTOR_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "cell": pl.String,
    "corpus": pl.String,
    "method": pl.String,
    "semantics": pl.String,
    "forget_format": pl.String,
    "retain_subset": pl.String,
    "learning_rate": pl.Float64,
    "lambda_retain": pl.Float64,
    "epochs": pl.Float64,
}
"""What a cell is; `method` is `target` for the model before unlearning and `retain_only` for one that never knew."""

SAMPLE_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    **FACTOR_SCHEMA,
    "measure": pl.String,
    "question_set": pl.String,
    "used_for_kl": pl.Boolean,
    "document": pl.String,
    "chunk": pl.String,
    "reference": pl.String,
    "score": pl.Float64,
    "rouge_l_recall": pl.Float64,
    "rouge_l_f1_stemmed": pl.Float64,
    "rouge_l_recall_stemmed": pl.Float64,
    "rouge_1_recall": pl.Float64,
    "exact": pl.Boolean,
    "gibberish": pl.Boolean,
}
"""Columns beside `CORE_SCHEMA`. `score` is ROUGE-L F1 without stemmer, 0-1, best over the references; null where the
model was not asked. `measure`: `verbatim`, `retain_verbatim`, `knowledge_SET` or `paraphrased_SET`."""

LIKELIHOOD_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
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

    model: LanguageModel
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
    """What a measure found: rows of the two tables, and figures of the whole cell (name to value, None: undefined)."""

    samples: list[dict[str, Value]] = field(default_factory=list)
    likelihoods: list[dict[str, Value]] = field(default_factory=list)
    figures: dict[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """One sample as it was posed.

    Attributes:
        item: Id of the question or chunk.
        form: `verbatim`, `knowledge`, `paraphrased`.
        measure: As in `SAMPLE_SCHEMA`.
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
