"""The demo runs a part beside the others in a process of its own, with the same runs, and ends it in any case."""

import multiprocessing
from pathlib import Path

import pytest

from forgetscope.benchmarks import get_benchmark
from forgetscope.cli.demo import DEMO_RUNS, DemoRun, _begun_apart, _runs
from forgetscope.core.errors import RunFolderError

PART = DemoRun("visual", ("forgetscope/reference/visual-obedient",), {"splits": "embedded-identity", "limit": 1}, {})


def test_a_part_run_apart_gives_what_it_gives_here(tmp_path: Path) -> None:
    with _begun_apart((PART,), tmp_path / "apart", is_quick=False) as runs:
        (here,) = _runs(PART, tmp_path / "here", "none", is_quick=False, is_silent=True)
        (apart,) = runs()
    assert apart.folder.parent == tmp_path / "apart"
    assert apart.is_complete
    assert apart.table.drop("seconds").equals(here.table.drop("seconds"))


def test_what_goes_wrong_apart_is_said_here(tmp_path: Path) -> None:
    (tmp_path / "visual-visual-obedient").touch()
    with (
        pytest.raises(RunFolderError, match="cannot use this folder"),
        _begun_apart((PART,), tmp_path, is_quick=False) as runs,
    ):
        runs()


def test_a_demo_that_is_stopped_leaves_no_process_behind(tmp_path: Path) -> None:
    def stopped() -> None:
        with _begun_apart((PART,), tmp_path, is_quick=False):
            assert multiprocessing.active_children()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert not multiprocessing.active_children()


def test_what_runs_apart_comes_last_so_that_chapters_keep_their_order() -> None:
    apart = [part.is_apart for part in DEMO_RUNS]
    assert apart == sorted(apart)
    assert all(get_benchmark(part.benchmark) for part in DEMO_RUNS)
