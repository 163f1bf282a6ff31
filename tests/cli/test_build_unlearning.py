"""`forgetscope build unlearning` as a user types it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from forgetscope.cli import main
from tests.benchmarks.unlearning.construction.scripted import ScriptedBuilder

Command = Callable[..., tuple[int, str, str]]

GRID = "experiments: [{data: {corpus: {source: embedded, forget: 4, retain: 6}, chunk_tokens: 176}}]\n"
BUILD = ("build", "unlearning", "--config", "grid.yaml", "--builder", "scripted/model", "--out", "built")


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The real entry point in an empty folder with a grid, where a script answers for every builder."""
    from forgetscope.running import building

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(building, "build_model", lambda *_: ScriptedBuilder().model())
    (tmp_path / "grid.yaml").write_text(GRID, encoding="utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["forgetscope", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capfd.readouterr()
        return int(stopped.value.code or 0), out, err

    return call


def test_the_plan_comes_first_the_yields_last_and_the_grid_reads_the_folder(command: Command, tmp_path: Path) -> None:
    code, out, _ = command(*BUILD)
    told = " ".join(out.split())
    assert code == 0
    assert "10 chunks, questions about 6 of them; at most 16 calls" in told
    assert "Against 58 gold triplets, either entity: precision" in told
    assert "16 calls," in told
    assert told.index("Plan for embedded") < told.index("Yields") < told.index("Folder: built")
    (tmp_path / "grid.yaml").write_text(GRID.replace("chunk_tokens", "built: built, chunk_tokens"), encoding="utf-8")
    code, out, err = command("unlearn", "formats", "--config", "grid.yaml", "--out", "formats", "--json")
    assert code == 0, err
    summary = json.loads(out)
    assert summary["entanglement"]["extractor"] == "model"
    assert summary["built"]["questions"] > 6


def test_a_plan_alone_asks_nothing(command: Command, tmp_path: Path) -> None:
    code, out, _ = command(*BUILD, "--plan-only", "--json")
    planned = json.loads(out)
    assert code == 0
    assert (planned["calls"], planned["chunks"], planned["chunks_asked_about"]) == (16, 10, 6)
    assert not (tmp_path / "built").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--corpus", "embedded", "--config", "grid.yaml"), "one of the two is needed"),
        ((), "one of the two is needed"),
        (("--config", "grid.yaml", "--experiment", "2"), "no such experiment in the grid"),
        (("--config", "grid.yaml", "--about", "world"), "no such side"),
        (("--corpus", "wiki"), "unknown source of a corpus"),
    ],
)
def test_a_mistake_is_one_line(command: Command, arguments: tuple[str, ...], complaint: str) -> None:
    code, _, err = command("build", "unlearning", "--builder", "scripted/model", *arguments)
    assert code == 2
    assert complaint in err
    assert len(err.strip().splitlines()) == 1


def test_the_papers_corpus_is_built_from_its_grid(command: Command) -> None:
    code, out, err = command(
        *("build", "unlearning", "--corpus", "news", "--data", "embedded", "--builder", "scripted/model"),
        *("--out", "news", "--json"),
    )
    assert code == 0, err
    assert json.loads(out)["chunks"] == 40
