"""Training one decoder: resumable, a checkpoint a minute, one thread.

A course is so many steps long, or it ends by what was learned: at a steady rate until enough of the last lessons are
right, then some steps at a falling rate. One member decides; those it is compared with take as many steps.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from forgetscope.core.errors import DataError
from forgetscope.models.glimpse.shape import DecoderShape
from forgetscope.models.glimpse.vocabulary import Vocabulary
from forgetscope.stats import named_stream
from tools.glimpse.batches import BatchMaker, LessonBatch, Sights
from tools.glimpse.curriculum import MEMBERS, Course, Teacher, World
from tools.glimpse.decoder import Decoder

CHECKPOINT_SECONDS = 60
REPORTED = 100
"""Steps whose lessons a reported figure, and a goal at most, is about."""
KINDS = ("forbidden", "permitted")
"""Lessons that show an option which the text forbids, and those that show one it does not."""

Record = tuple[float, ...]
"""Of a step: loss, share right, then for each kind how many lessons were right and how many there were."""
PEAK_RATE, WARM_UP = 2e-3, 50
JUDGE_WEIGHT = 2.0
"""Weight of the question, asked of each option, whether the picture shows it and whether the text forbids it."""


@dataclass(frozen=True)
class Goal:
    """What ends a course. No lesson is given twice, so the shares right are of lessons not yet learned from.

    Attributes:
        share: So many of the last lessons must be right, 0-1: the mean over the two kinds. What is learned first is to
            forbear always or never; either leaves one of the kinds low.
        over: The steps whose lessons these are.
        least: No course is shorter, the cooling not counted.
    """

    share: float
    over: int
    least: int


@dataclass(frozen=True)
class Schooling:
    """How one decoder is trained.

    Attributes:
        steps: With a goal at most so many, the cooling not counted.
        course: Kinds of lessons; decoders of one course get the same lessons in the same order.
        cooling: Steps over which the rate falls at the end; None: over the whole course, by a cosine.
        goal: Ends the course; None: `steps`, with the cooling.
    """

    seed: int
    steps: int
    batch: int = 48
    course: Course = MEMBERS
    shape: DecoderShape = DecoderShape()  # noqa: RUF009 - frozen
    cooling: int | None = None
    goal: Goal | None = None


def token_table(vocabulary: Vocabulary) -> Tensor:
    """Meaning and identity of every token: (vocabulary, MEANING + IDENTITY)."""
    return torch.from_numpy(np.concatenate([vocabulary.meanings, vocabulary.codes], axis=1))


def train_decoder(
    world: World,
    sights: Sights,
    vocabulary: Vocabulary,
    schooling: Schooling,
    checkpoint: Path,
    report: Callable[[str], None] = print,
    start: Mapping[str, Tensor] | None = None,
) -> Decoder:
    """Train to the end, from the checkpoint if there is one. The result depends on the arguments alone.

    Args:
        world: What the member may learn of.
        sights: What it sees.
        vocabulary: What it reads and writes.
        schooling: How long, in what batches, from which seed.
        checkpoint: Where it is kept on the way and at the end.
        report: Gets a line of JSON every hundred steps.
        start: Weights to begin with; drawn from the seed without.

    Lessons already given are drawn again and thrown away, so a killed run goes on as if it had not been.
    """
    torch.set_num_threads(1)
    torch.manual_seed(schooling.seed)
    decoder = Decoder(schooling.shape, token_table(vocabulary))
    if start is not None:
        decoder.load_state_dict(start)
    optimiser = torch.optim.AdamW(decoder.parameters(), PEAK_RATE, weight_decay=0.01, betas=(0.9, 0.98))
    name = schooling.course.name
    teacher = Teacher(world, named_stream(schooling.seed, f"glimpse/{name}/lessons"), schooling.course)
    order = named_stream(schooling.seed, f"glimpse/{name}/order")
    maker = BatchMaker(teacher, sights, vocabulary, order, schooling.batch)
    done, ends, recent = _resume(checkpoint, decoder, optimiser)
    if schooling.goal is None:
        ends = schooling.steps
    if done == ends:
        return decoder
    for _ in range(done):
        maker.next()
    saved = time.monotonic()
    while done != ends:
        for group in optimiser.param_groups:
            group["lr"] = _rate(done, ends, schooling.cooling)
        losses, counts = _step(decoder, maker.next())
        optimiser.zero_grad()
        losses.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
        optimiser.step()
        done += 1
        recent = [*recent, (float(losses.detach()), *counts)][-REPORTED:]
        if ends is None:
            ends = _end(done, recent, schooling)
        if done in (ends, done // REPORTED * REPORTED):
            loss, right, *_ = np.mean(recent, axis=0)
            learned = {kind: round(share, 3) for kind, share in zip(KINDS, _shares(recent), strict=True)}
            report(json.dumps({"step": done, "loss": round(loss, 3), "right": round(right, 3)} | learned))
        if done == ends or time.monotonic() - saved > CHECKPOINT_SECONDS:
            _save(checkpoint, decoder, optimiser, {"step": done, "ends": ends, "recent": recent})
            saved = time.monotonic()
    return decoder


def finished_steps(checkpoint: Path) -> int | None:
    """How many steps a finished course took; None where there is none or it is not finished."""
    if not checkpoint.is_file():
        return None
    stored = _stored(checkpoint)
    return int(stored["step"]) if stored["step"] == stored["ends"] else None


def _shares(recent: list[Record]) -> list[float]:
    """Share right of each kind; 0 where there were none."""
    right_and_all = np.sum(recent, axis=0)[2:].reshape(-1, 2)
    return [float(right / max(total, 1)) for right, total in right_and_all]


def _end(done: int, recent: list[Record], schooling: Schooling) -> int | None:
    """The step at which the course ends; None while it goes on."""
    goal, cooling = schooling.goal, schooling.cooling or 0
    if goal is None or done >= schooling.steps:
        return done + cooling
    if done < goal.least or np.mean(_shares(recent[-goal.over :])) < goal.share:
        return None
    return done + cooling


def _rate(step: int, ends: int | None, cooling: int | None) -> float:
    warm = PEAK_RATE * min(1.0, (step + 1) / WARM_UP)
    if ends is None:
        return warm
    if cooling is None:
        return warm * (0.5 * (1 + math.cos(math.pi * step / ends)) + 0.02)
    return warm * min(1.0, (ends - step - 0.5) / cooling)


def _scores(decoder: Decoder, batch: LessonBatch) -> tuple[Tensor, Tensor]:
    """Scores of the next token, (batch, vocabulary), and the states at which the judge is asked."""
    views = torch.from_numpy(batch.views)
    states, middle = decoder(
        torch.from_numpy(batch.tokens), torch.from_numpy(batch.mask), views, torch.from_numpy(batch.echo)
    )
    return decoder.logits(states[torch.arange(len(batch.tokens)), torch.from_numpy(batch.last)], views), middle


def _step(decoder: Decoder, batch: LessonBatch) -> tuple[Tensor, Record]:
    """The loss to descend, and what a record holds after it."""
    said, middle = _scores(decoder, batch)
    scores = functional.log_softmax(said, dim=1)
    target = torch.from_numpy(batch.target)
    is_right = target >= 0
    reply = -((scores.gather(1, target.clamp(min=0)) * is_right).sum(dim=1) / is_right.sum(dim=1)).mean()
    asked = decoder.judge(middle[torch.from_numpy(batch.option_row), torch.from_numpy(batch.option_at)])
    judged = functional.binary_cross_entropy_with_logits(asked, torch.from_numpy(batch.option_labels))
    right = ((scores.argmax(dim=1)[:, None] == target) & is_right).any(dim=1).numpy()
    return reply + JUDGE_WEIGHT * judged, (float(right.mean()), *_counts(right, batch))


def _counts(right: NDArray[np.bool_], batch: LessonBatch) -> Iterator[float]:
    is_shown, is_banned = batch.option_labels.T > 0
    for among in (is_shown & is_banned, is_shown & ~is_banned):
        rows = batch.option_row[among]
        yield from (float(right[rows].sum()), float(len(rows)))


def _save(path: Path, decoder: Decoder, optimiser: torch.optim.Optimizer, progress: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    torch.save({"decoder": decoder.state_dict(), "optimiser": optimiser.state_dict(), **progress}, fresh)
    fresh.replace(path)


def _stored(path: Path) -> dict[str, Any]:
    stored: dict[str, Any] = torch.load(path, weights_only=True)
    if not {"step", "ends", "recent"} <= stored.keys():
        raise DataError("a checkpoint of an earlier way of training", where=str(path), next_step="remove it")
    return stored


def _resume(path: Path, decoder: Decoder, optimiser: torch.optim.Optimizer) -> tuple[int, int | None, list[Record]]:
    """The step it had come to, the one it ends at where that was known, loss and share right of the last steps."""
    if not path.is_file():
        return 0, None, []
    stored = _stored(path)
    decoder.load_state_dict(stored["decoder"])
    optimiser.load_state_dict(stored["optimiser"])
    return int(stored["step"]), stored["ends"], stored["recent"]
