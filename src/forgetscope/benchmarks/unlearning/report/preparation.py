"""How the data of a grid came out, and how its cells got on epoch by epoch."""

from collections.abc import Mapping, Sequence
from typing import Any

from forgetscope.benchmarks.unlearning.metrics.study import UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import FORMAT, METHOD, SUBSET
from forgetscope.findings.figures import Chart, Finding, Interval, Section, Series
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import Factors, label, rate, table

LONG_TABLE = 12


def entanglement_section(summaries: Mapping[str, Mapping[str, Any]]) -> Section | None:
    """The histogram of entanglement and what low and high came out as, for each corpus; None without any.

    Args:
        summaries: Of the prepared data, by corpus.
    """
    blocks: list[Finding | Chart] = []
    for corpus, summary in summaries.items():
        found, subsets = summary.get("entanglement"), summary.get("subsets", {})
        if not found:
            continue
        bins: Sequence[tuple[float, float, int]] = found["histogram"]
        extractor = found.get("extractor")
        by = f", triplets: {extractor}" if extractor and found["measure"] != "text" else ""
        sizes = ", ".join(f"{name} {one['chunks']} chunks" for name, one in subsets.items())
        said = (
            f"{corpus}: chunks at or below {found['threshold']:.3f} are low (measured by {found['measure']}{by}); the "
            f"KL term sees {sizes}; {summary.get('held_back', 0)} are held back, {found['undefined']} have no score."
        )
        blocks.append(Finding(said))
        blocks.append(
            Chart(
                "bars",
                f"Entanglement of the retain chunks: {corpus}",
                tuple(f"{low:.1f} to {high:.1f}" for low, high, _ in bins),
                (Series("retain chunks", tuple(Interval(float(count)) for *_, count in bins)),),
                summary="; ".join(f"{low:.1f} to {high:.1f}: {count}" for low, high, count in bins if count) + ".",
                y_label="chunks",
                unit="count",
                slug="entanglement",
            )
        )
    if not blocks:
        return None
    intro = "The share of a retain chunk's entities that the forget side has too (section 3.3): 0 shares none, 1 all."
    return Section("Entanglement", tuple(blocks), intro=intro, slug="entanglement")


def epoch_section(study: UnlearningStudy, index: FigureIndex) -> Section | None:
    """Forget and Retain change after each epoch; None where no cell was evaluated by epoch."""
    rows: list[Factors] = [
        {name: value for name, value in entry.factors.items() if name != "group"}
        for entry in index.named("epoch.group")
        if entry.factors["group"] == "forget"
    ]
    if not rows:
        return None
    made = [
        table(
            index,
            f"S_change by epoch: {corpus}",
            [row for row in rows if row["corpus"] == corpus],
            [
                FORMAT,
                SUBSET,
                METHOD,
                label("Epochs", lambda row: f"{row['epoch']}"),
                rate("Forget", "epoch.group", group="forget"),
                rate("Retain", "epoch.group", group="retain"),
            ],
            slug="epochs",
            folded=len(rows) > LONG_TABLE,
        )
        for corpus in dict.fromkeys(key.corpus for key in study.cells)
    ]
    intro = (
        "What unlearning had taken from the target after each epoch, without intervals: the epoch to stop at can be "
        "chosen by it (`training.epochs`, or `training.stop_at_forget_nll`). Chosen on the questions it is judged by, "
        "it flatters."
    )
    return Section("Epoch by epoch", tuple(made), intro=intro, slug="epochs")
