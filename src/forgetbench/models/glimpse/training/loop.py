"""Training one decoder: resumable, a checkpoint a minute, one thread."""

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from forgetbench.models.glimpse.shape import DecoderShape
from forgetbench.models.glimpse.training.batches import Batch, BatchMaker, Sights
from forgetbench.models.glimpse.training.curriculum import MEMBERS, Course, Teacher, World
from forgetbench.models.glimpse.training.decoder import Decoder
from forgetbench.models.glimpse.vocabulary import Vocabulary
from forgetbench.stats import named_stream

CHECKPOINT_SECONDS = 60
PEAK_RATE, WARM_UP = 2e-3, 50
JUDGE_WEIGHT = 2.0
"""Weight of the question, asked of each option, whether the picture shows it and whether the text forbids it."""


@dataclass(frozen=True)
class Schooling:
    """How one decoder is trained.

    Attributes:
        course: Kinds of lessons; decoders of one course get the same lessons in the same order.
    """

    seed: int
    steps: int
    batch: int = 48
    course: Course = MEMBERS
    shape: DecoderShape = DecoderShape()  # noqa: RUF009 - frozen


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
    done = _resume(checkpoint, decoder, optimiser)
    if done >= schooling.steps:
        return decoder
    for _ in range(done):
        maker.next()
    saved, recent = time.monotonic(), []
    for step in range(done, schooling.steps):
        for group in optimiser.param_groups:
            group["lr"] = _rate(step, schooling.steps)
        losses, right = _step(decoder, maker.next())
        optimiser.zero_grad()
        losses.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
        optimiser.step()
        recent.append((float(losses.detach()), right))
        if (step + 1) % 100 == 0:
            loss, share = np.mean(recent[-100:], axis=0)
            report(json.dumps({"step": step + 1, "loss": round(loss, 3), "right": round(share, 3)}))
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            _save(checkpoint, decoder, optimiser, step + 1)
            saved = time.monotonic()
    _save(checkpoint, decoder, optimiser, schooling.steps)
    return decoder


def _rate(step: int, steps: int) -> float:
    return PEAK_RATE * min(1.0, (step + 1) / WARM_UP) * (0.5 * (1 + math.cos(math.pi * step / steps)) + 0.02)


def _step(decoder: Decoder, batch: Batch) -> tuple[Tensor, float]:
    views = torch.from_numpy(batch.views)
    states, middle = decoder(
        torch.from_numpy(batch.tokens), torch.from_numpy(batch.mask), views, torch.from_numpy(batch.echo)
    )
    rows = torch.arange(len(batch.tokens))
    scores = functional.log_softmax(decoder.logits(states[rows, torch.from_numpy(batch.last)], views), dim=1)
    target = torch.from_numpy(batch.target)
    is_right = target >= 0
    reply = -((scores.gather(1, target.clamp(min=0)) * is_right).sum(dim=1) / is_right.sum(dim=1)).mean()
    asked = decoder.judge(middle[torch.from_numpy(batch.option_row), torch.from_numpy(batch.option_at)])
    judged = functional.binary_cross_entropy_with_logits(asked, torch.from_numpy(batch.option_labels))
    right = ((scores.argmax(dim=1)[:, None] == target) & is_right).any(dim=1).float().mean()
    return reply + JUDGE_WEIGHT * judged, float(right)


def _save(path: Path, decoder: Decoder, optimiser: torch.optim.Optimizer, step: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    torch.save({"decoder": decoder.state_dict(), "optimiser": optimiser.state_dict(), "step": step}, fresh)
    fresh.replace(path)


def _resume(path: Path, decoder: Decoder, optimiser: torch.optim.Optimizer) -> int:
    if not path.is_file():
        return 0
    stored = torch.load(path, weights_only=True)
    decoder.load_state_dict(stored["decoder"])
    optimiser.load_state_dict(stored["optimiser"])
    return int(stored["step"])
