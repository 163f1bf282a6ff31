"""What comes back under pressure: the residue of every further way to ask, the worst, and survival over a budget.

Each way to ask is put in every arm (protocols.md, section 5). *Survival* after k questions is one minus the residue of
"the fact came out in one of the first k", the item's own query first and then the ladder in its order: 1 is as if never
told, 0 nothing was forgotten.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import Scenario
from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.residue import DESIGNS, ArmsDesign, MeasuredArms, measure
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import figure
from forgetscope.stats.estimate import Estimate
from forgetscope.stats.residue import Arms, residue, worst_residue
from forgetscope.stats.streams import named_stream

ARMS = ("told", "deleted", "never_told", "never_deleted")


def pressure_figures(study: InContextStudy) -> Iterator[Figure]:
    """Nothing where no further way to ask was put."""
    for key in dict.fromkeys(key for key, _ in study.pressed):
        for design in DESIGNS[Scenario.INSTRUCTIONAL_FORGETTING]:
            yield from _of_design(study, key, design)


def _of_design(study: InContextStudy, key: DialogueCell, design: ArmsDesign) -> Iterator[Figure]:
    ladder: dict[DialogueProbe, MeasuredArms] = {}
    for (cell, probe), frame in study.pressed.items():
        found = measure(design, frame) if cell == key else None
        if found is not None:
            ladder[probe] = found
            yield from found.figures(study, key, probe)
    query = measure(design, study.of_query(key))
    if query is None or not ladder:
        return
    ladder = {DialogueProbe.QUERY: query, **ladder}
    stream = named_stream(study.seed, f"worst/{design.condition}/{key}")
    name, worst = worst_residue({probe.value: one.rung for probe, one in ladder.items()}, stream)
    named = query.factors(key, name)
    yield figure("residue.worst", named, worst, unit="ratio", label="the highest residue, its choice drawn too")
    for budget, arms in enumerate(_any_of_first(ladder), start=1):
        factors = query.factors(key, "any") | {"budget": budget}
        yield figure("survival", factors, _survival(residue(arms)), unit="ratio", label="1 - residue of any so far")


def _any_of_first(ladder: Mapping[DialogueProbe, MeasuredArms]) -> Iterator[Arms]:
    """For one question, two, ...: whether the fact came out in any of them, over the items that every one could ask."""
    items = sorted(set.intersection(*(set(one.rung.items) for one in ladder.values())))
    most = {name: np.zeros(len(items)) for name in ARMS}
    for one in ladder.values():
        places = [one.rung.items.index(item) for item in items]
        most = {name: np.maximum(most[name], getattr(one.rung.arms, name)[places]) for name in ARMS}
        yield Arms(**most)


def _survival(found: Estimate) -> Estimate:
    value, low, high = (None if end is None else 1 - end for end in (found.value, found.high, found.low))
    return replace(found, value=value, low=low, high=high)


METRIC = InContextMetric(pressure_figures)
