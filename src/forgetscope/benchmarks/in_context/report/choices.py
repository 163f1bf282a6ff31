"""What was preferred, and whether the place on the list did it."""

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.details import PLACES
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.report.names import form_name
from forgetscope.benchmarks.in_context.report.settings import SETTING, tables_of
from forgetscope.findings.figures import Finding, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, interval_words, percent, points, undecided_words, verdict
from forgetscope.findings.tables import change, label, rate


def choice_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """Choices by form and by place on the list; None where no reply chose an option."""
    keys = [key for key in study.cells if key.scenario == Scenario.DYNAMIC_PREFERENCE.value and not key.question]
    if not any(entry.value is not None for entry in index.named("chosen")):
        return None
    cells = [key.factors for key in keys]
    return Section(
        "What was preferred",
        (
            *bias_findings(study, index),
            *tables_of(
                study,
                index,
                "Choices by form",
                [{**cell, "form": form.value} for cell in cells for form in Form],
                [
                    label("form", "form", form_name),
                    SETTING,
                    rate("old preference", "chosen", chosen="old"),
                    rate("new preference", "chosen", chosen="new"),
                    rate("neither", "chosen", chosen="other"),
                    rate("other preference repeated", "chosen.mentions_other", "beside the right choice"),
                ],
                note="NoForget is right with the old preference, Forget with the new one.",
                slug="choices",
            ),
            *tables_of(
                study,
                index,
                "Choices by place on the list",
                cells,
                [
                    SETTING,
                    *(rate(f"place {place}", "position", place=place) for place in range(1, PLACES + 1)),
                    change("first place, less 25%", "position.first_bias"),
                ],
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
