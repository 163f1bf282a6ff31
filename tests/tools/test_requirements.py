"""Every file that is installed is compared with its hash, and an audit that looked nothing up says so."""

import re
from pathlib import Path

import pytest

from tools.audit_requirements import told
from tools.write_hashes import HASHED, REQUIREMENTS

BY_VERSION_ALONE = {"torch.txt"}  # each index serves a build of its own


def test_every_pinned_version_has_the_hashes_of_its_files() -> None:
    assert {path.name for path in REQUIREMENTS.glob("*.txt")} == {f"{name}.txt" for name in HASHED} | BY_VERSION_ALONE
    for name in HASHED:
        text = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8")
        assert not [line for line in text.splitlines() if re.match(r"[\w.-]+[^\w.-]", line) and "==" not in line]
        bare = re.findall(r"^[\w.-]+==\S+(?! \\\n    --hash=sha256:[0-9a-f]{64})$", text, re.MULTILINE)
        assert not bare, name


def test_no_requirement_names_an_index() -> None:
    for path in REQUIREMENTS.glob("*.txt"):
        assert "://" not in path.read_text(encoding="utf-8"), path.name


@pytest.mark.parametrize(
    ("looked_up", "code", "said"),
    [
        ([{"name": "one", "skip_reason": "not found"}], 2, "not reachable, so nothing is known"),
        ([{"name": "one", "version": "1", "vulns": []}], 0, "1 versions looked up, 0 known vulnerabilities"),
        (
            [{"name": "one", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}],
            1,
            "one 1: X-1, mended in 2",
        ),
        (
            [{"name": "one", "version": "1", "vulns": []}, {"name": "two", "skip_reason": "not found"}],
            0,
            "not looked up: two (not found)",
        ),
    ],
)
def test_an_audit_that_looked_nothing_up_finds_nothing_sound(
    looked_up: list[dict[str, object]], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(looked_up) == code
    captured = capsys.readouterr()
    assert said in captured.out + captured.err


def test_make_installs_nothing_unhashed_but_what_each_index_builds_for_itself() -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    setup = makefile[makefile.index("$(VENV)/.run-installed:") : makefile.index("demo: setup")]
    unhashed = [line for line in setup.splitlines() if "$(PIP_INSTALL)" in line and line.startswith("\t")]
    assert len(unhashed) == 2
    assert "torch.txt" in unhashed[0]
    assert "--no-build-isolation --editable ." in unhashed[1]
