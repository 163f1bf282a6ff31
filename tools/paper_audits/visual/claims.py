"""The checks of the paper's sentences about its Figures 3 to 5 against Appendix A."""

from itertools import pairwise
from statistics import fmean, pstdev

from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.benchmarks.visual.data.axes import Level
from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, SUPPRESSIONS, Condition
from forgetscope.benchmarks.visual.report.appendix import (
    DATASET_LEVELS,
    PrintedRow,
    forget_bars,
    level_bars,
    printed_rows,
    rows_of,
)

CHANCE = 0.25
"""Of four options. SpatialMQA has items with two, so that its own is higher."""
NEAR = 0.10
"""What we take "near" and "close to" to allow: ten points."""
MODERATE = 0.05


def _points(value: float) -> str:
    return f"{100 * value:+.1f}"


def _cell(row: PrintedRow, condition: Condition) -> str:
    before, after = row.forget[Condition.BASELINE_NORMAL], row.forget[condition]
    return f"{row.model} on {row.dataset} {100 * before:.1f} to {100 * after:.1f} ({condition.value})"


def below_chance() -> list[tuple[PrintedRow, Condition]]:
    """Forget cells printed below 0.25."""
    return [
        (row, condition) for row in printed_rows() for condition in PAPER_CONDITIONS if row.forget[condition] < CHANCE
    ]


def not_near_baseline(margin: float) -> list[tuple[PrintedRow, Condition]]:
    """Cells of the two suppression texts that lie more than `margin` below their baseline, the furthest first."""
    found = [
        (row, condition) for row in printed_rows() for condition in SUPPRESSIONS if row.change(condition) < -margin
    ]
    return sorted(found, key=lambda cell: cell[0].change(cell[1]))


def retain_change(row: PrintedRow, condition: Condition) -> float:
    """Retain accuracy minus the baseline's."""
    return row.retain[condition] - row.retain[Condition.BASELINE_NORMAL]


def near_baseline_everywhere() -> AuditEntry:
    """The abstract's statement, cell by cell."""
    far = not_near_baseline(NEAR)
    cells = len(SUPPRESSIONS) * len(printed_rows())
    return AuditEntry(
        "Under realistic prompts forget accuracy remains near baseline",
        "Abstract, 4.2, Appendix A",
        "remains near",
        f"{cells - len(far)} of {cells} cells lie at most ten points below; {len(far)} do not",
        not far,
        "The furthest: " + "; ".join(_cell(row, condition) for row, condition in far[:5]) + ".",
        "test_nineteen_cells_fall_more_than_ten_points_under_realistic_prompts",
    )


def near_baseline_per_dataset() -> AuditEntry:
    """Figure 3(a): means over models."""
    bars = forget_bars()
    changes = {
        (name, condition): bars[name][condition] - bars[name][Condition.BASELINE_NORMAL]
        for name in bars
        for condition in SUPPRESSIONS
    }
    lowest = min(changes, key=lambda key: changes[key])
    return AuditEntry(
        "Across nearly all datasets realistic prompts change the mean forget accuracy little",
        "4.2, Figure 3(a)",
        "small changes",
        f"{_points(min(changes.values()))} to {_points(max(changes.values()))} points over "
        f"{len(changes)} means of models",
        max(map(abs, changes.values())) <= NEAR,
        f"The largest fall is {lowest[0]} ({lowest[1].value}). The mean rises under both texts on "
        f"{', '.join(_rising())}.",
        "test_mean_forget_accuracy_changes_by_at_most_ten_points_and_rises_in_half_the_datasets",
    )


def _rising() -> list[str]:
    """Datasets whose mean forget accuracy rises under both texts."""
    return [
        name
        for name, bars in forget_bars().items()
        if all(bars[condition] > bars[Condition.BASELINE_NORMAL] for condition in SUPPRESSIONS)
    ]


def stronger_models() -> AuditEntry:
    """The model the paper singles out."""
    rows = [row for row in printed_rows() if row.model == "Qwen3-VL-8B-Instruct"]
    fallen = [row.dataset for row in rows if row.change(Condition.UNLEARN_SOFT) < -MODERATE]
    return AuditEntry(
        "Stronger Instruct models remain difficult to unlearn under realistic prompts",
        "Abstract, 4.2",
        "Qwen3-VL-8B-Instruct named",
        f"Qwen3-VL-8B-Instruct falls more than five points under soft on {len(fallen)} of {len(rows)} datasets",
        not fallen,
        f"On {', '.join(fallen)}. Its mean change under soft, {_points(_mean_change(rows))} points, is the largest "
        f"fall of the thirteen models, next {_next_largest()}.",
        "test_the_strongest_instruct_model_falls_most_under_soft_suppression",
    )


def _mean_change(rows: list[PrintedRow]) -> float:
    return fmean(row.change(Condition.UNLEARN_SOFT) for row in rows)


def mean_changes() -> dict[str, float]:
    """Mean change under soft over a model's datasets, the largest fall first."""
    models = dict.fromkeys(row.model for row in printed_rows())
    changes = {model: _mean_change([row for row in printed_rows() if row.model == model]) for model in models}
    return dict(sorted(changes.items(), key=lambda entry: entry[1]))


def _next_largest() -> str:
    model, change = list(mean_changes().items())[1]
    return f"{model} ({_points(change)})"


def level_changes() -> dict[Level, float]:
    """Mean change under soft by level, points 0-1."""
    return {
        level: bars[Condition.UNLEARN_SOFT] - bars[Condition.BASELINE_NORMAL] for level, bars in level_bars().items()
    }


def order_of_levels() -> AuditEntry:
    """Figure 3(c)."""
    changes = level_changes()
    hardest = {Level.OBJECT, Level.SCENE}
    others = set(Level) - hardest
    agrees = min(changes[level] for level in hardest) >= max(changes[level] for level in others)
    return AuditEntry(
        "Object and scene concepts are the hardest to suppress, privacy somewhat more sensitive",
        "Abstract, 4.2, Figure 3(c)",
        "object and scene first",
        "change under soft: " + "; ".join(f"{level.value} {_points(change)}" for level, change in changes.items()),
        agrees,
        "Privacy concepts rise most under soft suppression; only attributes fall.",
        "test_privacy_rises_most_under_soft_suppression_and_only_attributes_fall",
    )


def oracle_drops() -> AuditEntry:
    """Figure 5(b): size of the drop under oracle-hard."""
    changes = [row.change(Condition.ORACLE_HARD) for row in printed_rows()]
    large, rise = sum(change < -NEAR for change in changes), sum(change > 0 for change in changes)
    return AuditEntry(
        "Oracle-hard gives much larger reductions for many models",
        "4.2, Figures 3(a), 5(b)",
        "many large negative shifts",
        f"{large} of {len(changes)} rows fall more than ten points, {rise} rise",
        large > sum(row.change(Condition.UNLEARN_SOFT) < -NEAR for row in printed_rows()),
        "The means fall because few models fall far. A text that names the answer can be obeyed or can help: a rise is "
        "what its disclosure allows.",
        "test_oracle_hard_falls_for_many_and_rises_for_many",
    )


def drops_of(model: str) -> list[float]:
    """The changes of a model under oracle-hard, a dataset each."""
    return [row.change(Condition.ORACLE_HARD) for row in printed_rows() if row.model == model]


def oracle_drops_of_the_named() -> AuditEntry:
    """The models that the text says to drop sharply under oracle-hard, slightly less than Qwen3-VL-8B-Instruct."""
    drops = {name: drops_of(name) for name in ("Qwen3-VL-8B-Instruct", "gemma-3-4b-it", "Qwen3-VL-4B-Instruct")}
    return AuditEntry(
        "Gemma-3-4B-it and Qwen3-VL-4B-Instruct drop under oracle-hard like Qwen3-VL-8B-Instruct, slightly less",
        "4.2, Figure 5(b)",
        "similar, though slightly weaker",
        "; ".join(
            f"{name} mean {_points(fmean(own))}, {sum(change < -MODERATE for change in own)} of {len(own)} fall more "
            "than five points"
            for name, own in drops.items()
        ),
        all(fmean(own) < -NEAR for own in drops.values()),
        "Qwen3-VL-4B-Instruct does not drop at all: it does not follow the oracle's text.",
        "test_qwen3_vl_4b_does_not_drop_under_oracle_hard",
    )


FAMILIES = {
    "InternVL3": ("InternVL3-1B", "InternVL3-2B", "InternVL3-8B"),
    "Qwen3-VL Instruct": ("Qwen3-VL-2B-Instruct", "Qwen3-VL-4B-Instruct", "Qwen3-VL-8B-Instruct"),
    "Qwen3-VL Thinking": ("Qwen3-VL-2B-Thinking", "Qwen3-VL-4B-Thinking", "Qwen3-VL-8B-Thinking"),
}
"""Families printed in several sizes, the smallest first."""


def baseline_of(model: str) -> float:
    """Mean baseline forget accuracy over a model's datasets."""
    return fmean(row.forget[Condition.BASELINE_NORMAL] for row in printed_rows() if row.model == model)


def scaling() -> AuditEntry:
    """What size does within a family, to knowing and to soft suppression."""
    changes = mean_changes()
    falling = [name for name, own in FAMILIES.items() if all(changes[a] > changes[b] for a, b in pairwise(own))]
    return AuditEntry(
        "Larger models are not systematically easier to unlearn; scaling primarily improves recognition",
        "4.2",
        "not systematically",
        "; ".join(
            f"{name}: baseline {', '.join(f'{100 * baseline_of(model):.1f}' for model in own)}, change under soft "
            f"{', '.join(_points(changes[model]) for model in own)}"
            for name, own in FAMILIES.items()
        ),
        not falling,
        f"In {', '.join(falling)} every larger model falls further. Larger models know more in one of three families.",
        "test_qwen3_vl_instruct_falls_further_with_size",
    )


def attribute_baselines() -> AuditEntry:
    """How low and how far apart the models start, by level."""
    known = {
        level: [row.forget[Condition.BASELINE_NORMAL] for row in printed_rows() if DATASET_LEVELS[row.dataset] is level]
        for level in Level
    }
    spread = {level: pstdev(own) for level, own in known.items()}
    return AuditEntry(
        "Attribute and spatial concepts start from lower baselines and vary more",
        "4.2, Figure 3(c)",
        "lower, larger variance",
        "; ".join(
            f"{level.value} mean {100 * fmean(own):.1f}, standard deviation {100 * spread[level]:.1f}"
            for level, own in known.items()
        ),
        spread[Level.ATTRIBUTE] == max(spread.values()),
        "Lower, yes; they vary least of the four levels, because all models are near chance.",
        "test_attributes_start_lowest_and_vary_least",
    )


def retain_is_stable() -> AuditEntry:
    """Figure 3(b)."""
    changes = [retain_change(row, condition) for row in printed_rows() for condition in SUPPRESSIONS]
    fallen = sum(change < -MODERATE for change in changes)
    risen = sum(retain_change(row, Condition.UNLEARN_SOFT) > 0 for row in printed_rows())
    return AuditEntry(
        "Retain accuracy remains comparatively stable",
        "4.2, Figure 3(b)",
        "little collateral damage",
        f"{_points(min(changes))} to {_points(max(changes))} points; {fallen} of {len(changes)} cells fall "
        "more than five",
        fallen <= 0.05 * len(changes),
        f"{risen} of {len(printed_rows())} rows rise under soft. A list "
        "strikes out distractors of retained items, which can make them easier.",
        "test_retain_accuracy_is_stable_and_mostly_rises",
    )


def cells_below_chance() -> AuditEntry:
    """Below chance is avoidance."""
    found = below_chance()
    counts = {name: sum(condition is name for _, condition in found) for name in PAPER_CONDITIONS}
    untouched = [row for row, condition in found if condition is Condition.BASELINE_NORMAL]
    return AuditEntry(
        "Chance level is where forget accuracy of a successful method ends",
        "4.1",
        f"toward {CHANCE}",
        f"{len(found)} of {len(PAPER_CONDITIONS) * len(printed_rows())} cells lie below it: "
        + ", ".join(f"{condition.value} {count}" for condition, count in counts.items()),
        False,
        f"Below chance the answer is avoided, which takes knowing it. {len(untouched)} baselines are below chance too, "
        f"of {', '.join(sorted({row.dataset for row in untouched}))}: nothing can be unlearned there. SpatialMQA also "
        "has items of two options, so that its chance is above 0.25.",
        "test_below_chance_cells_by_condition",
    )


def thinking_near_chance() -> AuditEntry:
    """Thinking variants do not know the concepts in the first place."""
    rows = [row for row in printed_rows() if row.model.endswith("Thinking")]
    near = [row for row in rows if row.forget[Condition.BASELINE_NORMAL] < CHANCE + NEAR]
    both = [row for row in near if row.retain[Condition.BASELINE_NORMAL] < CHANCE + NEAR]
    return AuditEntry(
        "Thinking variants often operate near chance on forget and retain alike",
        "4.2",
        "often",
        f"{len(both)} of {len(rows)} rows within ten points of chance on both sides",
        2 * len(both) > len(rows),
        "A parser that takes the first digit of a thinking reply can give such figures as well; none of these rows "
        "says anything of suppression.",
        "test_thinking_variants_are_near_chance_on_both_sides",
    )


def recognition_tasks() -> AuditEntry:
    """COCO and MIT Indoor-67 as the evident cases."""
    worst = {
        name: min(row.change(Condition.UNLEARN_SOFT) for row in rows_of(name)) for name in ("COCO", "MIT Indoor67")
    }
    return AuditEntry(
        "On COCO and MIT Indoor-67 performance remains high when told not to reveal the target",
        "4.2",
        "remains high",
        "largest fall under soft: " + "; ".join(f"{name} {_points(change)}" for name, change in worst.items()),
        min(worst.values()) >= -NEAR,
        "",
        "test_coco_and_indoor_scenes_keep_their_accuracy",
    )


CHECKS = (
    near_baseline_everywhere,
    near_baseline_per_dataset,
    recognition_tasks,
    order_of_levels,
    stronger_models,
    oracle_drops,
    oracle_drops_of_the_named,
    scaling,
    attribute_baselines,
    retain_is_stable,
    cells_below_chance,
    thinking_near_chance,
)
