"""Several runs together as the paper has its models: Table 10, and Figures 4 and 5 of one's own."""

from collections.abc import Iterator, Mapping

from forgetscope.benchmarks.in_context.data.scenarios import LENGTHS
from forgetscope.benchmarks.in_context.metrics.across import paper_correlations
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, SCENARIOS, DialogueCell
from forgetscope.benchmarks.in_context.report.names import length_name, scenario_name
from forgetscope.benchmarks.in_context.report.published import MEASURES, correlation_table
from forgetscope.findings.beside_paper import with_model
from forgetscope.findings.charts import chart, drawn, line
from forgetscope.findings.figures import Chart, Table
from forgetscope.findings.measures import FigureIndex

PLAIN = "noforget"
"""The prompt of the paper's main tables."""


def over_models(runs: Mapping[str, FigureIndex]) -> Iterator[Table | Chart]:
    """What these runs have of it, by their models' names, as the paper reads replies."""
    table = correlation_table().with_runs({f"these {len(runs)} models": FigureIndex(paper_correlations(runs))})
    if table is not None:
        yield table
    index = with_model(runs)
    means = {name: {**DialogueCell(AVERAGE, None, PLAIN).factors, "model": name} for name in runs}
    lines = drawn(index, means, [line(column.label, f"paper.{column.key}") for column in MEASURES[:3]])
    if lines:
        title = "NA, FA and SFRR, mean of the scenarios (the paper's figure 4)"
        yield chart(index, "bars", title, over=means, lines=lines, summary="{said}.", slug="over-models-figure-4")
    for scenario in SCENARIOS:
        lengths = {length_name(length): DialogueCell(scenario, length, PLAIN).factors for length in LENGTHS}
        for column in MEASURES[:3]:
            lines = drawn(index, lengths, [line(name, f"paper.{column.key}", model=name) for name in runs])
            if lines:
                yield chart(
                    index,
                    "lines",
                    f"{scenario_name(scenario)}: {column.label} over context length (the paper's figure 5)",
                    over=lengths,
                    lines=lines,
                    summary="{said}.",
                    most=2,
                    slug=f"over-models-figure-5-{scenario.replace('_', '-')}-{column.key}",
                )
