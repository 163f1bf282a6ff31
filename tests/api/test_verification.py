"""`verify`: an honest run holds together; a changed reply, figure or prompt does not, and is named."""

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import forgetscope as fs
from forgetscope.api.verification import Verification, verify
from forgetscope.cli.commands import app
from forgetscope.core.errors import RunFolderError


@pytest.fixture
def run(perfect: fs.Run, tmp_path: Path) -> Path:
    perfect.report()
    return Path(shutil.copytree(perfect.folder, tmp_path / "run"))


def differing(found: Verification) -> dict[str, str]:
    return {check.what: check.found for check in found.checks if check.verdict == "differs"}


def change_log(folder: Path, change: Callable[[dict[str, Any]], None]) -> str:
    """Change the first sample of a run's log; its id."""
    log = next(iter(sorted((folder / "logs").glob("*.eval"))))
    with zipfile.ZipFile(log) as archive:
        entries = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    name = next(entry for entry in entries if entry.startswith("samples/"))
    sample = json.loads(entries[name])
    change(sample)
    entries[name] = json.dumps(sample).encode()
    with zipfile.ZipFile(log, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in entries.items():
            archive.writestr(entry, content)
    return str(sample["id"])


def test_an_honest_run_holds_and_is_not_touched(run: Path) -> None:
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    found = verify(run)
    assert found.holds
    assert {check.verdict for check in found.checks} == {"follows"}
    assert {"data", "plan", "prompts", "replies", "table", "figures", "page"} <= {check.what for check in found.checks}
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_a_changed_reply_is_named(run: Path) -> None:
    def change(sample: dict[str, Any]) -> None:
        sample["output"]["choices"][0]["message"]["content"] = "other"
        sample["output"]["completion"] = "other"
        sample["messages"][-1]["content"] = "other"

    name = change_log(run, change)
    found = differing(verify(run))
    assert f"{name} has another" in found["table"]
    assert "figures" in found


def test_a_reply_changed_in_one_place_alone_is_named(run: Path) -> None:
    def change(sample: dict[str, Any]) -> None:
        sample["messages"][-1]["content"] = "other"

    name = change_log(run, change)
    assert differing(verify(run)) == {"logs": f"{name} has two replies"}


def test_a_changed_prompt_is_named(run: Path) -> None:
    def change(sample: dict[str, Any]) -> None:
        sample["input"][-1]["content"] += " Please."

    name = change_log(run, change)
    assert differing(verify(run)) == {"prompts": f"{name} was sent otherwise than planned"}


def test_a_changed_figure_is_named_with_what_comes_out(run: Path) -> None:
    path = run / "summary.json"
    summary = json.loads(path.read_text(encoding="utf-8"))
    figure = next(one for one in summary["figures"] if one["value"] == 1.0)
    figure["value"] = 0.5
    path.write_text(json.dumps(summary), encoding="utf-8")
    (what,) = differing(verify(run)).values()
    assert what.startswith(figure["name"])
    assert "value is 0.5, comes out 1.0" in what


def test_a_page_that_says_something_else_is_named(run: Path) -> None:
    path = run / "report.html"
    path.write_text(path.read_text(encoding="utf-8").replace("100", "99", 1), encoding="utf-8")
    assert set(differing(verify(run))) == {"page"}


def test_the_exit_code_says_it(run: Path) -> None:
    for arguments, code in ((["verify", str(run)], 0), (["verify", str(run), "--json"], 1)):
        assert CliRunner().invoke(app, arguments).exit_code == code
        (run / "report.html").write_text("<p>nothing</p>", encoding="utf-8")


def test_a_folder_with_a_link_is_refused(run: Path) -> None:
    (run / "other").symlink_to("/etc")
    with pytest.raises(RunFolderError, match="files and folders alone"):
        verify(run)
