"""Figures in the form that model cards take: the `model-index` of a card's front matter, as the hub reads it.

Each is a result of the dataset it was measured on; what it is the figure of is the dataset's `args`, with the hash of
the data, and its interval and denominators are the metric's. Written as a card of its own, to be merged into a model's:
the figures of a run's first page, or every result (`findings.aims`).
"""

from collections.abc import Sequence
from pathlib import Path

from forgetscope.exporting.chosen import headlines_of, results_of
from forgetscope.exporting.every_eval_ever import LEVEL, result_id
from forgetscope.io.files import write_text
from forgetscope.report.chapters import Chapter
from forgetscope.report.summary import Summary, SummaryFigure

CARD_NAME = "model-card.md"


def write_model_card(chapter: Chapter, folder: Path) -> tuple[Path, ...]:
    """`model-card.md`: front matter with the figures of the run's first page, and the headlines as text."""
    return _write(chapter, headlines_of(chapter), folder)


def write_whole_card(chapter: Chapter, folder: Path) -> tuple[Path, ...]:
    """The same with every figure that is a result."""
    return _write(chapter, [figure for figure, _ in results_of(chapter)], folder)


def _write(chapter: Chapter, figures: Sequence[SummaryFigure], folder: Path) -> tuple[Path, ...]:
    import yaml  # type: ignore[import-untyped]

    summary = chapter.summary
    entry = {"name": summary.run.model, "results": [_result(figure, summary) for figure in figures]}
    head = yaml.safe_dump({"model-index": [entry]}, sort_keys=False, allow_unicode=True, width=120)
    lines = "\n".join(f"- {finding.text}" for finding in summary.headlines)
    path = folder / CARD_NAME
    write_text(path, f"---\n{head}---\n\n## {summary.run.title}, by forgetscope {summary.run.forgetscope}\n\n{lines}\n")
    return (path,)


def _result(figure: SummaryFigure, summary: Summary) -> dict[str, object]:
    facts = summary.run
    interval = {"low": figure.low, "high": figure.high, "level": LEVEL} if figure.low is not None else {}
    told = {
        "n": figure.n,
        "excluded": figure.excluded,
        "unit": figure.unit,
        "method": figure.method,
        "note": figure.note,
    }
    return {
        "task": {"type": "text-generation", "name": facts.title},
        "dataset": {
            "type": f"forgetscope/{facts.benchmark}",
            "name": f"forgetscope {facts.benchmark}, {facts.data or 'data'}",
            "config": result_id(figure),
            "args": {**figure.factors, "data_sha256": facts.data_sha256},
        },
        "metrics": [
            {
                "type": figure.name,
                "name": result_id(figure),
                "value": figure.value,
                "args": {**interval, **{key: value for key, value in told.items() if value not in ("", None)}},
            }
        ],
    }
