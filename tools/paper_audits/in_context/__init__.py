"""The audit of the published in-context figures."""

from forgetscope.stats import wilson
from tools.paper_audits.chapters import PaperAudit
from tools.paper_audits.in_context import across_models, conditions, main_results, people
from tools.paper_audits.in_context.counts import pair_counts
from tools.paper_audits.in_context.main_results import DESIGNED
from tools.paper_audits.in_context.tables import FORGETTING, PREFERENCE, main_table

_HEADS = (
    "model",
    "scenario",
    "items",
    "both right",
    "NoForget only",
    "Forget only",
    "neither",
    "SFRR printed",
    "95% interval",
)


def _count_rows() -> list[str]:
    lines = [" | ".join(("", *_HEADS, "")).strip(), "|" + "---|" * len(_HEADS)]
    for scenario in (FORGETTING, PREFERENCE):
        n = DESIGNED[scenario]
        for model, counts in pair_counts(scenario, n).items():
            kept = wilson(counts[0], counts[0] + counts[1])
            interval = f"{100 * (kept.low or 0):.2f} to {100 * (kept.high or 0):.2f}"
            sfrr = f"{main_table()[model, scenario].sfrr:.2f}"
            cells = [model, scenario.replace("_", " "), n, *counts, sfrr, interval]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


AUDIT = PaperAudit(
    benchmark="in-context",
    title="In-context forgetting",
    paper='"Do LLMs Forget What They Should? Evaluating In-Context Forgetting in Large Language Models" '
    "(Y. Qian, Z. Yang, W. Ding, H. Li, Y. Xie).",
    checks=(*main_results.CHECKS, *across_models.CHECKS, *conditions.CHECKS, *people.CHECKS),
    said=(
        "The main table, its averages, differences and correlations agree to the last digit, and in two of three "
        "scenarios down to whole items. What does not agree is mostly in subtask revision, in the tables of other "
        "prompts and lengths, and in sentences worded a little too widely. None of it touches the main finding, that "
        "accuracy drops for every model and scenario once something is to be forgotten.",
    ),
    appendix=(
        "The counts behind Table 1",
        (
            "The one 2 x 2 table of items that prints NA, FA, SFRR and WR of a model as they are, with 994 items of "
            "instructional forgetting and 784 of dynamic preference. They give the intervals the paper lacks (Wilson, "
            "of SFRR). No size fits subtask revision.",
        ),
        _count_rows,
    ),
)
