"""Every command that writes, on a disk that has no room for it: `python -m tests.attacks.disks` (needs root: tmpfs).

A row a command: its exit codes by the size of the disk. It must end by itself, with 2 and one line, or 0 where there
was room; no traceback, and nothing half written that a reader would take for whole: files on the disk are counted whose
JSON, table or page cannot be read.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

from tests.attacks.commands import start
from tests.attacks.moments import small_disk

RUN = ["run", "prospective", "--limit", "6", "--loads", "mmlu", "--experiments", "load", "--seed", "42"]
RUN += ["--model", "forgetscope/reference/fading"]
JUDGED = ["run", "in-context", "--limit", "2", "--probes", "none", "--model", "forgetscope/reference/perfect-forgetter"]

COMMANDS: dict[str, list[str]] = {
    "run": [*RUN, "--out", "{disk}/run"],
    "run --replies": ["run", "prospective", *RUN[2:10], "--replies", "{work}/replies.jsonl", "--out", "{disk}/run"],
    "plan --write-prompts": ["plan", "prospective", *RUN[2:10], "--write-prompts", "{disk}/prompts.jsonl"],
    "report": ["report", "{disk}/copy"],
    "report --out": ["report", "{work}/one", "--out", "{disk}/page.html"],
    "compare": ["compare", "{work}/one", "{work}/one", "--out", "{disk}/compared"],
    "merge": ["merge", "{work}/half1", "{work}/half2", "--out", "{disk}/merged"],
    "rejudge": ["rejudge", "{disk}/copy", "--judge", "forgetscope/reference/rule-judge"],
    "annotate sample": ["annotate", "sample", "{work}/judged", "--out", "{disk}/sheets"],
    "unlearn formats": ["unlearn", "formats", "--out", "{disk}/formats"],
    "unlearn grid": ["unlearn", "demo", "--cells", "3", "--shipped", "--workers", "1", "--out", "{disk}/grid"],
    "demo": ["demo", "--quick", "--out", "{disk}/demo"],
}
COPIED = {"report": "one", "rejudge": "judged"}


def attack(name: str, work: Path, kilobytes: int) -> tuple[int, int, int]:
    """A command on a disk of so many kB beside what it begins with: exit code, tracebacks, broken files."""
    disk, said = work / "disk", work / "said"
    said.unlink(missing_ok=True)
    begun = work / COPIED[name] if name in COPIED else None
    needed = 0 if begun is None else 4 * sum(-(-path.stat().st_size // 4096) for path in [begun, *begun.rglob("*")])
    with small_disk(disk, kilobytes + needed):
        if begun is not None:
            shutil.copytree(begun, disk / "copy")
        words = [word.format(work=work, disk=disk) for word in COMMANDS[name]]
        code = start(words, said, environment(work)).wait(900)
        broken = [path for path in disk.rglob("*") if path.is_file() and not is_readable(path)]
    text = said.read_text(encoding="utf-8", errors="replace") if said.exists() else ""
    tracebacks = text.count("Traceback (most recent call last)")
    lines = [line for line in text.splitlines() if line.startswith("forgetscope: ")]
    if tracebacks or broken or code not in (0, 2) or (code == 2 and len(lines) != 1):
        print(f"{name}, {kilobytes} kB: exit {code}, {broken}\n{text[-3000:]}", file=sys.stderr)
    return code, tracebacks + (code == 2 and len(lines) != 1), len(broken)


def environment(work: Path) -> dict[str, str]:
    """For commands: a record of its own."""
    return {"FORGETSCOPE_STATE": str(work / "state")}


def is_readable(path: Path) -> bool:
    """Whether a file that a reader would take for whole is one; Inspect's own beside its logs are not asked."""
    if path.parent.name == "logs":
        return True
    try:
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix == ".parquet":
            pl.read_parquet(path)
        elif path.suffix == ".html":
            return path.read_text(encoding="utf-8").rstrip().endswith("</html>")
    except (ValueError, OSError, pl.exceptions.PolarsError):
        return path.name.startswith(".")
    return True


def main() -> None:
    """Attack and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="commands with this in their name")
    parser.add_argument("--sizes", default="4,16,64,256", help="in kB")
    asked = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("mounting a small disk needs root")
    sizes, began, wrong = [int(size) for size in asked.sizes.split(",")], time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="forgetscope-disks-") as folder:
        work = Path(folder)
        for name, words in {"one": RUN, "half1": [*RUN, "--shard", "1/2"], "half2": [*RUN, "--shard", "2/2"]}.items():
            made(words, work / name)
        made(JUDGED, work / "judged")
        table = pl.read_parquet(work / "one" / "samples.parquet").select(pl.col("sample_id").alias("id"), "reply")
        table.write_ndjson(work / "replies.jsonl")
        print(f"| command | {' | '.join(f'{size} kB' for size in sizes)} | tracebacks | broken files |")
        print(f"|---|{'--:|' * (len(sizes) + 2)}")
        for name in (name for name in COMMANDS if asked.only in name):
            found = [attack(name, work, size) for size in sizes]
            codes, tracebacks, broken = zip(*found, strict=True)
            sound = not any(tracebacks) and not any(broken) and set(codes) <= {0, 2}
            wrong += not sound
            row = [name, *codes, sum(tracebacks), sum(broken)]
            print(f"| {' | '.join(map(str, row))} |" + ("" if sound else " **WRONG** |"), flush=True)
    print(f"\n{(time.monotonic() - began) / 60:.0f} min, {wrong} wrong")
    sys.exit(1 if wrong else 0)


def made(words: list[str], folder: Path) -> None:
    """A run to begin with.

    Raises:
        RuntimeError: it cannot be made.
    """
    said = folder.parent / "said"
    if start([*words, "--out", str(folder)], said, environment(folder.parent)).wait() != 0:
        raise RuntimeError(said.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
