"""What the rest of the system knows of a benchmark: a name, settings, a plan, a task, rows and results."""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import polars as pl
from pydantic import BaseModel

from forgetscope.annotation.design import AnnotationDesign
from forgetscope.benchmarks.papers import PaperDesign
from forgetscope.comparison.design import ComparisonDesign
from forgetscope.core.errors import ForgetscopeError
from forgetscope.core.results import ColumnKind, Completion, SampleColumn, Value, kinds_of
from forgetscope.core.settings import Settings
from forgetscope.findings.aims import Aim
from forgetscope.findings.figures import Results
from forgetscope.io.records import Provenance
from forgetscope.judging.records import Judgement

if TYPE_CHECKING:
    from inspect_ai import Task

    from forgetscope.io.sources import DataSource
    from forgetscope.judging.ask import JudgeQuestion
    from forgetscope.judging.attacks import JudgeTrial


class UnreadableSampleError(ForgetscopeError, ValueError):
    """What a log holds is none of a benchmark's samples: the log's fault, and nobody has scored anything yet."""


@contextmanager
def reading_log() -> Iterator[None]:
    """Whatever reading a benchmark's own records out of a log can raise, as one error. Also a decorator.

    Raises:
        UnreadableSampleError: they are not there, or not what the benchmark writes.
    """
    try:
        yield
    except UnreadableSampleError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise UnreadableSampleError(f"{type(error).__name__}: {error}".splitlines()[0]) from error


INPUT_ERROR_KEY = "input_error"
"""Where a logged sample's metadata says why its input could not be read, so that nothing was sent."""


@dataclass(frozen=True)
class PlannedCell:
    """Samples of one kind in a plan.

    Attributes:
        label: Their factors in words.
        samples: How many.
        prompt_tokens: Mean of the tokens sent for each.
        items: Different items among them, where items come back in several samples; 0 for as many as samples.
    """

    label: str
    samples: int
    prompt_tokens: float
    items: int = 0

    @property
    def pairs(self) -> int:
        """Independent units of a comparison over this cell."""
        return self.items or self.samples


def planned_cells(samples: Iterable[tuple[str, str, int]]) -> tuple[PlannedCell, ...]:
    """The cells of a plan from each sample's label, item (empty where they do not come back), and tokens."""
    counts: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    items: defaultdict[str, set[str]] = defaultdict(set)
    for label, item, size in samples:
        counts[label] += 1
        tokens[label] += size
        items[label].update([item] if item else [])
    return tuple(PlannedCell(label, count, tokens[label] / count, len(items[label])) for label, count in counts.items())


@dataclass(frozen=True)
class Plan:
    """What a run would send. Token counts are cl100k estimates; a model's own tokenizer may differ.

    Attributes:
        sha256: Over every sample's id and prompt, in order: two runs with the same one sent the same.
        notes: What a person should know before starting: reused items, missing types, small sets.
        extra_calls: Calls beyond one a sample: live answers to earlier turns, questions asked again.
        judge_questions: Questions to each judge, if every sample can be judged.
        unreadable: Inputs of the data that could not be read, and why: their samples end as `input_error`.
    """

    cells: tuple[PlannedCell, ...]
    provenance: tuple[Provenance, ...]
    data_sha256: str
    sha256: str
    max_tokens: int
    notes: tuple[str, ...] = field(default=())
    extra_calls: int = 0
    judge_questions: int = 0
    unreadable: Mapping[str, str] = field(default_factory=dict)

    @property
    def calls(self) -> int:
        """Calls to the model under test over all cells."""
        return self.samples + self.extra_calls

    @property
    def samples(self) -> int:
        """Samples over all cells."""
        return sum(cell.samples for cell in self.cells)

    @property
    def prompt_tokens(self) -> int:
        """Input tokens over all samples."""
        return round(sum(cell.samples * cell.prompt_tokens for cell in self.cells))


@dataclass(frozen=True)
class Check:
    """One expected figure of a reference model, and what was found."""

    model: str
    figure: str
    expected: str
    found: str
    holds: bool


@dataclass(frozen=True)
class VerifiedPart:
    """One thing that a run says of itself, and whether it follows from what lies below it.

    Attributes:
        what: Data, prompts, replies, rows, figures, the page.
        verdict: `follows`; `differs`; `not checked` where what it is checked against is not here.
        found: How many were compared, a hash, or what differs, in words.
    """

    what: str
    verdict: Literal["follows", "differs", "not checked"]
    found: str

    @classmethod
    def of(cls, what: str, differing: Sequence[str], held: str) -> "VerifiedPart":
        """From what differs, in words, the first three of which are said; `held` where nothing does."""
        more = f" and {len(differing) - 3:,} more" if len(differing) > 3 else ""
        return cls(what, "differs", "; ".join(differing[:3]) + more) if differing else cls(what, "follows", held)


ItemFiles = Mapping[str, Sequence[Mapping[str, object]]]
"""Items as rows, by the name of the file that would hold them."""


@dataclass(frozen=True)
class RunData:
    """What a run's samples were made from, as far as it may be said to others.

    Attributes:
        source: Its name in the benchmark's catalogue; empty where that is a folder of the user's, or unknown.
        licences: Of each part, as its publisher states it; none where none is known.
        made: Makes the items again where a program of the package makes them and no file holds them.
    """

    source: str = ""
    licences: tuple[str, ...] = ()
    made: Callable[[], ItemFiles] | None = None


@dataclass(frozen=True)
class FigureFacts:
    """What figures need to know of a run beside its table.

    Attributes:
        settings: Of the run, those of its benchmark.
        planned: Samples per cell as they were planned, by the plan's labels; a table may hold fewer.
        completeness_floor: Share of samples with an outcome below which the run counts as incomplete.
        published: Whether to set the paper's models beside the run.
        decoding: How the model under test decoded, in words; empty where unknown.
        data_sha256: Of the data as they were when the run was planned; empty where unknown.
    """

    settings: BaseModel
    planned: Mapping[str, int]
    completeness_floor: float
    published: bool = False
    decoding: str = ""
    data_sha256: str = ""


@dataclass(frozen=True)
class LoggedSample:
    """A sample as its log holds it, which is all that a row of the table is made from.

    Attributes:
        metadata: As the task left it: what the sample was, and replies to earlier calls where there were several.
        completion: What came back for the scored call.
        model: The name of the model under test.
        judgements: Of all judges, those of a later `rejudge` in place of the earlier ones.
    """

    metadata: Mapping[str, object]
    completion: Completion
    model: str
    judgements: tuple[Judgement, ...] = ()


@dataclass(frozen=True)
class JudgedReference:
    """A validating run with judges of known behaviour.

    Attributes:
        model: The reference model under test.
        judges: The reference judges, several are a panel.
        settings: Of the run, where they differ from the validating ones.
    """

    model: str
    judges: tuple[str, ...]
    settings: Mapping[str, object]

    @property
    def name(self) -> str:
        """What its checks are known by: `perfect, judged by babbling-judge`."""
        return f"{self.model}, judged by {' and '.join(self.judges)}"


@dataclass(frozen=True)
class TrainedReference:
    """A validating run of a trained model whose truth is known.

    Attributes:
        model: As the command line names it: `forgetscope/murmur-obedient`.
        settings: Of the run, where they differ from the defaults.
    """

    model: str
    settings: Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class KnownBenchmark:
    """What is known of any benchmark, however it is run (`Benchmark` by Inspect, `grids.GridBenchmark` by itself)."""

    name: str
    title: str
    settings: type[BaseModel]
    prompts_version: str
    columns: Mapping[str, SampleColumn]
    """Of its sample table, beside those of every benchmark."""
    results: Callable[[pl.DataFrame, FigureFacts], Results]
    """From the sample table and what else is known of the run to all figures."""
    reference_models: Mapping[str, str] = field(default_factory=dict)
    """Responders or outcomes of known behaviour with what each does; Inspect's: `forgetscope/reference/NAME`."""
    comparison: ComparisonDesign | None = None
    """What its runs are compared by; None where they are not."""
    paper: PaperDesign | None = None
    """The experiment of its paper, for `forgetscope reproduce`; None where it has none."""
    sources: "tuple[DataSource, ...]" = ()
    """The data sets it can be run on or built from, for `forgetscope data`."""

    aims: tuple[Aim, ...] = ()
    """Which of its figures are results, and which way is better of each; those of `EVERY_BENCHMARK` beside them."""

    def licence_of(self, source: str) -> str:
        """The licence of a data set of its catalogue; empty where that has none of this name, or none is stated."""
        return next((one.licence for one in self.sources if one.name == source), "")

    @property
    def schema(self) -> Mapping[str, ColumnKind]:
        """The types of its columns."""
        return kinds_of(self.columns)

    @property
    def package(self) -> str:
        """The package its settings stand in, which holds its README and certificate too; empty for a lone module."""
        return sys.modules[self.settings.__module__].__package__ or ""


@dataclass(frozen=True, kw_only=True)
class Benchmark(KnownBenchmark):
    """A benchmark that Inspect runs, as the running and reporting layers see it."""

    settings: type[Settings]
    plan: Callable[[Settings], Plan]
    task_function: "Callable[[], Callable[..., Task]]"
    """Imports and gives its task, whose arguments `benchmarks.tasks.settings_as_arguments` made; `task` calls it."""
    row: Callable[[LoggedSample], dict[str, Value]]
    """From a logged sample to a row of the sample table."""
    judge_questions: "Callable[[LoggedSample], tuple[JudgeQuestion, ...]] | None" = None
    """What to ask a judge about a logged sample; None where nothing is judged. A row has the status of the verdict on
    the aspect `answer` in `judge_status`, on any other aspect in `ASPECT_judge_status`."""
    judge_trials: "Callable[[str], tuple[JudgeTrial, ...]] | None" = None
    """From a data source to replies that must fail, with which a judge is tried; None where nothing is judged."""
    shows_pictures: bool = False
    """Whether its samples hold pictures, so that a model has to see."""
    reference_judges: Mapping[str, str] = field(default_factory=dict)
    """Judges of known behaviour, likewise."""
    validation_settings: Mapping[str, object] = field(default_factory=dict)
    """Settings of the validating runs where they differ from the defaults."""
    check_reference: Callable[[str, pl.DataFrame], list[Check]] | None = None
    """From the name of a reference model, or of a judged run, and the table of its run to its checks."""
    judged_references: tuple[JudgedReference, ...] = ()
    """Validating runs with judges, beside one of each reference model."""
    trained_references: tuple[TrainedReference, ...] = ()
    """Validating runs of trained models, after the others; `check_reference` knows them by their models' names."""
    annotation: AnnotationDesign | None = None
    """What people are asked about its replies; None where that is not provided for."""
    exported: Callable[[Settings], Callable[[Mapping[str, object]], Mapping[str, object]]] | None = None
    """From settings, and a sample's metadata, to what an exported prompt says besides or instead of the sample's input:
    `messages`, a `picture` (name and bytes), and the like."""
    answered: Callable[[Mapping[str, object], Mapping[str, object]], dict[str, object]] | None = None
    """From a sample's metadata and a row of replies made elsewhere to the metadata as the task would leave them; raises
    a `UserError` where the row lacks what the sample needs."""
    meant: Mapping[str, str] = field(default_factory=dict)
    """Factors of a sample that a row of replies means where it does not say them."""
    made_items: Callable[[Settings], ItemFiles] | None = None
    """The embedded items of a run, where a program makes them; None where files in the package hold them."""
    cell_of: Callable[[Mapping[str, object]], str] | None = None
    """From a sample's metadata to the label of its cell in the plan; None where a plan cannot be cut into shards."""
    as_planned: Callable[[Mapping[str, str]], AbstractContextManager[None]] | None = None
    """From inputs that could not be read when a run was planned to a block in which they count as such in its data's
    hash, though they may be back: a run goes on with them. None where the benchmark has no inputs of that kind."""

    def counting(self, unreadable: Mapping[str, str]) -> AbstractContextManager[None]:
        """That block; one without effect where all could be read."""
        return self.as_planned(unreadable) if self.as_planned is not None and unreadable else nullcontext()

    def task(self, settings: Settings) -> "Task":
        """The Inspect task of a run, with the hash of its data among its arguments."""
        from forgetscope.benchmarks.tasks import task_of

        return task_of(self.task_function(), settings)

    @property
    def task_name(self) -> str:
        """What Inspect knows its task by: `forgetscope/in_context`."""
        return self.name.replace("-", "_")
