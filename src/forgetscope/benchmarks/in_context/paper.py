"""The paper's experiment: ICF-Bench, three scenarios in two forms, two prompts, seven lengths."""

from collections.abc import Iterable, Mapping, Sequence

from forgetscope.benchmarks.papers import PaperDesign, PaperEntry, PaperSetting
from forgetscope.findings.beside_paper import PrintedTable
from forgetscope.findings.figures import Chart, Table
from forgetscope.findings.measures import FigureIndex


def _tables() -> Sequence[PrintedTable]:
    from forgetscope.benchmarks.in_context.report.published import printed_tables

    return printed_tables()


def _over_models(runs: Mapping[str, FigureIndex]) -> Iterable[Table | Chart]:
    from forgetscope.benchmarks.in_context.report.over_models import over_models

    return over_models(runs)


ENTRIES = (
    PaperEntry("condition", "three scenarios in two forms", "sections 3.1 and 3.3", "setting scenarios"),
    PaperEntry("condition", "two prompts", "Tables 2 and 9", "setting strategies"),
    PaperEntry("condition", "seven context lengths", "section 3.5", "setting lengths"),
    PaperEntry("condition", "the second prompt at native length alone", "Table 2", "setting crossed"),
    PaperEntry("condition", "request and query as consecutive user turns", "appendix C", "setting consecutive"),
    PaperEntry(
        "size",
        "994, 710 and 784 items",
        "section 3.2.2",
        "nowhere: the authors' items cannot be had; forgetscope build in-context makes others",
    ),
    PaperEntry("prompt", "system messages", "Table 9", "text forgetscope.benchmarks.in_context.prompts:system_message"),
    PaperEntry(
        "prompt",
        "the sentence before the options",
        "appendix C",
        "text forgetscope.benchmarks.in_context.prompts:OPTIONS_SENTENCE",
    ),
    PaperEntry(
        "prompt",
        "rubrics of the judges",
        "appendix B",
        "text forgetscope.benchmarks.in_context.scoring.judges.rubrics:questions",
    ),
    PaperEntry("parameter", "a judge of every reply", "section 3.3", "setting judged"),
    PaperEntry("metric", "NoForget accuracy", "section 3.4", "figure paper.na"),
    PaperEntry("metric", "Forget accuracy", "section 3.4", "figure paper.fa"),
    PaperEntry("metric", "SFRR", "section 3.4", "figure paper.sfrr"),
    PaperEntry("metric", "wrong without, right with interference", "Table 4", "figure paper.wr"),
    PaperEntry("metric", "NA - FA", "Table 5", "figure paper.drop"),
    PaperEntry(
        "test",
        "correlations over models",
        "Table 10",
        "text forgetscope.benchmarks.in_context.metrics.across:across_figures",
    ),
    PaperEntry("table", "1: NA, FA, SFRR", "section 4.2", "table in_context_table1_main"),
    PaperEntry("table", "2: prompts", "section 4.5", "table in_context_table2_prompt_strategy"),
    PaperEntry("table", "4: WR", "section 4.2", "table in_context_table4_wrong_to_right"),
    PaperEntry("table", "5: NA - FA", "section 4.2", "table in_context_table5_difference"),
    PaperEntry("table", "6 to 8: context length", "appendix D", "table in_context_tables6to8_context_length"),
    PaperEntry("table", "11: averages", "appendix D", "table in_context_table11_average"),
    PaperEntry(
        "table",
        "10: correlations",
        "section 4.6",
        "table in_context_table10_correlations",
    ),
    PaperEntry(
        "table",
        "12 to 14: agreement with people",
        "appendix E",
        "text forgetscope.benchmarks.in_context.report.agreement:agreement_table",
    ),
    PaperEntry("figure", "3: turns and tokens of the forms", "section 3.2.2", "figure form.turns"),
    PaperEntry("figure", "5: accuracy over context length", "section 4.4", "figure trend.na"),
    PaperEntry("claim", "NA and FA fall with length", "appendix D", "figure trend.fa"),
    PaperEntry("claim", "the reminder helps", "section 4.5", "figure strategy.fa"),
    PaperEntry("figure", "1 and 2: the scenarios, the pipeline", "sections 1 and 3", "nowhere: drawings of the design"),
    PaperEntry("figure", "4: averages over the scenarios", "section 4.3", "table in_context_table11_average"),
    PaperEntry("table", "3: agreement of judge and people", "section 4", "nowhere: it prints the figures of Table 12"),
    PaperEntry(
        "claim",
        "memory grows with a model, forgetting does not",
        "section 4.3",
        "text forgetscope.benchmarks.in_context.metrics.across:across_figures",
    ),
)

PAPER = PaperDesign(
    title="Do LLMs Forget What They Should? Evaluating In-Context Forgetting in Large Language Models (ICF-Bench)",
    settings={
        "scenarios": PaperSetting("all", "section 3.1"),
        "lengths": PaperSetting("native,all", "Table 1 at native length; section 3.5, Tables 6 to 8: 0.5k to 30k"),
        "strategies": PaperSetting("noforget,forget", "section 4.5, Tables 2 and 9"),
        "crossed": PaperSetting(False, "Tables 2 and 6 to 8: the second prompt at native length alone"),
        "questions": PaperSetting("options", "appendix C: four options"),
        "probes": PaperSetting("none", "section 3.1: one query an item"),
        "arms": PaperSetting("none", "section 3.3: two forms alone"),
        "direction": PaperSetting("forward", "section 3.2.1: the source's own preference is the new one"),
        "consecutive": PaperSetting("raw", "appendix C: the rows hold request and query one after the other"),
        "judged": PaperSetting("all", "section 3.3: every reply is judged, by GPT-O4mini"),
        "seed": PaperSetting(42, "silent: 42"),
        "max_tokens": PaperSetting(1024, "silent: 1024"),
    },
    extended={"probes": "reask,neighbour", "questions": "all", "crossed": True, "arms": "all"},
    tables=_tables,
    over_models=_over_models,
    entries=ENTRIES,
    judge="GPT-O4mini",
    notes=(
        "the paper pairs a question with another query's options: forgetscope build in-context --source-pairing paper",
    ),
)
