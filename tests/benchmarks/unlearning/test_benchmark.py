"""The value by which the rest knows unlearning: light to import, and all that the command line and reports go by."""

import subprocess
import sys
from pathlib import Path

import pytest

from forgetscope.api.grids import grid_run, grid_settings, is_grid
from forgetscope.benchmarks import BENCHMARKS, GRIDS, every_benchmark, package_of, summary_of
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.validation.reference import REFERENCES
from forgetscope.core.errors import RunFolderError
from tests.benchmarks.unlearning.grid_folders import by_method, cells, write_cells


def test_it_is_one_of_the_benchmarks_and_none_that_inspect_runs() -> None:
    assert list(every_benchmark()) == [*BENCHMARKS, *GRIDS]
    assert "unlearning" in GRIDS
    assert "unlearning" not in BENCHMARKS
    assert package_of("unlearning") == "forgetscope.benchmarks.unlearning"
    assert summary_of("unlearning").startswith("Controllable unlearning: ")


def test_its_references_are_the_scripted_outcomes() -> None:
    assert list(GRIDS["unlearning"].reference_models) == list(REFERENCES)


def test_pytorch_is_not_imported_to_know_it() -> None:
    program = (
        "import sys; from forgetscope.benchmarks import GRIDS; GRIDS['unlearning'].demo; print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_settings_come_from_nothing_from_values_from_a_file_or_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text("seeds: [3]\n", encoding="utf-8")
    made = settings_of({"seeds": [3]})
    assert grid_settings("unlearning", None) == settings_of({})
    assert grid_settings("unlearning", {"seeds": [3]}) == made
    assert grid_settings("unlearning", tmp_path / "grid.yaml") == made
    assert grid_settings("unlearning", made) is made


def test_the_demo_is_nine_cells_and_three_when_quick() -> None:
    demo = GRIDS["unlearning"].demo
    assert (len(demo(False).formats), len(demo(True).formats)) == (0, 1)


def test_its_folders_are_known_by_their_mark(tmp_path: Path) -> None:
    assert not is_grid(tmp_path)
    with pytest.raises(RunFolderError, match=r"no grid here.*next: forgetscope unlearn grid"):
        grid_run(tmp_path)
    write_cells(tmp_path / "grid", cells(), by_method)
    assert is_grid(tmp_path / "grid")
    assert grid_run(tmp_path / "grid").facts.title == GRIDS["unlearning"].title
