"""How high `--max-tokens` would have to be for nearly all replies to end, where that can be told."""

from dataclasses import dataclass
from math import ceil, log

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from forgetscope.core.outcomes import Status


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
    by_itself = (pl.col("finish_reason") == "stop") & (pl.col("status") != Status.TRUNCATED.value)
    ended = frame.filter(by_itself & (pl.col("output_tokens") > 0))["output_tokens"].to_numpy()
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
    from scipy.optimize import minimize  # late: a quarter of a second of CPU

    fitted = minimize(loss, start, method="Nelder-Mead").x
    return float(np.exp(min(40.0, fitted[0] + special.ndtri(ENDED_BY) * np.exp(fitted[1]))))
