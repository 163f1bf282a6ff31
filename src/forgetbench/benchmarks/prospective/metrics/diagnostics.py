"""What became of the samples: statuses, cut-off replies, loops, refusals, completeness, tokens (Table 9)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import optimize, special

from forgetbench.benchmarks.prospective.metrics.cells import DiagnosticCell
from forgetbench.benchmarks.prospective.metrics.study import Study, account, outcomes, rate, task_account
from forgetbench.figures import Cell, Figure
from forgetbench.measures import bound_figures, figure, plain
from forgetbench.outcomes import Status
from forgetbench.stats import clustered_mean


def diagnostic_figures(study: Study) -> Iterator[Figure]:
    """Counts per status, shares of cut, looping, refused and unreadable replies, completeness and tokens per cell.

    One account an aspect: compliance (of task only, the task) in `outcomes.status`, the load in `outcomes.task`.
    """
    for cell in study.diagnostic_cells:
        factors, frame, planned = cell.factors, cell.frame, cell.planned
        found = account(frame)
        yield plain("outcomes.planned", factors, planned, planned, unit="count", method="samples planned")
        yield plain("outcomes.attempted", factors, found.attempted, planned, unit="count", method="samples sent")
        missing = "planned samples the sample table does not hold"
        yield plain("outcomes.missing", factors, cell.missing, planned, unit="count", method=missing)
        for status in Status:
            yield plain(
                f"outcomes.status.{status.value}",
                factors,
                found.counts.get(status, 0),
                planned,
                unit="count",
                method="samples that ended so",
            )
        for name, count, total, of in (
            ("truncated", found.counts.get(Status.TRUNCATED, 0), found.attempted, "samples sent"),
            ("looped", int((frame["looped"] & (frame["reply"] != "")).sum()), _with_text(frame), "replies with text"),
            ("refused", found.counts.get(Status.REFUSED, 0), found.attempted, "samples sent"),
            ("invalid_format", found.counts.get(Status.INVALID_FORMAT, 0), found.attempted, "samples sent"),
        ):
            yield _share(f"outcomes.share.{name}", factors, count, total, of)
        yield plain(
            "outcomes.completeness",
            factors,
            account(frame, cell.missing).completeness,
            planned,
            unit="proportion",
            method="1 - (model_error + judge_error + judge_unparseable + missing) / planned",
            note="" if planned else "nothing planned",
        )
        if cell.has_task:
            yield from task_outcome_figures(study, cell)
        limit = suggest_limit(frame, study.settings.max_tokens)
        yield plain(
            "outcomes.suggested_max_tokens",
            factors,
            limit.suggested,
            found.attempted,
            unit="tokens",
            method="from the lengths of the replies that ended",
            note=limit.why,
        )
        for name in ("input_tokens", "output_tokens"):
            counted = outcomes(frame, name)
            estimate = clustered_mean(
                counted.values,
                counted.clusters,
                seed=study.stream(f"tokens.{name}", factors),
                resamples=2_000,
                bounds=None,
            )
            yield figure(
                f"tokens.{name.removesuffix('_tokens')}", factors, estimate, excluded=counted.excluded, unit="tokens"
            )


def task_outcome_figures(study: Study, cell: DiagnosticCell) -> Iterator[Figure]:
    """What became of the load: counts over `task_status`, and the completed rate with its bounds."""
    factors, frame = cell.factors, cell.frame.filter(pl.col("task_status").is_not_null())
    found = task_account(frame)
    planned = found.planned + cell.task_missing
    yield plain("outcomes.task.planned", factors, planned, planned, unit="count", method="samples with a load")
    missing = "planned samples with a load that the sample table does not hold"
    yield plain("outcomes.task.missing", factors, cell.task_missing, planned, unit="count", method=missing)
    for status in Status:
        count = found.counts.get(status, 0)
        name, method = f"outcomes.task.status.{status.value}", "samples whose task ended so, repaired scorer"
        yield plain(name, factors, count, planned, unit="count", method=method)
    done = frame.filter(pl.col("task_status").is_in([Status.CORRECT.value, Status.INCORRECT.value]))
    right = outcomes(
        done.with_columns(right=pl.col("task_status") == Status.CORRECT.value), "right", cluster="load_item"
    )
    name = "outcomes.task.completed"
    estimate = rate(right, study.stream(name, factors))
    label = "correct / (correct + incorrect), repaired scorer"
    yield figure(name, factors, estimate, excluded=planned - done.height, label=label)
    yield from bound_figures(name, factors, task_account(frame, cell.task_missing))


def _with_text(frame: pl.DataFrame) -> int:
    return int((frame["reply"].str.strip_chars() != "").sum())


def _share(name: str, factors: dict[str, Cell], count: int, total: int, of: str) -> Figure:
    value = count / total if total else None
    return plain(name, factors, value, total, unit="proportion", method=f"of {of}", note="" if total else f"no {of}")


@dataclass(frozen=True)
class TokenLimit:
    """A suggested `--max-tokens`, or None where none can be estimated; `why` says how it came about."""

    suggested: int | None
    why: str


ENDED_BY = 0.98
"""The suggested limit lets this share of replies end, so that no cell is length-limited (5% cut)."""
_FEWEST_ENDED = 10
_SMALLEST_SHARE_ENDED = 0.2


def suggest_limit(frame: pl.DataFrame, limit: int) -> TokenLimit:
    """The token limit under which 98% of the replies would end, from the lengths of those that did.

    Where at most 2% were cut, it is the length under which 98% of all replies ended. Otherwise a log-normal
    distribution is fitted to the lengths, the cut replies entering as "longer than the limit" (a maximum-likelihood
    fit with right-censoring); replies cut in a loop are left out of the fit, because no limit lets them end. Rounded
    up to a multiple of 64, at most eight times the present limit. Not estimated from fewer than ten finished
    replies, or where fewer than a fifth of those without a loop finished.
    """
    cut = frame.filter(pl.col("status") == Status.TRUNCATED.value)
    ended = frame.filter((pl.col("finish_reason") == "stop") & (pl.col("output_tokens") > 0))[
        "output_tokens"
    ].to_numpy()
    total = len(ended) + cut.height
    if not total or (not len(ended) and (frame["finish_reason"] == "stop").any()):
        return TokenLimit(None, "no finished reply with a known length")
    looping = int(cut["looped"].sum())
    open_cut = cut.height - looping
    if cut.height > total / 2 and looping > cut.height / 2:
        return TokenLimit(
            None,
            f"{looping} of the {cut.height} replies cut off (of {total}) were going round in a loop: a higher limit "
            "will not help; decoding against repetition may, and is then not the paper's",
        )
    loops = f"; left out: {looping} cut in a loop, which no limit lets end" if looping else ""
    if cut.height <= (1 - ENDED_BY) * total:
        return TokenLimit(
            _round_up(float(np.quantile(ended, ENDED_BY))),
            f"98% of replies ended within it; the present limit of {limit} suffices",
        )
    if len(ended) < _FEWEST_ENDED or len(ended) < _SMALLEST_SHARE_ENDED * (len(ended) + open_cut):
        return TokenLimit(
            None,
            f"only {len(ended)} of {total} replies ended, too few to tell how long the others would be; "
            f"try {2 * limit} and look again{loops}",
        )
    if not open_cut:
        return TokenLimit(
            _round_up(float(np.quantile(ended, ENDED_BY))), f"all replies cut off were in a loop; the others fit{loops}"
        )
    estimated = _censored_quantile(ended.astype(np.float64), open_cut, limit)
    if estimated > 8 * limit:
        return TokenLimit(_round_up(8.0 * limit), f"eight times the present limit; the fit asks for more{loops}")
    return TokenLimit(
        _round_up(max(estimated, float(limit) + 1)),
        f"98% of replies should end within it, by a log-normal fit to {len(ended)} finished replies and {open_cut} "
        f"longer than {limit}{loops}",
    )


def _round_up(tokens: float) -> int:
    return 64 * ceil(tokens / 64)


def _censored_quantile(ended: NDArray[np.float64], cut: int, limit: int) -> float:
    """The 98% quantile of a log-normal with `cut` lengths known only to exceed the limit."""
    logs = np.log(ended)

    def loss(parameters: NDArray[np.float64]) -> float:
        mean, spread = parameters[0], np.exp(parameters[1])
        seen = -len(logs) * np.log(spread) - ((logs - mean) ** 2).sum() / (2 * spread**2)
        return -float(seen + cut * special.log_ndtr((mean - log(limit)) / spread))

    start = np.array([logs.mean(), np.log(max(logs.std(), 0.1))])
    fitted = optimize.minimize(loss, start, method="Nelder-Mead").x
    return float(np.exp(min(40.0, fitted[0] + special.ndtri(ENDED_BY) * np.exp(fitted[1]))))
