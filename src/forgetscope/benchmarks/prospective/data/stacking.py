"""Several constraints in one prompt: the safe-pool grid and the tension pairs (paper, section 3.6, appendix G).

Ours beyond the paper: a stack keeps its topic, constraints, parameters and problems over load and reminder, so
that both effects are paired; the paper drew each cell anew (one run, ten prompts a cell).
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from forgetscope.benchmarks.prospective.data.conditions import NO_LOAD, Trailing
from forgetscope.benchmarks.prospective.data.items import Experiment, ProspectiveSample, shuffled
from forgetscope.benchmarks.prospective.data.loading import ProspectiveData
from forgetscope.benchmarks.prospective.loads.load import LoadContent, LoadItem
from forgetscope.benchmarks.prospective.loads.registry import LOADS
from forgetscope.benchmarks.prospective.prompts import STACKING_TRAILING, TOPICS, join_parts, topic_request
from forgetscope.checkers import CONSTRAINTS, PromptSpec
from forgetscope.core.errors import DataError
from forgetscope.stats.streams import named_stream

TENSION_PAIRS = (
    ("punctuation:no_comma", "detectable_format:number_bullet_lists"),
    ("detectable_content:postscript", "startend:quotation"),
    ("change_case:english_capital", "keywords:existence"),
    ("length_constraints:number_words", "detectable_format:number_bullet_lists"),
)
"""Appendix G.2."""

STACK_SIZES = (1, 2, 3, 5)
PROBLEM_COUNTS = (0, 1, 3)
PROMPTS_PER_CELL = 10


def stacking_samples(
    data: ProspectiveData,
    *,
    seed: int,
    limit: int | None,
    per_constraint_reminder: bool = False,
    all_types: bool = False,
) -> Iterator[ProspectiveSample]:
    """The safe-pool grid: 4 stack sizes x 3 loads x reminder off/on, ten prompts a cell (240).

    Ours, with `all_types`: further stacks of one, for ten do not reach round the eleven types.
    """
    pool = safe_pool(data.prompts)
    pools = _parameter_pools(data.prompts, pool)
    rng = named_stream(seed, "prospective stacking")
    stacks = [(size, draw_stack(pool, size, number, rng)) for number in range(PROMPTS_PER_CELL) for size in STACK_SIZES]
    for number, (size, types) in list(enumerate(stacks))[:limit]:
        item = f"stack-n{size}-{number // len(STACK_SIZES) + 1:02d}"
        yield from _forms(item, "stacking", types, "", pools, data.pools["gsm8k"], rng, per_constraint_reminder)
    if all_types and limit is None:
        for number in range(PROMPTS_PER_CELL, len(pool)):
            own = named_stream(seed, f"prospective stack of one {number}")
            item, types = f"stack-n1-{number + 1:02d}", draw_stack(pool, 1, number, own)
            yield from _forms(item, "stacking", types, "", pools, data.pools["gsm8k"], own, per_constraint_reminder)


def single_samples(
    data: ProspectiveData, *, seed: int, limit: int | None, per_constraint_reminder: bool = False
) -> Iterator[ProspectiveSample]:
    """Ours: every tension stack again with each of its two constraints alone (480), all else the same.

    The product of the two rates is what the pair would reach if its constraints did not touch each other; the
    paper's own comparison (safe stacks of two) is confounded by how hard the types are.
    """
    for pair in tension_samples(data, seed=seed, limit=limit, per_constraint_reminder=per_constraint_reminder):
        for name, kwargs in zip(pair.instruction_types, pair.kwargs, strict=True):
            alone = CONSTRAINTS[name].name
            text = CONSTRAINTS[name].text(kwargs)
            form = f"single={alone}/m={pair.problems}/reminder={pair.trailing.value}"
            reminder = {
                Trailing.NONE: "",
                Trailing.GENERIC: STACKING_TRAILING,
                Trailing.PER_CONSTRAINT: f"Remember: {text}",
            }[pair.trailing]
            yield pair.model_copy(
                update={
                    "sample_id": f"prospective/{pair.item}/{form}",
                    "experiment": "singles",
                    "condition": "singles",
                    "instruction_types": (name,),
                    "kwargs": (kwargs,),
                    "prompt": join_parts(
                        f"Constraint 1: {text}",
                        pair.original_prompt,
                        pair.content.text if pair.content else "",
                        reminder,
                    ),
                    "constraints": 1,
                }
            )


def tension_samples(
    data: ProspectiveData, *, seed: int, limit: int | None, per_constraint_reminder: bool = False
) -> Iterator[ProspectiveSample]:
    """The tension grid: 4 pairs x 3 loads x reminder off/on, ten prompts a cell (240)."""
    pools = _parameter_pools(data.prompts, sorted({name for pair in TENSION_PAIRS for name in pair}))
    rng = named_stream(seed, "prospective tension")
    pairs = [(number, pair) for number in range(PROMPTS_PER_CELL) for pair in TENSION_PAIRS]
    for number, pair in pairs[:limit]:
        label = "+".join(CONSTRAINTS[name].name for name in pair)
        item = f"tension-{label}-{number + 1:02d}"
        yield from _forms(item, "tension", pair, label, pools, data.pools["gsm8k"], rng, per_constraint_reminder)


def safe_pool(prompts: Sequence[PromptSpec]) -> tuple[str, ...]:
    """The types that may be stacked, in the order of Table 11; behind the paper's, those that occur in the prompts."""
    occurring = {name for spec in prompts for name in spec.instruction_id_list}
    places = {
        name: entry.stacked
        for name, entry in CONSTRAINTS.items()
        if entry.stacked is not None and (entry.in_paper or name in occurring)
    }
    return tuple(sorted(places, key=lambda name: places[name]))


def draw_stack(pool: Sequence[str], size: int, number: int, rng: np.random.Generator) -> tuple[str, ...]:
    """`size` types of the safe pool that do not clash; singles go round the pool.

    Ten prompts a cell do not reach round eleven types: those that the tension pairs are compared with come first.
    """
    if size == 1:
        in_tension = tuple(dict.fromkeys(name for pair in TENSION_PAIRS for name in pair))
        order = (*in_tension, *(name for name in pool if name not in in_tension))
        return (order[number % len(order)],)
    while True:
        types = tuple(shuffled(pool, rng)[:size])
        if not any(CONSTRAINTS[name].clashes & set(types) for name in types):
            return types


def draw_parameters(
    types: Sequence[str], pools: Mapping[str, list[dict[str, object]]], rng: np.random.Generator
) -> tuple[dict[str, object], ...]:
    """Parameters for each type of a stack, drawn again while a required keyword holds a forbidden word."""
    while True:
        kwargs = tuple(pools[name][int(rng.integers(len(pools[name])))] for name in types)
        wanted = [str(word).lower() for drawn in kwargs for word in _words(drawn.get("keywords"))]
        banned = [str(word).lower() for drawn in kwargs for word in _words(drawn.get("forbidden_words"))]
        if not any(bad in word for bad in banned for word in wanted):
            return kwargs


def _words(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _parameter_pools(prompts: Sequence[PromptSpec], types: Sequence[str]) -> dict[str, list[dict[str, object]]]:
    """Parameters that occur with each type in the constraint data (appendix G.3: sampled from IFEval's metadata)."""
    pools: dict[str, list[dict[str, object]]] = {name: [] for name in types}
    for spec in prompts:
        for name, kwargs in zip(spec.instruction_id_list, spec.kwargs, strict=True):
            if name in pools:
                pools[name].append(dict(kwargs))
    missing = [name for name, pool in pools.items() if not pool]
    if missing:
        raise DataError(
            "stacking needs parameters for every type of its pool, and the constraint prompts have none",
            where="ifeval",
            found=missing,
            next_step="add prompts of these types, or leave stacking out with --experiments load",
        )
    return pools


def _forms(
    item: str,
    experiment: Experiment,
    types: tuple[str, ...],
    pair: str,
    pools: Mapping[str, list[dict[str, object]]],
    problems: Sequence[LoadItem],
    rng: np.random.Generator,
    per_constraint_reminder: bool,
) -> Iterator[ProspectiveSample]:
    """All load and reminder forms of one stack."""
    kwargs = draw_parameters(types, pools, rng)
    topic = TOPICS[int(rng.integers(len(TOPICS)))]
    chain = [int(index) for index in rng.permutation(len(problems))[: max(PROBLEM_COUNTS)]]
    texts = [CONSTRAINTS[name].text(parameters) for name, parameters in zip(types, kwargs, strict=True)]
    listed = "\n".join(f"Constraint {number}: {text}" for number, text in enumerate(texts, start=1))
    request = topic_request(topic)
    reminders = {Trailing.NONE: "", Trailing.GENERIC: STACKING_TRAILING}
    if per_constraint_reminder:
        reminders[Trailing.PER_CONSTRAINT] = "\n".join(f"Remember: {text}" for text in texts)
    for count in PROBLEM_COUNTS:
        content = _content(chain[:count], problems) if count else None
        for trailing, reminder in reminders.items():
            yield ProspectiveSample(
                sample_id=f"prospective/{item}/{experiment}/m={count}/reminder={trailing.value}",
                item=item,
                experiment=experiment,
                condition=experiment,
                load=content.load if content else NO_LOAD,
                seed=None,
                original_task=True,
                heading=False,
                trailing=trailing,
                instruction_types=types,
                kwargs=kwargs,
                original_prompt=request,
                prompt=join_parts(listed, request, content.text if content else "", reminder),
                content=content,
                constraints=len(types),
                problems=count,
                pair=pair,
            )


def _content(indices: Sequence[int], problems: Sequence[LoadItem]) -> LoadContent:
    load = LOADS["gsm8k_x1" if len(indices) == 1 else "gsm8k_x3"]
    return load.content([(index, problems[index]) for index in indices])
