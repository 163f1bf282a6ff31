"""Each claim on a table made so that it holds, and on one made so that it fails."""

from collections.abc import Callable, Sequence

import pytest

from forgetscope.benchmarks.unlearning.methods import OF_THE_PAPER as METHODS
from forgetscope.benchmarks.unlearning.metrics.claims import BY_NAME, CLAIMS, claim_figures
from forgetscope.benchmarks.unlearning.metrics.study import FORMATS, MEASURES, SUBSETS, CellKey
from forgetscope.findings.figures import Figure
from tests.benchmarks.unlearning.metrics.small_grids import KEY, TARGET, Run, Scores, cell, flat, kept, study, table1

TWELVE = {measure: [*scores] * 3 for measure, scores in TARGET.items()}
"""As many items as a difference is read from."""

Shares = Callable[[CellKey], Sequence[float]]
"""Of each cell the shares of the five measures that are kept."""


def uneven(shares: Sequence[float], target: Scores) -> dict[str, list[float | None]]:
    """Kept shares that differ a little between items, so that intervals have a width; their mean is as asked."""
    return {
        measure: [
            None if score is None else score * share * (1.02 if number % 4 in (0, 3) else 0.98)
            for number, score in enumerate(target[measure])
        ]
        for measure, share in zip(MEASURES, shares, strict=True)
    }


def claim_of(name: str, shares: Shares, target: Scores = TWELVE) -> Figure:
    keys = [
        cell(forget_format=form, retain_subset=subset, method=method, epochs=10.0 if form == "triplets" else 5.0)
        for form in FORMATS
        for subset in SUBSETS
        for method in METHODS
    ]
    made = study(*(Run(key, uneven(shares(key), target)) for key in keys), target=target)
    (found,) = claim_figures(made, [BY_NAME[name]])
    return found


def by_format(forget: dict[str, float], retain: dict[str, float]) -> Shares:
    return lambda key: [forget[key.forget_format]] * 2 + [retain[key.forget_format]] * 3


def even(low: float, high: float, world: float) -> Shares:
    return lambda _: [0.5, 0.5, low, high, world]


def by_subset(high: float) -> Shares:
    return lambda key: [0.5, 0.5] + [high if key.retain_subset == "high" else 0.8] * 3


def by_condition(form: str, low: float, high: float) -> Shares:
    """What is kept of questions on high, by the retain set trained on; only raw, or only triplets, counts here."""

    def shares(key: CellKey) -> Sequence[float]:
        is_meant = (key.forget_format == "triplets") == (form == "triplets")
        kept_of_high = {"low": low, "high": high, "original": 0.7}[key.retain_subset] if is_meant else 0.7
        return [0.5, 0.5, 0.7, kept_of_high, 0.7]

    return shares


def by_method(simnpo: float) -> Shares:
    return lambda key: [simnpo if key.method == "simnpo" else 0.5] * 2 + [0.8] * 3


def pareto(retain: float) -> Shares:
    def shares(key: CellKey) -> Sequence[float]:
        is_compared = (key.forget_format, key.retain_subset) == ("pruned", "high")
        return [0.3, 0.3, retain, retain, retain] if is_compared else [0.5, 0.5, 0.7, 0.7, 0.7]

    return shares


def lunch(sign: int) -> Shares:
    """What is kept of the forget set runs over the cells from 0.2 to 0.8; the rest runs with it, or against it."""

    def shares(key: CellKey) -> Sequence[float]:
        place = 9 * FORMATS.index(key.forget_format) + 3 * SUBSETS.index(key.retain_subset) + METHODS.index(key.method)
        return [0.2 + 0.6 * place / 26] * 2 + [0.5 + sign * 0.3 * place / 26] * 3

    return shares


HOLDS_AND_FAILS: dict[str, tuple[Shares, Shares, float]] = {
    "low_suffers_more": (even(0.5, 0.8, 1.0), even(0.8, 0.5, 1.0), 0.3),
    "world_improves": (even(0.8, 0.8, 1.2), even(0.8, 0.8, 0.8), 0.2),
    "pruned_forgets_best": (
        by_format({"raw": 0.5, "pruned": 0.3, "triplets": 0.6}, dict.fromkeys(FORMATS, 0.8)),
        by_format({"raw": 0.3, "pruned": 0.5, "triplets": 0.6}, dict.fromkeys(FORMATS, 0.8)),
        0.2,
    ),
    "raw_forgets_best": (
        by_format({"raw": 0.3, "pruned": 0.5, "triplets": 0.6}, dict.fromkeys(FORMATS, 0.8)),
        by_format({"raw": 0.5, "pruned": 0.3, "triplets": 0.6}, dict.fromkeys(FORMATS, 0.8)),
        0.2,
    ),
    "triplets_retain_best": (
        by_format(dict.fromkeys(FORMATS, 0.5), {"raw": 0.5, "pruned": 0.6, "triplets": 0.9}),
        by_format(dict.fromkeys(FORMATS, 0.5), {"raw": 0.9, "pruned": 0.6, "triplets": 0.5}),
        0.4,
    ),
    "triplets_forget_less": (
        by_format({"raw": 0.2, "pruned": 0.3, "triplets": 0.7}, dict.fromkeys(FORMATS, 0.8)),
        by_format({"raw": 0.7, "pruned": 0.3, "triplets": 0.2}, dict.fromkeys(FORMATS, 0.8)),
        0.5,
    ),
    "subset_matters": (by_subset(0.6), by_subset(1.0), 0.2),
    "subset_insensitive": (by_subset(0.79), by_subset(0.6), 0.01),
    "pareto_improvement": (pareto(0.8), pareto(0.6), 0.1),
    "low_conditioning_keeps_high": (by_condition("raw", 0.8, 0.6), by_condition("raw", 0.6, 0.8), 0.2),
    "low_conditioning_not_triplets": (by_condition("triplets", 0.6, 0.8), by_condition("triplets", 0.8, 0.6), 0.2),
    "pruned_most_balanced": (
        by_format({"raw": 0.4, "pruned": 0.3, "triplets": 0.5}, dict.fromkeys(FORMATS, 0.8)),
        by_format({"raw": 0.4, "pruned": 0.45, "triplets": 0.5}, dict.fromkeys(FORMATS, 0.8)),
        0.1,
    ),
    "simnpo_best": (by_method(0.3), by_method(0.7), 0.2),
}


OF_SOME_CASES = [claim.name for claim in CLAIMS if claim.is_of_some_cases]


@pytest.mark.parametrize("name", list(HOLDS_AND_FAILS))
def test_a_claim_holds_where_it_was_made_to_and_fails_where_not(name: str) -> None:
    holds, fails, size = HOLDS_AND_FAILS[name]
    shown, against = claim_of(name, holds), claim_of(name, fails)
    assert shown.value == pytest.approx(size, abs=1e-9)
    assert BY_NAME[name].answer(shown) == "holds"
    assert BY_NAME[name].answer(against) == ("undecided" if name in OF_SOME_CASES else "fails")


def test_an_average_refutes_no_claim_of_certain_scenarios() -> None:
    assert OF_SOME_CASES == ["world_improves"]
    _, against, _ = HOLDS_AND_FAILS["world_improves"]
    assert claim_of("world_improves", against).high == pytest.approx(-0.2, abs=0.03)


@pytest.mark.parametrize(("sign", "answer"), [(1, "holds"), (-1, "fails")])
def test_no_free_lunch_is_a_slope_over_cells(sign: int, answer: str) -> None:
    found, of_few = claim_of("no_free_lunch", lunch(sign)), claim_of("no_free_lunch", lunch(sign), TARGET)
    assert found.value == pytest.approx(sign * 0.5)
    assert BY_NAME["no_free_lunch"].answer(found) == answer
    assert (of_few.low, of_few.note) == (None, "fewer than 18 items a measure")


def test_every_claim_is_tried() -> None:
    assert {claim.name for claim in CLAIMS} == {*HOLDS_AND_FAILS, "no_free_lunch", "low_equals_high_in_target"}


@pytest.mark.parametrize(("high", "answer"), [(0.5, "holds"), (0.7, "fails")])
def test_the_target_knows_low_and_high_alike_or_not(high: float, answer: str) -> None:
    target = {measure: [*scores] * 3 for measure, scores in flat(0.8, 0.6, 0.5, high, 0.4).items()}
    found = claim_of("low_equals_high_in_target", even(0.8, 0.8, 0.8), target)
    assert found.value == pytest.approx(0.5 - high)
    assert BY_NAME["low_equals_high_in_target"].answer(found) == answer


def test_simnpo_with_several_betas_is_compared_too() -> None:
    methods = {"ga": 0.5, "simnpo (beta 4.5, delta 0.0)": 0.3, "simnpo (beta 10.0, delta 0.0)": 0.4}
    runs = [Run(cell(method=name), kept(share, share, 0.8, 0.8, 0.8)) for name, share in methods.items()]
    found = {entry.factors["claim"]: entry for entry in claim_figures(study(*runs))}
    assert found["simnpo_best"].value == pytest.approx(0.15)


def test_only_matched_cells_are_compared() -> None:
    # Pruned was run on `low` alone; raw on `high`, where it forgets far more, has no partner.
    runs = table1(
        {
            ("raw", "low", "ga"): [0.5, 0.5, 1, 1, 1],
            ("raw", "high", "ga"): [0.0, 0.0, 1, 1, 1],
            ("pruned", "low", "ga"): [0.4, 0.4, 1, 1, 1],
        }
    )
    found = {entry.factors["claim"]: entry for entry in claim_figures(study(*runs))}
    assert found["pruned_forgets_best"].value == pytest.approx(0.1)


def test_claims_are_made_for_each_setting_by_itself() -> None:
    gentle = [Run(cell(learning_rate=1e-5), kept(0.9, 0.9, 0.9, 1, 1)), Run(KEY, kept(0.1, 0.1, 0.5, 1, 1))]
    found = [entry for entry in claim_figures(study(*gentle)) if entry.factors["claim"] == "low_suffers_more"]
    assert {entry.factors["learning_rate"]: entry.value for entry in found} == pytest.approx({1e-5: 0.1, 2e-5: 0.5})


def test_a_claim_without_its_cells_is_not_made() -> None:
    found = {entry.factors["claim"] for entry in claim_figures(study(Run(KEY, TARGET)))}
    assert found == {"low_equals_high_in_target", "low_suffers_more", "world_improves"}


def test_a_claim_with_a_cell_that_was_lost_is_undefined_and_undecided() -> None:
    lost = Run(cell(forget_format="pruned"), {measure: [None] * 4 for measure in MEASURES})
    found = {entry.factors["claim"]: entry for entry in claim_figures(study(Run(KEY, TARGET), lost))}
    entry = found["pruned_forgets_best"]
    assert entry.value is None
    assert BY_NAME["pruned_forgets_best"].answer(entry) == "undecided"


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (-0.01, 0.02, "holds"),
        (0.01, 0.04, "holds"),
        (0.01, 0.06, "undecided"),
        (0.06, 0.09, "fails"),
        (-0.2, 0.2, "undecided"),
    ],
)
def test_likeness_holds_within_the_margin_only(low: float, high: float, answer: str) -> None:
    entry = Figure("claim", {}, (low + high) / 2, 10, low=low, high=high)
    assert BY_NAME["subset_insensitive"].answer(entry) == answer
