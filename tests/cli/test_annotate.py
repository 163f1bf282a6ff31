"""`forgetscope annotate` as a user types it: a sample drawn, answers compared, mistakes said in one line."""

import csv
import json
import sys
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from forgetscope.annotation.files import COLUMNS, sheet_text
from forgetscope.annotation.sampling import reply_key
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.cli import main
from forgetscope.cli.commands import app
from tests.benchmarks.in_context.answered import answered_table, with_judge, write_run
from tests.report.synthetic import make_run

SETTINGS = InContextSettings(max_tokens=256, arms="none")


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    """A run with a judge, and one item that was refused in a form."""
    refused = (pl.col("item") == "dp-001") & (pl.col("form") == "forget")
    status = pl.when(refused).then(pl.lit("refused")).otherwise("status").alias("status")
    return with_judge(answered_table(SETTINGS), sensitivity=0.95, specificity=0.8).with_columns(status)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, table: pl.DataFrame) -> Path:
    return write_run(tmp_path_factory.mktemp("runs") / "mixed", table, SETTINGS)


def invoke(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def answers(run: Path, table: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Spreadsheets filled in by two people who are always right, and one who is not sure of every fifth."""
    out = tmp_path_factory.mktemp("sheets") / "out"
    invoke("annotate", "sample", str(run), "--per-cell", "15", "--seed", "5", "--out", str(out))
    right = {
        reply_key(5, sample_id): passed for sample_id, passed in table.select("sample_id", "rule_pass").iter_rows()
    }
    filled = []
    for number in (1, 2, 3):
        with (out / f"annotator-{number}.csv").open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
        for place, row in enumerate(rows):
            row["judgement"] = "yes" if right[row["key"]] else "no"
            if number == 3 and place % 5 == 0:
                row["judgement"] = "cannot tell"
        filled.append(out / f"filled-{number}.csv")
        filled[-1].write_text(sheet_text([row[name] for name in COLUMNS] for row in rows), encoding="utf-8")
    return filled


def test_a_sample_says_what_was_drawn_and_what_to_do_next(run: Path, tmp_path: Path) -> None:
    said = invoke(
        "annotate", "sample", str(run), "--per-cell", "4", "--annotators", "2", "--out", str(tmp_path / "out")
    )
    assert "instructional forgetting, identity: 1 of 15" in said
    assert "24 replies, both forms of each item, for 2 annotators" in said
    assert "1 item left out: a form of it was not scored" in said
    assert "forgetscope annotate agreement" in said
    assert len(list((tmp_path / "out").iterdir())) == 5


def test_a_sample_prints_as_json(run: Path, tmp_path: Path) -> None:
    arguments = ("annotate", "sample", str(run), "--per-cell", "4", "--out", str(tmp_path / "out"), "--json")
    said = json.loads(invoke(*arguments))
    assert said["replies"] == 24
    assert sum(stratum["drawn"] for stratum in said["strata"]) == 12
    assert len(said["files"]) == 7


def test_agreement_prints_tables_with_reasons_and_warnings(run: Path, answers: list[Path]) -> None:
    said = invoke("annotate", "agreement", str(run), *map(str, answers))
    for title in (
        "People: replies called right",
        "Judge with people",
        "Rule with people",
        "Rogan-Gladen",
        "SFRR and WR",
    ):
        assert title in said
    assert "(1)" in said
    assert "Warning: subtask revision, noforget: people call none of 15 replies wrong" in said


def test_agreement_is_written_as_tables_of_bare_numbers(run: Path, answers: list[Path], tmp_path: Path) -> None:
    invoke("annotate", "agreement", str(run), *map(str, answers), "--out", str(tmp_path / "tables"))
    names = {path.name for path in (tmp_path / "tables").iterdir()}
    assert {"judge-agreement.csv", "judge-agreement-kappa.csv", "people.csv", "rates.csv", "people.tex"} <= names
    head, first, *_ = (tmp_path / "tables" / "judge-agreement.csv").read_text(encoding="utf-8").splitlines()
    assert head.startswith("replies of,form,annotator 1,annotator 1 low")
    assert "%" not in first


def test_agreement_stands_beside_what_the_paper_prints(run: Path, answers: list[Path], tmp_path: Path) -> None:
    invoke("annotate", "agreement", str(run), *map(str, answers), "--out", str(tmp_path / "tables"))
    lines = (tmp_path / "tables" / "tables-12-to-14.csv").read_text(encoding="utf-8").splitlines()
    with_both = [line.split(",") for line in lines[1:]]
    assert [line[2] for line in with_both] == ["this run", "the paper (GPT-O4mini)"] * 6
    assert with_both[1][:4] == ["instructional forgetting", "noforget", "the paper (GPT-O4mini)", "0.8933"]
    assert with_both[1][-1] == "0.916"


def test_agreement_prints_as_json_with_every_figure(run: Path, answers: list[Path], table: pl.DataFrame) -> None:
    said = json.loads(invoke("annotate", "agreement", str(run), *map(str, answers), "--json"))
    assert said["annotators"] == [1, 2, 3]
    assert said["replies"] == 90
    by_rule = [
        entry
        for entry in said["figures"]
        if entry["name"] == "agreement"
        and entry["factors"]["rater"] == "rule"
        and entry["factors"]["with"] == "majority"
    ]
    assert {entry["value"] for entry in by_rule} == {1.0}
    corrected = {
        (entry["factors"]["scenario"], entry["factors"]["form"]): entry
        for entry in said["figures"]
        if entry["name"] == "rate.corrected" and entry["factors"]["rater"] == "rule"
    }
    # People agree with the rule throughout, so a corrected rate is the rule's own, where there is one.
    preference = table.filter(pl.col("item") != "dp-001", scenario="dynamic_preference", form="forget")
    assert corrected["dynamic_preference", "forget"]["value"] == pytest.approx(preference["rule_pass"].mean())
    assert corrected["subtask_revision", "noforget"]["value"] is None
    unsure = [entry["value"] for entry in said["figures"] if entry["name"] == "people.cannot_tell"]
    assert sum(unsure) == 18


def test_the_same_answers_give_the_same_figures_in_any_order(run: Path, answers: list[Path]) -> None:
    forward = invoke("annotate", "agreement", str(run), *map(str, answers), "--json")
    assert forward == invoke("annotate", "agreement", str(run), *map(str, reversed(answers)), "--json")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["sample", "RUN", "--per-cell", "0", "--out", "new"],
            "--per-cell: input should be greater than",
        ),
        (
            ["sample", "RUN", "--annotators", "0", "--out", "new"],
            "--annotators: input should be greater than",
        ),
        (["sample", "RUN", "--out", "full"], "the folder is not empty"),
        (["sample", "nowhere", "--out", "new"], "not a run folder"),
        (["sample", "OTHER", "--out", "new"], "replies of this benchmark are not put to people"),
        (["agreement", "RUN", "full/note.txt"], "not an annotation"),
        (["agreement", "RUN", "none.json"], "no such file"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str],
    said: str,
    run: Path,
    tmp_path: Path,
    table: pl.DataFrame,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("x", encoding="utf-8")
    other = write_run(tmp_path / "other", table, SETTINGS)
    manifest = make_run(other, table).manifest.model_copy(update={"benchmark": "visual"})
    (other / "run.json").write_text(manifest.model_dump_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    named = {"RUN": str(run), "OTHER": str(other)}
    monkeypatch.setattr(sys, "argv", ["forgetscope", "annotate", *(named.get(word, word) for word in arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("forgetscope: ")
    assert error.count("\n") == 1
    assert said in error
    assert not (tmp_path / "new").exists()


def test_answers_of_another_run_are_refused(answers: list[Path], tmp_path: Path, table: pl.DataFrame) -> None:
    other = write_run(tmp_path / "other", table.filter(pl.col("scenario") != "dynamic_preference"), SETTINGS)
    result = CliRunner().invoke(app, ["annotate", "agreement", str(other), *map(str, answers)])
    assert result.exit_code != 0
    assert "30 of 90 replies are not of this run" in str(result.exception)
