"""The paper's models beside the run: Tables 1, 2, 4, 5, 6 to 8 and 11, as printed, and what keeps the two apart."""

from collections.abc import Iterator

import polars as pl

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, SCENARIOS, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import length_name, scenario_name
from forgetscope.findings.figures import Cell, Column, Finding, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent, text_column
from forgetscope.findings.published import published_model, published_table

THIS_RUN = "this run"
PAPER_JUDGE = "GPT-O4mini"
GREEDY = "greedy"

_ZEROS = "Table 4 prints a WR of 0 here for every model; the printed NA, FA and SFRR leave 1.5 to 6.1 percent."

Row = dict[str, Cell | Interval]

_PRINTED = {"na": "no_forget_accuracy", "fa": "forget_accuracy", "sfrr": "sfrr"}
_MEASURES = (
    Column("na", "NA", "percent"),
    Column("fa", "FA", "percent"),
    Column("sfrr", "SFRR", "percent"),
    Column("drop", "NA - FA", "points"),
    Column("wr", "WR", "percent", "wrong without interference, right with it"),
)


def published_section(study: InContextStudy, index: FigureIndex, decoding: str) -> Section:
    """Caveats first, then the run among the paper's models: by scenario, and where they were run, prompts and lengths.

    Args:
        study: Of the run.
        index: Its figures.
        decoding: How the model under test decoded, as the manifest has it; empty where unknown.
    """
    tables = [_scenario_table(index, key) for key in study.main_cells() if not key.question]
    average = _average_table(study, index)
    return Section(
        "Beside the paper",
        (
            *caveats(study, index, decoding),
            *tables,
            *([average] if average else []),
            *_strategy_table(study, index),
            *_length_tables(study, index),
        ),
        intro="The paper's figures are as printed and not corrected; the audit page lists where they disagree with "
        "themselves. Intervals are the run's.",
        slug="published",
    )


def caveats(study: InContextStudy, index: FigureIndex, decoding: str) -> tuple[Finding, ...]:
    """Why the run's figures and the paper's are not of the same thing."""
    return tuple(Finding(text[0].upper() + text[1:] + ".", "warning") for text in _caveats(study, index, decoding))


def _caveats(study: InContextStudy, index: FigureIndex, decoding: str) -> Iterator[str]:
    settings = study.settings
    if settings.data == "embedded":
        yield "this run used the embedded data, written for this project: compare shapes, not levels"
    else:
        yield "the paper's items cannot be had: these are others, also where they come from the same sets"
    yield _judging(study)
    if decoding and decoding != GREEDY:
        yield f"the model decoded with {decoding}, the paper's greedily"
    length, strategy, question = study.main_setting
    if length is not None or strategy != "noforget" or question:
        asked = ", open question" if question else ""
        yield (
            f"the run's main figures are at {length_name(length)} length with the {strategy} prompt{asked}, the "
            "paper's at native length with the plain role prompt"
        )
    if settings.direction != "forward":
        yield "preferences were asked in the other direction"
    cut = [entry for entry in index.named("truncated") if entry.value and entry.n]
    if cut:
        replies = round(sum((entry.value or 0) * entry.n for entry in cut))
        yield (
            f"{counted(replies, 'reply', 'replies')} were cut off at {settings.max_tokens} tokens and left out; the "
            "paper prints no limit"
        )
    if any(key.scenario == Scenario.SUBTASK_REVISION.value for key in study.main_cells()):
        yield "the paper does not say how it reads the last clause of subtask revision"


def _judging(study: InContextStudy) -> str:
    by_rule = int((study.queries["decided_by"] == "rule").sum())
    judges = sorted({name for names in study.queries["judge_names"].drop_nulls() for name in names})
    judged = f"{' and '.join(judges)} with our rubrics" if judges else "nobody"
    if by_rule == study.queries.height:
        return f"replies were scored by rule, the paper's by a judge ({PAPER_JUDGE})"
    share = percent(by_rule / study.queries.height)
    return f"{share} of the replies were scored by rule and the others by {judged}, the paper's all by {PAPER_JUDGE}"


def _printed(frame: pl.DataFrame) -> dict[str, Row]:
    """Rows by model, figures as proportions."""
    names = {printed: own for own, printed in _PRINTED.items()} | {"percent": "percent"}
    return {
        published_model(row["model"]): {names[key]: value / 100 for key, value in row.items() if key in names}
        for row in frame.iter_rows(named=True)
    }


def _scenario_table(index: FigureIndex, key: DialogueCell) -> Table:
    def of(table: str) -> dict[str, Row]:
        return _printed(published_table(f"in_context_{table}").filter(pl.col("scenario") == key.scenario))

    differences, gains = of("table5_difference"), of("table4_wrong_to_right")
    rows: list[Row] = [
        {"model": THIS_RUN} | {column.key: index.interval(column.key, **key.factors) for column in _MEASURES}
    ]
    for model, row in of("table1_main").items():
        rows.append({"model": model, **row, "drop": differences[model]["percent"], "wr": gains[model]["percent"]})
    return Table(
        f"Tables 1, 4 and 5 beside this run: {scenario_name(key.scenario)}",
        (text_column("model", "Model"), *_MEASURES),
        tuple(rows),
        note=_ZEROS if key.scenario == Scenario.SUBTASK_REVISION.value else "",
        slug=f"published-{key.scenario.replace('_', '-')}",
    )


def _average_table(study: InContextStudy, index: FigureIndex) -> Table | None:
    length, strategy, question = study.main_setting
    factors = DialogueCell(AVERAGE, length, strategy, question).factors
    if index.get("na", **factors) is None:
        return None
    columns = _MEASURES[:3]
    rows: list[Row] = [{"model": THIS_RUN} | {c.key: index.interval(c.key, **factors) for c in columns}]
    rows.extend(
        {"model": model, **row} for model, row in _printed(published_table("in_context_table11_average")).items()
    )
    return Table(
        "Table 11 beside this run: mean of the three scenarios",
        (text_column("model", "Model"), *columns),
        tuple(rows),
        slug="published-average",
    )


def _strategy_table(study: InContextStudy, index: FigureIndex) -> Iterator[Table]:
    """What the reminder changes, where both prompts were run at native length."""
    table = published_table("in_context_table2_prompt_strategy")
    by_prompt = {
        (strategy, scenario): _printed(part)
        for (strategy, scenario), part in table.partition_by("strategy", "scenario", as_dict=True).items()
    }
    rows: list[Row] = []
    for key in study.cells:
        factors = {**key.factors, "against": "noforget"}
        if key.length is not None or key.question or index.get("strategy.fa", **factors) is None:
            continue
        if key.strategy != "forget":
            continue
        plain, forget = (by_prompt[prompt, key.scenario] for prompt in ("no_forget_prompt", "forget_prompt"))
        for name, label in (("na", "NA"), ("fa", "FA"), ("sfrr", "SFRR")):
            row: Row = {"scenario": scenario_name(key.scenario), "measure": label}
            row[THIS_RUN] = index.interval(f"strategy.{name}", **factors)
            row |= {model: _difference(forget[model][name], plain[model][name]) for model in forget}
            rows.append(row)
    if rows:
        models = [published_model(model) for model in table["model"].unique(maintain_order=True)]
        yield Table(
            "Table 2 beside this run: change with the reminder",
            (
                text_column("scenario", "Scenario"),
                text_column("measure", "Measure"),
                Column(THIS_RUN, "This run", "points"),
                *(Column(model, model, "points") for model in models),
            ),
            tuple(rows),
            note="The paper's columns are differences of two printed figures.",
            slug="published-table-2",
        )


def _difference(first: Cell | Interval, second: Cell | Interval) -> float:
    if not isinstance(first, float) or not isinstance(second, float):
        raise TypeError("printed figures are numbers")
    return first - second


def _length_tables(study: InContextStudy, index: FigureIndex) -> Iterator[Table]:
    """Each measure at the paper's lengths that were run too."""
    table = published_table("in_context_tables6to8_context_length")
    models = table["model"].unique(maintain_order=True).to_list()
    printed = {
        (scenario, length): _printed(part)
        for (scenario, length), part in table.partition_by("scenario", "context_tokens", as_dict=True).items()
    }
    strategy = study.main_setting[1]
    for scenario in SCENARIOS:
        rows: list[Row] = []
        for name, label in (("na", "NA"), ("fa", "FA"), ("sfrr", "SFRR")):
            for length in study.lengths:
                key = DialogueCell(scenario, length, strategy)
                if key in study.cells and (scenario, length) in printed:
                    own: Row = {model: row[name] for model, row in printed[scenario, length].items()}
                    run = index.interval(name, **key.factors)
                    rows.append({"measure": label, "length": length_name(length), THIS_RUN: run, **own})
        if rows:
            yield Table(
                f"Tables 6 to 8 beside this run: {scenario_name(scenario)} over context length",
                (
                    text_column("measure", "Measure"),
                    text_column("length", "Length"),
                    Column(THIS_RUN, "This run", "percent"),
                    *(Column(model, model, "percent") for model in models),
                ),
                tuple(rows),
                note="The paper does not say how it counts tokens or where it puts the unrelated turns.",
                slug=f"published-lengths-{scenario.replace('_', '-')}",
            )
