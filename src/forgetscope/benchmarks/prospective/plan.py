"""Every sample a run would send, and what that costs."""

import functools
from collections import Counter

from forgetscope.benchmarks.base import Plan, planned_cells
from forgetscope.benchmarks.prospective.data.conditions import (
    CELLS,
    CONDITION_SETS,
    NO_LOAD,
    REMINDER_PER_CONSTRAINT,
    TASK_ONLY,
)
from forgetscope.benchmarks.prospective.data.items import (
    PER_TYPE,
    ConstraintItem,
    ProspectiveSample,
    choose_constraint_items,
    chosen_types,
    draw_load,
    load_samples,
    repeated,
    wording_samples,
)
from forgetscope.benchmarks.prospective.data.loading import IFEVAL, ProspectiveData, load_data
from forgetscope.benchmarks.prospective.data.stacking import single_samples, stacking_samples, tension_samples
from forgetscope.benchmarks.prospective.loads.registry import LOADS, PAPER_LOADS
from forgetscope.benchmarks.prospective.prompts import SYSTEM_MESSAGE, SYSTEM_MESSAGES
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.core.errors import SettingError
from forgetscope.findings.residue import items_note
from forgetscope.io.records import rows_sha256
from forgetscope.io.tokens import count_cl100k

STACKED = ("gsm8k_x1",)
"""The load whose problems the other experiments draw from."""
SINGLE_CONSTRAINT = ("load", "wordings")
"""The experiments that any family of constraints has."""


@functools.lru_cache(maxsize=4)
def cached_data(source: str, loads: tuple[str, ...] = PAPER_LOADS, constraints: str = IFEVAL) -> ProspectiveData:
    """The data of a source, for these loads and constraints, read once in a process."""
    return load_data(source, loads, constraints)


def experiments_of(settings: ProspectiveSettings) -> list[str]:
    """The experiments of a run; those of several constraints in a prompt are of IFEval's types alone."""
    chosen = settings.experiments.split(",")
    return chosen if settings.constraints == IFEVAL else [name for name in chosen if name in SINGLE_CONSTRAINT]


def data_of(settings: ProspectiveSettings) -> ProspectiveData:
    """The data a run draws from, and no others: its loads', and the problems of its stacks."""
    experiments = experiments_of(settings)
    used = {
        *(settings.loads.split(",") if "load" in experiments else ()),
        *(STACKED if experiments != ["load"] and settings.constraints == IFEVAL else ()),
    }
    return cached_data(settings.data, tuple(name for name in LOADS if name in used), settings.constraints)


def build_samples(settings: ProspectiveSettings, data: ProspectiveData) -> list[ProspectiveSample]:
    """Every sample of a run, all forms of an item next to each other."""
    experiments = experiments_of(settings)
    conditions = settings.conditions.split(",")
    per_constraint = REMINDER_PER_CONSTRAINT.name in conditions
    samples: list[ProspectiveSample] = []
    if "load" in experiments or "wordings" in experiments:
        items = constraint_items(settings, data)
        loads = settings.loads.split(",")
        draws = {seed: draw_load(data, items=len(items), seed=seed, loads=loads) for seed in settings.seeds}
        if "load" in experiments:
            samples.extend(
                load_samples(
                    items,
                    draws,
                    conditions=conditions,
                    loads=loads,
                    limit=settings.limit,
                    is_baseline_per_run=settings.baseline == "per_run",
                )
            )
        if "wordings" in experiments:
            samples.extend(wording_samples(items, draws, conditions=conditions, loads=loads, limit=settings.limit))
    stacks = functools.partial(stacking_samples, all_types="singles" in experiments)
    for name, build in (("stacking", stacks), ("tension", tension_samples), ("singles", single_samples)):
        if name in experiments:
            samples.extend(
                build(data, seed=settings.seeds[0], limit=settings.limit, per_constraint_reminder=per_constraint)
            )
    if not samples:
        raise SettingError(
            "these conditions, loads and experiments leave nothing to run",
            where="--conditions",
            found=settings.conditions,
        )
    samples = list(repeated(samples, settings.repeats))
    if settings.system_message != ProspectiveSample.model_fields["system_message"].default:
        return [sample.model_copy(update={"system_message": settings.system_message}) for sample in samples]
    return samples


def constraint_items(settings: ProspectiveSettings, data: ProspectiveData) -> tuple[ConstraintItem, ...]:
    """The constraint items of a run."""
    return choose_constraint_items(data.prompts, all_prompts=settings.prompts == "all", family=settings.constraints)


def make_plan(settings: ProspectiveSettings) -> Plan:
    """What a run with these settings would send."""
    data = data_of(settings)
    samples = build_samples(settings, data)
    system = SYSTEM_MESSAGES[settings.system_message]
    overhead, said = count_cl100k(system) + 8, [] if system == SYSTEM_MESSAGE else [system]
    cells = planned_cells((cell_label(one), one.item, count_cl100k(one.prompt) + overhead) for one in samples)
    return Plan(
        cells,
        data.provenance,
        data.sha256,
        rows_sha256([sample.sample_id, sample.prompt, *said] for sample in samples),
        settings.max_tokens,
        tuple(_notes(settings, data)),
    )


def cell_label(sample: ProspectiveSample) -> str:
    """A sample's cell in words: `natural + mmlu`, `stacking n=3 m=1`."""
    if sample.experiment == "load":
        return sample.condition if sample.load == NO_LOAD else f"{sample.condition} + {sample.load}"
    if sample.experiment == "wordings":
        return f"wordings {sample.condition} {sample.wording} m={sample.problems}"
    size = f"n={sample.constraints}" if sample.experiment == "stacking" else sample.pair
    return f"{sample.experiment} {size} m={sample.problems}"


def _notes(settings: ProspectiveSettings, data: ProspectiveData) -> list[str]:
    notes = []
    if data.source == "embedded":
        notes.append("embedded data, written for this project: figures are not comparable with the paper's")
    if settings.constraints != IFEVAL:
        notes.append(
            f"constraints of {settings.constraints}, {len(chosen_types(settings.constraints))} types, none of them the "
            "paper's: figures are not comparable with it"
        )
        if left := [name for name in settings.experiments.split(",") if name not in experiments_of(settings)]:
            notes.append(f"{', '.join(left)}: of IFEval's constraints alone, left out")
    if "load" in settings.experiments:
        items = constraint_items(settings, data)
        notes.extend(_item_notes(settings, data, len(items)))
        asked = min(len(items), settings.limit or len(items))
        notes.append(f"{items_note([('compliance', asked, 0.0)], aim='kept')}; what comes by chance costs no call")
        chosen = settings.conditions.split(",")
        if TASK_ONLY not in chosen:
            notes.append("without task_only there is no dual-task cost")
        notes.extend(f"{name}: {CELLS[name].about}" for name in chosen if name not in (*CONDITION_SETS["default"],))
    if settings.repeats > 1 and not settings.temperature:
        notes.append("repeats at temperature 0: equal replies unless the provider's own decoding varies")
    notes.extend(data.left_out)
    return notes


def _item_notes(settings: ProspectiveSettings, data: ProspectiveData, items: int) -> list[str]:
    notes = []
    wanted = PER_TYPE * len(chosen_types(settings.constraints))
    if settings.prompts == "paper" and items < wanted:
        notes.append(
            f"{items} constraint items instead of {wanted}: some types have fewer than six prompts of their own"
        )
    reused: Counter[str] = Counter()
    for seed in settings.seeds:
        reused.update(draw_load(data, items=items, seed=seed, loads=settings.loads.split(",")).reused)
    for role, count in reused.items():
        if count:
            notes.append(
                f"{role}: the pool of {len(data.pools[role])} is smaller than the draw, so {count} draws reuse items; "
                "task figures cluster by item"
            )
    return notes
