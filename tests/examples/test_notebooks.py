"""Every notebook of `examples/` runs from its first cell to its last, and what is stored with it stays small."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from forgetscope.benchmarks import BENCHMARK_NAMES

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def cells(notebook: Path, kind: str) -> list[dict[str, Any]]:
    content = json.loads(notebook.read_text(encoding="utf-8"))
    return [cell for cell in content["cells"] if cell["cell_type"] == kind]


def program(notebook: Path) -> str:
    """The notebook as a program: its code cells, guarded, because workers of a grid import the main module."""
    code = "\n".join("".join(cell["source"]) for cell in cells(notebook, "code"))
    return "if __name__ == '__main__':\n" + "\n".join(f"    {line}" for line in code.splitlines()) + "\n"


def test_there_is_one_for_each_benchmark_and_one_of_analysis() -> None:
    wanted = {name.replace("-", "_") for name in (*BENCHMARK_NAMES, "unlearning")} | {"analysis"}
    assert {notebook.stem for notebook in NOTEBOOKS} == wanted


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    (tmp_path / "notebook.py").write_text(program(notebook), encoding="utf-8")
    environment = {**os.environ, "TMPDIR": str(tmp_path), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "notebook.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for output in (output for cell in cells(notebook, "code") for output in cell["outputs"]):
        assert "".join(output.get("text", "")) in done.stdout, "what is stored is what it says today"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_keeps_short_plain_outputs(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    assert len(text) < 30_000
    assert "/home/" not in text
    assert "/tmp/" not in text  # noqa: S108 - looked for, not used
    kinds = {kind for cell in cells(notebook, "code") for output in cell["outputs"] for kind in output.get("data", {})}
    assert kinds <= {"text/plain"}
    assert not any(output["output_type"] == "error" for cell in cells(notebook, "code") for output in cell["outputs"])
