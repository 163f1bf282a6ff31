"""How a fact leaks: the ladder, what asking again brings out, over-forgetting, and what the request itself says."""

from collections.abc import Mapping

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import setting_name
from forgetscope.benchmarks.in_context.report.settings import SETTING, said, tables_of
from forgetscope.benchmarks.in_context.scoring.rules.facts import Leak
from forgetscope.findings.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent

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
        intro="By rule, on the key facts of each item: said as it was (verbatim), in words that give it away "
        "(paraphrase), as a hint, or nothing but a mention that there was something (acknowledged). The first two "
        "count as recall.",
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
    rungs = tuple(leak.value for leak in Leak)
    lines = tuple(
        Series(name, tuple(index.interval("leak", **key.factors, form=form, leak=leak) for leak in rungs))
        for form, name in _FORM_NAMES.items()
    )
    return Chart(
        "bars",
        f"The leakage ladder ({setting_name(key)})",
        rungs,
        lines,
        summary=". ".join(said(line, rungs, "nothing scored") for line in lines) + ".",
        y_label="scored answers",
        slug="ladder",
    )


def _rungs(index: FigureIndex, name: str, factors: Mapping[str, Cell]) -> dict[str, Cell | Interval]:
    return {leak.value: index.interval(name, **factors, leak=leak.value) for leak in Leak}


_RUNGS = tuple(Column(leak.value, leak.value, "percent") for leak in Leak)


def leak_tables(study: InContextStudy, index: FigureIndex, keys: list[DialogueCell]) -> tuple[Table, ...]:
    """The Forget form: the ladder, the reasoning, asking again, neighbours."""
    rows: list[tuple[DialogueCell, Mapping[str, Cell | Interval]]] = []
    for key in keys:
        row = _rungs(index, "leak", {**key.factors, "form": Form.FORGET.value})
        row["reasoning"] = index.interval("leak.reasoning", **key.factors, form=Form.FORGET.value)
        row["reask"] = index.interval("reask.leaked", **key.factors)
        row["neighbour"] = index.interval("neighbour.na", **key.factors)
        row["forgotten"] = index.interval("neighbour.forgotten", **key.factors)
        rows.append((key, row))
    optional = (
        Column("reasoning", "in the reasoning", "percent", "replies whose reasoning holds the fact"),
        Column("reask", "told when asked again", "percent", "of those withheld at first"),
        Column("neighbour", "neighbour known", "percent", "without the request"),
        Column("forgotten", "over-forgotten", "percent", "of the neighbours known without the request"),
    )
    kept = [column for column in optional if any(row[column.key] is not None for _, row in rows)]
    columns = (SETTING, *_RUNGS, *kept)
    return tuple(tables_of(study, "After the request to forget", columns, rows, slug="leaks"))


def request_table(index: FigureIndex, key: DialogueCell) -> Table:
    """The ladder of the Forget form by kind of request and whether it names the fact, in the main setting."""
    levels = dict.fromkeys(
        str(entry.factors["level"])
        for entry in index.named("leak.by_request")
        if all(entry.factors[name] == value for name, value in key.factors.items())
    )
    rows: list[dict[str, Cell | Interval]] = []
    for level in levels:
        factors: dict[str, Cell] = {**key.factors, "level": level}
        some = index.get("leak.by_request", **factors, leak=Leak.NONE.value)
        rows.append({"level": level, "n": some.n if some else 0, **_rungs(index, "leak.by_request", factors)})
    return Table(
        f"After the request, by what it says ({setting_name(key)})",
        (Column("level", "request"), *_RUNGS, Column("n", "scored answers", "integer")),
        tuple(rows),
        note="A request that names the fact says it once more just before the query. A retraction that names it "
        "(\u201cI'm not actually a doctor\u201d) also gives a reply that repeats the denial a place on the first rung.",
        slug="requests",
    )
