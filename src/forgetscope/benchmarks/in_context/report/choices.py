"""What was preferred, and whether the place on the list did it."""

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.details import PLACES
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.report.names import form_name
from forgetscope.benchmarks.in_context.report.settings import SETTING, tables_of
from forgetscope.findings.figures import Finding, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, percent, points
from forgetscope.findings.tables import change, label, rate
from forgetscope.findings.verdicts import Support


def choice_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """Choices by form and by place on the list; None where no reply chose an option."""
    keys = [key for key in study.cells if key.scenario == Scenario.DYNAMIC_PREFERENCE.value and not key.question]
    if not any(entry.value is not None for entry in index.named("chosen")):
        return None
    cells = [key.factors for key in keys]
    return Section(
        "Preferences chosen, and position bias",
        (
            *bias_findings(study, index),
            *tables_of(
                study,
                index,
                "Preference chosen, by form",
                [{**cell, "form": form.value} for cell in cells for form in Form],
                [
                    label("Form", "form", form_name),
                    SETTING,
                    rate("Old preference", "chosen", "right in the NoForget form", chosen="old"),
                    rate("New preference", "chosen", "right in the Forget form", chosen="new"),
                    rate("Neither", "chosen", chosen="other"),
                    rate("Mentions both", "chosen.mentions_other", "names the other preference beside its choice"),
                ],
                slug="choices",
            ),
            *tables_of(
                study,
                index,
                "Position of the option chosen",
                cells,
                [
                    SETTING,
                    *(rate(f"Option {place}", "position", place=place) for place in range(1, PLACES + 1)),
                    change("Option 1 less 25%", "position.first_bias", "first-option bias"),
                ],
                note="Options are rotated, so that without a bias each position is chosen in 25% of the replies.",
                slug="positions",
            ),
        ),
        intro="Which of the four options the replies chose. The old preference is right in the NoForget form, the new "
        "one in the Forget form.",
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
            Support.of(bias).finding(
                f"First-option bias: option 1 was chosen in {percent(first)} of the replies, {by} the 25% expected "
                f"without a bias ({basis(bias)})"
            )
        )
    return tuple(found)
