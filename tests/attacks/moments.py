"""Runs that are killed, stopped, started twice and left without room, at moments drawn by a seed.

`python -m tests.attacks.moments` attacks each sample benchmark, in-context with a judge too, and `rejudge`, against a
server that counts, and compares the table after the last `resume` with that of an undisturbed run. A row an attack;
exit 1 where a sample was lost, a table differs, more was sent than was planned and in flight, or Ctrl-C does not end
with 130. Disk full needs root (tmpfs).
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from forgetscope.io.tables import read_table
from forgetscope.running.finished import TABLE_NAME
from tests.attacks.commands import Command, start
from tests.faults.server import FaultServer

AT_ONCE = 4
DELAY = 0.02

COMMANDS: dict[str, list[str]] = {
    "in-context": ["in-context", "--limit", "12"],
    "in-context, judged": ["in-context", "--limit", "8", "--scenarios", "instructional_forgetting,dynamic_preference"],
    "visual": ["visual", "--limit", "1", "--conditions", "paper", "--probes", "choice", "--controls", "none"],
    "in-context, judged again": ["in-context", "--limit", "8", "--scenarios", "instructional_forgetting"],
    "prospective": ["prospective", "--limit", "20", "--loads", "mmlu", "--seed", "42", "--experiments", "load"],
}
"""Runs of about a hundred samples; that which is judged again is attacked in `rejudge`."""
KINDS = ("kills", "SIGTERM", "SIGINT", "twice", "disks")


def judged(prompt: str) -> str:
    """A verdict of the form that is asked for."""
    if '"follows"' in prompt:
        return '{"follows": true, "reason": "it keeps to it"}'
    leak = ', "leak": "none"' if '"leak"' in prompt else ""
    return '{"verdict": "yes"' + leak + ', "reason": "so it stands there"}'


@dataclass
class Attack:
    """One benchmark under attack, and what the servers saw.

    Attributes:
        server: The model under test.
        judge: The judge.
        planned: Calls of an undisturbed run: to the model, to the judge.
        calm: Its table.
        codes: Exit codes of the commands, in order; minus a signal where one ended them.
    """

    name: str
    work: Path
    server: FaultServer
    judge: FaultServer
    planned: tuple[int, int] = (0, 0)
    calm: pl.DataFrame = field(default_factory=pl.DataFrame)
    codes: list[int] = field(default_factory=list)
    asked: tuple[int, int] = (0, 0)

    @property
    def moment(self) -> int:
        """How far the command under attack is: requests since the attack began."""
        return self.sent()[0]

    @property
    def total(self) -> int:
        """How far it comes."""
        return self.planned[0]

    @property
    def needs(self) -> int:
        """Kilobytes that a folder takes before the command begins."""
        return 0

    @property
    def environment(self) -> dict[str, str]:
        """For commands: addresses, keys, a record of its own."""
        return {
            "LEFT_API_KEY": "none",
            "LEFT_BASE_URL": self.server.url,
            "JUDGE_API_KEY": "none",
            "JUDGE_BASE_URL": self.judge.url,
            "FORGETSCOPE_STATE": str(self.work / "state"),
        }

    def run(self, folder: Path) -> Command:
        """Start the run."""
        judge = ["--judge", "openai-api/judge/m"] if "judged" in self.name else []
        words = ["run", *COMMANDS[self.name], *judge, "--model", "openai-api/left/m", "--out", str(folder)]
        return self._start([*words, "--max-connections", str(AT_ONCE), "--completeness", "0.5"])

    def resume(self, folder: Path) -> Command:
        """Start going on with it."""
        return self._start(["resume", str(folder)])

    def begun(self, folder: Path) -> Command:
        """Start what is attacked."""
        return self.run(folder)

    def go_on(self, folder: Path) -> Command:
        """Go on with whatever there is."""
        return self.resume(folder) if (folder / "run.json").exists() else self.run(folder)

    def _start(self, words: Sequence[str]) -> Command:
        return start(words, self.work / "said", self.environment)

    def sent(self) -> tuple[int, int]:
        """Requests since the attack began: to the model, to the judge."""
        now = self.server.requests.total(), self.judge.requests.total()
        return now[0] - self.asked[0], now[1] - self.asked[1]

    def begin(self) -> None:
        """Count from here."""
        self.asked = self.server.requests.total(), self.judge.requests.total()
        self.codes = []
        (self.work / "said").unlink(missing_ok=True)

    def said(self) -> str:
        """What the commands printed since the attack began."""
        return (self.work / "said").read_text(encoding="utf-8", errors="replace")

    def report(self, what: str, folder: Path, stops: int) -> bool:
        """Print the row of an attack; whether all is as it must be."""
        if not (folder / TABLE_NAME).exists():
            print(f"| {what} | {self.name} | no table, exit codes {self.codes} | **WRONG** |\n{self.said()[-3000:]}")
            return False
        table = read_table(folder / TABLE_NAME)
        lost, same = self.calm.height - table["sample_id"].n_unique(), same_table(table, self.calm)
        sent, allowed = self.sent(), stops * AT_ONCE
        over = [max(0, number - planned) for number, planned in zip(sent, self.planned, strict=True)]
        codes = "; ".join(f"{self.codes.count(code)} x {code}" for code in dict.fromkeys(self.codes))
        tracebacks = self.said().count("Traceback (most recent call last)")
        sound = not lost and same and not tracebacks and self.codes[-1] == 0 and all(extra <= allowed for extra in over)
        if what.startswith("SIGINT"):
            sound = sound and set(self.codes[:-1]) == {130}
        cells = [what, self.name, self.calm.height, lost, *self.planned, *sent, allowed, codes]
        cells += ["yes" if same else "NO", tracebacks]
        print(f"| {' | '.join(map(str, cells))} |" + ("" if sound else " **WRONG** |"), flush=True)
        return sound


class JudgingAgain(Attack):
    """`rejudge` under attack, each time of a copy of the calm run."""

    @property
    def moment(self) -> int:
        """The judge's requests."""
        return self.sent()[1]

    @property
    def total(self) -> int:
        """The judge's calls."""
        return self.planned[1]

    @property
    def needs(self) -> int:
        """The calm run, in whole pages."""
        pages = (-(-path.lstat().st_size // 4096) for path in (self.work / "calm").rglob("*"))
        return 4 * sum(pages)

    def resume(self, folder: Path) -> Command:
        """Judge a copy of the calm run, or go on with that."""
        if not folder.exists():
            shutil.copytree(self.work / "calm", folder)
        return self._start(["rejudge", str(folder), "--judge", "openai-api/judge/m"])

    begun = go_on = resume


def same_table(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Whether two tables are alike but for the clock."""
    return one.drop("seconds").sort("sample_id").equals(other.drop("seconds").sort("sample_id"))


def kills(attack: Attack, folder: Path, chance: random.Random, number: int) -> bool:
    """`kill -9` so often, at moments spread over the run: while it starts, sends, and after the last reply."""
    attack.begin()
    total = attack.total
    moments = sorted(chance.randint(0, total) for _ in range(number))
    command = attack.begun(folder)
    for moment in moments:
        if command.wait_until(lambda moment=moment: attack.moment >= moment):  # type: ignore[misc]
            time.sleep(chance.uniform(0, 1.5 if moment == total else 0.2))
        code = command.stop(signal.SIGKILL)
        attack.codes.append(code)
        command = attack.go_on(folder)
    attack.codes.append(command.wait())
    return attack.report(f"kill -9, {number} times", folder, number)


def stops(attack: Attack, folder: Path, chance: random.Random, how: signal.Signals) -> bool:
    """A signal in the middle, then one during the resume."""
    attack.begin()
    command = attack.begun(folder)
    for part in (0.3, 0.6):
        moment = int(attack.total * chance.uniform(part, part + 0.2))
        command.wait_until(lambda moment=moment: attack.moment >= moment)  # type: ignore[misc]
        attack.codes.append(command.stop(how))
        command = attack.go_on(folder)
    attack.codes.append(command.wait())
    return attack.report(f"{how.name}, twice", folder, 2)


def two_resumes(attack: Attack, folder: Path, chance: random.Random) -> bool:
    """Killed, then two `resume` at the same moment, and once more: one of the two works, the other says so and goes."""
    attack.begin()
    command = attack.begun(folder)
    for part in (0.2, 0.6):
        moment = int(attack.total * chance.uniform(part, part + 0.2))
        command.wait_until(lambda moment=moment: attack.moment >= moment)  # type: ignore[misc]
        attack.codes.append(command.stop(signal.SIGKILL))
        command = _survivor(attack, attack.resume(folder), attack.resume(folder))
    attack.codes.append(command.wait())
    return attack.report("two resumes at once, twice", folder, 2)


def _survivor(attack: Attack, first: Command, second: Command) -> Command:
    """Of two that were started at once, the one that works on when the other has gone."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        for one, other in ((first, second), (second, first)):
            if one.process.exitcode is not None:
                attack.codes.append(one.process.exitcode)
                return other
        time.sleep(0.01)
    raise TimeoutError("both resumes work in one folder")


def full_disk(attack: Attack, work: Path, kilobytes: int) -> bool:
    """On a disk of so many kB; then there is room, and `resume`."""
    attack.begin()
    disk = work / "disk"
    with small_disk(disk, kilobytes + attack.needs):
        attack.codes.append(attack.begun(disk / "run").wait())
        subprocess.run(["mount", "-o", "remount,size=200m", str(disk)], check=True)
        attack.codes.append(attack.go_on(disk / "run").wait())
        return attack.report(f"a disk of {kilobytes} kB", disk / "run", 1)


@contextmanager
def small_disk(place: Path, kilobytes: int) -> Iterator[None]:
    """A disk of so many kB in the block; needs root."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
        place.rmdir()


def main() -> None:
    """Attack and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10_000))
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--only", default="", help="a benchmark, or those with this in their name")
    parser.add_argument("--disks", default="48,96,200,400,1200", help="sizes in kB; empty for none")
    parser.add_argument("--attacks", default=",".join(KINDS), help="kinds of attack")
    asked = parser.parse_args()
    print(f"seed {asked.seed}, {AT_ONCE} requests in flight\n")
    print(
        "| attack | benchmark | n | lost | model calls planned | judge's | requests sent | judge's | may repeat "
        "| exit codes | same table | tracebacks |\n|---|---|--:|--:|--:|--:|--:|--:|--:|---|---|--:|"
    )
    disks = [int(size) for size in asked.disks.split(",") if size] if os.geteuid() == 0 else []
    chosen = asked.attacks.split(",")
    began = time.monotonic()
    names = [asked.only] if asked.only in COMMANDS else [name for name in COMMANDS if asked.only in name]
    fine = [attacked(name, asked.seed, asked.kills, disks, chosen) for name in names]
    print(f"\n{len(fine)} benchmarks in {(time.monotonic() - began) / 60:.0f} min, {fine.count(False)} wrong")
    sys.exit(0 if all(fine) else 1)


def attacked(name: str, seed: int, number: int, disks: Sequence[int], chosen: Collection[str]) -> bool:
    """The chosen attacks on one benchmark; whether all went as they must."""
    chance = random.Random(f"{seed} {name}")
    with ExitStack() as stack:
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="forgetscope-moments-")))
        server = stack.enter_context(FaultServer(delay=DELAY))
        judge = stack.enter_context(FaultServer(delay=DELAY, answer=judged))
        attack = (JudgingAgain if "again" in name else Attack)(name, work, server, judge)
        calm = attack.run(work / "calm").wait()
        if isinstance(attack, JudgingAgain) and calm == 0:
            attack.begin()
            calm = attack.resume(work / "calm again").wait()
        if calm != 0:
            raise RuntimeError(attack.said())
        attack.calm = read_table(work / ("calm again" if "again" in name else "calm") / TABLE_NAME)
        attack.planned = attack.sent()
        attacks: dict[str, Callable[[], bool]] = {
            "kills": lambda: kills(attack, work / "kills", chance, number),
            "SIGTERM": lambda: stops(attack, work / "term", chance, signal.SIGTERM),
            "SIGINT": lambda: stops(attack, work / "int", chance, signal.SIGINT),
            "twice": lambda: two_resumes(attack, work / "resumes", chance),
            "disks": lambda: False not in [full_disk(attack, work, size) for size in disks],
        }
        fine = [made() for what, made in attacks.items() if what in chosen]
    return all(fine)


if __name__ == "__main__":
    main()
