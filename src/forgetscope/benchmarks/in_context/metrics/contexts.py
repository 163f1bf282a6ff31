"""How long the contexts were that were sent: tokens, filler among them, and items that were left out."""

from collections.abc import Iterator

import polars as pl

from forgetscope.benchmarks.in_context.data.context import COUNTER
from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import plain


def context_figures(study: InContextStudy) -> Iterator[Figure]:
    """Per cell: mean, least and most tokens before the query, mean filler, items, and items of the run not in it."""
    all_items = dict(study.queries.group_by("scenario").agg(pl.col("item").n_unique()).iter_rows())
    for key in study.cells:
        frame, factors = study.cell(key).unique("item"), key.factors
        tokens = frame["context_tokens"].drop_nulls()
        n = tokens.len()
        if not n:
            continue
        for name, value in (
            ("context.tokens", tokens.sum() / n),
            ("context.tokens.least", tokens.min()),
            ("context.tokens.most", tokens.max()),
            ("context.filler", frame["filler_tokens"].sum() / n),
        ):
            method = f"{COUNTER} tokens before the query, Forget form, without live answers"
            yield plain(name, factors, float(value), n, unit="tokens", method=method)  # type: ignore[arg-type]
        left_out = int(all_items[key.scenario]) - frame["item"].n_unique()
        yield plain(
            "context.left_out", factors, left_out, n, unit="count", method="items of the run that are not in this cell"
        )
        shared = int(frame["low_diversity"].sum() or 0)
        yield plain(
            "context.low_diversity", factors, shared, n, unit="count", method="items that share much of the filler"
        )


METRIC = InContextMetric(context_figures)
