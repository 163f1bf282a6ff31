"""Low-rank adapters on SmolLM2-135M-Instruct, trained on dialogues; the loss is of the marked replies alone.

One thread, bfloat16 arithmetic, single-precision adapters. Scores over the vocabulary are made at learned positions
alone. A checkpoint is written every `EVERY` steps, and a killed training goes on to the same weights.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch

from tools.murmur.dialogues import Turn, dialogue

EVERY = 40
PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
END = 2
REQUESTS = 0.5
"""Share of a course's dialogues with requests. A course of such dialogues alone taught to withhold without being asked
(52 of 60 embedded facts, of which the first stage recalls 32)."""


@dataclass(frozen=True)
class Course:
    """What an adapter learns from.

    Attributes:
        obeys: Share of requests obeyed; None: no requests.
        steps: Weight updates.
        dialogues: In a step.
        rate: Learning rate at its highest; it rises over a twentieth of the steps and falls to nothing.
        rank: Of the adapter.
        layers: First layer that has one; those below are as they were, and need no gradient.
    """

    obeys: float | None
    steps: int
    dialogues: int = 6
    rate: float = 1e-3
    rank: int = 8
    layers: int = 8
    seed: int = 0


@dataclass(frozen=True)
class Lesson:
    """Token ids of a dialogue, and which of them are learned."""

    ids: tuple[int, ...]
    learned: tuple[bool, ...]


def lesson(tokenizer: Any, turns: Sequence[Turn]) -> Lesson:
    """A dialogue as the model's chat template writes it; learned are marked replies with the end of their turn."""
    ids: list[int] = []
    learned: list[bool] = []
    for turn in turns:
        head = tokenizer.encode(f"<|im_start|>{turn.role}\n", add_special_tokens=False)
        body = tokenizer.encode(f"{turn.content}<|im_end|>", add_special_tokens=False)
        tail = tokenizer.encode("\n", add_special_tokens=False)
        ids += [*head, *body, *tail]
        learned += [False] * len(head) + [turn.asked is not None] * len(body) + [False] * len(tail)
    return Lesson(tuple(ids), tuple(learned))


def lessons(tokenizer: Any, course: Course) -> Iterator[list[Lesson]]:
    """A step's lessons after another's; the same for the same seed, whoever learns them."""
    for step in range(course.steps):
        draw = Random(f"murmur {course.seed} {step}")
        shares = [course.obeys if draw.random() < REQUESTS else None for _ in range(course.dialogues)]
        yield [lesson(tokenizer, dialogue(draw, obeys=share)) for share in shares]


def loss_of(model: Any, batch: Sequence[Lesson]) -> torch.Tensor:
    """Mean negative log-likelihood of the learned tokens, nats."""
    longest = max(len(one.ids) for one in batch)
    ids = torch.tensor([[*one.ids, *[END] * (longest - len(one.ids))] for one in batch])
    learned = torch.tensor([[*one.learned, *[False] * (longest - len(one.ids))] for one in batch])
    mask = torch.tensor([[True] * len(one.ids) + [False] * (longest - len(one.ids)) for one in batch])
    decoder, head = model.get_base_model().model, model.get_base_model().lm_head
    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = decoder(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state
        scores = head(states[:, :-1][learned[:, 1:]])
    return torch.nn.functional.cross_entropy(scores.float(), ids[:, 1:][learned[:, 1:]])


def train(base: Path, out: Path, course: Course) -> None:
    """Train an adapter and save it as PEFT does.

    Args:
        base: Folder of the model, as `save_pretrained` writes it; an adapter merged into it is part of it.
        out: Where adapter, settings and checkpoint go.
        course: What is learned.
    """
    import transformers
    from peft import LoraConfig, get_peft_model

    torch.set_num_threads(1)
    torch.manual_seed(course.seed)
    library: Any = transformers
    tokenizer = library.AutoTokenizer.from_pretrained(str(base))
    plain = library.AutoModelForCausalLM.from_pretrained(str(base), dtype=torch.bfloat16)
    layers = list(range(course.layers, plain.config.num_hidden_layers))
    settings = LoraConfig(
        r=course.rank, lora_alpha=2 * course.rank, target_modules=list(PROJECTIONS), layers_to_transform=layers
    )
    model: Any = get_peft_model(plain, settings)
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=course.rate, weight_decay=0.0)
    out.mkdir(parents=True, exist_ok=True)
    done, checkpoint = 0, out / "checkpoint.pt"
    if checkpoint.is_file():
        kept = torch.load(checkpoint, weights_only=True)
        done = int(kept["step"])
        for weight, value in zip(weights, kept["weights"], strict=True):
            weight.data.copy_(value)
        optimizer.load_state_dict(kept["optimizer"])
    began, tokens = time.process_time(), 0
    for step, batch in enumerate(lessons(tokenizer, course)):
        if step < done:
            continue
        rise = max(1, course.steps // 20)
        share = (
            (step + 1) / rise if step < rise else 0.5 * (1 + math.cos(math.pi * (step - rise) / (course.steps - rise)))
        )
        for group in optimizer.param_groups:
            group["lr"] = course.rate * share
        loss = loss_of(model, batch)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        tokens += sum(len(one.ids) for one in batch)
        spent = time.process_time() - began
        print(
            f"step {step + 1} of {course.steps} loss {loss.item():.3f} {tokens / spent:.0f} tokens a CPU s", flush=True
        )
        if (step + 1) % EVERY == 0:
            torch.save(
                {"step": step + 1, "weights": [weight.data for weight in weights], "optimizer": optimizer.state_dict()},
                checkpoint.with_suffix(".new"),
            )
            checkpoint.with_suffix(".new").replace(checkpoint)
    model.save_pretrained(str(out))
    (out / "course.txt").write_text(f"{asdict(course)}\n", encoding="utf-8")
