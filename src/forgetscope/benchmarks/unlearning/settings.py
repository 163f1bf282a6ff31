"""Every setting of a grid: its data and target, methods and their training, the evaluation, and how a machine does it.

Each is declared here and nowhere else; PyTorch is not imported. Methods bring their own (`methods/`), formats and
corpora too (`formats/`, `data/corpora/`).
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SerializeAsAny, field_validator, model_validator

from forgetscope.benchmarks.unlearning.data.preparation import DataSettings
from forgetscope.benchmarks.unlearning.data.records import RetainSubset
from forgetscope.benchmarks.unlearning.methods import OF_THE_PAPER, read_method
from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.prompts import AnswerCue, PromptStyle
from forgetscope.benchmarks.unlearning.training.target_settings import Precision, TargetSettings
from forgetscope.core.bounds import LARGEST, MOST_PROCESSES, MOST_TOKENS
from forgetscope.core.errors import UnknownNameError
from forgetscope.core.settings import Group, Setting, Settings

Semantics = Literal["proper", "muse-compat"]

Role = Literal["target", "retain_only"]
"""Of a model that is evaluated as it is."""


KlMean = Literal["token", "sequence"]
"""Whether E4 is a mean over positions, or summed over each sequence first."""


Preset: TypeAlias = Literal["embedded", "news", "books"]


MeasureName = Literal[
    "verbatim",
    "knowledge",
    "likelihood",
    "paraphrases",
    "retain_verbatim",
    "truth_ratio",
    "relearning",
    "utility",
    "rounded_8",
    "rounded_4",
    "relearned",
    "relearned_elsewhere",
]


PRESETS: Mapping[Preset, Mapping[str, Mapping[str, object]]] = {
    "embedded": {
        "training": {"epochs": 5, "learning_rate": 7e-4, "batch_size": 4, "precision": "float32"},
        "data": {"chunk_tokens": 176},
        "target": {"precision": "float32", "teaches_triplets": True},
        "evaluation": {"relearning": {"learning_rate": 7e-4}},
    },
    "news": {
        "training": {"epochs": 5, "learning_rate": 2e-5, "batch_size": 4},
        "data": {"chunk_tokens": 2048},
        "target": {},
        "evaluation": {"prompt": "few_shot", "answer_cue": "Answer: "},
    },
    "books": {
        "training": {"epochs": 2, "learning_rate": 2e-5, "batch_size": 4},
        "data": {"chunk_tokens": 2048},
        "target": {},
        "evaluation": {"prompt": "few_shot", "answer_cue": "Answer: "},
    },
}
"""`news` and `books` are the paper's. `embedded` has a learning rate that suits a model of a million weights, and
chunks that hold one article in every format, so that an epoch is about as many steps in each; it is the same in all
processors' precision."""


EPOCHS_FACTOR: Mapping[str, int] = {"triplets": 2}
"""Triplets are trained on for twice the epochs, as they hold far fewer tokens (paper, section 4.2)."""


class LoraSettings(BaseModel):
    """Low-rank adapters in place of all weights; the reference is the same model with the adapter switched off."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rank: int = Field(default=16, ge=1, le=LARGEST)
    alpha: int = Field(default=32, ge=1, le=LARGEST)
    dropout: float = Field(default=0.0, ge=0, lt=1)


class TrainingSettings(BaseModel):
    """How a cell is trained. All of it is part of the cell's hash; the defaults are the paper's for News (section 4.2).

    Attributes:
        epochs: Passes over the forget texts.
        learning_rate: Constant, AdamW (protocols.md, section 4).
        batch_size: Forget texts a step, and as many retain texts.
        lambda_retain: Weight of the retain term (equation 1); 0 leaves it out.
        kl_mean: Whether the KL term is a mean over tokens or over sequences.
        weight_decay: Of AdamW; 0 as in the published code.
        max_gradient_norm: Longer gradients are shortened to this; 1 is what the published code's trainer does without
            saying so; None never shortens.
        stop_at_forget_nll: Training ends after the step whose forget texts reach this negative log-likelihood, in nats
            a token; None trains to the end, as published.
        lora: Train a low-rank adapter; None trains all weights.
        bucketed: Whether texts of similar length meet in a step.
        precision: Of forward passes; `auto` measures whether bfloat16 is faster here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    epochs: int = Field(default=5, ge=1, le=LARGEST)
    learning_rate: float = Field(default=2e-5, gt=0)
    batch_size: int = Field(default=4, ge=1, le=LARGEST)
    lambda_retain: float = Field(default=1.0, ge=0)
    kl_mean: KlMean = "token"
    weight_decay: float = Field(default=0.0, ge=0)
    max_gradient_norm: float | None = Field(default=1.0, gt=0)
    stop_at_forget_nll: float | None = Field(default=None, gt=0)
    lora: LoraSettings | None = None
    bucketed: bool = True
    precision: Precision = "auto"


class ExecutionSettings(BaseModel):
    """How the work is done on this machine. Changes figures by rounding only, so it is no part of a cell's hash.

    Attributes:
        micro_batch_size: Texts a forward pass; the effective batch is split into these.
        processes: Processes a cell is trained by; with more than one the weights are sharded.
        reference: Whether the target's values are read from the cache or computed anew at every step.
        top_k: Likeliest entries the cache keeps of a large vocabulary; the KL term is then a lower bound.
        log_gradients: Whether the gradients of the two terms are kept apart for the log.
        gradient_checkpointing: Compute activations twice to keep fewer of them.
        checkpoint_seconds: Between checkpoints; 0 after every step.
        evaluate_epochs: Whether continuations and answers are also evaluated after every epoch, by which a number of
            epochs can be chosen. A cell that is finished is not evaluated again for it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    micro_batch_size: int = Field(default=4, ge=1, le=LARGEST)
    processes: int = Field(default=1, ge=1, le=MOST_PROCESSES)
    reference: Literal["cached", "live"] = "cached"
    top_k: int = Field(default=128, ge=1, le=LARGEST)
    log_gradients: bool = True
    gradient_checkpointing: bool = False
    checkpoint_seconds: float = Field(default=300.0, ge=0)
    evaluate_epochs: bool = False

    @model_validator(mode="after")
    def _epochs_are_seen_whole(self) -> Self:
        if self.evaluate_epochs and self.processes > 1:
            raise ValueError("evaluate_epochs needs processes: 1, because a sharded model is whole only at the end")
        return self


class RelearningSettings(BaseModel):
    """The relearning probe: how fast forgotten text comes back.

    Attributes:
        steps: Of ordinary training.
        share: Of the forget chunks it trains on, at least one; the others are watched.
        learning_rate: Of AdamW, constant.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: int = Field(default=10, ge=1, le=LARGEST)
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
    num_fewshot: int | None = Field(default=None, ge=0, le=LARGEST)
    limit: int | None = Field(default=None, ge=1, le=LARGEST)
    batch_size: int = Field(default=8, ge=1, le=LARGEST)
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
    verbatim_max_tokens: int = Field(default=128, ge=1, le=MOST_TOKENS)
    knowledge_max_tokens: int = Field(default=32, ge=1, le=MOST_TOKENS)
    prompt: PromptStyle = "plain"
    answer_cue: AnswerCue = "Answer:"
    min_k: float = Field(default=0.4, gt=0, le=1)
    relearning: RelearningSettings = RelearningSettings()
    utility: UtilitySettings = UtilitySettings()


class QuestionSettings(Settings):
    """Options of the Inspect task, which asks a model that was unlearned elsewhere the questions of a corpus.

    The other names are the grid's: `data` as in `unlearn reproduce`, `prompt` and `max_tokens` as in `evaluation`.
    """

    corpus: Annotated[
        str, Setting("Whose questions, where the data are not embedded.", one_of=("news", "books"), wrong="no corpus")
    ] = "news"
    prompt: Annotated[
        str,
        Setting(
            "How a question is put: corpus as the paper's grid of the corpus does.",
            one_of=("corpus", "plain", "few_shot", "chat"),
            wrong="no such style",
        ),
    ] = "corpus"
    max_tokens: Annotated[
        int, Setting("Tokens of an answer, at most.", least=1, wrong="no room for a reply", group=Group.LIMITS)
    ] = 32


def _method_named(value: object) -> Method:
    """A method from how a configuration names it; pydantic says where only of errors that are `ValueError`s."""
    try:
        return read_method(value, where=None)
    except UnknownNameError as error:
        raise ValueError(str(error)) from None


AnyMethod = Annotated[SerializeAsAny[Method], BeforeValidator(_method_named)]


class Experiment(BaseModel):
    """A corpus with the model that knows it.

    Attributes:
        data: Corpus, chunks, formats, entanglement.
        target: The model to be unlearned.
        retain_only: A model that never knew the forget side: the never-arm of residue, what privacy leakage and forget
            quality are judged against. `auto`: the target's own start and recipe without the forget texts (shipped with
            the shipped target; none for a target taken as given); None for none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: DataSettings = DataSettings()
    target: TargetSettings = TargetSettings()
    retain_only: TargetSettings | Literal["auto"] | None = "auto"

    @field_validator("retain_only")
    @classmethod
    def _knows_retain_only(cls, value: TargetSettings | str | None) -> TargetSettings | str | None:
        if isinstance(value, TargetSettings) and value.fit is not None and value.sides != "retain":
            raise ValueError("a model that is fitted here as retain_only needs sides: retain")
        return value

    @property
    def models(self) -> dict[Role, TargetSettings]:
        """The models that are evaluated as they are: the target, and one that never knew where there is one."""
        never = self.target.retain_only if self.retain_only == "auto" else self.retain_only
        found: dict[Role, TargetSettings] = {"target": self.target}
        return {**found, "retain_only": never} if isinstance(never, TargetSettings) else found


def _methods_of_the_paper() -> tuple[Method, ...]:
    return tuple(read_method(name) for name in OF_THE_PAPER)


class GridSettings(BaseModel):
    """A grid: every combination of the first group of settings is a cell.

    Attributes:
        preset: Where settings that are left out come from.
        experiments: Corpora with their targets.
        methods, semantics, retain_subsets, seeds: To be combined.
        formats: Of the forget side; empty: all that the data has.
        learning_rates, lambdas, epochs: Where there are several; empty: the one of `training`.
        epochs_factor: By format; epochs are multiplied by it.
        training, evaluation: The same for all cells.
        execution: How this machine does it; no part of a cell's configuration.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: Preset = "embedded"
    experiments: tuple[Experiment, ...] = Field(default=(Experiment(),), min_length=1)
    methods: tuple[AnyMethod, ...] = Field(default_factory=_methods_of_the_paper, min_length=1)
    formats: tuple[str, ...] = ()
    retain_subsets: tuple[RetainSubset, ...] = Field(default=tuple(RetainSubset), min_length=1)
    semantics: tuple[Semantics, ...] = Field(default=("proper",), min_length=1)
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    learning_rates: tuple[float, ...] = ()
    lambdas: tuple[float, ...] = ()
    epochs: tuple[int, ...] = ()
    epochs_factor: dict[str, int] = dict(EPOCHS_FACTOR)
    training: TrainingSettings = TrainingSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
    execution: ExecutionSettings = ExecutionSettings()

    @model_validator(mode="before")
    @classmethod
    def _fill_from_preset(cls, row: Any) -> Any:
        if not isinstance(row, Mapping):
            return row
        filled = dict(row)
        name = filled.get("preset", "embedded")
        preset = next((values for known, values in PRESETS.items() if known == name), None)
        if preset is None:
            return row
        for part in ("training", "evaluation"):
            filled[part] = _under(filled.get(part, {}), preset[part])
        experiments = filled.get("experiments", [{}])
        if isinstance(experiments, list | tuple):
            filled["experiments"] = [
                {**one, **{part: _under(one.get(part, {}), preset[part]) for part in ("data", "target")}}
                if isinstance(one, Mapping)
                else one
                for one in experiments
            ]
        return filled

    @model_validator(mode="after")
    def _formats_exist(self) -> Self:
        for experiment in self.experiments:
            made = [form.format for form in experiment.data.formats]
            missing = sorted(set(self.formats) - set(made))
            if missing:
                raise ValueError(f"formats {', '.join(missing)} are not among those of the data: {', '.join(made)}")
        return self


def _under(given: Any, preset: Mapping[str, object]) -> Any:
    """Settings of a preset with what was given on top, level by level."""
    if not isinstance(given, Mapping):
        return given
    merged: dict[str, object] = dict(preset)
    for name, value in given.items():
        below = preset.get(name)
        merged[name] = _under(value, below) if isinstance(below, Mapping) else value
    return merged
