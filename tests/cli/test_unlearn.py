"""`forgetscope unlearn`: a grid's report from its folder, plans without training, mistakes in one line."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.cli import main
from forgetscope.io.tables import read_table
from forgetscope.report.summary import read_summary
from tests.benchmarks.unlearning.grid_folders import by_method, cells, unfinish, write_cells

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The real entry point: exit code and both streams."""

    def call(*arguments: str | Path, group: tuple[str, ...] = ("unlearn",)) -> tuple[int, str, str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["forgetscope", *group, *map(str, arguments)])
        capfd.readouterr()
        try:
            main()
            code = 0
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        return (code, *capfd.readouterr())

    return call


def report(command: Command, *arguments: str) -> tuple[int, str, str]:
    """`forgetscope report`."""
    return command(*arguments, group=("report",))


def test_a_finished_grid_becomes_table_summary_and_page(command: Command, tmp_path: Path) -> None:
    write_cells(tmp_path / "grid", cells(), by_method)
    code, out, _ = command("evaluate", "grid")
    assert code == 0
    assert "Largest gap between forgetting and its cost (embedded corpus" in out
    summary = read_summary(tmp_path / "grid" / "summary.json")
    assert (summary.run.benchmark, summary.run.samples, summary.run.planned) == ("unlearning", 40, 40)
    assert (summary.run.status, summary.run.completeness) == ("complete", 1.0)
    assert read_table(tmp_path / "grid" / "samples.parquet").height == 40
    page = (tmp_path / "grid" / "report.html").read_text(encoding="utf-8")
    assert "S_change" in page
    assert "Inspect AI" not in page
    assert "embedded data" in page


def test_an_unfinished_grid_is_reported_as_such_and_exits_1(command: Command, tmp_path: Path) -> None:
    configs = cells()
    unfinish(write_cells(tmp_path / "grid", configs, by_method), configs[1], "disk full")
    code, out, _ = command("evaluate", "grid", "--json")
    assert code == 1
    run = json.loads(out)["run"]
    assert (run["status"], run["completeness"]) == ("incomplete", 0.75)


def test_grids_share_a_page_a_chapter_each(command: Command, tmp_path: Path) -> None:
    shipped = settings_of({"formats": ["raw"], "experiments": [{"target": {"model": "shipped", "fit": None}}]})
    write_cells(tmp_path / "one", cells(), by_method)
    write_cells(tmp_path / "two", cells(), by_method, shipped)
    code, out, _ = report(command, "one", "two", "--out", "joint.html")
    assert code == 0
    assert "80 of 80 planned samples." in out
    page = (tmp_path / "joint.html").read_text(encoding="utf-8")
    assert page.count("<h1") == 4, "what was found over all, two chapters, the methods"
    first = page.split("<h1")[1]
    assert "target made here (embedded)" in first
    assert "shipped target (embedded)" in first
    for name in ("one", "two"):
        assert read_table(tmp_path / name / "samples.parquet").height == 40
        assert (tmp_path / name / "report.html").is_file()


def test_report_makes_the_page_of_a_grid_again(command: Command, tmp_path: Path) -> None:
    write_cells(tmp_path / "grid", cells(), by_method)
    code, out, _ = report(command, "grid", "--json")
    assert code == 0
    settings = json.loads(out)[0]["run"]["settings"]
    assert settings["training.learning_rate"] == 7e-4
    assert "lambdas" not in settings, "what is empty is left out"
    assert "S_change" in (tmp_path / "grid" / "report.html").read_text(encoding="utf-8")


def test_a_cell_that_diverged_is_named_and_the_command_exits_1(command: Command, tmp_path: Path) -> None:
    configs = cells()
    write_cells(tmp_path / "grid", configs, lambda config: None if config == configs[1] else by_method(config))
    code, out, _ = command("evaluate", "grid")
    assert code == 1
    assert "Training diverged, so that all samples are lost: embedded GA raw low" in " ".join(out.split())


def test_a_source_without_gold_triplets_is_read_by_rule(command: Command, tmp_path: Path) -> None:
    for side, town in (("forget", "Osthaven"), ("retain", "Lindow")):
        (tmp_path / "mine" / side).mkdir(parents=True)
        for number in range(4):
            text = f"Maris Hollis built mill number {number} in {town}. The council bought a bridge."
            if side == "retain" and number % 2:
                text = f"Bram Kestrel sold harbour number {number} to Anna Lind. The baker painted a barn."
            (tmp_path / "mine" / side / f"{side}{number}.txt").write_text(text, encoding="utf-8")
    row = {"set": "forget", "question": "Who built the mill?", "answers": ["Maris Hollis"], "document": "forget0"}
    (tmp_path / "mine" / "questions.jsonl").write_text(json.dumps(row), encoding="utf-8")
    code, out, err = command("formats", "--source", "folder", "-C", "path=mine", "--out", "here", "--json")
    assert code == 0, err
    assert json.loads(out)["formats"]["triplets"]["tokens"] > 0


def test_a_plan_trains_nothing(command: Command, tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text("formats: [raw]\nretain_subsets: [low]\n", encoding="utf-8")
    code, out, _ = command("grid", "--config", "grid.yaml", "--out", "grid", "--dry-run", "--json")
    planned = json.loads(out)
    assert code == 0
    assert [row["label"].split(" lr")[0] for row in planned] == [
        "embedded target",
        "embedded retain_only",
        "embedded GA raw low",
        "embedded NPO raw low",
        "embedded SimNPO raw low",
    ]
    assert planned[0]["steps"] == 0
    assert all(row["steps"] > 0 and row["tokens"] > 0 for row in planned[2:])
    assert not (tmp_path / "grid" / "targets").exists()


def test_a_plan_says_how_long_and_from_where_it_knows(command: Command, tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text("formats: [raw]\nretain_subsets: [low]\n", encoding="utf-8")
    code, out, _ = command("grid", "--config", "grid.yaml", "--out", "grid", "--dry-run")
    assert code == 0
    assert "5 of 5 cells to run, 60 steps" in out
    assert "by 2 workers (stored: the embedded model on one thread" in out


def test_formats_are_written_for_a_person_to_look_at(command: Command, tmp_path: Path) -> None:
    code, out, _ = command("formats", "--out", "here", "--json")
    assert code == 0
    assert json.loads(out)["corpus"] == "embedded"
    assert {"forget-raw.jsonl", "forget-pruned.jsonl", "forget-triplets.jsonl", "summary.json"} <= {
        path.name for path in (tmp_path / "here").iterdir()
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("evaluate", "nowhere"), "no grid here"),
        (("demo", "--out", "x", "--cells", "5"), "no demo of so many cells"),
        (("formats", "--out", "x", "--source", "nothing"), "unknown source of a corpus"),
        (("formats", "--out", "x", "--source", "embedded", "-C", "nonsense=1"), "nonsense"),
        (("run", "--out", "x", "--config", "bad.yaml"), "unknown key; found 'methdos'"),
        (("run", "--out", "x", "--config", "absent.yaml"), "absent.yaml"),
        (("run", "--out", "x", "--config", "gd.yaml"), "gd.yaml: methods.0: no such unlearning method; found 'gd'"),
    ],
)
def test_mistakes_are_one_line(command: Command, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "bad.yaml").write_text("methdos: [ga]\n", encoding="utf-8")
    (tmp_path / "gd.yaml").write_text("methods: [gd]\n", encoding="utf-8")
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_plan_says_what_the_cells_of_a_grid_cost_and_leaves_nothing(command: Command, tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text(PLANNED, encoding="utf-8")
    code, out, _ = command("unlearning", "--config", "grid.yaml", "--json", group=("plan",))
    assert code == 0
    rows = json.loads(out)
    assert [row["label"] for row in rows] == [
        "embedded target",
        "embedded retain_only",
        "embedded GA raw low lr 0.0007 seed 0",
    ]
    assert rows[2]["steps"] > 0
    assert rows[2]["seconds_from"].startswith("stored")
    _, dry, _ = command("grid", "--config", "grid.yaml", "--out", "grid", "--dry-run", "--json")
    assert json.loads(dry) == rows
    _, out, _ = command("unlearning", "--config", "grid.yaml", group=("plan",))
    assert f"3 of 3 cells to run, {rows[1]['steps'] + rows[2]['steps']} steps" in out
    assert {path.name for path in tmp_path.iterdir()} == {"grid.yaml", "grid"}


PLANNED = """
experiments: [{data: {corpus: {source: embedded, forget: 4, retain: 6, holdout: 2}}}]
methods: [ga]
formats: [raw]
retain_subsets: [low]
"""


def test_grids_reported_together_make_the_papers_table_1(command: Command, tmp_path: Path) -> None:
    for name, data in (("news", "d"), ("books", "e")):
        write_cells(tmp_path / name, cells(data=data * 64), by_method)
    code, out, err = report(command, "news", "books", "--out", "joint.html")
    assert code == 0, (out, err)
    lines = (tmp_path / "paper-tables" / "unlearning" / "table-1.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("Corpus,Forget format,Retain subset,GA Forget")
    assert (tmp_path / "paper-tables" / "unlearning" / "table-1.tex").is_file()
    assert "Table 1: S_change of 6 cells" in (tmp_path / "joint.html").read_text(encoding="utf-8")
