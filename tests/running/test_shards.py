"""Shards put together are the run they were cut from, but for times."""

import errno
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from forgetscope.cli.commands import app
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.io.tables import read_table
from forgetscope.running.manifest import read_manifest
from forgetscope.running.merge import merge_shards
from forgetscope.running.shards import Shard

RUNS = {
    "prospective": (
        ["prospective", "--limit", "4", "--loads", "mmlu", "--seed", "42", "--experiments", "load"],
        "forgetscope/reference/fading",
    ),
    "in-context": (["in-context", "--limit", "2"], "forgetscope/reference/stubborn"),
    "visual": (
        ["visual", "--limit", "1", "--conditions", "paper", "--probes", "choice", "--splits", "embedded-identity"],
        "forgetscope/reference/visual-stubborn",
    ),
}


def _invoke(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def _run(name: str, out: Path, *more: str) -> None:
    arguments, model = RUNS[name]
    _invoke("run", *arguments, "--model", model, "--out", str(out), *more)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RUNS))
def test_the_merged_table_is_that_of_the_whole_run_but_for_times(name: str, tmp_path: Path) -> None:
    _run(name, tmp_path / "whole")
    shards = [tmp_path / f"s{number}" for number in (1, 2)]
    for number, folder in enumerate(shards, start=1):
        _run(name, folder, "--shard", f"{number}/2")
    _invoke("merge", str(shards[1]), str(shards[0]), "--out", str(tmp_path / "merged"))
    whole, merged = (read_table(tmp_path / each / "samples.parquet") for each in ("whole", "merged"))
    assert merged.drop("seconds").equals(whole.drop("seconds"))
    parts = [read_table(folder / "samples.parquet") for folder in shards]
    assert not set(parts[0]["item"]) & set(parts[1]["item"]), "an item's forms stay together"
    of_whole, of_merged = read_manifest(tmp_path / "whole"), read_manifest(tmp_path / "merged")
    assert of_merged.planned == of_whole.planned
    assert of_merged.plan_sha256 == of_whole.plan_sha256
    assert of_merged.merged == ("1/2", "2/2")
    assert of_merged.status == "complete"


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("shards")
    made = [folder / f"s{number}" for number in (1, 2)]
    for number, out in enumerate(made, start=1):
        _run("prospective", out, "--shard", f"{number}/2")
    return made


def test_a_shard_knows_its_own_plan_and_resumes_as_itself(shards: list[Path]) -> None:
    manifest = read_manifest(shards[1])
    assert manifest.shard == "2/2"
    assert manifest.planned_samples == 2 * 5
    assert manifest.notes[0] == "shard 2/2 of the plan: every 2th item"
    before = read_table(shards[1] / "samples.parquet")
    _invoke("resume", str(shards[1]))
    assert read_table(shards[1] / "samples.parquet").equals(before)


def test_a_missing_or_doubled_shard_is_named(shards: list[Path], tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match=r"not every shard once.*run the missing ones: 2/2"):
        _invoke("merge", str(shards[0]), "--out", str(tmp_path / "m"))
    with pytest.raises(RunFolderError, match="not every shard once"):
        _invoke("merge", str(shards[0]), str(shards[0]), "--out", str(tmp_path / "m"))
    assert not (tmp_path / "m").exists()


def test_shards_of_other_runs_and_whole_runs_are_refused(shards: list[Path], tmp_path: Path) -> None:
    arguments, _ = RUNS["prospective"]
    other = tmp_path / "other"
    _invoke("run", *arguments, "--model", "forgetscope/reference/perfect", "--shard", "2/2", "--out", str(other))
    with pytest.raises(RunFolderError, match="not shards of one run: the model's name differs"):
        _invoke("merge", str(shards[0]), str(other), "--out", str(tmp_path / "m"))
    _run("prospective", tmp_path / "whole")
    with pytest.raises(RunFolderError, match="not a shard"):
        _invoke("merge", str(shards[0]), str(tmp_path / "whole"), "--out", str(tmp_path / "m"))


def test_a_log_does_not_take_the_place_of_another_shards(shards: list[Path], tmp_path: Path) -> None:
    changed = shutil.copytree(shards[1], tmp_path / "changed")
    (first,), (second,) = shards[0].glob("logs/*.eval"), changed.glob("logs/*.eval")
    second.rename(second.with_name(first.name))
    with pytest.raises(RunFolderError, match="another shard has a log of this name"):
        _invoke("merge", str(shards[0]), str(changed), "--out", str(tmp_path / "m"))


def test_a_full_disk_leaves_no_half_of_a_merged_run(
    shards: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(RunFolderError, match=r"\.eval: cannot write; found 'No space left on device'"):
        merge_shards(shards, tmp_path / "merged")
    assert not list((tmp_path / "merged").iterdir())


def test_a_merged_run_is_not_resumed(shards: list[Path], tmp_path: Path) -> None:
    _invoke("merge", *map(str, shards), "--out", str(tmp_path / "m"))
    with pytest.raises(SettingError, match=r"a merged run is not resumed.*merge them again"):
        _invoke("resume", str(tmp_path / "m"))


def test_more_shards_than_items_leave_an_empty_one_which_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"this shard is empty.*at most 4 shards"):
        _run("prospective", tmp_path / "run", "--shard", "9/9")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "a/b", "1/0", "/", "1/99999999999", "1/" + "9" * 5000])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="no such shard"):
        Shard.parse(text)
