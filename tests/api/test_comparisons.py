"""Runs side by side from Python."""

from pathlib import Path

import pytest

import forgetbench as fb


def test_two_runs_are_compared_sample_by_sample(perfect: fb.Run, fading: fb.Run, tmp_path: Path) -> None:
    found = fb.compare(perfect, fading.folder, out=tmp_path / "side-by-side")
    assert found.labels == ("perfect", "fading")
    assert found.matched == 10
    assert found.page.is_file()
    (natural,) = found.figures.filter(
        figure="format.strict.difference", condition="natural", table="by condition"
    ).iter_rows(named=True)
    assert natural["value"] == -1.0
    assert natural["low"] <= -1.0 <= natural["high"]
    assert set(found.changed["change"]) == {"lost"}


def test_a_run_does_not_differ_from_itself(perfect: fb.Run, tmp_path: Path) -> None:
    found = fb.compare(perfect, perfect, out=tmp_path)
    assert found.changed.is_empty()
    assert set(found.figures.filter(figure="format.strict.difference")["value"]) == {0.0}


def test_one_run_is_compared_with_the_paper_only(perfect: fb.Run, tmp_path: Path) -> None:
    with pytest.raises(fb.UserError, match="two runs or more"):
        fb.compare(perfect, out=tmp_path)
    assert fb.compare(perfect, out=tmp_path, published=True).page.is_file()
