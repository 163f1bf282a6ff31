"""A run in the forms others read: each figure with its interval, each sample once, nothing taken from outside."""

import csv
import json
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import ModelCard

import forgetscope as fs
from forgetscope.api.exports import export
from forgetscope.benchmarks import known_benchmark
from forgetscope.benchmarks.prospective.loads.load import EMBEDDED
from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.grid.results import _origin
from forgetscope.core.errors import RunFolderError, SettingError, UnknownNameError
from forgetscope.exporting import FORMATS
from forgetscope.exporting.every_eval_ever import result_id
from forgetscope.findings.aims import EVERY_BENCHMARK, better_of
from forgetscope.report.summary import stored_figure

ROOT = Path(__file__).parents[2]
HOW_TO = (ROOT / "docs" / "how-to" / "export.md").read_text(encoding="utf-8")
VALIDATORS = ROOT / ".venv" / "exports" / "bin"
READ = """
import sys, mlcroissant
found = mlcroissant.Dataset(sys.argv[1])
print(*(len(list(found.records(one.id))) for one in found.metadata.record_sets))
"""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> fs.Run:
    folder = tmp_path_factory.mktemp("exported") / "run"
    settings = {"loads": "mmlu", "experiments": "load", "limit": 7, "seed": 42}
    return fs.run("prospective", "forgetscope/reference/perfect", out=folder, **settings)  # type: ignore[arg-type]


def described(folder: Path, out: Path) -> list[dict[str, Any]]:
    """The descriptions of an export: of the samples, then of the data."""
    written = export(folder, "croissant", out)
    return [json.loads(path.read_text(encoding="utf-8")) for path in written if path.name == "croissant.json"]


def ranked(run: fs.Run) -> list[fs.Figure]:
    """The figures of a run that are results."""
    aims = (*known_benchmark(run.benchmark).aims, *EVERY_BENCHMARK)
    return [
        figure
        for figure in run.results.figures
        if figure.value is not None and better_of(figure.name, figure.factors, aims) is not None
    ]


def test_every_result_is_one_of_its_own_with_its_interval(made: fs.Run, tmp_path: Path) -> None:
    aggregate, lines = export(made.folder, "eee", tmp_path / "out")
    record = json.loads(aggregate.read_text(encoding="utf-8"))
    results = {one["evaluation_result_id"]: one for one in record["evaluation_results"]}
    assert len(results) == len(record["evaluation_results"]) == len(ranked(made)) > 20
    for figure in ranked(made):
        key = json.loads(json.dumps(dict(figure.factors)))
        (found,) = (
            one
            for one in results.values()
            if one["metric_config"]["metric_name"] == figure.name and one["metric_config"]["metric_parameters"] == key
        )
        assert found["score_details"]["score"] == figure.value
        if figure.low is not None:
            interval = found["score_details"]["uncertainty"]["confidence_interval"]
            assert (interval["lower"], interval["upper"]) == (figure.low, figure.high)
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert [row["sample_id"] for row in rows] == made.table["sample_id"].to_list()
    assert {row["evaluation_id"] for row in rows} == {record["evaluation_id"]}
    assert record["detailed_evaluation_results"]["total_rows"] == len(rows)


def test_the_same_run_is_the_same_record(made: fs.Run, tmp_path: Path) -> None:
    first, second = (export(made.folder, "eee", tmp_path / name)[0].name for name in ("a", "b"))
    assert first == second


def test_no_count_and_no_p_value_is_a_result(made: fs.Run, tmp_path: Path) -> None:
    aggregate, _ = export(made.folder, "eee", tmp_path / "out")
    for one in json.loads(aggregate.read_text(encoding="utf-8"))["evaluation_results"]:
        assert one["metric_config"]["metric_unit"] not in ("count", "p"), one["evaluation_result_id"]


@pytest.mark.parametrize(
    ("benchmark", "name", "factors", "better"),
    [
        ("in-context", "leak", {"form": "forget", "leak": "verbatim"}, "lower"),
        ("in-context", "leak", {"form": "forget", "leak": "none"}, None),
        ("in-context", "reask.leaked", {}, "lower"),
        ("in-context", "wr", {}, "lower"),
        ("in-context", "neighbour.forgotten", {}, "lower"),
        ("in-context", "sfrr", {}, "higher"),
        ("in-context", "residue", {"condition": "request"}, "lower"),
        ("in-context", "outcomes.share.refused", {}, "lower"),
        ("in-context", "outcomes.planned", {}, None),
        ("in-context", "drop.p.exact", {}, None),
        ("prospective", "delta.paired", {"load": "all"}, "lower"),
        ("prospective", "task.cost.repaired", {}, "lower"),
        ("prospective", "residue", {"condition": "natural"}, "higher"),
        ("prospective", "slope.load.p", {}, None),
        ("visual", "pooled.forget.macro", {"condition": "baseline_normal"}, "higher"),
        ("visual", "pooled.forget.macro", {"condition": "unlearn_soft"}, "lower"),
        ("visual", "pooled.forget.macro", {"condition": "restored_soft"}, "higher"),
        ("visual", "pooled.forget.macro", {"condition": "oracle_hard"}, None),
        ("visual", "pooled.retain.change", {"condition": "unlearn_soft"}, "higher"),
        ("unlearning", "score", {"measure": "verbatim"}, "lower"),
        ("unlearning", "score", {"measure": "knowledge_world"}, "higher"),
        ("unlearning", "group", {"group": "forget"}, "higher"),
        ("unlearning", "group", {"group": "retain"}, "lower"),
    ],
)
def test_a_benchmark_says_which_way_is_better(
    benchmark: str, name: str, factors: dict[str, str], better: str | None
) -> None:
    aims = (*known_benchmark(benchmark).aims, *EVERY_BENCHMARK)
    assert better_of(name, factors, aims) == better


def test_a_model_card_has_the_figures_of_the_first_page_and_all_of_them_when_asked(
    made: fs.Run, tmp_path: Path
) -> None:
    (short,) = export(made.folder, "hf", tmp_path / "short")
    told = ModelCard.load(short).data.eval_results
    profile = made.results.profile
    assert profile is not None
    assert told is not None
    assert {one.metric_type for one in told} == {line.figure.name for line in profile.lines} | {"residue"}
    (card,) = export(made.folder, "hf-all", tmp_path / "out")
    found = ModelCard.load(card).data.eval_results
    assert found is not None
    assert len(found) == len(ranked(made)) > len(told)
    assert not any(one.dataset_revision for one in found)
    bounded = next(figure for figure in ranked(made) if figure.low is not None)
    (one,) = (one for one in found if one.dataset_config == result_id(stored_figure(bounded)))
    assert len((one.dataset_args or {})["data_sha256"]) == 64
    assert (one.metric_value, one.metric_args["low"], one.metric_args["high"]) == (
        bounded.value,
        bounded.low,
        bounded.high,
    )


def test_figures_as_csv_and_tables_as_latex(made: fs.Run, tmp_path: Path) -> None:
    figures, *tables = export(made.folder, "csv", tmp_path / "csv")
    with figures.open(encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == len(made.results.figures)
    assert all(path.suffix == ".csv" for path in tables)
    written = export(made.folder, "latex", tmp_path / "latex")
    assert [path.stem for path in written] == [path.stem for path in tables]
    assert all(r"\toprule" in path.read_text(encoding="utf-8") for path in written)


def test_croissant_names_every_column_and_the_embedded_items(made: fs.Run, tmp_path: Path) -> None:
    written = export(made.folder, "croissant", tmp_path / "out")
    descriptions = [json.loads(path.read_text(encoding="utf-8")) for path in written if path.name == "croissant.json"]
    samples, items = descriptions
    (records,) = samples["recordSet"]
    assert [field["name"] for field in records["field"]] == made.table.columns
    assert {"ifeval.jsonl", "mmlu.jsonl", "news.jsonl"} <= {one["name"] for one in items["distribution"]}
    for description in descriptions:
        assert "http://mlcommons.org/croissant/RAI/1.0" in description["conformsTo"]
        assert description["rai:personalSensitiveInformation"]
        assert description["rai:dataLimitations"]


def test_a_built_set_is_described_too(tmp_path: Path) -> None:
    build = tmp_path / "built"
    build.mkdir()
    (build / "items.jsonl").write_text('{"id": "a", "turns": 3, "memory": [{"role": "user"}]}\n', encoding="utf-8")
    _, description = export(build, "croissant", tmp_path / "out")
    (records,) = json.loads(description.read_text(encoding="utf-8"))["recordSet"]
    plain, turns, memory = records["field"]
    assert (plain["dataType"], turns["dataType"]) == ("sc:Text", "sc:Integer")
    assert memory["repeated"]
    assert [field["@id"] for field in memory["subField"]] == ["items/memory/role"]


def test_only_what_is_ours_is_under_our_licence_and_no_reply_is(made: fs.Run, tmp_path: Path) -> None:
    samples, items = described(made.folder, tmp_path / "embedded")
    assert items["license"] == "Apache-2.0"
    assert (items["creator"]["name"], items["inLanguage"]) == ("The forgetscope authors", "en")
    assert samples["creator"]["name"] == "not stated"
    assert "inLanguage" not in samples
    assert samples["license"][0].startswith("Replies: not stated")


def test_a_folder_of_the_users_has_no_licence_even_if_it_is_called_embedded(tmp_path: Path) -> None:
    shutil.copytree(EMBEDDED, tmp_path / "embedded", ignore=lambda _, names: {"README.md"} & set(names))
    for path in (tmp_path / "embedded").glob("*.jsonl"):
        (path.parent / path.stem).mkdir()
        path.rename(path.parent / path.stem / path.name)
    for name, pool in (("arithmetic", "gsm8k"), ("news", "cnn_dailymail")):
        (tmp_path / "embedded" / name).rename(tmp_path / "embedded" / pool)
    settings = {"data": str(tmp_path / "embedded"), "loads": "mmlu", "experiments": "load", "limit": 2, "seed": 42}
    run = fs.run("prospective", "forgetscope/reference/perfect", out=tmp_path / "run", **settings)  # type: ignore[arg-type]
    (samples,) = described(run.folder, tmp_path / "out")
    assert samples["license"][1:] == ["Prompts, not stated"]


def test_objects_in_rows_are_described_to_their_leaves(tmp_path: Path) -> None:
    run = fs.run("in-context", "forgetscope/reference/perfect-forgetter", out=tmp_path / "run", limit=1)
    _, items = described(run.folder, tmp_path / "out")
    fields = {one["@id"]: [field["name"] for field in one["field"]] for one in items["recordSet"]}
    assert {"memory", "facts", "neighbour", "never_told"} <= set(fields["instructional_forgetting"])
    (filler,) = (one for one in items["recordSet"] if one["@id"] == "filler")
    (turns,) = (field for field in filler["field"] if field["name"] == "turns")
    assert [field["name"] for field in turns["subField"]] == ["role", "content"]


def test_items_that_a_program_makes_are_described_too(tmp_path: Path) -> None:
    settings = {"splits": "embedded-shape", "conditions": "baseline_normal", "limit": 2, "vision_free": False}
    run = fs.run("visual", "forgetscope/reference/visual-perfect", out=tmp_path / "run", **settings)  # type: ignore[arg-type]
    _, items = described(run.folder, tmp_path / "out")
    assert [one["name"] for one in items["distribution"]] == ["embedded-shape.jsonl"]
    assert items["license"] == known_benchmark("visual").licence_of("embedded")
    corpus = EmbeddedSettings()
    origin = _origin(settings_of({"preset": "embedded"}))
    assert origin.source == "embedded"
    assert origin.licences == ("Apache-2.0",)
    assert origin.made is not None
    assert len(origin.made()["documents.jsonl"]) == corpus.forget + corpus.retain + corpus.holdout


def test_what_cannot_be_meant_is_refused(made: fs.Run, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no such format"):
        export(made.folder, "xml", tmp_path / "out")
    with pytest.raises(SettingError, match="beside a run, not into it"):
        export(made.folder, "csv", made.folder / "export")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    with pytest.raises(RunFolderError, match="not empty"):
        export(made.folder, "csv", tmp_path / "full")


def test_a_link_in_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "received"
    folder.mkdir()
    (folder / "samples.parquet").symlink_to("/etc/passwd")
    for name in FORMATS:
        with pytest.raises(RunFolderError, match="files and folders alone"):
            export(folder, name, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_factors_stand_in_a_results_name() -> None:
    figure = fs.Figure("kept", {"load": "mmlu", "seed": None}, 0.5, n=2)
    assert result_id(stored_figure(figure)) == "kept[load=mmlu]"


@pytest.mark.skipif(
    not (VALIDATORS / "mlcroissant").is_file(), reason="the validators are not here: make check-exports"
)
def test_the_forms_own_validators_find_nothing(made: fs.Run, tmp_path: Path) -> None:
    export(made.folder, "eee", tmp_path / "eee")
    told = next(line for line in HOW_TO.splitlines() if line.startswith("every_eval_ever validate "))
    program = [str(VALIDATORS / "python"), "-m", *shlex.split(told)]
    done = subprocess.run(program, cwd=tmp_path / "eee", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout + done.stderr
    dialogues = fs.run("in-context", "forgetscope/reference/perfect-forgetter", out=tmp_path / "run", limit=2)
    written = [
        *export(made.folder, "croissant", tmp_path / "croissant"),
        *export(dialogues.folder, "croissant", tmp_path / "dialogues"),
    ]
    for path in written:
        if path.name == "croissant.json":
            validate = [str(VALIDATORS / "mlcroissant"), "validate", "--jsonld", path.name]
            done = subprocess.run(validate, cwd=path.parent, capture_output=True, text=True, check=False)
            assert "Done" in done.stderr, done.stderr
            if path.parent.name == "data":  # the validators' environment reads no Parquet
                done = subprocess.run(
                    [str(VALIDATORS / "python"), "-c", READ, path.name],
                    cwd=path.parent,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert done.returncode == 0, done.stderr[-2000:]
                assert all(int(count) > 0 for count in done.stdout.split())
