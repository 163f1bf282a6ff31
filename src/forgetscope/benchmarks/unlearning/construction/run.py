"""A build from its plan to a folder that a grid reads as `data.built`: asked chunk by chunk, kept call by call.

::

    OUT/
      triplets.jsonl      chunk, head, relation, tail
      questions.jsonl     as `records.Question`, paraphrases included
      rejects.jsonl       every triplet, question and reply that was not kept, with step and reason
      yields.json         chunks in and out of every step; agreement with the corpus' own triplets, where it has some
      build.json          what the build was
      calls.jsonl         every reply, as it arrived
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.build_calls import CallJournal
from forgetscope.benchmarks.build_manifest import BuildManifest, new_manifest, now, write_manifest
from forgetscope.benchmarks.building import Builder, BuilderDecoding, BuilderReply, BuildModels, Usage, ask_rows
from forgetscope.benchmarks.unlearning.construction.plan import (
    ANSWERS,
    QUESTIONS,
    STEPS,
    TRIPLETS,
    GridDataBuildPlan,
)
from forgetscope.benchmarks.unlearning.construction.prompts import (
    CONSTRUCTION_PROMPTS_VERSION,
    MANNER,
    QuestionDraft,
    answer_prompt,
    questions_prompt,
    triplets_prompt,
)
from forgetscope.benchmarks.unlearning.construction.questions import questions_of, why_not_found, why_unusable
from forgetscope.benchmarks.unlearning.construction.triplets import sift_triplets
from forgetscope.benchmarks.unlearning.data.built import (
    QUESTIONS_NAME,
    TRIPLETS_NAME,
    chunks_sha256,
    write_triplets,
)
from forgetscope.benchmarks.unlearning.data.records import Chunk, Question, Triplet
from forgetscope.benchmarks.unlearning.formats.extraction.agreement import Match, agreement
from forgetscope.benchmarks.unlearning.formats.extraction.gold import gold_triplets
from forgetscope.core.errors import RunFolderError
from forgetscope.core.progress import Progress
from forgetscope.io.files import make_folder, write_lines, write_text

ReplyT = TypeVar("ReplyT", bound=BaseModel)

UNREADABLE, LOST = "unreadable reply", "the model could not be reached"
MATCHES: tuple[Match, ...] = ("exact", "entities", "either_entity")


class StepReturn(BaseModel):
    """What a step gave, over all chunks.

    Attributes:
        asked: Chunks, or for the answers questions; the sum of the next three.
        given: Triplets or questions in readable replies; kept and rejected are their parts.
        calls, retries: Of the model; a retry is a call.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: str
    asked: int
    readable: int
    unreadable: int
    lost: int
    given: int
    kept: int
    rejected: dict[str, int]
    calls: int
    retries: int


class GoldAgreement(BaseModel):
    """The builder's triplets against those the corpus knows for sure, over chunks that have such."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    match: Match
    chunks: int
    found: int
    gold: int
    precision: float | None
    recall: float | None
    f1: float | None


class GridDataYields(BaseModel):
    """The content of `yields.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunks: int
    triplets: int
    questions: int
    paraphrases: int
    lost: int
    steps: list[StepReturn]
    agreement: list[GoldAgreement]


@dataclass(frozen=True)
class FinishedGridDataBuild:
    """A build that went through all its chunks; some may be lost, because a model could not be reached."""

    folder: Path
    manifest: BuildManifest
    yields: GridDataYields
    usage: Usage


@dataclass
class _Work:
    """What became of a chunk."""

    chunk: Chunk
    triplets: tuple[Triplet, ...] = ()
    questions: list[Question] = field(default_factory=list)
    ended: list[tuple[str, str]] = field(default_factory=list)
    given: Counter[str] = field(default_factory=Counter)
    rejects: list[dict[str, str]] = field(default_factory=list)

    def value(self, step: str, reply: BuilderReply[ReplyT]) -> ReplyT | None:
        """What a reply holds, noted; None where it could not be read or had."""
        how = "readable" if reply.value is not None else "lost" if reply.is_lost else "unreadable"
        self.ended.append((step, how))
        if reply.value is None:
            reason = LOST if reply.is_lost else UNREADABLE
            self.reject(step, reason, detail=reply.problem, reply=reply.text)
        return reply.value

    def reject(self, step: str, reason: str, **said: str) -> None:
        """Keep the reason beside what was not kept."""
        self.rejects.append({"chunk": self.chunk.id, "step": step, "reason": reason, **said})


def build_grid_data(
    plan: GridDataBuildPlan, models: BuildModels, out: Path, *, at_once: int, progress: Progress
) -> FinishedGridDataBuild:
    """Build, or go on with a build that was stopped or killed: nothing is asked twice.

    Args:
        plan: What to build.
        models: Who builds.
        out: The folder; new, empty, or one of this very build.
        at_once: Chunks under way at a time.
        progress: From the number of chunks to what is called after each.

    Raises:
        RunFolderError: the folder holds another build, or cannot be written.
        UserError: a model refuses how it is asked.
    """
    manifest = _open(plan, models, out)
    settings = plan.settings
    decoding = BuilderDecoding(settings.max_tokens, settings.temperature, settings.seed, settings.send_schema)
    builder = Builder(models, CallJournal(out), decoding, MANNER)

    async def one(chunk: Chunk) -> _Work:
        work = _Work(chunk)
        await _extract(work, builder)
        if chunk.id in plan.asked_about:
            await _write_questions(work, plan, builder)
        return work

    done = ask_rows(plan.chunks, one, at_once=at_once, advance=progress(len(plan.chunks)))
    return _write(plan, manifest, done, builder.usage, out)


def _open(plan: GridDataBuildPlan, models: BuildModels, out: Path) -> BuildManifest:
    manifest = new_manifest(
        CONSTRUCTION_PROMPTS_VERSION,
        models.named,
        plan.settings.model_dump(mode="json"),
        plan.corpus.provenance,
        chunks_sha256(plan.chunks),
        {TRIPLETS: len(plan.chunks), QUESTIONS: len(plan.asked_about)},
    )
    earlier = manifest.goes_on(out)
    if earlier is not None:
        return earlier
    if (out / TRIPLETS_NAME).exists() or (out / QUESTIONS_NAME).exists():
        raise RunFolderError(
            "the folder has triplets or questions from elsewhere",
            where=str(out),
            next_step="choose another folder with --out",
        )
    make_folder(out)
    write_manifest(out, manifest)
    return manifest


async def _extract(work: _Work, builder: Builder) -> None:
    reply = work.value(TRIPLETS, await builder.ask(work.chunk.id, triplets_prompt(work.chunk.text)))
    if reply is None:
        return
    work.triplets, rejected = sift_triplets(work.chunk, reply)
    work.given[TRIPLETS] = len(reply.triplets)
    for draft, reason in rejected:
        work.reject(TRIPLETS, reason, triplet=" | ".join((draft.head, draft.relation, draft.tail)))


async def _write_questions(work: _Work, plan: GridDataBuildPlan, builder: Builder) -> None:
    wanted, chunk = plan.settings.questions, work.chunk
    reply = work.value(QUESTIONS, await builder.ask(chunk.id, questions_prompt(chunk.text, wanted)))
    if reply is None:
        return
    work.given[QUESTIONS] = len(reply.questions)
    kept: list[QuestionDraft] = []
    for number, draft in enumerate(reply.questions, start=1):
        step, reason = QUESTIONS, why_unusable(draft.question, draft.answer, chunk.text, [one.question for one in kept])
        if not reason and len(kept) == wanted:
            reason = "more than were asked for"
        if not reason and plan.settings.verifies:
            step, reason = ANSWERS, await _why_refuted(work, draft, number, builder)
        if reason:
            work.reject(step, reason, question=draft.question, answer=draft.answer)
        else:
            kept.append(draft)
    work.questions = [one for number, draft in enumerate(kept, start=1) for one in questions_of(chunk, draft, number)]


async def _why_refuted(work: _Work, draft: QuestionDraft, number: int, builder: Builder) -> str:
    prompt = answer_prompt(work.chunk.text, draft.question, number)
    reply = await builder.ask(work.chunk.id, prompt)
    work.ended.append((ANSWERS, "lost" if reply.is_lost else "readable"))
    work.given[ANSWERS] += 1
    return LOST if reply.value is None else why_not_found(draft.answer, reply.value.answer)


def _write(
    plan: GridDataBuildPlan, manifest: BuildManifest, done: Sequence[_Work], usage: Usage, out: Path
) -> FinishedGridDataBuild:
    triplets = {work.chunk.id: work.triplets for work in done}
    questions = [question for work in done for question in work.questions]
    yields = _yields(plan, done, usage, triplets, questions)
    write_triplets(out / TRIPLETS_NAME, triplets)
    write_lines(out / QUESTIONS_NAME, (one.model_dump(mode="json", exclude_none=True) for one in questions))
    write_lines(out / "rejects.jsonl", (row for work in done for row in work.rejects))
    write_text(out / "yields.json", yields.model_dump_json(indent=2) + "\n")
    ended = manifest.model_copy(update={"status": "incomplete" if yields.lost else "complete", "finished": now()})
    write_manifest(out, ended)
    return FinishedGridDataBuild(out, ended, yields, usage)


def _yields(
    plan: GridDataBuildPlan,
    done: Sequence[_Work],
    usage: Usage,
    triplets: dict[str, tuple[Triplet, ...]],
    questions: Sequence[Question],
) -> GridDataYields:
    gold = gold_triplets(plan.corpus, plan.chunks)
    against = [agreement(triplets, gold, match) for match in MATCHES] if gold else []
    steps = [_step(step, done, usage) for step in STEPS]
    return GridDataYields(
        chunks=len(done),
        triplets=sum(map(len, triplets.values())),
        questions=sum(not question.is_paraphrase for question in questions),
        paraphrases=sum(question.is_paraphrase for question in questions),
        lost=sum(step.lost for step in steps),
        steps=[step for step in steps if step.asked],
        agreement=[
            GoldAgreement(
                match=one.match,
                chunks=one.chunks,
                found=one.found,
                gold=one.gold,
                precision=one.precision,
                recall=one.recall,
                f1=one.f1,
            )
            for one in against
        ],
    )


def _step(step: str, done: Iterable[_Work], usage: Usage) -> StepReturn:
    found = list(done)
    how = Counter(ending for work in found for name, ending in work.ended if name == step)
    reasons = Counter(
        row["reason"] for work in found for row in work.rejects if row["step"] == step and "reply" not in row
    )
    given = sum(work.given[step] for work in found)

    def of(calls: Counter[str]) -> int:
        return sum(count for name, count in calls.items() if name == step or name.split("-")[0] + "s" == step)

    return StepReturn(
        step=step,
        asked=sum(how.values()),
        readable=how["readable"],
        unreadable=how["unreadable"],
        lost=how["lost"],
        given=given,
        kept=given - sum(reasons.values()),
        rejected=dict(sorted(reasons.items())),
        calls=of(usage.asked + usage.given_back),
        retries=of(usage.retries),
    )
