"""Forgetting against keeping: every cell in one plane, its front, and methods at equal forgetting."""

from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.metrics.front import pareto_front
from forgetscope.benchmarks.unlearning.metrics.marks import TableCell
from forgetscope.benchmarks.unlearning.metrics.matched import MatchedCells, curves
from forgetscope.benchmarks.unlearning.metrics.study import CellKey, GridSetting, UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import (
    CORPUS,
    FORMAT,
    METHOD,
    SUBSET,
    dose_names,
    method_name,
    pair_name,
    setting_name,
)
from forgetscope.findings.figures import Chart, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import signed
from forgetscope.findings.tables import label, rate, table


def curve_section(study: UnlearningStudy, index: FigureIndex) -> Section:
    """The plane and front of each setting, then curves and the comparison at equal forgetting where there are any."""
    blocks: list[Finding | Chart | Table] = []
    for setting, cells in study.settings_run.items():
        about = f": {setting_name(setting)}" if len(study.settings_run) > 1 else ""
        blocks.append(plane_chart(index, cells, about))
        blocks.append(front_table(index, setting, cells))
    found = curves(study)
    blocks.extend(curve_chart(index, place, methods) for place, methods in found.items())
    if found:
        blocks.append(matched_table(index))
    else:
        blocks.append(
            Finding(
                "Every method was run at one learning rate and one number of epochs, so a method that looks gentler "
                "may only have forgotten less. Several learning_rates or epochs in the configuration compare "
                "methods at equal forgetting.",
                "warning",
            )
        )
    return Section(
        "Trade-off of forgetting and keeping",
        tuple(blocks),
        intro="What each unlearned model (cell) lost of the forget set, against what it lost of the rest. S_change "
        "is the share of the target's score that is lost, the target being the model before it unlearns. Right is "
        "better forgotten, low is better kept. A cell is on the Pareto front when no other forgets as much and "
        "keeps more. GA is gradient ascent, NPO negative preference optimisation, SimNPO its form without a "
        "reference model.",
        slug="balance",
    )


def _place(index: FigureIndex, key: CellKey) -> tuple[Interval | None, Interval | None]:
    forget = index.interval("group", **key.factors, group="forget")
    return forget, index.interval("group", **key.factors, group="retain")


def plane_chart(index: FigureIndex, cells: Sequence[CellKey], about: str = "") -> Chart:
    """Every cell of a setting, a series a method; `about` names the setting where there are several."""
    pairs = list(dict.fromkeys(pair_name(key) for key in cells))
    lines = []
    for method in dict.fromkeys(key.method for key in cells):
        places = {pair_name(key): _place(index, key) for key in cells if key.method == method}
        missing = (None, None)
        lines.append(
            Series(
                method_name(method),
                tuple(places.get(pair, missing)[1] for pair in pairs),
                across=tuple(places.get(pair, missing)[0] for pair in pairs),
            )
        )
    return Chart(
        "plane",
        f"Retain change against Forget change (S_change), a point a cell{about}",
        tuple(pairs),
        tuple(lines),
        summary=_in_words(lines),
        y_label="Retain change",
        x_label="Forget change",
        slug="plane",
    )


def _in_words(lines: Sequence[Series]) -> str:
    """Between what each method's cells lie: every number stands in the table below."""
    said = []
    for line in lines:
        known = [
            (over.value, up.value)
            for over, up in zip(line.across, line.points, strict=True)
            if over is not None and up is not None and over.value is not None and up.value is not None
        ]
        if not known:
            said.append(f"{line.label} is undefined")
            continue
        forgets, costs = zip(*known, strict=True)
        said.append(f"{line.label}: Forget change {_range(forgets)}, Retain change {_range(costs)}")
    return f"{'; '.join(said)}."


def _range(values: Sequence[float]) -> str:
    low, high = (f"{signed(round(value, 3))}%" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def front_table(index: FigureIndex, setting: GridSetting, cells: Sequence[CellKey]) -> Table:
    """The cells on the front, from the gentlest to the strongest."""
    values = {key: TableCell(*(None if part is None else part.value for part in _place(index, key))) for key in cells}
    front = sorted(pareto_front(values), key=lambda key: (values[key].forget or 0.0, key))
    return table(
        index,
        f"Pareto front: {setting_name(setting)}",
        [key.factors for key in front],
        [FORMAT, SUBSET, METHOD, rate("Forget", "group", group="forget"), rate("Retain", "group", group="retain")],
        note=f"{len(front)} of {len(cells)} cells. By their values alone: intervals of neighbours may overlap.",
        slug="front",
    )


def curve_chart(index: FigureIndex, place: MatchedCells, methods: dict[str, tuple[CellKey, ...]]) -> Chart:
    """A line a method over its cells, gentlest first."""
    lines = []
    names = dose_names([key for cells in methods.values() for key in cells])
    doses = list(dict.fromkeys(names.values()))
    for method, cells in methods.items():
        places = {names[key]: _place(index, key) for key in cells}
        missing = (None, None)
        lines.append(
            Series(
                method_name(method),
                tuple(places.get(dose, missing)[1] for dose in doses),
                across=tuple(places.get(dose, missing)[0] for dose in doses),
            )
        )
    return Chart(
        "plane",
        f"From gentle to strong: {place.forget_format}, {place.retain_subset} ({place.corpus}, {place.semantics} "
        "losses)",
        tuple(doses),
        tuple(lines),
        summary=_in_words(lines),
        y_label="Retain change",
        x_label="Forget change",
        slug="curve",
        is_joined=True,
    )


def matched_table(index: FigureIndex) -> Table:
    """What each method has lost by the time all have forgotten as much."""
    found = index.named("matched.retain")
    how = {frozenset(entry.factors.items()): entry.method.partition(";")[0] for entry in found}
    return table(
        index,
        "Methods at equal forgetting",
        [entry.factors for entry in found],
        [
            CORPUS,
            label("Losses", "semantics"),
            FORMAT,
            SUBSET,
            METHOD,
            rate("Retain", "matched.retain"),
            label("At", lambda row: how[frozenset(row.items())]),
        ],
        note="Straight lines between the cells of a method, from the target (nothing forgotten, nothing lost) on. The "
        "level is the most that every method reached.",
        slug="matched",
    )
