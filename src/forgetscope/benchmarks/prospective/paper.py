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
    PaperEntry(
        "condition",
        "four soft-tension pairs, 24 cells of 10",
        "appendix G.2",
        "text forgetscope.benchmarks.prospective.data.stacking:TENSION_PAIRS",
    ),
    PaperEntry(
        "condition",
        "o4-mini, DeepSeek-V3.1, Llama-3.3-70B",
        "section 4.1, Table 6",
        "nowhere: models are named by who runs; the paper's figures stand beside them",
    ),
    PaperEntry(
        "size",
        "15 of IFEval's 25 types, by category (Table 5)",
        "section 3.2, appendix A.1",
        "text forgetscope.checkers:CONSTRAINTS",
    ),
    PaperEntry(
        "size",
        "90 constraints, 6 of each type, drawn once with seed 42",
        "section 4.1, appendix B.2",
        "text forgetscope.benchmarks.prospective.data.items:PER_TYPE",
    ),
    PaperEntry("size", "three runs, seeds 42, 137, 256; load items drawn anew", "section 4.3", "setting seeds"),
    PaperEntry(
        "size",
        "a run: 90 of TriviaQA, MMLU and GSM8K, 30 and 18 chains, 45 articles (Table 7)",
        "appendix A.3",
        "text forgetscope.benchmarks.prospective.loads.registry:PAPER_LOADS",
    ),
    PaperEntry(
        "size",
        "articles of 600 to 1000 cl100k tokens",
        "appendix A.3",
        "text forgetscope.benchmarks.prospective.loads.summary:CNN_DAILYMAIL",
    ),
    PaperEntry(
        "size",
        "CNN/DailyMail from the test split",
        "Table 7",
        "text forgetscope.benchmarks.prospective.data.loading:HUB_SETS",
    ),
    PaperEntry(
        "size",
        "safe pool of 11 types, two pairs kept apart (Table 11)",
        "appendix G.1",
        "text forgetscope.benchmarks.prospective.data.stacking:safe_pool",
    ),
    PaperEntry("size", "15 neutral topics", "appendix G.3", "text forgetscope.benchmarks.prospective.prompts:TOPICS"),
    PaperEntry(
        "size",
        "N in 1, 2, 3, 5; M in 0, 1, 3; ten prompts a cell",
        "appendix G.3",
        "text forgetscope.benchmarks.prospective.data.stacking:STACK_SIZES",
    ),
    PaperEntry("parameter", "greedy: temperature 0", "appendix B.4", "setting temperature"),
    PaperEntry("parameter", "2048 tokens", "appendix B.4", "setting max_tokens"),
    PaperEntry(
        "parameter",
        "five retries with exponential backoff, replies kept one by one",
        "appendix B.4",
        "text forgetscope.running.manifest:Limits",
    ),
    PaperEntry(
        "parameter",
        "no temperature and max_completion_tokens for o4-mini",
        "appendix B.4",
        "nowhere: left to Inspect's provider, which knows its models",
    ),
    PaperEntry(
        "parameter",
        "constraints' parameters from IFEval's metadata",
        "appendix G.3",
        "text forgetscope.benchmarks.prospective.data.stacking:draw_parameters",
    ),
    PaperEntry(
        "prompt",
        "system message of appendix B.4",
        "appendix B.4",
        "text forgetscope.benchmarks.prospective.prompts:SYSTEM_MESSAGE",
    ),
    PaperEntry("prompt", "system message of appendix D", "appendix D", "setting system_message"),
    PaperEntry(
        "prompt",
        "heading and trailing sentence",
        "section 3.4",
        "text forgetscope.benchmarks.prospective.prompts:HEADING",
    ),
    PaperEntry(
        "prompt",
        "trailing sentence of stacks",
        "appendix G.3",
        "text forgetscope.benchmarks.prospective.prompts:STACKING_TRAILING",
    ),
    PaperEntry(
        "prompt",
        "stacks: labelled constraints, topic, problems, reminder",
        "appendix G.3",
        "text forgetscope.benchmarks.prospective.data.stacking:stacking_samples",
    ),
    PaperEntry(
        "prompt",
        "the neutral connector, and the templates of D.1 to D.5",
        "section 3.3, appendix D",
        "nowhere: lost in the text we have; ours are versioned",
    ),
    PaperEntry("metric", "strict compliance", "section 3.5", "figure compliance.strict.paper"),
    PaperEntry("metric", "loose compliance", "section 3.5, appendix B.3", "figure compliance.loose.paper"),
    PaperEntry(
        "metric",
        "loose: the variants B.3 lists",
        "appendix B.3",
        "nowhere: its list ends in etc.; ours are IFEval's eight",
    ),
    PaperEntry("metric", "forgetting delta", "equation 1", "figure delta.paper"),
    PaperEntry("metric", "task accuracy by the paper's parsers", "section 3.5", "figure task.accuracy.paper"),
    PaperEntry("metric", "ROUGE-L of summaries", "section 3.5", "figure task.rouge_l.paper"),
    PaperEntry("metric", "joint compliance, strict", "section 3.6", "figure stacking.joint.strict"),
    PaperEntry("metric", "joint compliance, loose", "section 3.6", "figure stacking.joint.loose"),
    PaperEntry("metric", "average delta of a model", "section 5.1", "figure delta.average"),
    PaperEntry("metric", "average gain of the reminder", "section 5.1", "figure gain.average"),
    PaperEntry("metric", "lift of the reminder in stacks", "section 5.4", "figure stacking.lift"),
    PaperEntry("metric", "tokens of prompt and reply", "appendix C", "figure tokens.output"),
    PaperEntry("metric", "the spread between the three runs", "appendix B.2", "figure spread.runs"),
    PaperEntry("test", "McNemar with continuity correction", "appendix B.1", "figure delta.mcnemar.pooled.corrected"),
    PaperEntry("test", "Cohen's h", "appendix B.1", "figure delta.cohens_h"),
    PaperEntry(
        "test", "bootstrap interval of the pooled outcomes, 10,000", "appendix B.1", "figure compliance.strict.pooled"
    ),
    PaperEntry("table", "1: compliance by condition and model", "section 5.1", "table prospective_table1_compliance"),
    PaperEntry("table", "2: what GSM8K costs, by type", "section 5.2", "table prospective_table2_types"),
    PaperEntry("table", "3: task accuracy", "section 5.3", "table prospective_table3_task_accuracy"),
    PaperEntry("table", "4: joint compliance by N", "section 5.4", "table prospective_table4_stacking"),
    PaperEntry("table", "8: intervals, deltas, h, McNemar's p", "appendix B.1", "table prospective_table8_statistics"),
    PaperEntry("table", "9: tokens by condition", "appendix C", "table prospective_table9_tokens"),
    PaperEntry("table", "10: mechanisms", "appendix F", "table prospective_table10_mechanisms"),
    PaperEntry("table", "12: joint compliance by M", "appendix H.1", "table prospective_table12_stacking_load"),
    PaperEntry("table", "13: types inside stacks", "appendix H.2", "table prospective_table13_type_under_stacking"),
    PaperEntry("table", "14: tension against safe pairs", "appendix I", "table prospective_table14_tension"),
    PaperEntry("figure", "1: the pipeline", "section 3", "nowhere: a drawing of the design, which the README tells"),
    PaperEntry("figure", "2: compliance curves with intervals", "section 5.1", "chart compliance-by-load"),
    PaperEntry("figure", "3: deltas by condition", "section 5.1", "chart deltas"),
    PaperEntry("figure", "4: gain of the reminder", "section 5.1", "chart gains"),
    PaperEntry("figure", "5 and 6", "unknown", "nowhere: our text has neither them nor a sentence on them"),
    PaperEntry("figure", "7: compliance over chains", "section 5.3", "chart chain-length"),
    PaperEntry("figure", "8: reminder beside natural embedding", "appendix E.1", "chart compliance-by-load"),
    PaperEntry("figure", "9: cost in both directions", "appendix E.2", "chart both-ways"),
    PaperEntry("claim", "compliance drops under load", "abstract, section 5.1", "figure delta.paired"),
    PaperEntry(
        "claim", "loose deltas of the same pattern, slightly attenuated", "section 5.1", "figure delta.loose.paper"
    ),
    PaperEntry("claim", "the reminder gains compliance", "section 5.1", "figure gain.paper"),
    PaperEntry("claim", "with the reminder compliance exceeds the baseline", "section 5.1", "figure delta.paper"),
    PaperEntry(
        "claim", "terminal constraints lose most, avoidance little", "section 5.2", "figure contrast.terminal_avoidance"
    ),
    PaperEntry("claim", "a format costs the task", "section 5.3", "figure task.cost.paper"),
    PaperEntry("claim", "chains: compliance does not fall steadily with length", "section 5.3", "figure trend.chain"),
    PaperEntry("claim", "joint compliance falls with each constraint", "section 5.4", "figure stacking.decline"),
    PaperEntry(
        "claim",
        "problems lower joint compliance further",
        "section 5.4, appendix H.1",
        "figure stacking.trend.problems",
    ),
    PaperEntry("claim", "the reminder's lift in stacks has either sign", "section 5.4", "figure stacking.lift.lowest"),
    PaperEntry("claim", "number_words + bullet_lists is in tension", "appendix I", "figure tension.gap.safe"),
    PaperEntry("claim", "five mechanisms of failure", "appendix F", "figure mechanism.count"),
    PaperEntry(
        "claim",
        "mechanisms as people sort them",
        "appendix F",
        "text forgetscope.benchmarks.prospective.scoring.annotation:ANNOTATION",
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
