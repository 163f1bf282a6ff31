"""Claims: one owner at a time, whoever dies, sleeps or comes late."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from forgetscope.benchmarks.unlearning.grid.locks import CellLock, Owner, Refused, claim_cell

TAKE = """
import sys
from pathlib import Path
from forgetscope.benchmarks.unlearning.grid.locks import claim_cell
claim = claim_cell(Path(sys.argv[1]))
print(type(claim).__name__, flush=True)
sys.stdin.read()
"""


def other_process(folder: Path) -> "subprocess.Popen[str]":
    """A process that takes the claim and keeps it while it lives."""
    process = subprocess.Popen(
        [sys.executable, "-c", TAKE, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "CellLock"
    return process


def end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()


def elsewhere(folder: Path, number: int = 1) -> Path:
    """A claim of another machine."""
    folder.mkdir(exist_ok=True)
    path = folder / f"claim-{number}"
    path.write_text(Owner(host="another", pid=1, process_started=0.0, nonce="n").model_dump_json())
    return path


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_of_many_that_try_one_gets_the_cell(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        claims = list(pool.map(lambda _: claim_cell(tmp_path / "cell"), range(48)))
    assert sum(isinstance(claim, CellLock) for claim in claims) == 1
    assert {claim.reason for claim in claims if isinstance(claim, Refused)} == {"taken"}
    assert [path.name for path in (tmp_path / "cell").iterdir()] == ["claim-1"]


def test_a_living_process_keeps_its_claim_and_a_killed_one_loses_it_at_once(tmp_path: Path) -> None:
    process = other_process(tmp_path / "cell")
    try:
        assert claim_cell(tmp_path / "cell") == Refused("taken", 1)
    finally:
        end(process)
    claim = claim_cell(tmp_path / "cell")
    assert isinstance(claim, CellLock)
    assert claim.attempt == 2


def test_of_many_that_find_a_stale_claim_one_gets_the_cell(tmp_path: Path) -> None:
    age(elsewhere(tmp_path / "cell"), 1000)
    with ThreadPoolExecutor(16) as pool:
        claims = list(pool.map(lambda _: claim_cell(tmp_path / "cell"), range(48)))
    assert sum(isinstance(claim, CellLock) for claim in claims) == 1


def test_another_machines_claim_holds_while_it_is_touched(tmp_path: Path) -> None:
    path = elsewhere(tmp_path / "cell")
    assert claim_cell(tmp_path / "cell", stale_after=60) == Refused("taken", 1)
    age(path, 61)
    assert isinstance(claim_cell(tmp_path / "cell", stale_after=60), CellLock)


def test_a_claim_is_touched_while_it_is_held(tmp_path: Path) -> None:
    claim = claim_cell(tmp_path / "cell", stale_after=0.3)
    assert isinstance(claim, CellLock)
    age(claim.path, 1000)
    with claim:
        time.sleep(0.3)
    assert time.time() - claim.path.stat().st_mtime < 10


def test_an_owner_that_was_asleep_sees_that_it_was_overtaken(tmp_path: Path) -> None:
    claim = claim_cell(tmp_path / "cell")
    assert isinstance(claim, CellLock)
    assert not claim.is_lost
    elsewhere(tmp_path / "cell", 2)
    assert claim.is_lost


def test_a_claim_given_back_can_be_taken_again_and_is_no_attempt(tmp_path: Path) -> None:
    for _ in range(7):
        claim = claim_cell(tmp_path / "cell", max_attempts=2)
        assert isinstance(claim, CellLock)
        assert claim.attempt == 1
        claim.let_go()


def test_a_cell_that_ends_every_worker_is_given_up(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        age(elsewhere(tmp_path / "cell", number), 1000)
    assert claim_cell(tmp_path / "cell", max_attempts=3) == Refused("given_up", 3)


def test_a_claim_whose_file_is_damaged_holds_until_it_is_old(tmp_path: Path) -> None:
    path = elsewhere(tmp_path / "cell")
    path.write_text("{")
    assert claim_cell(tmp_path / "cell") == Refused("taken", 1)
    age(path, 1000)
    assert isinstance(claim_cell(tmp_path / "cell"), CellLock)


def test_a_process_with_the_number_of_one_that_ended_is_not_taken_for_it(tmp_path: Path) -> None:
    path = elsewhere(tmp_path / "cell")
    owner = Owner.this_process().model_copy(update={"process_started": 1.0})
    path.write_text(json.dumps(owner.model_dump()))
    assert isinstance(claim_cell(tmp_path / "cell"), CellLock)
