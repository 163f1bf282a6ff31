"""What is sent: constraint items, the load beside them, and every sample of a plan.

The constraint items are drawn once (seed 42) and stay the same over runs; load items are drawn anew for each run
seed (paper, section 4.3 and appendix B.2). A sample carries all that is needed to score it again from the log
alone, so a log can be read without the data it was made from.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.prospective.data.conditions import (
    CELLS,
    NATURAL,
    NO_LOAD,
    REMINDER,
    TASK_ONLY,
    SalienceCell,
    Trailing,
    has_unloaded_form,
    unloaded_name,
)
from forgetscope.benchmarks.prospective.data.loading import IFEVAL, ProspectiveData
from forgetscope.benchmarks.prospective.loads.load import EMBEDDED, LoadContent
from forgetscope.benchmarks.prospective.loads.registry import LOADS, PAPER_LOADS
from forgetscope.benchmarks.prospective.prompts import (
    CONNECTORS,
    COPY_REQUEST,
    FIRST_WORDING,
    HEADINGS,
    NEUTRAL_CONNECTOR,
    TOPICS,
    TRAILINGS,
    Wording,
    join_parts,
    topic_request,
)
from forgetscope.checkers import CONSTRAINTS, PromptSpec
from forgetscope.core.errors import DataError
from forgetscope.io.records import read_records
from forgetscope.io.tokens import count_cl100k
from forgetscope.stats.streams import named_stream

CONSTRAINT_SEED = 42
"""The draw of constraint items is the same in every run (paper, appendix B.2)."""

PER_TYPE = 6
"""Constraint items per type (paper, section 4.1)."""

Experiment = Literal["load", "stacking", "tension", "singles", "wordings"]


class ProspectiveSample(BaseModel):
    """One item in one form: what a model answers once, its factors, and what scoring needs.

    `seed` is None for what is the same in every run (no load drawn) and is sent once and reused. `repeat` counts the
    times the same prompt is sent, from 1. `system_message` is one of `prompts.SYSTEM_MESSAGES`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sample_id: str
    item: str
    experiment: Experiment
    condition: str
    load: str
    seed: int | None
    original_task: bool
    heading: bool
    trailing: Trailing
    instruction_types: tuple[str, ...]
    kwargs: tuple[dict[str, object], ...]
    original_prompt: str
    prompt: str
    content: LoadContent | None = None
    constraints: int = 1
    problems: int = 0
    pair: str = ""
    system_message: str = "appendix_b"
    repeat: int = 1
    wording: str = ""
    """`heading=2` where a part of the prompt is in another phrasing than the first."""

    @property
    def spec(self) -> PromptSpec:
        """The constraints in the form the checkers read."""
        return PromptSpec(
            key=self.item,
            prompt=self.original_prompt,
            instruction_id_list=self.instruction_types,
            kwargs=tuple(self.kwargs),
        )

    @property
    def type_name(self) -> str:
        """Short name of the constraint type; several joined by `+`."""
        return "+".join(CONSTRAINTS[name].name for name in self.instruction_types)

    @property
    def category(self) -> str:
        """Category of Table 5; `mixed` for several, `other` outside the fifteen types."""
        found = {CONSTRAINTS[name].category for name in self.instruction_types}
        if len(found) != 1:
            return "mixed"
        category = found.pop()
        return category.value if category is not None else "other"


@dataclass(frozen=True)
class ConstraintItem:
    """A constraint prompt chosen for the run, with its id and its parameters without nulls."""

    item: str
    spec: PromptSpec

    @property
    def instructions(self) -> tuple[tuple[str, Mapping[str, object]], ...]:
        """Type and parameters of each constraint."""
        return tuple(zip(self.spec.instruction_id_list, self.spec.kwargs, strict=True))


def choose_constraint_items(
    prompts: Sequence[PromptSpec], *, all_prompts: bool = False, family: str = IFEVAL
) -> tuple[ConstraintItem, ...]:
    """The constraint items in their fixed interleaved order: one of each type, then the next of each, ...

    By default six prompts of each of the paper's fifteen types (of IFBench: of each of its 58), drawn with seed 42 from
    those with exactly one constraint; fewer where a type has fewer. With `all_prompts`, every prompt, ordered by its
    first type.

    Raises:
        DataError: no prompt has exactly one of these types.
    """
    wanted = chosen_types(family)
    by_type: dict[str, list[PromptSpec]] = {name: [] for name in CONSTRAINTS}
    for spec in prompts:
        if all_prompts or (len(spec.instruction_id_list) == 1 and spec.instruction_id_list[0] in wanted):
            by_type[spec.instruction_id_list[0]].append(spec)
    rng = named_stream(CONSTRAINT_SEED, "prospective constraint items")
    chosen: list[list[PromptSpec]] = []
    for specs in by_type.values():
        order = [specs[index] for index in rng.permutation(len(specs))]
        chosen.append(order if all_prompts else order[:PER_TYPE])
    if not any(chosen):
        raise DataError(
            f"no prompt has exactly one of the {'fifteen' if family == IFEVAL else len(wanted)} constraint types",
            where=family,
            allowed="prompts with one constraint each",
            next_step="use every prompt with --prompts all",
        )
    ranks = max(len(specs) for specs in chosen)
    return tuple(
        ConstraintItem(f"{family}-{specs[rank].key}", specs[rank])
        for rank in range(ranks)
        for specs in chosen
        if rank < len(specs)
    )


def chosen_types(family: str) -> frozenset[str]:
    """The types of a family that items are drawn from: the paper's fifteen, or all of IFBench's."""
    return frozenset(
        name for name, entry in CONSTRAINTS.items() if (entry.in_paper if family == IFEVAL else entry.family == family)
    )


@dataclass(frozen=True)
class LoadDraw:
    """The load of one run seed: for each load, the contents in the order of the constraint items.

    Attributes:
        reused: Load items drawn more than once because the pool is smaller than the draw, by role.
    """

    contents: Mapping[str, tuple[LoadContent, ...]]
    reused: Mapping[str, int]


def draw_load(data: ProspectiveData, *, items: int, seed: int, loads: Sequence[str] = ()) -> LoadDraw:
    """The load items of one run: without replacement as long as the pool lasts, then over again.

    With the paper's 90 constraint items: 90 each of TriviaQA and MMLU, 270 of GSM8K (90 single, 30 chains of
    three, 18 chains of five), 45 articles (appendix A.3). `loads`: beside the paper's, which are always drawn.
    """
    chosen = [LOADS[name] for name in dict.fromkeys((*PAPER_LOADS, *loads))]
    contents: dict[str, tuple[LoadContent, ...]] = {}
    reused: dict[str, int] = {}
    for pool, found in data.pools.items():
        sharing = [load for load in chosen if load.pool.name == pool]
        needed = sum(load.items * (items // load.one_item_in) for load in sharing)
        rng = named_stream(seed, f"prospective load {pool}")
        order: list[int] = []
        while len(order) < needed:
            order.extend(int(index) for index in rng.permutation(len(found))[: needed - len(order)])
        reused[pool] = max(0, needed - len(found))
        drawn = ((index, found[index]) for index in order)
        for load in sharing:
            groups = (list(islice(drawn, load.items)) for _ in range(items // load.one_item_in))
            contents[load.name] = tuple(load.content(group) for group in groups)
    return LoadDraw(contents, reused)


def compose_prompt(item: ConstraintItem, cell: SalienceCell, load_text: str, wording: Wording = FIRST_WORDING) -> str:
    """The user message of a salience cell with this load; without load when `load_text` is empty.

    Parts in order, a blank line between: heading and constraint (or the constraint alone where the original task
    is dropped or it is said again), the task, connector and load, trailing sentence.
    """
    stated = "\n".join(CONSTRAINTS[name].text(kwargs) for name, kwargs in item.instructions)
    heading = HEADINGS[wording.heading - 1]
    opening = f"{heading} {stated}" if cell.heading else ("" if cell.original_task and not cell.restated else stated)
    trailing = {
        Trailing.NONE: "",
        Trailing.GENERIC: TRAILINGS[wording.trailing - 1],
        Trailing.PER_CONSTRAINT: f"Remember: {stated}",
    }[cell.trailing]
    connector = NEUTRAL_CONNECTOR if cell.load_as == "neutral" else CONNECTORS[wording.connector - 1]
    task = item.spec.prompt if cell.original_task else topic_request(topic_of(item)) if cell.topic else ""
    return join_parts(opening, task, f"{connector}\n\n{load_text}" if load_text else "", trailing)


def topic_of(item: ConstraintItem) -> str:
    """The subject of an item where a task of ours stands in the place of its own; the same in every run."""
    return TOPICS[int(named_stream(CONSTRAINT_SEED, f"prospective topic {item.item}").integers(len(TOPICS)))]


def load_text(item: ConstraintItem, cell: SalienceCell, content: LoadContent | None, seed: int | None) -> str:
    """What stands behind the connector: the load, or what a control has in its place, drawn by item, load and run."""
    if content is None:
        return ""
    if cell.load_as == "task":
        return content.text
    rng = named_stream(seed or 0, f"prospective {cell.name} {item.item} {content.load}")
    if cell.load_as == "neutral":
        return neutral_text(count_cl100k(content.text), rng)
    return f"{COPY_REQUEST}\n\n{neutral_text(COPIED_TOKENS.get(content.load, _OTHER_COPIED), rng)}"


COPIED_TOKENS = {
    "triviaqa": 20,
    "mmlu": 72,
    "gsm8k_x1": 86,
    "gsm8k_x3": 439,
    "gsm8k_x5": 612,
    "cnn_dailymail": 65,
}
"""By how many tokens a load lengthens a reply: Table 9's output under natural embedding less the baseline's 538."""
_OTHER_COPIED = 100


def neutral_text(tokens: int, rng: np.random.Generator) -> str:
    """Sentences that ask for nothing, of about so many cl100k tokens: no comma, digit, quotation or question."""
    sentences = _neutral_sentences()
    chosen: list[str] = []
    length = 0
    while True:
        for place in rng.permutation(len(sentences)):
            text, size = sentences[int(place)]
            if chosen and length + size / 2 > tokens:
                return " ".join(chosen)
            chosen.append(text)
            length += size


class _NeutralSentence(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str


@cache
def _neutral_sentences() -> tuple[tuple[str, int], ...]:
    """The shipped sentences, each with its tokens."""
    records = read_records(EMBEDDED / "neutral.jsonl", _NeutralSentence)
    return tuple((one.text, count_cl100k(f" {one.text}")) for one in records)


def varied_wordings(cell: SalienceCell) -> Iterator[tuple[str, Wording]]:
    """Every other phrasing of each part that a cell has, one part at a time: `heading=2` and what it is."""
    has = {"connector": True, "heading": cell.heading, "trailing": cell.trailing is Trailing.GENERIC}
    for part in [name for name, there in has.items() if there]:
        for phrasing in range(2, len(CONNECTORS) + 1):
            yield f"{part}={phrasing}", replace(FIRST_WORDING, **{part: phrasing})


def wording_samples(
    items: Sequence[ConstraintItem],
    draws: Mapping[int, LoadDraw],
    *,
    conditions: Sequence[str],
    loads: Sequence[str],
    limit: int | None,
) -> Iterator[ProspectiveSample]:
    """Ours: the samples of the paper's two templates again, one of their parts in another phrasing."""
    for position, item in enumerate(items[:limit]):
        for seed, draw in draws.items():
            for load in [name for name in loads if position < len(draw.contents[name])]:
                for cell in [one for one in (NATURAL, REMINDER) if one.name in conditions]:
                    first = _sample(item, cell, cell.name, draw.contents[load][position], seed)
                    for name, wording in varied_wordings(cell):
                        text = draw.contents[load][position].text
                        yield first.model_copy(
                            update={
                                "sample_id": f"{first.sample_id}/{name}",
                                "experiment": "wordings",
                                "wording": name,
                                "prompt": compose_prompt(item, cell, text, wording),
                            }
                        )


def load_samples(
    items: Sequence[ConstraintItem],
    draws: Mapping[int, LoadDraw],
    *,
    conditions: Sequence[str],
    loads: Sequence[str],
    limit: int | None,
    is_baseline_per_run: bool = False,
) -> Iterator[ProspectiveSample]:
    """Every sample of the load experiment; all forms of an item stay next to each other."""
    cells = [cell for name, cell in CELLS.items()]
    for position, item in enumerate(items[:limit]):
        for cell in cells:
            if has_unloaded_form(conditions, cell):
                for run in draws if is_baseline_per_run else (None,):
                    yield _sample(item, cell, unloaded_name(cell), None, run)
        for seed, draw in draws.items():
            for load in loads:
                if position >= len(draw.contents[load]):
                    continue
                content = draw.contents[load][position]
                for cell in cells:
                    if cell.name in conditions:
                        yield _sample(item, cell, cell.name, content, seed)
                if TASK_ONLY in conditions:
                    yield _task_only(item, content, seed)


def _sample(
    item: ConstraintItem, cell: SalienceCell, condition: str, content: LoadContent | None, seed: int | None
) -> ProspectiveSample:
    load = content.load if content else NO_LOAD
    has_task = cell.load_as == "task"
    return ProspectiveSample(
        sample_id=sample_id(item.item, condition, load, seed),
        item=item.item,
        experiment="load",
        condition=condition,
        load=load,
        seed=seed,
        original_task=cell.original_task,
        heading=cell.heading,
        trailing=cell.trailing,
        instruction_types=item.spec.instruction_id_list,
        kwargs=tuple(dict(kwargs) for kwargs in item.spec.kwargs),
        original_prompt=item.spec.prompt,
        prompt=compose_prompt(item, cell, load_text(item, cell, content, seed)),
        content=content if has_task else None,
        constraints=len(item.spec.instruction_id_list),
        problems=len(content.ids) if content and has_task and LOADS[load].pool.name == "gsm8k" else 0,
    )


def _task_only(item: ConstraintItem, content: LoadContent, seed: int) -> ProspectiveSample:
    """The same load in the same words, nothing to remember: the ceiling of task accuracy."""
    return _sample(item, NATURAL, TASK_ONLY, content, seed).model_copy(
        update={
            "sample_id": sample_id(item.item, TASK_ONLY, content.load, seed),
            "original_task": False,
            "instruction_types": (),
            "kwargs": (),
            "prompt": content.text,
            "constraints": 0,
        }
    )


def sample_id(item: str, condition: str, load: str, seed: int | None) -> str:
    """`prospective/{item}/{condition}`, then load and seed where there are any."""
    factors = "" if load == NO_LOAD else f"/load={load}"
    return f"prospective/{item}/{condition}{factors}" + ("" if seed is None else f"/seed={seed}")


def repeated(samples: Sequence[ProspectiveSample], repeats: int) -> Iterator[ProspectiveSample]:
    """Every sample so many times in a row; the first keeps its id, the others end in `/repeat=2` and so on."""
    for sample in samples:
        yield sample
        for repeat in range(2, repeats + 1):
            yield sample.model_copy(update={"sample_id": f"{sample.sample_id}/repeat={repeat}", "repeat": repeat})


def shuffled(pool: Sequence[str], rng: np.random.Generator) -> list[str]:
    """The names in random order."""
    return [pool[index] for index in rng.permutation(len(pool))]
