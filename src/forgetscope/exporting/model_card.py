"""Figures in the form that model cards take: the `model-index` of a card's front matter, as the hub reads it.

Every figure that has a value is a result of the dataset it was measured on; what it is the figure of is the dataset's
`args`, and its interval and denominators are the metric's. Written as a card of its own, to be merged into a model's.
"""

from pathlib import Path

from forgetscope.exporting.every_eval_ever import LEVEL, result_id
from forgetscope.io.files import write_text
from forgetscope.report.chapters import Chapter
from forgetscope.report.summary import Summary, SummaryFigure

CARD_NAME = "model-card.md"


def write_model_card(chapter: Chapter, folder: Path) -> tuple[Path, ...]:
    """`model-card.md`: front matter, and the headlines as text."""
    import yaml  # type: ignore[import-untyped]

    summary = chapter.summary
    entry = {
        "name": summary.run.model,
        "results": [_result(figure, summary) for figure in summary.figures if figure.value is not None],
    }
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
            "revision": facts.data_sha256[:40] or None,
            "args": dict(figure.factors),
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
