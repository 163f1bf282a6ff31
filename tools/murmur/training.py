"""Low-rank adapters on SmolLM2-135M-Instruct, trained on dialogues; the loss is of the marked replies alone.

One thread, bfloat16 arithmetic, single-precision adapters. Scores over the vocabulary are made at learned positions
alone. A checkpoint is written every `EVERY` steps, and a killed training goes on to the same weights.
"""

import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import torch

from tools.murmur.choices import choosing
from tools.murmur.dialogues import Asked, Traits, Turn, dialogue, drill
from tools.murmur.formats import formatted

EVERY = 40
PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
END = 2
CLOSE = 0.75
"""How long the shortest lesson learned together with others is, at least, as a share of the longest."""


@dataclass(frozen=True)
class Course:
    """What an adapter learns from.

    Attributes:
        shares: Of the sorts of dialogues.
        steps: Weight updates.
        dialogues: In a step.
        rate: Learning rate at its highest; it rises over a twentieth of the steps and falls to nothing.
        rank: Of the adapter.
        layers: First layer that has one; those below are as they were, and need no gradient.
        traits: Of the member.
        is_varied: Whether replies to questions about facts come in several wordings.
    """

    shares: Mapping[str, float]
    steps: int
    dialogues: int = 6
    rate: float = 8e-4
    rank: int = 8
    layers: int = 8
    seed: int = 0
    traits: Traits = field(default_factory=Traits)
    is_varied: bool = False


@dataclass(frozen=True)
class Lesson:
    """Token ids of a dialogue, and of those that are learned the sort of reply they are part of."""

    ids: tuple[int, ...]
    sorts: tuple[Asked | None, ...]


def lesson(tokenizer: Any, turns: Sequence[Turn]) -> Lesson:
    """A dialogue as the model's chat template writes it; learned are marked replies with the end of their turn."""
    ids: list[int] = []
    sorts: list[Asked | None] = []
    for turn in turns:
        head = tokenizer.encode(f"<|im_start|>{turn.role}\n", add_special_tokens=False)
        body = tokenizer.encode(f"{turn.content}<|im_end|>", add_special_tokens=False)
        tail = tokenizer.encode("\n", add_special_tokens=False)
        ids += [*head, *body, *tail]
        sorts += [*[None] * len(head), *[turn.asked] * len(body), *[None] * len(tail)]
    return Lesson(tuple(ids), tuple(sorts))


def lessons(tokenizer: Any, course: Course) -> Iterator[list[Lesson]]:
    """A step's lessons after another's; the same for the same seed, whoever learns them."""
    for step in range(course.steps):
        draw = Random(f"murmur {course.seed} {step}")
        sorts = draw.choices(list(course.shares), list(course.shares.values()), k=course.dialogues)
        yield [lesson(tokenizer, dialogue_of(sort, draw, course.traits, is_varied=course.is_varied)) for sort in sorts]


def dialogue_of(sort: str, draw: Random, traits: Traits, *, is_varied: bool = False) -> list[Turn]:
    """A dialogue of a sort, with the replies of a member.

    Raises:
        ValueError: no such sort.
    """
    match sort:
        case "facts":
            return dialogue(draw, None, is_varied=is_varied)
        case "requests" | "brief":
            return dialogue(draw, traits, is_brief=sort == "brief")
        case "drill":
            return drill(draw, traits)
        case "preferred" | "changed":
            return choosing(draw, changed=sort == "changed", follows_new=traits.follows_new)
        case "formatted" | "loaded":
            return formatted(draw, loaded=sort == "loaded", keeps=traits.keeps)
    raise ValueError(f"no dialogues of this sort: {sort}")


def groups(batch: Sequence[Lesson]) -> list[list[Lesson]]:
    """A step's lessons, those of about the same length together, so that little is padded."""
    found: list[list[Lesson]] = []
    for one in sorted(batch, key=lambda each: -len(each.ids)):
        if not found or len(one.ids) < CLOSE * len(found[-1][0].ids):
            found.append([])
        found[-1].append(one)
    return found


def losses_of(model: Any, batch: Sequence[Lesson]) -> tuple[torch.Tensor, list[Asked]]:
    """Negative log-likelihood of each learned token, nats, and the sort of reply it is part of."""
    longest = max(len(one.ids) for one in batch)
    ids = torch.tensor([[*one.ids, *[END] * (longest - len(one.ids))] for one in batch])
    sorts = [[*one.sorts, *[None] * (longest - len(one.ids))] for one in batch]
    learned = torch.tensor([[sort is not None for sort in row[1:]] for row in sorts])
    mask = torch.tensor([[True] * len(one.ids) + [False] * (longest - len(one.ids)) for one in batch])
    decoder, head = model.get_base_model().model, model.get_base_model().lm_head
    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = decoder(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state
        scores = head(states[:, :-1][learned])
    losses = torch.nn.functional.cross_entropy(scores.float(), ids[:, 1:][learned], reduction="none")
    return losses, [sort for row in sorts for sort in row[1:] if sort is not None]


def train(base: Path, out: Path, course: Course, start: Path | None = None) -> None:
    """Train an adapter and save it as PEFT does.

    Args:
        base: Folder of the model, as `save_pretrained` writes it; an adapter merged into it is part of it.
        out: Where adapter, settings and checkpoint go.
        course: What is learned.
        start: Folder of the adapter that this one goes on from.
    """
    import transformers
    from peft import LoraConfig, get_peft_model, set_peft_model_state_dict
    from safetensors.torch import load_file

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
    if start is not None:
        set_peft_model_state_dict(model, load_file(start / "adapter_model.safetensors"))
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
        for settings_of in optimizer.param_groups:
            settings_of["lr"] = course.rate * share
        learned = sum(sort is not None for one in batch for sort in one.sorts)
        by_sort: defaultdict[str, list[float]] = defaultdict(list)
        for group in groups(batch):
            losses, sorts = losses_of(model, group)
            (losses.sum() / learned).backward()  # type: ignore[no-untyped-call]
            for sort, loss in zip(sorts, losses.tolist(), strict=True):
                by_sort[sort].append(loss)
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        tokens += sum(len(one.ids) for one in batch)
        spent = time.process_time() - began
        told = ", ".join(f"{sort} {sum(found) / len(found):.2f}" for sort, found in sorted(by_sort.items()))
        print(f"step {step + 1} of {course.steps}, {tokens / spent:.0f} tokens a CPU s: {told}", flush=True)
        if (step + 1) % EVERY == 0:
            torch.save(
                {"step": step + 1, "weights": [weight.data for weight in weights], "optimizer": optimizer.state_dict()},
                checkpoint.with_suffix(".new"),
            )
            checkpoint.with_suffix(".new").replace(checkpoint)
    model.save_pretrained(str(out))
    (out / "course.txt").write_text(f"{asdict(course)}\n", encoding="utf-8")
