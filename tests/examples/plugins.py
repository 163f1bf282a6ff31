"""Installs an example plug-in of `examples/plugins/` beside the package, in a folder of its own, for a subprocess."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "examples" / "plugins"


def installed(example: Path, folder: Path) -> dict[str, str]:
    """The environment of a process that finds an example's package installed, and the forgetscope of this tree.

    Args:
        example: Folder with the example's `pyproject.toml`.
        folder: Where it is installed; the packages of this process stay as they are.
    """
    source, target = folder / "source", folder / "site"
    shutil.copytree(example, source)  # setuptools builds where the source is
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run(
        [*command, "--disable-pip-version-check", "--target", str(target), str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {**os.environ, "PYTHONPATH": f"{target}{os.pathsep}{ROOT / 'src'}", "OMP_NUM_THREADS": "1"}


def forgetscope(arguments: Sequence[str], environment: dict[str, str], folder: Path) -> str:
    """What `forgetscope ARGUMENTS` prints in that environment, in a folder; anything but success fails the test."""
    program = "from forgetscope.cli import main; main()"
    return python(program, environment, folder, arguments)


def python(program: str, environment: dict[str, str], folder: Path, arguments: Sequence[str] = ()) -> str:
    """What a Python program prints in that environment, in a folder; anything but success fails the test."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout
