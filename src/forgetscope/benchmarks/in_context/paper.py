"""The paper's experiment: ICF-Bench, three scenarios in two forms, two prompts, seven lengths."""

from collections.abc import Sequence

from forgetscope.benchmarks.papers import PaperDesign, PaperSetting
from forgetscope.findings.beside_paper import PrintedTable


def _tables() -> Sequence[PrintedTable]:
    from forgetscope.benchmarks.in_context.report.published import printed_tables

    return printed_tables()


PAPER = PaperDesign(
    title="Do LLMs Forget What They Should? Evaluating In-Context Forgetting in Large Language Models (ICF-Bench)",
    settings={
        "scenarios": PaperSetting("all", "section 3.1"),
        "lengths": PaperSetting("native,all", "Table 1 at native length; section 3.5, Tables 6 to 8: 0.5k to 30k"),
        "strategies": PaperSetting("noforget,forget", "section 4.5, Tables 2 and 9"),
        "crossed": PaperSetting(False, "Tables 2 and 6 to 8: the second prompt at native length alone"),
        "questions": PaperSetting("options", "appendix C: four options"),
        "probes": PaperSetting("none", "section 3.1: one query an item"),
        "direction": PaperSetting("forward", "section 3.2.1: the source's own preference is the new one"),
        "consecutive": PaperSetting("raw", "appendix C: the rows hold request and query one after the other"),
        "judged": PaperSetting("all", "section 3.3: every reply is judged, by GPT-O4mini"),
        "seed": PaperSetting(42, "silent: 42"),
        "max_tokens": PaperSetting(1024, "silent: 1024"),
    },
    extended={"probes": "reask,neighbour", "questions": "all", "crossed": True},
    tables=_tables,
    judge="GPT-O4mini",
    notes=(
        "the paper pairs a question with another query's options: forgetscope build in-context --source-pairing paper",
    ),
)
