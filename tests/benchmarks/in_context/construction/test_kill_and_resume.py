"""`kill -9` in the middle of a build, then the same command: nothing kept is asked again, the items are the same."""

import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.benchmarks.in_context.construction.building import json_lines, plan_of, run_plan
from tests.benchmarks.in_context.construction.scripted import Scripted, write_source

ROOT = Path(__file__).parents[4]
BOOKS = Path("construction/own")
NO_FILLER = ("--filler", "none")


def _command(calls: Path, source: Path, out: Path) -> list[str]:
    run = [sys.executable, "-m", "tests.benchmarks.in_context.construction.scripted_command", str(calls), "0.15"]
    return [
        *run,
        "build",
        "in-context",
        "--source",
        str(source),
        "--builder",
        "scripted",
        "--out",
        str(out),
        *NO_FILLER,
    ]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _kill_when(command: list[str], journal: Path, kept: int) -> None:
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 90
    while len(_lines(journal)) < kept:
        assert process.poll() is None, "the build ended before it could be killed"
        assert time.monotonic() < deadline, "the build does not get on"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.slow
def test_a_killed_build_asks_nothing_twice_and_gives_the_same_items(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", dialogues=4, instructions=3, preferences=3)
    out, calls = tmp_path / "out", tmp_path / "calls"
    command, journal = _command(calls, source, out), out / BOOKS / "calls.jsonl"
    _kill_when(command, journal, 17)
    kept_before = len(json_lines(journal))
    in_flight = len(_lines(calls)) - kept_before
    assert 0 <= in_flight <= 10, "one a row"
    assert not list(out.glob("*.jsonl")), "nothing half-built lies where a run would load it"

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{kept_before} kept from before" in done.stdout
    kept = Counter((line["row"], line["step"], line["attempt"]) for line in json_lines(journal))
    assert set(kept.values()) == {1}
    assert len(_lines(calls)) == len(kept) + in_flight, "what was in flight at the kill is asked again, nothing else"

    calm = tmp_path / "calm"
    run_plan(plan_of(source, max_tokens=1024), Scripted(), calm)
    for path in calm.glob("*.jsonl"):
        assert (out / path.name).read_bytes() == path.read_bytes()
    assert (out / BOOKS / "yields.json").read_bytes() == (calm / BOOKS / "yields.json").read_bytes()
