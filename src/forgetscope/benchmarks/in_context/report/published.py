"""The paper's Tables 1, 2, 4 to 8 and 11 as printed, what of ours each value is of, and what keeps the two apart."""

from collections.abc import Iterator, Sequence

import polars as pl

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.data.loading import EMBEDDED_FOLDERS
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, SCENARIOS, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import length_name, scenario_name
from forgetscope.findings.beside_paper import Ours, PrintedTable, beside_paper_section
from forgetscope.findings.figures import Column, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent
from forgetscope.findings.published import MODEL_ALIASES, published_table
from forgetscope.findings.tables import Factors, label

PAPER_JUDGE = "GPT-O4mini"
GREEDY = "greedy"

_ZEROS = "Table 4 prints a WR of 0 here for every model; the printed NA, FA and SFRR leave 1.5 to 6.1 percent."

MEASURES = (
    Column("na", "NA", "percent"),
    Column("fa", "FA", "percent"),
    Column("sfrr", "SFRR", "percent"),
    Column("drop", "NA - FA", "points"),
    Column("wr", "WR", "percent", "wrong without the request, right with it"),
)
_NAMES = {"no_forget_accuracy": "na", "forget_accuracy": "fa"}
_STRATEGIES = {"no_forget_prompt": "noforget", "forget_prompt": "forget"}
_THREE = ("na", "fa", "sfrr")
_LABELS = {column.key: column.label for column in MEASURES}


def published_section(study: InContextStudy, index: FigureIndex, decoding: str) -> Section:
    """Caveats first, then the run among the paper's models: by scenario, and where they were run, prompts and lengths.

    Args:
        study: Of the run.
        index: Its figures.
        decoding: How the model under test decoded, as the manifest has it; empty where unknown.
    """
    length, strategy, question = study.main_setting
    return beside_paper_section(
        index,
        caveats(study, index, decoding),
        [
            *(scenario_table(key) for key in study.main_cells() if not key.question),
            _average_table(DialogueCell(AVERAGE, length, strategy, question)),
            *([_strategy_table()] if index.named("strategy.fa") else ()),
            *(_length_table(study.main_setting[1], scenario) for scenario in SCENARIOS),
        ],
    )


def caveats(study: InContextStudy, index: FigureIndex, decoding: str) -> Iterator[str]:
    """Why the run's figures and the paper's are not of the same thing."""
    settings = study.settings
    if settings.data in EMBEDDED_FOLDERS:
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
    cut = [entry for entry in index.named("truncated") if entry.value and entry.n and "arm" not in entry.factors]
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
    by_judge = study.queries.filter(pl.col("decided_by") == "judge")["judge_names"].drop_nulls()
    judges = sorted({name for names in by_judge for name in names})
    judged = f"{' and '.join(judges)} with our rubrics" if judges else "nobody"
    if by_rule == study.queries.height:
        return f"replies were scored by rule, the paper's by a judge ({PAPER_JUDGE})"
    share = percent(by_rule / study.queries.height)
    return f"{share} of the replies were scored by rule and the others by {judged}, the paper's all by {PAPER_JUDGE}"


def _printed(table: str) -> pl.DataFrame:
    """A printed table with our names of measures, and one name for each model."""
    frame = published_table(f"in_context_{table}")
    names = {key: own for key, own in _NAMES.items() if key in frame.columns}
    return frame.rename(names).with_columns(pl.col("model").replace(MODEL_ALIASES))


def scenario_table(key: DialogueCell, values: tuple[Column, ...] = MEASURES) -> PrintedTable:
    """Tables 1, 4 and 5 of one scenario, with the run's figures of a cell."""
    frame = _printed("table1_main")
    for table, name in (("table5_difference", "drop"), ("table4_wrong_to_right", "wr")):
        frame = frame.join(_printed(table).rename({"percent": name}), on=["model", "scenario"], maintain_order="left")
    return _by_model(
        key,
        f"Tables 1, 4 and 5 beside this run: {scenario_name(key.scenario)}",
        f"published-{key.scenario.replace('_', '-')}",
        frame.filter(pl.col("scenario") == key.scenario),
        values,
        _ZEROS if key.scenario == Scenario.SUBTASK_REVISION.value else "",
    )


def _average_table(key: DialogueCell) -> PrintedTable:
    """Table 11 with the run's figures of an average."""
    title = "Table 11 beside this run: mean of the three scenarios"
    return _by_model(key, title, "published-average", _printed("table11_average"), MEASURES[:3])


def printed_tables() -> tuple[PrintedTable, ...]:
    """The paper's tables with any run's figures in the paper's own setting: native length, the plain role prompt."""
    native, plain = None, "noforget"
    return (
        *(scenario_table(DialogueCell(scenario, native, plain)) for scenario in SCENARIOS),
        _average_table(DialogueCell(AVERAGE, native, plain)),
        _strategy_table(),
        *(_length_table(plain, scenario) for scenario in SCENARIOS),
    )


def _by_model(
    key: DialogueCell, title: str, slug: str, frame: pl.DataFrame, values: tuple[Column, ...], note: str = ""
) -> PrintedTable:
    """A table whose rows are models; the run's figures are those of a cell, as the paper reads replies."""
    ours = [(f"paper.{column.key}", key.factors) for column in values]
    return PrintedTable(title, slug, frame, values, lambda _: ours, note=note, is_by_model=True)


def _by_measure(frame: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """NA, FA and SFRR below each other, ordered by these keys and the measure in between."""
    return frame.unpivot(list(_THREE), index=[*keys, "model"], variable_name="measure", value_name="percent")


def _strategy_table() -> PrintedTable:
    """Each measure under both prompts that were run too, at native length."""
    order = {scenario: place for place, scenario in enumerate(SCENARIOS)}
    frame = _printed("table2_prompt_strategy").with_columns(pl.col("strategy").replace_strict(_STRATEGIES))
    long = _by_measure(frame, "scenario", "strategy").sort(
        pl.col("scenario").replace_strict(order), maintain_order=True
    )

    def ours(row: Factors) -> Sequence[Ours]:
        key = DialogueCell(str(row["scenario"]), None, str(row["strategy"]))
        return [(f"paper.{row['measure']}", key.factors)]

    return PrintedTable(
        "Table 2 beside this run: the plain role prompt and the reminder",
        "published-table-2",
        long,
        (Column("percent", "", "percent"),),
        ours,
        rows=("scenario", "measure", "strategy"),
        labels=(
            label("Scenario", "scenario", scenario_name),
            label("Measure", "measure", _LABELS.__getitem__),
            label("Prompt", "strategy"),
        ),
        run_only=True,
    )


def _length_table(strategy: str, scenario: str) -> PrintedTable:
    """Each measure at the paper's lengths that were run too, under the main prompt."""
    frame = _printed("tables6to8_context_length").filter(pl.col("scenario") == scenario)

    def ours(row: Factors) -> Sequence[Ours]:
        key = DialogueCell(scenario, int(str(row["context_tokens"])), strategy)
        return [(f"paper.{row['measure']}", key.factors)]

    return PrintedTable(
        f"Tables 6 to 8 beside this run: {scenario_name(scenario)} over context length",
        f"published-lengths-{scenario.replace('_', '-')}",
        _by_measure(frame, "context_tokens"),
        (Column("percent", "", "percent"),),
        ours,
        rows=("measure", "context_tokens"),
        labels=(label("Measure", "measure", _LABELS.__getitem__), label("Length", "context_tokens", length_name)),
        note="The paper does not say how it counts tokens or where it puts the unrelated turns.",
        run_only=True,
    )


def correlation_table() -> PrintedTable:
    """Table 10, which prints no intervals and names no models: of its eleven."""
    frame = published_table("in_context_table10_correlations").with_columns(model=pl.lit("the paper's 11 models"))
    columns = (Column("na_fa", "NA, FA", "number"), Column("na_sfrr", "NA, SFRR", "number"))
    values = (*columns, Column("fa_sfrr", "FA, SFRR", "number"))
    return PrintedTable(
        "Table 10: Pearson correlations over models",
        "published-table-10",
        frame,
        values,
        lambda row: [
            (f"correlation.{column.key}", DialogueCell(str(row["scenario"]), None, "noforget").factors)
            for column in values
        ],
        rows=("scenario",),
        labels=(label("Scenario", "scenario", scenario_name),),
        is_by_model=True,
        note="Three models at least; FA is NA times SFRR plus WR, so FA and SFRR go together in part by arithmetic.",
    )
