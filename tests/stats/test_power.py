"""The smallest detectable difference: by hand, against simulation, and its properties."""

import numpy as np
import pytest

from forgetscope.stats import detectable_from_interval, detectable_paired, mcnemar


def test_from_an_interval_by_hand() -> None:
    assert detectable_from_interval(-0.1, 0.1) == pytest.approx(0.1 / 1.959964 * (1.959964 + 0.841621), abs=1e-6)


def test_more_pairs_find_smaller_differences_and_more_change_hides_them() -> None:
    sizes = [detectable_paired(pairs, 0.2) or 9.0 for pairs in (50, 90, 300, 900)]
    assert sizes == sorted(sizes, reverse=True)
    assert (detectable_paired(90, 0.1) or 9) < (detectable_paired(90, 0.4) or 0)


def test_too_few_pairs_find_nothing() -> None:
    assert detectable_paired(10, 0.2) is None


def test_the_planned_difference_is_found_in_about_eighty_percent_of_simulated_runs() -> None:
    pairs, changing = 300, 0.2
    difference = detectable_paired(pairs, changing)
    assert difference is not None
    rng = np.random.default_rng(11)
    gained, lost = (changing + difference) / 2, (changing - difference) / 2
    counts = rng.multinomial(pairs, [gained, lost, 1 - changing], size=1000)
    found = np.mean([mcnemar(0, int(up), int(down), int(rest)).exact_p <= 0.05 for up, down, rest in counts])
    assert 0.72 <= found <= 0.85


@pytest.mark.parametrize(("pairs", "changing"), [(0, 0.2), (10, 0.0), (10, 1.2)])
def test_what_cannot_be_meant_is_refused(pairs: int, changing: float) -> None:
    with pytest.raises(ValueError, match="pairs are one or more"):
        detectable_paired(pairs, changing)


def test_an_interval_goes_up() -> None:
    with pytest.raises(ValueError, match="goes up"):
        detectable_from_interval(0.1, -0.1)
