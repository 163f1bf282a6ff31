"""The paper's experiment: VLM-UnBench, five conditions on thirteen splits of seven picture sets."""

from collections.abc import Iterable, Mapping, Sequence

from forgetscope.benchmarks.papers import PaperDesign, PaperEntry, PaperSetting
from forgetscope.findings.beside_paper import PrintedTable
from forgetscope.findings.figures import Chart, Table
from forgetscope.findings.measures import FigureIndex


def _tables() -> Sequence[PrintedTable]:
    from forgetscope.benchmarks.visual.report.published import PRINTED

    return PRINTED


def _over_models(runs: Mapping[str, FigureIndex]) -> Iterable[Table | Chart]:
    from forgetscope.benchmarks.visual.report.over_models import over_models

    return over_models(runs)


ENTRIES = (
    PaperEntry(
        "condition",
        "baseline, soft, medium on both sides; two oracles on the forget side",
        "section 3.4, Table 2",
        "setting conditions",
    ),
    PaperEntry("size", "thirteen splits of seven sources", "section 3.2, Table 1", "table visual_table1_splits"),
    PaperEntry("size", "every test picture", "Table 1", "setting pictures"),
    PaperEntry(
        "prompt",
        "question, choices, condition, one digit",
        "appendix B",
        "text forgetscope.benchmarks.visual.prompts:PROMPTS_VERSION",
    ),
    PaperEntry("prompt", "what the oracles name", "section 3.4", "setting oracle_target"),
    PaperEntry("parameter", "a generated digit", "appendix B", "setting modes"),
    PaperEntry("metric", "forget macro-accuracy", "equation 2", "figure paper.forget.macro"),
    PaperEntry("metric", "retain accuracy", "equation 3", "figure paper.retain"),
    PaperEntry("metric", "change against the baseline", "Figure 5", "figure forget.change"),
    PaperEntry("table", "appendix A: model x dataset x condition", "appendix A", "table visual_appendixA"),
    PaperEntry("figure", "3(a): forget accuracy by dataset", "section 4.2", "figure forget.macro"),
    PaperEntry("figure", "3(b): retain accuracy by dataset", "section 4.2", "figure retain"),
    PaperEntry("figure", "3(c): forget accuracy by level", "section 4.2", "figure pooled.forget.macro"),
    PaperEntry("figure", "4: retain against forget accuracy", "section 4.2", "figure retain"),
    PaperEntry(
        "figure",
        "5(a), 5(b): change by model and dataset",
        "section 4.2",
        "text forgetscope.benchmarks.visual.report.over_models:over_models",
    ),
    PaperEntry("claim", "soft and medium hardly lower forget accuracy", "section 4.2", "figure forget.change"),
    PaperEntry("claim", "retain accuracy is stable", "section 4.2", "figure retain.change"),
    PaperEntry(
        "claim",
        "poor under soft and anomalous under the oracles is forgetting",
        "section 3.4",
        "text forgetscope.benchmarks.visual.metrics.verdicts:paper_verdict",
    ),
    PaperEntry(
        "claim",
        "larger models are not easier to unlearn",
        "section 4.2",
        "nowhere: the audit page has it of the paper's models; of one's own it takes their sizes",
    ),
    PaperEntry(
        "metric",
        "the first digit at a word boundary; without one, invalid",
        "section 4.1, appendix B",
        "text forgetscope.benchmarks.visual.scoring.parsing:first_digit",
    ),
    PaperEntry("figure", "1 and 2: the idea, the pipeline", "sections 1 and 3", "nowhere: drawings of the design"),
)

PAPER = PaperDesign(
    title="Can VLMs Truly Forget? Benchmarking Training-Free Visual Concept Unlearning (VLM-UnBench)",
    settings={
        "splits": PaperSetting("all", "section 3.2, Table 1: thirteen splits"),
        "conditions": PaperSetting("paper", "section 3.4, Table 2: five conditions, the oracles on the forget side"),
        "controls": PaperSetting("none", "section 3.4: no condition without the picture"),
        "vision_free": PaperSetting(False, "section 3.4: no condition without the picture"),
        "probes": PaperSetting("choice", "section 3.3: multiple choice throughout"),
        "modes": PaperSetting("generate", "appendix B: a digit is generated"),
        "phrasings": PaperSetting(1, "section 3.4: one text a condition"),
        "orders": PaperSetting(1, "section 3.2: one order of the choices an item"),
        "oracle_target": PaperSetting("concept", "section 3.4: the text names the right answer"),
        "eligibility": PaperSetting(0, "section 4: every concept counts, known or not"),
        "pictures": PaperSetting(0, "Table 1: every test picture of a split"),
        "seed": PaperSetting(42, "silent: no draw of the five conditions depends on it"),
        "max_tokens": PaperSetting(64, "silent: the authors' runner allows as many"),
    },
    extended={
        "conditions": "all",
        **dict.fromkeys(("controls", "vision_free", "probes", "phrasings", "eligibility", "pictures")),
    },
    tables=_tables,
    over_models=_over_models,
    entries=ENTRIES,
)
