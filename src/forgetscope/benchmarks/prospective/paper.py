"""The paper's experiment: Mittal, Did You Forget What I Asked? Prospective Memory Failures in Large Language Models."""

from collections.abc import Sequence

from forgetscope.benchmarks.papers import PaperDesign, PaperEntry, PaperSetting
from forgetscope.findings.beside_paper import PrintedTable


def _tables() -> Sequence[PrintedTable]:
    from forgetscope.benchmarks.prospective.report.published import PRINTED

    return PRINTED


ENTRIES = (
    PaperEntry("condition", "the IFEval prompt alone", "section 4.2", "setting conditions"),
    PaperEntry("condition", "the task alone", "section 4.2", "setting conditions"),
    PaperEntry("condition", "natural embedding, six loads", "sections 3.3 and 4.2", "setting loads"),
    PaperEntry("condition", "reminder-enhanced, six loads", "sections 3.4 and 4.2", "setting conditions"),
    PaperEntry(
        "condition", "stacking: N x M x reminder, 24 cells of 10", "section 3.6, appendix G.3", "setting experiments"
    ),
    PaperEntry("condition", "four soft-tension pairs, 24 cells of 10", "appendix G.2", "setting experiments"),
    PaperEntry("size", "90 constraints, 6 of each of 15 types, fixed", "section 4.1", "setting prompts"),
    PaperEntry("size", "three runs, seeds 42, 137, 256", "section 4.3", "setting seeds"),
    PaperEntry("parameter", "2048 tokens, greedy", "appendix B.4", "setting max_tokens"),
    PaperEntry(
        "prompt",
        "system message of appendix B.4",
        "appendix B.4",
        "text forgetscope.benchmarks.prospective.prompts:SYSTEM_MESSAGE",
    ),
    PaperEntry("prompt", "system message of appendix D", "appendix D", "setting system_message"),
    PaperEntry(
        "prompt",
        "heading and trailing sentences",
        "sections 3.4 and G.3",
        "text forgetscope.benchmarks.prospective.prompts:TRAILING",
    ),
    PaperEntry(
        "prompt", "the neutral connector", "section 3.3", "nowhere: lost in the text we have; ours is versioned"
    ),
    PaperEntry("metric", "strict compliance", "section 3.5", "figure compliance.strict.paper"),
    PaperEntry("metric", "loose compliance", "appendix B.3", "figure compliance.loose.paper"),
    PaperEntry("metric", "forgetting delta", "equation 1", "figure delta.paper"),
    PaperEntry("metric", "task accuracy by the paper's parsers", "section 3.5", "figure task.accuracy.paper"),
    PaperEntry("metric", "ROUGE-L of summaries", "section 3.5", "figure task.rouge_l.paper"),
    PaperEntry("metric", "joint compliance, strict and loose", "section 3.6", "figure stacking.joint.strict"),
    PaperEntry("metric", "tokens of prompt and reply", "appendix C", "figure tokens.output"),
    PaperEntry("test", "McNemar with continuity correction", "appendix B.1", "figure delta.mcnemar.pooled.corrected"),
    PaperEntry("test", "Cohen's h", "appendix B.1", "figure delta.cohens_h"),
    PaperEntry("table", "1: compliance by condition and model", "section 5.1", "table prospective_table1_compliance"),
    PaperEntry("table", "2: what GSM8K costs, by type", "section 5.2", "table prospective_table2_types"),
    PaperEntry("table", "3: task accuracy", "section 5", "table prospective_table3_task_accuracy"),
    PaperEntry("table", "4: joint compliance by N", "section 5", "table prospective_table4_stacking"),
    PaperEntry("table", "8: intervals, deltas, h, McNemar's p", "appendix B.1", "table prospective_table8_statistics"),
    PaperEntry("table", "12: joint compliance by M", "appendix H.1", "table prospective_table12_stacking_load"),
    PaperEntry("table", "13: types inside stacks", "appendix H.2", "table prospective_table13_type_under_stacking"),
    PaperEntry("table", "9: tokens by condition", "appendix C", "table prospective_table9_tokens"),
    PaperEntry("table", "10: mechanisms", "appendix F", "table prospective_table10_mechanisms"),
    PaperEntry("table", "14: tension against safe pairs", "appendix I", "table prospective_table14_tension"),
    PaperEntry(
        "claim", "terminal constraints lose most, avoidance little", "section 5", "figure contrast.terminal_avoidance"
    ),
    PaperEntry(
        "claim", "loose deltas of the same pattern, slightly attenuated", "section 5.1", "figure delta.loose.paper"
    ),
    PaperEntry("claim", "chains lose more as they grow", "section 5", "figure trend.chain"),
    PaperEntry("claim", "the reminder gains compliance", "section 5.1", "figure gain.paper"),
    PaperEntry("claim", "joint compliance falls with each constraint", "section 5", "figure stacking.decline"),
    PaperEntry("claim", "a format costs the task", "section 5", "figure task.cost.paper"),
    PaperEntry("claim", "five mechanisms of failure", "appendix F", "figure mechanism.count"),
    PaperEntry(
        "metric",
        "the spread between the three runs",
        "appendix B.2",
        "figure spread.runs",
    ),
)

PAPER = PaperDesign(
    title="Did You Forget What I Asked? Prospective Memory Failures in Large Language Models (Mittal)",
    settings={
        "experiments": PaperSetting("load,stacking,tension", "sections 3.3, 3.4 and 3.6; appendix G"),
        "conditions": PaperSetting("baseline,task_only,natural,reminder", "section 4.2"),
        "loads": PaperSetting("triviaqa,mmlu,gsm8k_x1,gsm8k_x3,gsm8k_x5,cnn_dailymail", "section 4.2, Table 1"),
        "prompts": PaperSetting("paper", "section 4.1: 90 constraints, 6 of each of 15 types, fixed across runs"),
        "seeds": PaperSetting("42,137,256", "section 4.3: three runs"),
        "system_message": PaperSetting("appendix_b", "appendix B.4; appendix D prints another"),
        "baseline": PaperSetting(
            "once", "silent: greedy replies are the same in every run; sent once, counted in each"
        ),
        "repeats": PaperSetting(1, "section 4.3: three runs of each prompt's load, each sent once"),
        "temperature": PaperSetting(0.0, "appendix B.4: temperature 0.0"),
        "max_tokens": PaperSetting(2048, "appendix B.4: greedy, 2048 tokens"),
    },
    extended={"conditions": "all", "experiments": "all"},
    tables=_tables,
    entries=ENTRIES,
    notes=("the greedy baseline is the same in every run: it is sent once and counted in each",),
)
