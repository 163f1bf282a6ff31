"""The audit of the published visual figures."""

from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS
from forgetscope.benchmarks.visual.report.appendix import forget_bars, level_bars, retain_bars
from tools.paper_audits.chapters import PaperAudit
from tools.paper_audits.visual import claims, counts


def _bar_rows() -> list[str]:
    heads = ("mean of", *(condition.value for condition in PAPER_CONDITIONS))
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    parts = (
        *((f"forget, {name}", bars) for name, bars in forget_bars().items()),
        *((f"retain, {name}", bars) for name, bars in retain_bars().items()),
        *((f"forget, {level.value} level", bars) for level, bars in level_bars().items()),
    )
    for name, bars in parts:
        lines.append(f"| {name} | {' | '.join(f'{100 * bars[condition]:.1f}' for condition in PAPER_CONDITIONS)} |")
    return lines


AUDIT = PaperAudit(
    benchmark="visual",
    title="Visual concept suppression",
    paper='"Can VLMs Truly Forget? Benchmarking Training-Free Visual Concept Unlearning" (VLM-UnBench).',
    checks=(*counts.CHECKS, *claims.CHECKS),
    said=(
        "The main finding stands for the average model: a list of concepts to suppress changes little, a text that "
        "names the answer changes much. It does not stand for every model and dataset, the order of the levels is not "
        "what the text says, and two datasets have other sizes than Table 1 gives them.",
    ),
    appendix=(
        "The bars of Figure 3",
        ("The figure is drawn without numbers. These are plain means over the rows of Appendix A, in percent.",),
        _bar_rows,
    ),
)
