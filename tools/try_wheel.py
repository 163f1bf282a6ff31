"""Build the wheel and try it under other Pythons, each in a virtual environment of its own, as the README says.

    python -m tools.try_wheel [--extras unlearning,visual] [--keep FOLDER] [PYTHON ...]

Without names: python3.11, python3.12 and python3.13, those that start. What is installed are the lines of
`docs/index.md`, with the wheel in the place of the clone; then a few commands that need no model. One line for each
interpreter, and what the step said that failed; exit status 1 if one did.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("python3.11", "python3.12", "python3.13")
TRIED: tuple[tuple[str, ...], ...] = (
    ("--help",),
    ("list",),
    ("plan", "in-context", "--limit", "1"),
    ("plan", "prospective", "--limit", "1", "--seed", "42"),
    ("plan", "visual", "--limit", "1"),
    (
        "run",
        "prospective",
        "--model",
        "forgetscope/reference/perfect",
        "--experiments",
        "load",
        "--limit",
        "2",
        "--seed",
        "42",
        "--out",
        "run",
    ),
    ("report", "run"),
)


class _FailedError(Exception):
    """A step that did not end well, with what it said."""


def main() -> int:
    """Says for each interpreter what was shown; exit status 1 if a step failed under one of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    parser.add_argument("--extras", default="", help="extras to install too: unlearning,visual")
    parser.add_argument("--keep", type=Path, help="where environments and runs stay")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        wheel = build_wheel(folder)
        print(f"built {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
        outcomes = [_outcome(python, wheel, arguments.extras, folder) for python in arguments.pythons or PYTHONS]
    return int(not all(outcomes))


def build_wheel(folder: Path) -> Path:
    """The wheel of this clone, built as its `pyproject.toml` says."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet"]
    _run([*command, "--wheel-dir", str(folder / "wheel"), str(ROOT)], folder)
    (wheel,) = (folder / "wheel").glob("forgetscope-*.whl")
    return wheel


def install_lines(wheel: Path, extras: str) -> list[list[str]]:
    """The arguments of pip that `docs/index.md` gives, with the wheel for the clone, and the extras where asked for."""
    page = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    block = re.search(r"^## Install\n.*?```\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    if block is None:
        raise ValueError("no lines to install with in docs/index.md")
    found = [line.partition("#")[0].split() for line in block[1].splitlines() if line.startswith("pip install")]
    places = {".": str(wheel), "'.[unlearning,visual]'": f"{wheel}[{extras}]"}
    return [
        [places.get(word, word) for word in words[1:]]
        for words in found
        if extras or "'.[unlearning,visual]'" not in words
    ]


def _outcome(python: str, wheel: Path, extras: str, folder: Path) -> bool:
    started = time.monotonic()
    try:
        version = _run([python, "--version"], folder)
    except _FailedError:
        print(f"{python}: not here", flush=True)
        return True
    place = folder / python.replace("/", "_")
    try:
        _run([python, "-m", "venv", str(place)], folder)
        own = str(place / "bin/python")
        for words in install_lines(wheel, extras):
            _run([own, "-m", "pip", "--quiet", "--disable-pip-version-check", *words], folder)
        installed = time.monotonic()
        for tried in TRIED:
            _run([str(place / "bin/forgetscope"), *tried], place)
    except _FailedError as error:
        print(f"{version}: FAILED\n{error}", flush=True)
        return False
    now = time.monotonic()
    print(
        f"{version}: installed in {installed - started:.0f} s, {len(TRIED)} commands in {now - installed:.0f} s",
        flush=True,
    )
    return True


def _run(command: Sequence[str], place: Path) -> str:
    hidden = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = {**hidden, "FORGETSCOPE_STATE": str(place / "state")}
    try:
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise _FailedError(f"{command[0]}: {error}") from None
    if done.returncode:
        raise _FailedError(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
