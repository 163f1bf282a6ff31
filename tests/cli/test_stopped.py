"""Ctrl-C in any long command: one line that says how to go on, exit code 130, and going on works.

However often it comes, and likewise after SIGTERM and SIGHUP, with their own codes.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from forgetscope.io.tables import read_table

PROSPECTIVE = ["run", "prospective", "--limit", "3", "--loads", "mmlu", "--experiments", "load", "--seed", "42"]
REFERENCE = ["--model", "forgetscope/reference/fading"]
JUDGED = ["run", "in-context", "--scenarios", "instructional_forgetting", "--limit", "2", "--probes", "none"]
LOGS, WRITING, COMPARING = "forgetscope.running.logs", "forgetscope.report.write", "forgetscope.report.comparing"
PREPARATION = "forgetscope.benchmarks.unlearning.data.preparation"


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    begun = [sys.executable, "-c", "from forgetscope.cli import main; main()"]
    return subprocess.run([*begun, *arguments], capture_output=True, text=True, check=False, timeout=120)


def stopped(module: str, function: str, after: int, *arguments: str) -> str:
    """What a command says when it is stopped where `function` is called once more after so many times."""
    return ended([(0, signal.SIGINT)], 130, "stopped", module, function, after, *arguments)


def ended(
    signals: Sequence[tuple[float, int]], code: int, how: str, module: str, function: str, after: int, *words: str
) -> str:
    """What a command says there after signals, each some seconds after the one before, once it ended with a code."""
    begun = [sys.executable, "-m", "tests.cli.stopping", module, function, str(after), *words]
    with subprocess.Popen(begun, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any(line.endswith("here\n") for line in process.stdout), "the command never came there"
        for wait, number in signals:
            time.sleep(wait)
            if process.poll() is None:
                os.kill(process.pid, number)
        shown, said = process.communicate(timeout=100)
    assert process.returncode == code, said
    assert "Traceback" not in said + shown
    (line,) = (line for line in said.splitlines() if line.startswith("forgetscope: "))
    assert line.startswith(f"forgetscope: {how}; ")
    return line


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two shards of one run."""
    folders = [tmp_path_factory.mktemp("runs") / f"s{number}" for number in (1, 2)]
    for number, folder in enumerate(folders, start=1):
        done = command(*PROSPECTIVE, *REFERENCE, "--out", str(folder), "--shard", f"{number}/2")
        assert done.returncode == 0, done.stderr
    return folders


@pytest.mark.slow
def test_a_run_that_is_stopped_is_resumed_by_the_command_it_names(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    provider = ("forgetscope.models.reference", "ReferenceModel.generate", 5)
    line = stopped(*provider, *PROSPECTIVE, *REFERENCE, "--out", str(folder))
    assert line.endswith(f"every reply so far is kept; next: forgetscope resume {folder}")
    assert len((folder / "replies.jsonl").read_text().splitlines()) == 5
    done = command(*line.rpartition("next: forgetscope ")[2].split())
    assert done.returncode == 0, done.stderr
    assert read_table(folder / "samples.parquet").height == 3 * (2 + 3)


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.0, 0.02, 0.2])
def test_a_run_that_is_stopped_again_and_again_ends_as_after_the_first_time(tmp_path: Path, pause: float) -> None:
    provider = ("forgetscope.models.reference", "ReferenceModel.generate", 5)
    thrice = [(wait, signal.SIGINT) for wait in (0, pause, pause)]
    line = ended(thrice, 130, "stopped", *provider, *PROSPECTIVE, *REFERENCE, "--out", str(tmp_path / "run"))
    assert line.endswith(f"every reply so far is kept; next: forgetscope resume {tmp_path / 'run'}")


@pytest.mark.slow
def test_a_second_ctrl_c_ends_what_does_not_end_by_itself(tmp_path: Path) -> None:
    stuck = ("forgetscope.running.journal", "ReplyJournal.keep", 3)
    twice = [(0, signal.SIGINT), (0.5, signal.SIGINT)]
    line = ended(twice, 130, "stopped", *stuck, *PROSPECTIVE, *REFERENCE, "--out", str(tmp_path / "run"))
    assert f"forgetscope resume {tmp_path / 'run'}" in line


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_run_that_is_told_to_end_says_how_to_go_on(tmp_path: Path, number: int, code: int) -> None:
    provider = ("forgetscope.models.reference", "ReferenceModel.generate", 5)
    named = f"ended by {signal.Signals(number).name}"
    line = ended([(0, number)], code, named, *provider, *PROSPECTIVE, *REFERENCE, "--out", str(tmp_path / "run"))
    assert line.endswith(f"every reply so far is kept; next: forgetscope resume {tmp_path / 'run'}")
    assert len((tmp_path / "run" / "replies.jsonl").read_text().splitlines()) == 5


@pytest.mark.slow
def test_a_report_that_is_stopped_leaves_what_was_there(finished: list[Path]) -> None:
    before = (finished[0] / "report.html").read_bytes()
    line = stopped(WRITING, "chapter_of", 0, "report", str(finished[0]))
    assert line.endswith(f"the samples are all there; next: forgetscope report {finished[0]}")
    assert (finished[0] / "report.html").read_bytes() == before
    assert command("report", str(finished[0])).returncode == 0


@pytest.mark.slow
def test_a_merge_that_is_stopped_begins_anew(finished: list[Path], tmp_path: Path) -> None:
    merge = ["merge", *map(str, finished), "--out", str(tmp_path / "merged")]
    line = stopped(LOGS, "_row", 1, *merge)
    assert line.endswith("the shards are as they were; next: the same command again")
    assert command(*merge).returncode == 0


@pytest.mark.slow
def test_a_comparison_that_is_stopped_begins_anew(finished: list[Path], tmp_path: Path) -> None:
    compare = ["compare", str(finished[0]), str(finished[0]), "--out", str(tmp_path / "out")]
    line = stopped(COMPARING, "chapter_of", 1, *compare)
    assert line.endswith("next: the same command again")
    assert not list(tmp_path.glob("out/*"))


@pytest.mark.slow
def test_judging_that_is_stopped_asks_only_what_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = command(*JUDGED, "--model", "forgetscope/reference/perfect-forgetter", "--out", str(folder))
    assert done.returncode == 0, done.stderr
    rejudge = ["rejudge", str(folder), "--judge", "forgetscope/reference/rule-judge"]
    line = stopped("forgetscope.models.reference", "ReferenceModel.generate", 2, *rejudge)
    assert line.endswith("next: the same command again, which asks for the others alone")
    again = command(*rejudge)
    assert again.returncode == 0, again.stderr
    assert "judging: 2 of 2" in again.stderr


@pytest.mark.slow
def test_formats_that_are_stopped_begin_anew(tmp_path: Path) -> None:
    formats = ["unlearn", "formats", "--out", str(tmp_path / "out")]
    line = stopped(PREPARATION, "plan_retain", 0, *formats)
    assert line.endswith("nothing is half written; next: the same command again")
    assert not list(tmp_path.glob("out/*"))
