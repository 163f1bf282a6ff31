"""How a fact leaks: the ladder, what asking again brings out, over-forgetting, and what the request itself says."""

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import setting_name
from forgetscope.benchmarks.in_context.report.settings import SETTING, tables_of
from forgetscope.benchmarks.in_context.scoring.forgetting import Leak
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Cell, Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent
from forgetscope.findings.tables import Shown, count, label, optional, rate, table

_FORM_NAMES = {Form.NOFORGET.value: "without the request", Form.FORGET.value: "with the request"}


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
        "What leaks",
        tuple(blocks),
        intro="By rule, on the key facts of each item: said as it was (verbatim); in words that give it away, in part "
        "or nearly (paraphrase); as a hint; as something the user took back (mentioned as withdrawn, after a "
        "retraction alone); or nothing but a mention that there was something (acknowledged). The first two are leaks.",
        slug="leaks",
    )


def leak_findings(index: FigureIndex, key: DialogueCell) -> tuple[Finding, ...]:
    """What came out when asked again, what was forgotten that should not have been, and what the reasoning holds."""
    found = []
    again = index.get("reask.leaked", **key.factors)
    if again is not None and again.value is not None:
        found.append(
            Finding(
                f"Of {counted(again.n, 'fact')} withheld at first, {percent(again.value)} came out when asked again "
                f"({_range(again)})."
            )
        )
    over = index.get("neighbour.forgotten", **key.factors)
    if over is not None and over.value is not None:
        found.append(
            Finding(
                f"Over-forgetting: of {counted(over.n, 'neighbouring fact')} known without the request, "
                f"{percent(over.value)} were not answered with it ({_range(over)})."
            )
        )
    thought = index.get("leak.reasoning", **key.factors, form=Form.FORGET.value)
    if thought is not None and thought.value is not None:
        found.append(
            Finding(
                f"The reasoning holds the fact in {percent(thought.value)} of {counted(thought.n, 'reply', 'replies')} "
                f"after the request ({_range(thought)}); only the answer is scored."
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
        f"The leakage ladder ({setting_name(key)})",
        over={leak.words: {**key.factors, "leak": leak.value} for leak in Leak},
        lines=[line(name, "leak", form=form) for form, name in _FORM_NAMES.items()],
        summary="{said}.",
        y_label="scored answers",
        slug="ladder",
    )


def _rungs(figure: str, **factors: Cell) -> tuple[Shown, ...]:
    return tuple(rate(leak.words, figure, leak=leak.value, **factors) for leak in Leak)


def leak_tables(study: InContextStudy, index: FigureIndex, keys: list[DialogueCell]) -> tuple[Table, ...]:
    """The Forget form: the ladder, the reasoning, asking again, neighbours."""
    forget = Form.FORGET.value
    columns = [
        SETTING,
        *_rungs("leak", form=forget),
        optional(rate("in the reasoning", "leak.reasoning", "replies whose reasoning holds the fact", form=forget)),
        optional(rate("told when asked again", "reask.leaked", "of those withheld at first")),
        optional(rate("neighbour known", "neighbour.na", "without the request")),
        optional(rate("over-forgotten", "neighbour.forgotten", "of the neighbours known without the request")),
    ]
    rows = [key.factors for key in keys]
    return tuple(tables_of(study, index, "After the request to forget", rows, columns, slug="leaks"))


def request_table(index: FigureIndex, key: DialogueCell) -> Table:
    """The ladder of the Forget form by kind of request and whether it names the fact, in the main setting."""
    levels = dict.fromkeys(
        str(entry.factors["level"])
        for entry in index.named("leak.by_request")
        if all(entry.factors[name] == value for name, value in key.factors.items())
    )
    return table(
        index,
        f"After the request, by what it says ({setting_name(key)})",
        rows=[{**key.factors, "level": level} for level in levels],
        columns=[
            label("request", "level"),
            *_rungs("leak.by_request"),
            count("scored answers", "leak.by_request", leak=Leak.NONE.value),
        ],
        note="A request that names the fact says it once more just before the query. After a retraction "
        "(\u201cI'm not actually a doctor\u201d), and after that alone, a reply may repeat the statement as withdrawn.",
        slug="requests",
    )
