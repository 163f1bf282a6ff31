"""Scripted outcomes of unlearning: what a model that forgot so or so would reply, made from the target's own samples.

No weights are changed. Each takes the rows of an evaluated target and puts other replies in their place; they are
scored as any reply is. So what the figures must be follows from how they are made.
"""

from collections.abc import Callable, Mapping

import polars as pl

from forgetscope.benchmarks.unlearning.evaluation.base import SAMPLE_SCHEMA
from forgetscope.benchmarks.unlearning.metrics.study import FORGET_MEASURES, MEASURES
from forgetscope.benchmarks.unlearning.scoring.scores import NO_OVERLAP, is_exact, is_gibberish, overlap, status_of
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.results import Value, build_table

EMPTY_WORDS = "Perhaps."
"""A fluent reply that shares no word with any reference."""
BABBLE = "dax dax dax dax dax dax dax dax"
REFUSAL = "I'm sorry, but I can't help with that request."
TAIL = " and so on and on" * 30
"""Words after a right answer that halve its F1 and leave its recall."""

NEVER_TOLD = "never-told"
"""The one made from the retain-only model's samples."""

Row = dict[str, Value]


def _is_forget(row: Row) -> bool:
    return row["measure"] in FORGET_MEASURES


def _own(row: Row) -> str:
    return str(row["reply"])


REFERENCES: Mapping[str, tuple[str, Callable[[Row, int], str | None]]] = {
    "untouched": ("replies as the target does", lambda row, _: _own(row)),
    "forgetful": (
        "forgot what it should, kept the rest",
        lambda row, _: EMPTY_WORDS if _is_forget(row) else _own(row),
    ),
    "half-way": (
        "forgot every second sample of the forget side",
        lambda row, place: EMPTY_WORDS if _is_forget(row) and place % 2 == 0 else _own(row),
    ),
    "amnesiac": ("forgot everything", lambda _row, _: EMPTY_WORDS),
    "babbling": ("collapsed: no language any more", lambda _row, _: BABBLE),
    "refusing": ("refuses to answer", lambda _row, _: REFUSAL),
    "talkative": ("knows everything and does not stop", lambda row, _: f"{row['reference']}{TAIL}"),
    "diverged": ("training diverged: there is no model", lambda _row, _: None),
    NEVER_TOLD: ("replies as the model that never knew the forget side", lambda row, _: _own(row)),
}
"""Name to what it does, and to its reply from a target's row and the row's place in its measure; None: no reply."""


REFERENCE_MODELS = {name: words for name, (words, _) in REFERENCES.items()}


def reference_table(name: str, target: pl.DataFrame) -> pl.DataFrame:
    """The sample table of a scripted outcome, with the name as its method.

    Args:
        name: Of `REFERENCES`.
        target: Rows of the evaluated model that is spoken for, for the measures of the paper: the target's, or of
            `never-told` the retain-only model's.
    """
    replies = REFERENCES[name][1]
    rows: list[Row] = []
    for measure in MEASURES:
        of_measure = target.filter(pl.col("measure") == measure).sort("item")
        rows.extend(
            _replied(name, row, replies(row, place)) for place, row in enumerate(of_measure.iter_rows(named=True))
        )
    return build_table(rows, SAMPLE_SCHEMA)


def _replied(name: str, row: Row, text: str | None) -> Row:
    reason = FinishReason.ERROR if text is None else FinishReason.STOP
    reply, reference = text or "", str(row["reference"])
    found = overlap(reply, (reference,)) if reply else NO_OVERLAP
    if text is not None and text == row["reply"]:
        scores: Row = {key: row[key] for key in ("score", "rouge_l_recall", "rouge_1_recall")}
    else:
        scores = {
            "score": found.rouge_l_f1,
            "rouge_l_recall": found.rouge_l_recall,
            "rouge_1_recall": found.rouge_1_recall,
        }
    gibberish = is_gibberish(reply)
    status = status_of(reply, found, reason, gibberish=gibberish, is_cut_by_design=row["form"] == "verbatim")
    is_scored = status is not Status.MODEL_ERROR
    return {
        **row,
        "sample_id": f"{row['sample_id']}/{name}",
        "status": status.value,
        "raw_pass": found.rouge_l_f1 >= 0.5 if is_scored else None,
        "finish_reason": reason.value,
        "reply": reply,
        **{key: value if is_scored else None for key, value in scores.items()},
        "rouge_l_f1_stemmed": found.rouge_l_f1_stemmed if is_scored else None,
        "rouge_l_recall_stemmed": found.rouge_l_recall_stemmed if is_scored else None,
        "exact": is_exact(reply, (reference,)) if is_scored else None,
        "gibberish": gibberish if is_scored else None,
        "cell": name,
        "method": name,
        "semantics": "proper",
        "forget_format": "raw",
        "retain_subset": "original",
        "learning_rate": 1e-3,
        "lambda_retain": 1.0,
        "epochs": 1.0,
    }
