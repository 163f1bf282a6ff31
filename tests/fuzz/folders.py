"""Run folders as they may come from others: damaged, incomplete, foreign, full of links, or unpacking to far more."""

import io
import os
import random
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

from forgetscope.api.runs import load
from forgetscope.running.finished import collect_run
from tests.fuzz.attack import Account, attempt
from tests.fuzz.mutations import damaged, mutated


def attack_folders(whole: Path, folder: Path, seeds: Iterator[int], account: Account) -> None:
    """Each seed makes one hostile copy of a sound run, which is then loaded and collected from its logs."""
    outside = folder / "outside"
    outside.mkdir(parents=True, exist_ok=True)
    (outside / "secret.txt").write_text("secret\n", encoding="utf-8")
    for seed in seeds:
        chance = random.Random(seed)
        given = folder / "given"
        shutil.rmtree(given, ignore_errors=True)
        shutil.copytree(whole, given)
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            made_hostile(given, outside, chance)
        attempt(account, f"run folder, seed {seed}", lambda given=given: load(given).results, outside)  # type: ignore[misc]
        attempt(account, f"logs of a run folder, seed {seed}", lambda given=given: collect_run(given), outside)  # type: ignore[misc]


def made_hostile(folder: Path, outside: Path, chance: random.Random) -> None:
    """One thing wrong with it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    if not files:
        return
    hit = chance.choice([path for path in files if path.suffix != ".html"] or files)
    match chance.randrange(8):
        case 0:
            hit.unlink()
        case 1:
            hit.unlink()
            hit.symlink_to(chance.choice([outside, outside / "secret.txt", Path("/dev/zero"), hit, Path("nowhere")]))
        case 2:
            hit.unlink()
            os.mkfifo(hit) if chance.random() < 0.5 else hit.mkdir()
        case 3:
            other = chance.choice(files)
            hit.write_bytes(other.read_bytes())
        case 4:
            (folder / chance.choice(["judgements.jsonl", "replies.jsonl", "logs/x.eval"])).write_bytes(
                mutated(hit.read_bytes(), chance)
            )
        case 5 if hit.suffix == ".eval":
            with zipfile.ZipFile(hit, "a", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(chance.choice(["samples/more.json", "../../outside/new.txt"]), b" " * 150_000_000)
        case 6 if hit.suffix == ".eval":
            hit.write_bytes(_repacked(hit.read_bytes(), chance))
        case _:
            hit.write_bytes((mutated if hit.suffix in (".json", ".jsonl") else damaged)(hit.read_bytes(), chance))


def _repacked(content: bytes, chance: random.Random) -> bytes:
    """A log with one of its entries damaged or missing, and otherwise a sound archive."""
    found = zipfile.ZipFile(io.BytesIO(content))
    names = found.namelist()
    hit, made = chance.choice(names), io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            if name != hit:
                archive.writestr(name, found.read(name))
            elif chance.random() < 0.8:
                archive.writestr(name, mutated(found.read(name), chance))
    return made.getvalue()
