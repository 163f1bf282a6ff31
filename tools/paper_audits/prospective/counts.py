"""Which whole counts fit the paper's printed rates, intervals and p-values.

The paper prints percentages. A rate rounded to a tenth, its interval's ends (percentiles of a bootstrap of n outcomes
are multiples of 1/n) and the rounded delta together usually leave one pair (k passed, n scored). What fits is not
proof of what was run; what fits nothing cannot have been run as described.
"""

from dataclasses import dataclass
from functools import cache
from math import sqrt

from scipy import stats

from forgetscope.findings.published import published_table
from tools.paper_audits.rounding import counts_for, rounds_to

PLANNED = {
    "baseline": 270,
    "triviaqa": 270,
    "mmlu": 270,
    "gsm8k_x1": 270,
    "gsm8k_x3": 90,
    "gsm8k_x5": 54,
    "cnn_dailymail": 135,
}
"""Samples of a condition over three runs, as the protocol plans them."""
LEAST_SHARE = 0.9
"""Cells are searched from this share of the plan upwards: more than a tenth lost is not plausible."""
BOOTSTRAP_RESAMPLES = 10_000
"""The paper's (B.1)."""


@dataclass(frozen=True, slots=True)
class PublishedCell:
    """One row of the paper's Table 8; percentages 0-100, `delta`, `h` and `p` empty for a baseline."""

    model: str
    condition: str
    percent: float
    low: float
    high: float
    delta: float | None
    h: float | None
    p: str | None


@dataclass(frozen=True, slots=True)
class CellFit:
    """The counts (k, n) that fit one printed cell, and how many samples were planned."""

    cell: PublishedCell
    planned: int
    fits: tuple[tuple[int, int], ...]

    @property
    def best(self) -> tuple[int, int]:
        """The fit that loses fewest samples."""
        return max(self.fits, key=lambda fit: fit[1])


@dataclass(frozen=True, slots=True)
class PairFit:
    """What a printed McNemar p-value says about the matched items of one cell.

    `net_losses` are the values of (pairs passed in the baseline only - pairs passed under the condition only) that
    give the printed p-value with the fitted counts; `pairs` is n of the fit.
    """

    cell: PublishedCell
    pairs: int
    net_losses: tuple[int, ...]

    @property
    def deltas(self) -> tuple[float, ...]:
        """The paired deltas in points that go with them."""
        return tuple(100 * loss / self.pairs for loss in self.net_losses)


@cache
def published_cells() -> tuple[PublishedCell, ...]:
    """Table 8, row by row."""
    return tuple(
        PublishedCell(
            model=str(row["model"]),
            condition=str(row["condition"]),
            percent=float(row["compliance_percent"]),
            low=float(row["ci_low"]),
            high=float(row["ci_high"]),
            delta=row["delta_percent"],
            h=row["cohens_h"],
            p=row["mcnemar_p"],
        )
        for row in published_table("prospective_table8_statistics").iter_rows(named=True)
    )


def interval_fits(k: int, n: int, low: float, high: float) -> bool:
    """Whether a percentile bootstrap of k passes in n outcomes can have printed these ends.

    Resampled counts are binomial(n, k/n), so both ends are multiples of 1/n. The end x/n is the percentile at `tail`
    where the share of resamples below x is less than the tail and the share up to x is not; a share estimated from
    10,000 resamples may be off by three of its standard errors.
    """
    for printed, tail in ((low, 0.025), (high, 0.975)):
        count = round(printed * n / 100)
        if not rounds_to(100 * count / n, printed):
            return False
        below, up_to = (float(stats.binom.cdf(x, n, k / n)) for x in (count - 1, count))
        slack = 3 * sqrt(tail * (1 - tail) / BOOTSTRAP_RESAMPLES)
        if below - slack >= tail or up_to + slack < tail:
            return False
    return True


@cache
def fitted_cells() -> tuple[CellFit, ...]:
    """Every row of Table 8 with the counts that fit its rate, its interval and (not for baselines) its delta."""
    fitted: list[CellFit] = []
    baseline: dict[str, tuple[int, int]] = {}
    for cell in published_cells():
        planned = PLANNED[cell.condition]
        sizes = range(round(LEAST_SHARE * planned), planned + 1)
        fits = [fit for fit in counts_for(cell.percent, sizes) if interval_fits(*fit, cell.low, cell.high)]
        if cell.delta is not None:
            passed, scored = baseline[cell.model]
            fits = [(k, n) for k, n in fits if rounds_to(100 * (passed / scored - k / n), cell.delta)]
        fit = CellFit(cell, planned, tuple(fits))
        fitted.append(fit)
        if cell.condition == "baseline":
            baseline[cell.model] = fit.best
    return tuple(fitted)


def p_is_printed_as(p: float, printed: str) -> bool:
    """Whether a p-value can have been printed so; the paper gives three digits, `<.001` and `1.00`."""
    if printed.startswith("<"):
        return p < float(printed[1:])
    digits = len(printed.split(".")[1])
    return rounds_to(p, float(printed), 0.5 * 10**-digits + 1e-12)


def _corrected_p_values(only_before: int, only_after: int) -> tuple[float, ...]:
    """The continuity-corrected p-value, with and without letting the correction stop at zero when both are equal."""
    discordant = only_before + only_after
    if discordant == 0:
        return (1.0,)
    distance = abs(only_before - only_after)
    return tuple(
        float(stats.chi2.sf(reduced**2 / discordant, 1)) for reduced in {max(0, distance - 1), abs(distance - 1)}
    )


def net_losses_for(p: str, passed: int, scored: int, least: int, most: int) -> tuple[int, ...]:
    """Net losses between `least` and `most` for which some discordant pairs give the printed p-value.

    Only a failure under the condition can be a loss and only a pass a gain, so at most `scored - passed` pairs are
    passed in the baseline alone and at most `passed` under the condition alone.
    """
    found = set()
    for lost in range(scored - passed + 1):
        for gained in range(passed + 1):
            net = lost - gained
            if not least <= net <= most or net in found:
                continue
            if any(p_is_printed_as(value, p) for value in _corrected_p_values(lost, gained)):
                found.add(net)
    return tuple(sorted(found))


@cache
def fitted_pairs() -> tuple[PairFit, ...]:
    """For each printed McNemar p-value the net losses on matched items that it allows.

    Counts are the best fits. Samples lost on either side may have passed or failed, which widens the range; the
    cells of fewer than 270 hold a subset of the items, whose baseline may be anything the full baseline allows.
    """
    fits = {(fit.cell.model, fit.cell.condition): fit for fit in fitted_cells()}
    found = []
    for (model, _), fit in fits.items():
        if fit.cell.p is None:
            continue
        passed_before, scored_before = fits[model, "baseline"].best
        passed, scored = fit.best
        lost_before, lost_here = PLANNED["baseline"] - scored_before, fit.planned - scored
        if fit.planned == PLANNED["baseline"]:
            least = passed_before - lost_here - passed
            most = passed_before - passed + lost_before
        else:
            failed_before = scored_before - passed_before
            least = max(0, fit.planned - failed_before - lost_before - lost_here) - passed
            most = min(scored, passed_before) - passed
        found.append(PairFit(fit.cell, scored, net_losses_for(fit.cell.p, passed, scored, least, most)))
    return tuple(found)
