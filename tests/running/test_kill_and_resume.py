"""`kill -9` at any moment, then `forgetscope resume`: nothing that was finished is lost or asked for again."""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from forgetscope.core.reasoning import split_reasoning
from forgetscope.io.tables import read_table
from forgetscope.running.finished import TABLE_NAME
from forgetscope.running.journal import JOURNAL_NAME
from forgetscope.running.manifest import LOG_FOLDER
from tests.faults.server import Fault, FaultServer, Script

COUNTING = str(Path(__file__).with_name("counting.py"))
COMMAND = str(Path(sys.executable).with_name("forgetscope"))
RUN = ["run", "prospective", "--limit", "8", "--loads", "mmlu,gsm8k_x1", "--experiments", "load", "--seed", "42"]
RUN += ["--max-connections", "4"]
PLANNED = 8 * (2 + 3 * 2)
TIMES = ("seconds",)


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _journal(folder: Path) -> dict[str, str]:
    """Replies on disk, by sample; a line cut by the kill counts as in flight."""
    kept = {}
    for line in _lines(folder / JOURNAL_NAME):
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        kept[entry["sample"]] = entry["output"]["choices"][0]["message"]["content"]
    return kept


def _kill_when(process: subprocess.Popen[bytes], finished: int, journal: Path) -> None:
    deadline = time.monotonic() + 90
    while len(_lines(journal)) < finished:
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline, "the run does not get on"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _finish(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _without_times(table: pl.DataFrame) -> pl.DataFrame:
    return table.drop(TIMES).sort("sample_id")


@pytest.mark.slow
def test_three_kills_change_nothing_but_times(tmp_path: Path) -> None:
    folder, calls = tmp_path / "run", tmp_path / "calls"
    model = ["--model", "forgetscope/reference/perfect", "-M", "latency=0.2"]
    first = [sys.executable, COUNTING, str(calls), *RUN, *model, "--out", str(folder)]
    again = [sys.executable, COUNTING, str(calls), "resume", str(folder)]
    moments = sorted(random.Random(2).sample(range(4, PLANNED - 8), 3))

    finished: dict[str, str] = {}
    asked_before = 0
    for number, moment in enumerate(moments):
        _kill_when(_start(again if number else first), moment, folder / JOURNAL_NAME)
        asked = _lines(calls)
        assert not set(asked[asked_before:]) & finished.keys(), "a finished reply was asked for again"
        asked_before = len(asked)
        finished |= _journal(folder)
    _finish(again)
    assert not set(_lines(calls)[asked_before:]) & finished.keys(), "a finished reply was asked for again"

    table = read_table(folder / TABLE_NAME)
    assert table.height == table["sample_id"].n_unique() == PLANNED
    replies = dict(table.select("sample_id", "reply").iter_rows())
    assert {sample: replies[sample] for sample in finished} == {
        sample: split_reasoning(reply)[1] for sample, reply in finished.items()
    }
    repeated = sum(Counter(_lines(calls)).values()) - PLANNED
    assert repeated <= 3 * 4, "at most what was in flight, four at a kill, may repeat"
    assert not (folder / JOURNAL_NAME).exists()

    _finish([COMMAND, *RUN, *model[:2], "--out", str(tmp_path / "calm")])
    assert _without_times(table).equals(_without_times(read_table(tmp_path / "calm" / TABLE_NAME)))
    assert table["seconds"].min() >= 0.2, "the time of a reply given back is that of the call"  # type: ignore[operator]


@pytest.mark.slow
def test_a_server_hears_no_request_twice_whose_reply_had_arrived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    with FaultServer([Script(Fault.NONE)], delay=0.1) as server:
        monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
        monkeypatch.setenv("FAULTY_BASE_URL", server.url)
        command = [COMMAND, *RUN, "--conditions", "baseline,natural", "--model", "openai-api/faulty/some-model"]
        _kill_when(_start([*command, "--out", str(folder)]), 9, folder / JOURNAL_NAME)
        finished = _journal(folder)
        requests = server.requests.total()
        _finish([COMMAND, "resume", str(folder)])
        table = read_table(folder / TABLE_NAME)
        assert server.requests.total() - requests == table.height - len(finished)
    assert table["status"].is_in(["correct", "incorrect"]).all()
    assert (table["output_tokens"] == 7).all(), "a reply given back still counts its tokens"


@pytest.mark.slow
def test_a_run_killed_before_its_first_reply_starts_over(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    model = ["--model", "forgetscope/reference/perfect", "-M", "latency=0.3"]
    process = _start([COMMAND, *RUN, *model, "--out", str(folder)])
    deadline = time.monotonic() + 60
    while not list(folder.glob(f"{LOG_FOLDER}/*.eval")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    _finish([COMMAND, "resume", str(folder)])
    assert read_table(folder / TABLE_NAME).height == PLANNED
