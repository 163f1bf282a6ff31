"""Runs side by side from Python."""

import shutil
from pathlib import Path

import polars as pl
import pytest

import forgetscope as fs
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.io.tables import write_table


def test_two_runs_are_compared_sample_by_sample(perfect: fs.Run, fading: fs.Run, tmp_path: Path) -> None:
    found = fs.compare(perfect, fading.folder, out=tmp_path / "side-by-side")
    assert found.labels == ("perfect", "fading")
    assert found.matched == 10
    assert found.page.is_file()
    (natural,) = found.figures.filter(
        figure="format.strict.difference", condition="natural", table="by condition"
    ).iter_rows(named=True)
    assert natural["value"] == -1.0
    assert natural["low"] is None
    assert natural["note"] == "fewer than 6 items"
    assert set(found.changed["change"]) == {"lost"}


def test_a_run_does_not_differ_from_itself(perfect: fs.Run, tmp_path: Path) -> None:
    found = fs.compare(perfect, perfect, out=tmp_path)
    assert found.changed.is_empty()
    assert set(found.figures.filter(figure="format.strict.difference")["value"]) == {0.0}


def test_one_run_is_compared_with_the_paper_only(perfect: fs.Run, tmp_path: Path) -> None:
    with pytest.raises(fs.UserError, match="two runs or more"):
        fs.compare(perfect, out=tmp_path)
    assert fs.compare(perfect, out=tmp_path, published=True).page.is_file()


def test_another_comparison_or_a_file_of_its_name_is_not_written_over(
    perfect: fs.Run, fading: fs.Run, tmp_path: Path
) -> None:
    fs.compare(perfect, fading, out=tmp_path)
    fs.compare(perfect, fading, out=tmp_path)
    with pytest.raises(RunFolderError, match=r"holds another comparison; found '.*'; next: another folder"):
        fs.compare(fading, perfect, perfect, out=tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "comparison.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(RunFolderError, match=r"own/comparison\.csv: this is no comparison, and would be written over"):
        fs.compare(perfect, fading, out=tmp_path / "own")
    assert (tmp_path / "own" / "comparison.csv").read_text(encoding="utf-8") == "mine"


def test_a_forged_table_is_believed_by_nobody(fading: fs.Run, tmp_path: Path) -> None:
    received = tmp_path / "received"
    shutil.copytree(fading.folder, received)
    table = pl.read_parquet(received / "samples.parquet")
    forged = fs.load(fading.folder).table.with_columns(pl.lit("correct").alias("status"))
    assert not forged["status"].equals(table["status"])
    write_table(forged, received / "samples.parquet")
    assert fs.load(received).table["status"].equals(table["status"])
    found = fs.compare(fading, received, out=tmp_path / "out")
    assert found.changed.is_empty()


def test_prompts_are_written_into_no_run(fading: fs.Run) -> None:
    log = next((fading.folder / "logs").iterdir())
    before = log.read_bytes()
    with pytest.raises(SettingError, match="an output goes beside a run"):
        fs.write_prompts("prospective", log, limit=1)
    assert log.read_bytes() == before
