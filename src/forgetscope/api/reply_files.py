"""Replies made elsewhere: the prompts of a plan as a file to answer, and a run folder from a file of answers.

A row of replies names its sample by `sample_id`, or by fields that only one planned sample has (`item` and `form`, or
the `prompt` itself). Nothing is sent. The replies are written as Inspect's logs, so that table, figures, report,
`compare` and `rejudge` are those of any run; planned samples without a reply are missing, and counted as such.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Score
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from forgetscope.benchmarks.base import Benchmark, LoggedSample, Plan
from forgetscope.core.errors import DataError, UnknownNameError, UserError
from forgetscope.core.json_values import encodable
from forgetscope.core.outcomes import Status
from forgetscope.core.settings import Settings
from forgetscope.io.completions import completion_of
from forgetscope.io.files import claim_folder, make_folder, require_apart, write_bytes, write_lines
from forgetscope.io.records import file_sha256, read_objects, validate_record
from forgetscope.running.finished import FinishedRun, collect_run
from forgetscope.running.manifest import LOG_FOLDER, Limits, ModelSpec, RepliesFile, new_manifest, now, write_manifest

if TYPE_CHECKING:
    from inspect_ai.dataset import Sample

SAMPLE_ID, PROMPT = "sample_id", "prompt"
DECODING = "unknown: replies made elsewhere"


class AnsweredRow(BaseModel):
    """What is read of a row besides the fields that name its sample; a benchmark reads more (`Benchmark.answered`).

    Attributes:
        reply: The model's answer; `response` is another name of it.
        reasoning: What it wrote before, where that is kept apart. A think block in the reply is split off.
        finish_reason: How the reply ended; one that was cut off is `length`.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    reply: str
    reasoning: str = ""
    finish_reason: Literal["stop", "length", "content_filter"] = "stop"
    input_tokens: int | None = Field(None, ge=0)
    output_tokens: int | None = Field(None, ge=0)


@dataclass(frozen=True)
class RepliedRun:
    """A run made from replies.

    Attributes:
        finished: The run.
        left_out: A sentence for each row that is in no sample, with its line.
        rows: How many rows the file has.
    """

    finished: FinishedRun
    left_out: tuple[str, ...]
    rows: int


def write_prompts(benchmark: Benchmark, settings: Settings, out: Path) -> int:
    """Write what a run would send, a row a sample, to be answered by any model; gives how many.

    A row has `sample_id`, the sample's factors, `messages`, `max_tokens`, and what else the benchmark says: a picture
    (its path, from the file's folder), a question that is put after the answer.

    Raises:
        SettingError: these settings send what no file can hold, or `out` is a file of a run or of the data.
    """
    given = (getattr(settings, name, None) for name in ("data", "images"))
    require_apart(out, [Path(str(place)) for place in given if place and Path(str(place)).exists()])
    folder = out.parent / f"{out.stem}-pictures"
    written: set[str] = set()

    def rows() -> Iterator[dict[str, object]]:
        export = benchmark.exported(settings) if benchmark.exported else None
        for sample in benchmark.task(settings).dataset:
            metadata = sample.metadata or {}
            more = dict(export(metadata)) if export else {}
            picture = more.pop("picture", None)
            row = {
                SAMPLE_ID: sample.id,
                **_factors(sample),
                "messages": _messages(sample),
                "max_tokens": settings.max_tokens,
            }
            if picture is not None:
                name, data = cast(tuple[str, bytes], picture)
                if name not in written:
                    make_folder((folder / name).parent)
                    write_bytes(folder / name, data)
                    written.add(name)
                more["image"] = f"{folder.name}/{name}"
            yield {**row, **more}

    made = list(rows())
    write_lines(out, made)
    return len(made)


def run_replies(
    benchmark: Benchmark,
    settings: Settings,
    plan: Plan,
    replies: Path,
    folder: Path,
    *,
    model: str,
    completeness_floor: float = Limits().completeness_floor,
    strict: bool = False,
) -> RepliedRun:
    """A run folder from a file of replies; nothing is sent.

    Args:
        benchmark: The benchmark.
        settings: Of the run; they say which samples are planned.
        plan: Of these settings.
        replies: JSON Lines, a row a reply.
        folder: New or empty.
        model: What to call the model whose replies they are.
        completeness_floor: Share of planned samples that must have an outcome.
        strict: Refuse the file if a row is in no sample, instead of leaving the row out.

    Raises:
        DataError: the file is no JSON Lines, no row of it is a planned sample's, or, with `strict`, one is not.
        RunFolderError: the folder holds something already, or cannot be written.
    """
    planned = list(benchmark.task(settings).dataset)
    rows = list(read_objects(replies))
    found, left_out = _matched(benchmark, planned, rows)
    if left_out and (strict or not found):
        count = f"{len(left_out):,} of {len(rows):,} rows are no reply to a planned sample"
        hint = (
            None
            if strict
            else f"forgetscope plan {benchmark.name} --write-prompts PROMPTS.jsonl, with the same options"
        )
        raise DataError(f"{count}, the first: {left_out[0]}", next_step=hint)
    claim_folder(folder, "choose another with --out")
    (folder / LOG_FOLDER).mkdir()
    answered = [(sample, *found[str(sample.id)]) for sample in planned if str(sample.id) in found]
    logged = [_logged(benchmark, sample, metadata, row, model) for sample, metadata, row in answered]
    write_eval_log(_log(benchmark, plan, model, logged), str(folder / LOG_FOLDER / "replies.eval"), format="eval")
    spec = ModelSpec(name=model, decoding=DECODING)
    limits = Limits(completeness_floor=completeness_floor)
    manifest = new_manifest(benchmark.name, benchmark.prompts_version, settings, plan, spec, limits)
    notes = [
        f"replies made elsewhere ({replies.name}): {len(found):,} of {len(planned):,} planned samples; nothing was sent"
    ]
    if left_out:
        notes.append(
            f"{len(left_out):,} of the file's {len(rows):,} rows left out: no planned sample, or they do not fit"
        )
    if not any("finish_reason" in row for _, row in rows):
        notes.append("no row says how its reply ended (finish_reason), so none counts as cut off")
    made = RepliesFile(file=replies.name, sha256=file_sha256(replies), rows=len(rows), left_out=len(left_out))
    write_manifest(folder, manifest.model_copy(update={"replies": made, "notes": [*notes, *manifest.notes]}))
    return RepliedRun(collect_run(folder), tuple(left_out), len(rows))


Matched = dict[str, tuple[dict[str, Any], AnsweredRow]]
"""By sample id, its metadata as a task would leave them, and what is read of its row."""


def _matched(
    benchmark: Benchmark, planned: "Sequence[Sample]", rows: Sequence[tuple[str, dict[str, object]]]
) -> tuple[Matched, list[str]]:
    """The rows by the sample they reply to, and a sentence for each that replies to none."""
    names = _Names(planned, benchmark.meant)
    found: Matched = {}
    left_out: list[str] = []
    for where, row in rows:
        try:
            sample = names.sample_of(row)
            if str(sample.id) in found:
                raise DataError("another row has replied to this sample", found=sample.id)
            read = validate_record({"reply": row.get("response"), **row}, AnsweredRow, where=where)
            metadata = dict(sample.metadata or {})
            found[str(sample.id)] = (benchmark.answered(metadata, row) if benchmark.answered else metadata, read)
        except UserError as error:
            left_out.append(f"{where}: {str(error).removeprefix(f'{where}: ')}")
    return found, left_out


class _Names:
    """Finds planned samples by what a row says of them.

    Args:
        planned: All samples of the plan.
        meant: What a row means that does not say it, where it would fit several samples.
    """

    def __init__(self, planned: "Iterable[Sample]", meant: Mapping[str, str]) -> None:
        self._planned = [
            ({**_factors(sample), SAMPLE_ID: sample.id, PROMPT: _asked(sample)}, sample) for sample in planned
        ]
        self._meant = meant
        self._known = {name for told, _ in self._planned for name in told}
        self._by_fields: dict[tuple[str, ...], defaultdict[tuple[str, ...], list[int]]] = {}

    def sample_of(self, row: Mapping[str, object]) -> "Sample":
        """The one planned sample that a row names.

        Raises:
            UserError: none, or several.
        """
        given = (SAMPLE_ID,) if SAMPLE_ID in row else tuple(sorted(self._known.intersection(row)))
        if not given:
            raise DataError("the row names no sample", found=sorted(row), allowed="sample_id, or item and form")
        places = self._index(given)[tuple(str(row[name]) for name in given)]
        if len(places) > 1:
            places = [at for at in places if self._is_meant(self._planned[at][0], given)] or places
        said = ", ".join(f"{name} {str(row[name])[:80]!r}" for name in given)
        if not places:
            raise UnknownNameError("no such sample in the plan", found=said)
        if len(places) > 1:
            told = [self._planned[at][0] for at in places]
            differ = [name for name in told[0] if name != PROMPT and len({str(one.get(name)) for one in told}) > 1]
            raise DataError(f"{len(places)} planned samples fit", found=said, allowed=f"say also {' or '.join(differ)}")
        return self._planned[places[0]][1]

    def _index(self, given: tuple[str, ...]) -> "defaultdict[tuple[str, ...], list[int]]":
        if given not in self._by_fields:
            made: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
            for place, (told, _) in enumerate(self._planned):
                made[tuple(str(told.get(name)) for name in given)].append(place)
            self._by_fields[given] = made
        return self._by_fields[given]

    def _is_meant(self, told: Mapping[str, object], given: Sequence[str]) -> bool:
        return all(str(told.get(name)) == value for name, value in self._meant.items() if name not in given)


def _factors(sample: "Sample") -> dict[str, JsonValue]:
    """What a sample's metadata say of it in one word each."""
    return {
        name: value
        for name, value in (sample.metadata or {}).items()
        if value is None or isinstance(value, str | int | float)
    }


def _messages(sample: "Sample") -> list[dict[str, str]]:
    said = [("user", sample.input)] if isinstance(sample.input, str) else [(one.role, one.text) for one in sample.input]
    return [{"role": role, "content": text} for role, text in said]


def _asked(sample: "Sample") -> str:
    """The last message."""
    return _messages(sample)[-1]["content"]


_STOP: Mapping[str, Literal["stop", "max_tokens", "content_filter"]] = {
    "stop": "stop",
    "length": "max_tokens",
    "content_filter": "content_filter",
}


def _logged(
    benchmark: Benchmark, sample: "Sample", metadata: dict[str, Any], row: AnsweredRow, model: str
) -> EvalSample:
    """A sample of the log, as a run would have left it, with the status as its score."""
    reply = encodable(row.reply)
    said: list[Content] = [ContentText(text=reply)]
    if row.reasoning:
        said.insert(0, ContentReasoning(reasoning=encodable(row.reasoning)))
    output = ModelOutput.from_content(model, said, _STOP[row.finish_reason])
    if row.input_tokens is not None or row.output_tokens is not None:
        told = (row.input_tokens or 0, row.output_tokens or 0)
        output.usage = ModelUsage(input_tokens=told[0], output_tokens=told[1], total_tokens=sum(told))
    scored = benchmark.row(LoggedSample(metadata, completion_of(output), model))
    is_right = scored["status"] == Status.CORRECT
    asked: list[ChatMessage] = list(sample.input) if not isinstance(sample.input, str) else []
    return EvalSample(
        id=str(sample.id),
        epoch=1,
        input=sample.input,
        target="",
        messages=[*asked, ChatMessageAssistant(content=said, model=model)],
        output=output,
        metadata=metadata,
        scores={"outcome": Score(value=float(is_right), answer=reply, explanation=str(scored["status"]))},
    )


def _log(benchmark: Benchmark, plan: Plan, model: str, samples: list[EvalSample]) -> EvalLog:
    data = EvalDataset(name=benchmark.name, samples=len(samples), sample_ids=[sample.id for sample in samples])
    facts = {"data_sha256": plan.data_sha256, "prompts_version": benchmark.prompts_version, "replies": "made elsewhere"}
    spec = EvalSpec(
        created=now(),
        task=benchmark.task_name,
        task_version=benchmark.prompts_version,
        dataset=data,
        model=model,
        config=EvalConfig(),
        metadata=facts,
    )
    return EvalLog(version=2, status="success", eval=spec, samples=samples)
