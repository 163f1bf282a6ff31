"""An in-context metric: how many words a reply has, in each form of an item. Forgetting is not falling silent."""

from collections.abc import Iterator

from forgetscope.benchmarks.in_context.metrics import InContextMetric, InContextStudy
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import figure
from forgetscope.findings.tables import MetricTable, count, label, number
from forgetscope.stats import clustered_mean


def word_figures(study: InContextStudy) -> Iterator[Figure]:
    """Mean words of a reply, per cell and form."""
    for key in study.cells:
        for (form,), part in sorted(study.cell(key).partition_by("form", as_dict=True).items()):
            factors = {**key.factors, "form": str(form)}
            words = part["reply"].str.split(" ").list.len().to_numpy().astype(float)
            mean = clustered_mean(words, part["item"].to_list(), kind="unbounded")
            yield figure("words", factors, mean, unit="count", label="words of a reply")


WORDS = InContextMetric(
    word_figures,
    MetricTable(
        "Words of a reply",
        rows="words",
        columns=(
            label("scenario", "scenario"),
            label("length", "length"),
            label("form", "form"),
            number("words", "words"),
            count("replies", "words"),
        ),
    ),
)
