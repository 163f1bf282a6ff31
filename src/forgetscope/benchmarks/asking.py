"""A whole benchmark from what is its own: settings, samples, a verdict on a reply, and figures.

Where each sample is one prompt and one reply, everything else follows: the plan, the Inspect task with its scorer, what
is logged, the row of the table, shards, reference models and their checks. `examples/plugins/benchmark/` is one.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Generic, TypeVar

import polars as pl
from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter

from forgetscope.benchmarks.base import (
    Benchmark,
    Check,
    FigureFacts,
    LoggedSample,
    Plan,
    planned_cells,
    reading_log,
)
from forgetscope.core.outcomes import Status
from forgetscope.core.results import ColumnKind, Completion, SampleColumn, Value, repeats_itself, status_of_call
from forgetscope.core.settings import Settings, narrowed
from forgetscope.findings.figures import Results
from forgetscope.io.records import Provenance, rows_sha256
from forgetscope.io.tokens import count_cl100k

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Scorer

_ROW: TypeAdapter[dict[str, Value]] = TypeAdapter(dict[str, Value])
SettingsT = TypeVar("SettingsT", bound=Settings)

SAMPLE_KEY = "sample"
"""Where a logged sample's metadata holds the `AskedSample` it was made from."""


class AskedSample(BaseModel):
    """One prompt of a benchmark, and what is needed to judge the reply.

    Attributes:
        item: What it is about; its forms share it.
        form: How it is asked; the samples of a form are a cell of the plan.
        key: Whatever the verdict on a reply needs; logged with the sample.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    item: str
    form: str
    prompt: str
    system: str = ""
    seed: int = 0
    key: Mapping[str, JsonValue] = {}

    @property
    def messages(self) -> list[dict[str, str]]:
        """What is sent, by role."""
        said = [("system", self.system), ("user", self.prompt)]
        return [{"role": role, "content": text} for role, text in said if text]

    @property
    def said(self) -> tuple[str, ...]:
        """The texts that are sent, in order."""
        return tuple(message["content"] for message in self.messages)


@dataclass(frozen=True)
class Reference:
    """A responder of known behaviour: what it does, its reply, and the share of right replies that it must have."""

    does: str
    reply: Callable[[AskedSample], str]
    right: float


@dataclass(frozen=True)
class Asking(Generic[SettingsT]):
    """What is a benchmark's own.

    Attributes:
        about: What it asks, a sentence.
        samples: Everything a run with these settings sends, the forms of an item next to each other.
        is_right: The verdict on a reply there is text of.
        results: From the sample table to figures and the sections of the report.
        factors: Columns of the table beside those all benchmarks have, from the sample's `key`, by their type.
        references: Responders of known behaviour by name.
    """

    name: str
    title: str
    about: str
    settings: type[SettingsT]
    prompts_version: str
    samples: Callable[[SettingsT], Iterable[AskedSample]]
    is_right: Callable[[AskedSample, str], bool]
    results: Callable[[pl.DataFrame, FigureFacts], Results]
    factors: Mapping[str, ColumnKind] = field(default_factory=dict)
    references: Mapping[str, Reference] = field(default_factory=dict)
    validation_settings: Mapping[str, object] = field(default_factory=dict)

    def benchmark(self) -> Benchmark:
        """The benchmark as the rest of the system sees it."""
        if self.references:
            from forgetscope.core.responders import register_responder

            register_responder(self.name, frozenset(self.references), self._respond)
        return Benchmark(
            name=self.name,
            title=self.title,
            settings=self.settings,
            prompts_version=self.prompts_version,
            plan=self._plan,
            task_function=cache(self._task_function),
            row=self._row,
            columns={name: SampleColumn(kind, "a factor of its own") for name, kind in self.factors.items()},
            results=self.results,
            reference_models={name: reference.does for name, reference in self.references.items()},
            validation_settings=self.validation_settings,
            check_reference=self._check if self.references else None,
            cell_of=lambda metadata: logged_sample(metadata).form,
        )

    def _samples(self, settings: Settings) -> list[AskedSample]:
        """Of the first `limit` items, with all their forms."""
        found = list(self.samples(narrowed(settings, self.settings)))
        items = list(dict.fromkeys(sample.item for sample in found))
        kept = set(items[: settings.limit])
        chosen = [sample for sample in found if sample.item in kept]
        twice = [name for name, times in Counter(self._id(sample) for sample in chosen).items() if times > 1]
        if twice:
            raise ValueError(f"two samples of one id: {twice[0]}; an item has each of its forms once")
        return chosen

    def _sha256(self, settings: Settings) -> str:
        return rows_sha256([self._id(sample), sample.model_dump(mode="json")] for sample in self._samples(settings))

    def _id(self, sample: AskedSample) -> str:
        return f"{self.name.replace('-', '_')}/{sample.item}/{sample.form}"

    def _plan(self, settings: Settings) -> Plan:
        samples, sha256 = self._samples(settings), self._sha256(settings)
        return Plan(
            planned_cells(
                (sample.form, sample.item, count_cl100k(sample.system + sample.prompt)) for sample in samples
            ),
            (Provenance("items", settings.data, "", sha256, len({sample.item for sample in samples})),),
            sha256,
            rows_sha256([self._id(sample), sample.system, sample.prompt] for sample in samples),
            settings.max_tokens,
        )

    def _task_function(self) -> "Callable[..., Task]":
        from inspect_ai import Task, task
        from inspect_ai.dataset import MemoryDataset
        from inspect_ai.model import GenerateConfig
        from inspect_ai.solver import generate

        from forgetscope.benchmarks.tasks import settings_as_arguments

        name = self.name.replace("-", "_")

        def build(settings: SettingsT) -> Task:
            samples = self._samples(settings)
            _asked[self.name] = {sample.said: sample for sample in samples}
            return Task(
                dataset=MemoryDataset([self._inspect_sample(sample) for sample in samples], name=self.name),
                solver=generate(tool_calls="none"),
                scorer=self._scorer(),
                config=GenerateConfig(temperature=0.0, max_tokens=settings.max_tokens),
                name=name,
                version=self.prompts_version,
                metadata={"data_sha256": self._sha256(settings), "prompts_version": self.prompts_version},
            )

        build.__name__ = build.__qualname__ = name
        build.__doc__ = self.about
        return task(settings_as_arguments(self.settings, self._sha256)(build))

    def _inspect_sample(self, sample: AskedSample) -> "Sample":
        from inspect_ai.dataset import Sample
        from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser

        said: list[ChatMessage] = [ChatMessageSystem(content=sample.system)] if sample.system else []
        shown = {"item": sample.item, "form": sample.form, SAMPLE_KEY: sample.model_dump(mode="json")}
        return Sample(id=self._id(sample), input=[*said, ChatMessageUser(content=sample.prompt)], metadata=shown)

    def _scorer(self) -> "Scorer":
        from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
        from inspect_ai.solver import TaskState

        from forgetscope.io.completions import completion_of

        @scorer(metrics=[mean()], name=f"{self.name.replace('-', '_')}_right")
        def right() -> Scorer:
            async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - Inspect's signature
                status, passed = self._verdict(logged_sample(state.metadata), completion_of(state.output))
                answer = state.output.completion
                return Score(
                    value=float(passed is True), answer=answer, explanation=status, metadata={"status": status}
                )

            return score

        return right()

    def _verdict(self, sample: AskedSample, completion: Completion) -> tuple[Status, bool | None]:
        """What became of a reply, and the verdict on whatever text there is."""
        passed = self.is_right(sample, completion.reply) if completion.has_text else None
        return status_of_call(completion) or (Status.CORRECT if passed else Status.INCORRECT), passed

    def _row(self, logged: LoggedSample) -> dict[str, Value]:
        sample, completion = logged_sample(logged.metadata), logged.completion
        status, passed = self._verdict(sample, completion)
        return {
            "benchmark": self.name,
            "model": logged.model,
            "sample_id": self._id(sample),
            "item": sample.item,
            "form": sample.form,
            "seed": sample.seed,
            "status": status.value,
            "raw_pass": passed,
            "finish_reason": completion.finish_reason.value,
            "input_tokens": completion.input_tokens,
            "output_tokens": completion.output_tokens,
            "seconds": completion.seconds,
            "looped": repeats_itself(completion.reply),
            "messages": json.dumps(sample.messages, ensure_ascii=False),
            "reply": completion.reply,
            "reasoning": completion.reasoning,
            "error": completion.error,
            **_ROW.validate_python({name: sample.key.get(name) for name in self.factors}),
        }

    def _respond(self, name: str, conversation: Sequence[tuple[str, str]]) -> str | None:
        sample = _asked.get(self.name, {}).get(tuple(text for _, text in conversation))
        return None if sample is None else self.references[name].reply(sample)

    def _check(self, name: str, table: pl.DataFrame) -> list[Check]:
        expected = self.references[name].right
        found = float(table["raw_pass"].cast(pl.Float64).fill_null(0.0).to_numpy().mean())
        return [Check(name, "right", f"{expected:.1%}", f"{found:.1%}", abs(found - expected) < 5e-4)]


_asked: dict[str, dict[tuple[str, ...], AskedSample]] = {}
"""By benchmark, the samples of the last task by their prompt: what reference models know."""


@reading_log()
def logged_sample(metadata: Mapping[str, object]) -> AskedSample:
    """The sample a log entry was made from.

    Raises:
        ValueError: the metadata are another benchmark's.
    """
    if SAMPLE_KEY not in metadata:
        raise ValueError("not a sample that was asked once")
    return AskedSample.model_validate(metadata[SAMPLE_KEY])
