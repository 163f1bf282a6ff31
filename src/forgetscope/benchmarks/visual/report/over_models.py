"""Several runs together as the paper has its models: Figures 3 to 5 of one's own."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from forgetscope.benchmarks.visual.data.axes import Level
from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, Condition, Mode
from forgetscope.benchmarks.visual.report.names import condition_name
from forgetscope.benchmarks.visual.report.suppression import MOST_SAID
from forgetscope.findings.beside_paper import with_model
from forgetscope.findings.charts import chart, drawn, line
from forgetscope.findings.figures import Chart, Figure, Interval, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import said, signed
from forgetscope.findings.tables import Factors, Given, given, listing

_BARS = (
    ("3a", "paper.forget.macro", "Forget accuracy by split"),
    ("3b", "paper.retain", "Retain accuracy by split"),
    ("3c", "pooled.forget.macro", "Forget accuracy by level"),
)
_CHANGES = (("5a", Condition.UNLEARN_SOFT), ("5b", Condition.ORACLE_HARD))
_GENERATED = Mode.GENERATE.value
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)[bB](?![a-z])")


def over_models(runs: Mapping[str, FigureIndex]) -> Iterator[Table | Chart]:
    """Models by size; means over them by split, level and condition; every model on every split, and its change."""
    sizes = size_table(runs)
    if sizes is not None:
        yield sizes
    index = with_model(runs)
    splits = sorted({str(one.factors["split"]) for one in index.named("paper.forget.macro") if "split" in one.factors})
    over: dict[str, Factors] = {split: {"split": split, "mode": _GENERATED} for split in splits}
    levels: dict[str, Factors] = {one: {"by": "level", "group": one.value, "mode": _GENERATED} for one in Level}
    for figure, name, title in _BARS:
        categories = levels if figure == "3c" else over
        means = FigureIndex(_means(runs, name, categories.values()))
        lines = drawn(means, categories, [line(condition_name(one), name, condition=one) for one in PAPER_CONDITIONS])
        if lines:
            title = f"{title}, mean over these models (the paper's figure {figure})"
            slug = f"over-models-figure-{figure}"
            yield chart(
                means, "bars", title, over=categories, lines=lines, summary="{said}.", most=MOST_SAID, slug=slug
            )
    places = [(split, name) for split in splits for name in runs]

    def of_each(name: str, condition: Condition) -> tuple[Interval | None, ...]:
        return tuple(index.interval(name, **over[split], model=model, condition=condition) for split, model in places)

    if any(of_each("paper.retain", Condition.BASELINE_NORMAL)):
        named = tuple(f"{split}, {model}" for split, model in places)
        yield trade_off(
            "over-models-figure-4", named, partial(of_each, "paper.retain"), partial(of_each, "paper.forget.macro")
        )
    for figure, condition in _CHANGES:
        lines = drawn(index, over, [line(name, "forget.change", model=name, condition=condition) for name in runs])
        if lines:
            yield chart(
                index,
                "heatmap",
                f"Change of forget accuracy under {condition_name(condition)} (the paper's figure {figure})",
                over=over,
                lines=lines,
                summary="{said}.",
                write=signed,
                most=MOST_SAID,
                unit="points",
                slug=f"over-models-figure-{figure}",
            )


def size_table(runs: Mapping[str, FigureIndex]) -> Table | None:
    """Models by the billions of weights that their names say: whether larger ones are easier to unlearn (section 4.2).

    None with fewer than two of different sizes.
    """
    sizes = {name: float(found[1]) for name in runs if (found := _SIZE.search(name))}
    if len(set(sizes.values())) < 2:
        return None

    def mean(name: str, condition: Condition) -> Callable[[str], float | None]:
        def over_splits(model: str) -> float | None:
            entries = [one for one in runs[model].named(name) if {"split", "mode"} <= one.factors.keys()]
            wanted = [one.value for one in entries if one.factors["condition"] == condition.value]
            known = [value for value in wanted if value is not None]
            return sum(known) / len(known) if known else None

        return over_splits

    columns: list[Given[str]] = [
        given("Model", lambda model: model),
        given("Billions", lambda model: sizes[model], "number", "of weights, as the name says"),
        given("Baseline", mean("paper.forget.macro", Condition.BASELINE_NORMAL), "percent", "forget accuracy"),
        *(
            given(condition_name(one), mean("forget.change", one), "points", "change of forget accuracy")
            for one in (Condition.UNLEARN_SOFT, Condition.UNLEARN_MEDIUM, Condition.ORACLE_HARD)
        ),
    ]
    title = "Larger models: what they know, and what suppression takes from it, mean over splits"
    return listing(title, sorted(sizes, key=lambda name: (sizes[name], name)), columns, slug="over-models-sizes")


def trade_off(
    slug: str,
    names: tuple[str, ...],
    retain: Callable[[Condition], tuple[Interval | None, ...]],
    forget: Callable[[Condition], tuple[Interval | None, ...]],
) -> Chart:
    """Figure 4: a point a model and dataset (`names`) under each condition."""
    lines = [Series(condition_name(one), retain(one), forget(one)) for one in PAPER_CONDITIONS]
    return Chart(
        "plane",
        "Retain against forget accuracy, a point a model and dataset (the paper's figure 4)",
        names,
        tuple(lines),
        summary=f"Retain accuracy: {said(lines, names, most=MOST_SAID)}.",
        y_label="retain accuracy",
        x_label="forget accuracy",
        slug=slug,
    )


def _means(runs: Mapping[str, FigureIndex], name: str, places: Iterable[Factors]) -> Iterator[Figure]:
    """The plain mean over the models that have a value, without an interval, as the paper's bars."""
    for place in places:
        for condition in PAPER_CONDITIONS:
            factors = {**place, "condition": condition.value}
            found = [value for run in runs.values() if (value := run.value(name, **factors)) is not None]
            if found:
                yield Figure(name, factors, sum(found) / len(found), len(found))
