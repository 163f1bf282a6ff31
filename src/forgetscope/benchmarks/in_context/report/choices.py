"""What was preferred, and whether the place on the list did it."""

from collections.abc import Mapping

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.details import PLACES
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import form_name
from forgetscope.benchmarks.in_context.report.settings import SETTING, tables_of
from forgetscope.findings.figures import Cell, Column, Finding, Interval, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, interval_words, percent, points, undecided_words, verdict

Rows = list[tuple[DialogueCell, Mapping[str, Cell | Interval]]]


def choice_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """Choices by form and by place on the list; None where no reply chose an option."""
    keys = [key for key in study.cells if key.scenario == Scenario.DYNAMIC_PREFERENCE.value and not key.question]
    if not any(entry.value is not None for entry in index.named("chosen")):
        return None
    chosen: Rows = []
    for key in keys:
        for form in Form:
            row: dict[str, Cell | Interval] = {"form": form_name(form.value)}
            for choice in ("old", "new", "other"):
                row[choice] = index.interval("chosen", **key.factors, form=form.value, chosen=choice)
            row["beside"] = index.interval("chosen.mentions_other", **key.factors, form=form.value)
            chosen.append((key, row))
    places: Rows = [
        (
            key,
            {f"p{place}": index.interval("position", **key.factors, place=place) for place in range(1, PLACES + 1)}
            | {"bias": index.interval("position.first_bias", **key.factors)},
        )
        for key in keys
    ]
    return Section(
        "What was preferred",
        (
            *bias_findings(study, index),
            *tables_of(
                study,
                "Choices by form",
                (
                    Column("form", "form"),
                    SETTING,
                    Column("old", "old preference", "percent"),
                    Column("new", "new preference", "percent"),
                    Column("other", "neither", "percent"),
                    Column("beside", "other preference repeated", "percent", "beside the right choice"),
                ),
                chosen,
                note="NoForget is right with the old preference, Forget with the new one.",
                slug="choices",
            ),
            *tables_of(
                study,
                "Choices by place on the list",
                (
                    SETTING,
                    *(Column(f"p{place}", f"place {place}", "percent") for place in range(1, PLACES + 1)),
                    Column("bias", "first place, less 25%", "points"),
                ),
                places,
                note="Every option stands at every place equally often over the items; without a bias each place "
                "gets 25%.",
                slug="positions",
            ),
        ),
        slug="choices",
    )


def bias_findings(study: InContextStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """Whether the first option on the list is chosen more often than the others, in the main setting."""
    found = []
    for key in study.main_cells():
        bias, first = index.get("position.first_bias", **key.factors), index.value("position", **key.factors, place=1)
        if bias is None or bias.value is None or bias.low is None or first is None:
            continue
        than = "above" if bias.value > 0 else "below"
        by = f"{points(bias.value)} points {than}" if bias.value else "exactly"
        found.append(
            Finding(
                f"The first option on the list was chosen {percent(first)} of the time, {by} the 25% of no bias "
                f"({interval_words(bias, flip=bias.value < 0)}, {counted(bias.n, 'choice')}){undecided_words(bias)}.",
                verdict(bias),
            )
        )
    return tuple(found)
