"""The paper's experiment: Mittal, Did You Forget What I Asked? Prospective Memory Failures in Large Language Models."""

from collections.abc import Sequence

from forgetscope.benchmarks.papers import PaperDesign, PaperSetting
from forgetscope.findings.beside_paper import PrintedTable


def _tables() -> Sequence[PrintedTable]:
    from forgetscope.benchmarks.prospective.report.published import PRINTED

    return PRINTED


PAPER = PaperDesign(
    title="Did You Forget What I Asked? Prospective Memory Failures in Large Language Models (Mittal)",
    settings={
        "experiments": PaperSetting("load,stacking,tension", "sections 3.3, 3.4 and 3.6; appendix G"),
        "conditions": PaperSetting("baseline,task_only,natural,reminder", "section 4.2"),
        "loads": PaperSetting("triviaqa,mmlu,gsm8k_x1,gsm8k_x3,gsm8k_x5,cnn_dailymail", "section 4.2, Table 1"),
        "prompts": PaperSetting("paper", "section 4.1: 90 constraints, 6 of each of 15 types, fixed across runs"),
        "seeds": PaperSetting("42,137,256", "section 4.3: three runs"),
        "system_message": PaperSetting("appendix_b", "appendix B.4; appendix D prints another"),
        "max_tokens": PaperSetting(2048, "appendix B.4: greedy, 2048 tokens"),
    },
    extended={"conditions": "all", "experiments": "all"},
    tables=_tables,
    notes=("the greedy baseline is the same in every run: it is sent once and counted in each",),
)
