"""The paper's experiment: VLM-UnBench, five conditions on thirteen splits of seven picture sets."""

from collections.abc import Sequence

from forgetscope.benchmarks.papers import PaperDesign, PaperSetting
from forgetscope.findings.beside_paper import PrintedTable


def _tables() -> Sequence[PrintedTable]:
    from forgetscope.benchmarks.visual.report.published import PRINTED

    return PRINTED


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
)
