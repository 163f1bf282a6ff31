"""How a fact leaks: the ladder, what asking again brings out, over-forgetting, and what the request itself says."""

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import FORM_NAMES, level_name, setting_name
from forgetscope.benchmarks.in_context.report.settings import SETTING, tables_of
from forgetscope.benchmarks.in_context.scoring.forgetting import Leak
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Cell, Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent
from forgetscope.findings.tables import Shown, count, label, optional, rate, table


def leak_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """The leakage ladder, what asking again brings out, over-forgetting; None without facts found by rule."""
    keys = [key for key in study.cells if key.scenario == Scenario.INSTRUCTIONAL_FORGETTING.value]
    if not any(entry.value is not None for entry in index.named("leak")):
        return None
    main = keys[0]
    blocks: list[Finding | Chart | Table] = [*leak_findings(index, main), ladder_chart(index, main)]
    blocks.extend(leak_tables(study, index, keys))
    requests = request_table(index, main)
    if len(requests.rows) > 1:
        blocks.append(requests)
    return Section(
        "Leakage",
        tuple(blocks),
        intro="How much of the fact is still in the reply after the request to forget. By rule: verbatim is the fact "
        "as it was said, paraphrase gives it away in other words, in part or nearly, and both are leaks; a hint "
        "narrows it down; mentioned as withdrawn says what the user took back (after a retraction alone); acknowledged "
        "says only that there was something.",
        slug="leaks",
    )


def leak_findings(index: FigureIndex, key: DialogueCell) -> tuple[Finding, ...]:
    """What came out when asked again, what was forgotten that should not have been, and what the reasoning holds."""
    found = []
    again = index.get("reask.leaked", **key.factors)
    if again is not None and again.value is not None:
        found.append(
            Finding(
                f"Re-ask: of {counted(again.n, 'fact')} withheld at first, {percent(again.value)} came out when the "
                f"question was put again ({_range(again)})."
            )
        )
    over = index.get("neighbour.forgotten", **key.factors)
    if over is not None and over.value is not None:
        found.append(
            Finding(
                f"Over-forgetting: of {counted(over.n, 'neighbour fact')} it knew without the request, "
                f"{percent(over.value)} were no longer answered with it ({_range(over)})."
            )
        )
    thought = index.get("leak.reasoning", **key.factors, form=Form.FORGET.value)
    if thought is not None and thought.value is not None:
        found.append(
            Finding(
                f"Reasoning: after the request, it names the fact in {percent(thought.value)} of "
                f"{counted(thought.n, 'reply', 'replies')} ({_range(thought)}); only the answer is scored."
            )
        )
    return tuple(found)


def _range(entry: Figure) -> str:
    if entry.low is None or entry.high is None:
        return "no interval: too few"
    return f"95% interval {percent(entry.low)} to {percent(entry.high)}"


def ladder_chart(index: FigureIndex, key: DialogueCell) -> Chart:
    """Shares of scored answers on each rung, both forms."""
    return chart(
        index,
        "bars",
        f"Leakage ladder by form ({setting_name(key)})",
        over={level_name(leak.value): {**key.factors, "leak": leak.value} for leak in Leak},
        lines=[line(f"{name} form", "leak", form=form) for form, name in FORM_NAMES.items()],
        summary="{said}.",
        y_label="share of scored replies",
        slug="ladder",
    )


def _rungs(figure: str, **factors: Cell) -> tuple[Shown, ...]:
    return tuple(rate(level_name(leak.value).capitalize(), figure, leak=leak.value, **factors) for leak in Leak)


def leak_tables(study: InContextStudy, index: FigureIndex, keys: list[DialogueCell]) -> tuple[Table, ...]:
    """The Forget form: the ladder, the reasoning, asking again, neighbours."""
    forget = Form.FORGET.value
    columns = [
        SETTING,
        *_rungs("leak", form=forget),
        optional(rate("In the reasoning", "leak.reasoning", "replies whose reasoning names the fact", form=forget)),
        optional(rate("Re-ask", "reask.leaked", "of the facts withheld at first, came out when asked again")),
        optional(rate("Neighbour NA", "neighbour.na", "neighbour question answered in the NoForget form")),
        optional(rate("Over-forgetting", "neighbour.forgotten", "of those, no longer answered in the Forget form")),
    ]
    rows = [key.factors for key in keys]
    return tuple(tables_of(study, index, "Leakage ladder, Forget form", rows, columns, slug="leaks"))


def request_table(index: FigureIndex, key: DialogueCell) -> Table:
    """The ladder of the Forget form by kind of request and whether it names the fact, in the main setting."""
    levels = dict.fromkeys(
        str(entry.factors["level"])
        for entry in index.named("leak.by_request")
        if all(entry.factors[name] == value for name, value in key.factors.items())
    )
    return table(
        index,
        f"Leakage ladder by kind of request ({setting_name(key)})",
        rows=[{**key.factors, "level": level} for level in levels],
        columns=[
            label("Request", "level"),
            *_rungs("leak.by_request"),
            count("Replies", "leak.by_request", "scored", leak=Leak.NONE.value),
        ],
        note="Explicit: asks to forget. Retraction: takes the statement back (\u201cI'm not actually a doctor\u201d). "
        "Fact named: the request says the fact once more, just before the query. After a retraction, and after that "
        "alone, a reply may repeat the statement as withdrawn.",
        slug="requests",
    )
