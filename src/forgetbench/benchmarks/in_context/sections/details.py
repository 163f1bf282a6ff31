"""How it forgets: leaks, questions asked again, neighbours, options, the clause of revision, and the judge."""

from forgetbench.benchmarks.in_context.forms import Form
from forgetbench.benchmarks.in_context.metrics.details import READINGS
from forgetbench.benchmarks.in_context.metrics.study import CellKey, Study
from forgetbench.benchmarks.in_context.rules import Leak
from forgetbench.benchmarks.in_context.sections.names import scenario_name, setting_name
from forgetbench.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetbench.measures import FigureIndex
from forgetbench.phrasing import counted, percent

_FORM_NAMES = {Form.NOFORGET.value: "without the request", Form.FORGET.value: "with the request"}


def leak_section(study: Study, index: FigureIndex) -> Section | None:
    """The leakage ladder, what asking again brings out, over-forgetting; None without instructional forgetting."""
    keys = [key for key in study.cells if key.scenario == "instructional_forgetting"]
    if not keys:
        return None
    blocks: list[Finding | Chart | Table] = [*_leak_findings(index, keys[0]), ladder_chart(index, keys[0])]
    blocks.append(_leak_table(index, keys))
    return Section(
        "What leaks",
        tuple(blocks),
        intro="By rule, on the key facts of each item: said as it was, in words that give it away, as a hint, or "
        "nothing but a mention that there was something. The first two count as recall.",
        slug="leaks",
    )


def _leak_findings(index: FigureIndex, key: CellKey) -> list[Finding]:
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
    return found


def _range(entry: Figure) -> str:
    if entry.low is None or entry.high is None:
        return "no interval: too few"
    return f"95% interval {percent(entry.low)} to {percent(entry.high)}"


def ladder_chart(index: FigureIndex, key: CellKey) -> Chart:
    """Shares of scored answers on each rung, both forms."""
    rungs = tuple(Leak)
    lines = tuple(
        Series(name, tuple(index.interval("leak", **key.factors, form=form, leak=leak.value) for leak in rungs))
        for form, name in _FORM_NAMES.items()
    )
    said = []
    for line in lines:
        known = [
            f"{leak.value} {percent(point.value)}"
            for leak, point in zip(rungs, line.points, strict=True)
            if point is not None and point.value is not None
        ]
        said.append(f"{line.label}: {', '.join(known) or 'nothing scored'}")
    return Chart(
        "bars",
        f"The leakage ladder ({setting_name(key)})",
        tuple(leak.value for leak in rungs),
        lines,
        summary=". ".join(said) + ".",
        y_label="scored answers",
        slug="ladder",
    )


def _leak_table(index: FigureIndex, keys: list[CellKey]) -> Table:
    rows: list[dict[str, Cell | Interval]] = []
    for key in keys:
        row: dict[str, Cell | Interval] = {"setting": setting_name(key)}
        for leak in Leak:
            row[leak.value] = index.interval("leak", **key.factors, form=Form.FORGET.value, leak=leak.value)
        row["reasoning"] = index.interval("leak.reasoning", **key.factors, form=Form.FORGET.value)
        row["reask"] = index.interval("reask.leaked", **key.factors)
        row["neighbour"] = index.interval("neighbour.na", **key.factors)
        row["forgotten"] = index.interval("neighbour.forgotten", **key.factors)
        rows.append(row)
    return Table(
        "After the request to forget",
        (
            Column("setting", "setting"),
            *(Column(leak.value, leak.value, "percent") for leak in Leak),
            Column("reasoning", "in the reasoning", "percent", "replies whose reasoning holds the fact"),
            Column("reask", "told when asked again", "percent", "of those withheld at first"),
            Column("neighbour", "neighbour known", "percent", "without the request"),
            Column("forgotten", "over-forgotten", "percent", "of the neighbours known without the request"),
        ),
        tuple(rows),
        slug="leaks",
    )


def choice_section(study: Study, index: FigureIndex) -> Section | None:
    """What was chosen, and whether the place on the list did it; None without preference options."""
    keys = [key for key in study.cells if key.scenario == "dynamic_preference" and not key.question]
    if not keys:
        return None
    rows: list[dict[str, Cell | Interval]] = []
    for key in keys:
        for form in Form:
            row: dict[str, Cell | Interval] = {"setting": setting_name(key), "form": form.value}
            for choice in ("old", "new", "other"):
                row[choice] = index.interval("chosen", **key.factors, form=form.value, chosen=choice)
            row["beside"] = index.interval("chosen.mentions_other", **key.factors, form=form.value)
            rows.append(row)
    places: list[dict[str, Cell | Interval]] = []
    for key in keys:
        entry: dict[str, Cell | Interval] = {"setting": setting_name(key)}
        entry |= {f"p{place}": index.interval("position", **key.factors, place=place) for place in range(1, 5)}
        places.append(entry)
    return Section(
        "What was preferred",
        (
            Table(
                "Choices by form",
                (
                    Column("setting", "setting"),
                    Column("form", "form"),
                    Column("old", "old preference", "percent"),
                    Column("new", "new preference", "percent"),
                    Column("other", "neither", "percent"),
                    Column("beside", "other preference repeated", "percent"),
                ),
                tuple(rows),
                note="NoForget is right with the old preference, Forget with the new one.",
                slug="choices",
            ),
            Table(
                "Choices by place on the list",
                (
                    Column("setting", "setting"),
                    *(Column(f"p{place}", f"place {place}", "percent") for place in range(1, 5)),
                ),
                tuple(places),
                note="Every option stands at every place equally often over the items; without a bias each place "
                "gets 25%.",
                slug="positions",
            ),
        ),
        slug="choices",
    )


def revision_section(study: Study, index: FigureIndex) -> Section | None:
    """Subtask revision under the readings of its last clause; None without it."""
    keys = [key for key in study.cells if key.scenario == "subtask_revision"]
    if not keys:
        return None
    names = {
        "": "the protocol's",
        "without_clause": "without the clause on old subtasks",
        "none_of_original": "none of the old subtasks done",
        "clause_both_forms": "the clause in both forms",
    }
    rows: list[dict[str, Cell | Interval]] = []
    for key in keys:
        for reading in ("", *READINGS):
            factors: dict[str, Cell] = {**key.factors, "reading": reading} if reading else dict(key.factors)
            prefix = "reading." if reading else ""
            rows.append(
                {
                    "setting": setting_name(key),
                    "reading": names[reading],
                    **{name: index.interval(f"{prefix}{name}", **factors) for name in ("na", "fa", "sfrr")},
                }
            )
    done: list[dict[str, Cell | Interval]] = []
    for key in keys:
        row: dict[str, Cell | Interval] = {"setting": setting_name(key)}
        for name in ("common", "revised_only", "original_only", "first_common"):
            row[name] = index.interval("subtasks.all_done", **key.factors, subtasks=name)
        done.append(row)
    return Section(
        "What revision means",
        (
            Table(
                "Readings of a right answer",
                (
                    Column("setting", "setting"),
                    Column("reading", "reading"),
                    Column("na", "NA", "percent"),
                    Column("fa", "FA", "percent"),
                    Column("sfrr", "SFRR", "percent"),
                ),
                tuple(rows),
                note="The paper does not say whether an answer that still does all old subtasks is right; the protocol "
                "says it is not, in the Forget form.",
                slug="readings",
            ),
            Table(
                "All subtasks of a kind done, in the Forget form",
                (
                    Column("setting", "setting"),
                    Column("common", "common", "percent"),
                    Column("revised_only", "new", "percent"),
                    Column("original_only", "old (should not all be)", "percent"),
                    Column("first_common", "common, in the first answer", "percent"),
                ),
                tuple(done),
                slug="subtasks",
            ),
        ),
        slug="revision",
    )


def judge_section(index: FigureIndex) -> Section | None:
    """How good the judge is where a rule can tell; None where nothing was judged."""
    entries = index.named("judge.agreement")
    if not entries:
        return None
    rows: list[dict[str, Cell | Interval]] = []
    for entry in entries:
        row: dict[str, Cell | Interval] = {
            "scenario": scenario_name(str(entry.factors["scenario"])),
            "form": str(entry.factors["form"]),
            "n": entry.n,
        }
        for name in ("agreement", "sensitivity", "specificity", "unreadable", "flagged"):
            row[name] = index.interval(f"judge.{name}", **entry.factors)
        rows.append(row)
    return Section(
        "How good the judge is",
        (
            Table(
                "Judge against rule, on verified items",
                (
                    Column("scenario", "scenario"),
                    Column("form", "form"),
                    Column("agreement", "agreement", "percent"),
                    Column("sensitivity", "sensitivity", "percent", "passes by rule that the judge passed"),
                    Column("specificity", "specificity", "percent", "fails by rule that the judge failed"),
                    Column("unreadable", "unreadable", "percent", "judged samples without a readable verdict"),
                    Column("flagged", "flagged", "percent", "replies that address the judge"),
                    Column("n", "samples with both", "integer"),
                ),
                tuple(rows),
                slug="judge",
            ),
        ),
        intro="Verified items are scored by rule; the judge's verdict on the same replies shows what a judged figure "
        "is worth.",
        slug="judge",
    )
