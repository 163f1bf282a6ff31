"""Every mistake of a user: one line that says what, where, found, allowed or next; exit 2; nothing written or lost."""

import errno
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import forgetscope as fs
from forgetscope.cli import _show_last_words, main
from forgetscope.running.manifest import MANIFEST_NAME

SMALL = ["--experiments", "load", "--loads", "mmlu", "--seed", "42", "--conditions", "baseline", "--limit", "1"]
PERFECT = ["--model", "forgetscope/reference/perfect"]
EVERY_SET = ["--loads", "all", "--experiments", "load", "--seed", "42", "--conditions", "baseline", "--limit", "1"]

ROWS: dict[str, dict[str, object]] = {
    "ifeval": {
        "key": 1,
        "prompt": "Write about rain without commas.",
        "instruction_id_list": ["punctuation:no_comma"],
        "kwargs": [{}],
    },
    "triviaqa": {"question_id": "t1", "question": "What falls as rain?", "answers": ["Water"]},
    "mmlu": {"question": "What is wet?", "subject": "rain", "choices": ["Sand", "Water", "Fire", "Dust"], "answer": 1},
    "gsm8k": {"question": "Two and two drops?", "answer": "2 + 2 = 4\n#### 4"},
    "cnn_dailymail": {"id": "a1", "article": "It rained again. " * 180, "highlights": "It rained."},
}


@dataclass(frozen=True)
class Said:
    """What a command left: its exit code and its two streams."""

    code: int
    out: str
    err: str


Command = Callable[..., Said]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The real entry point, run in an empty folder."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for name in ("OPENAI_API_KEY", "AZUREAI_OPENAI_API_KEY", "OPENAI_BASE_URL", "FAULTY_API_KEY", "FAULTY_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["forgetscope", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capfd.readouterr()
        return Said(int(stopped.value.code or 0), out, err)

    return call


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with the five sets, one right row each."""
    for role, row in ROWS.items():
        (tmp_path / "data" / role).mkdir(parents=True)
        (tmp_path / "data" / role / f"{role}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return tmp_path / "data"


def _one_clear_line(said: Said, *words: str) -> None:
    assert said.code == 2, said
    assert said.err.count("\n") == 1, said.err
    assert said.err.startswith("forgetscope: ")
    assert "Traceback" not in said.err
    for word in words:
        assert word in said.err, said.err


SETTINGS = {
    "benchmark": (["retrospective"], ["no such benchmark", "'retrospective'", "allowed: in-context, prospective"]),
    "limit of nothing": (["prospective", "--limit", "0"], ["--limit", "found 0", "allowed: 1 or more"]),
    "negative limit": (["prospective", "--limit", "-3"], ["--limit", "found -3", "allowed: 1 or more"]),
    "condition": (["prospective", "--conditions", "loud"], ["--conditions", "'loud'", "natural, "]),
    "load": (["prospective", "--loads", "chess"], ["--loads", "'chess'", "gsm8k_x1"]),
    "experiment": (["prospective", "--experiments", "x"], ["--experiments", "'x'", "load, stacking, tension"]),
    "no experiment": (["prospective", "--experiments", ","], ["--experiments", "load, stacking, tension"]),
    "prompts": (["prospective", "--prompts", "mine"], ["--prompts", "'mine'", "paper, all"]),
    "seed text": (["prospective", "--seed", "a,b"], ["--seed", "'a,b'", "such as 42,137,256"]),
    "same seed twice": (["prospective", "--seed", "1,1"], ["--seed", "(1, 1)"]),
    "no room for a reply": (["prospective", "--max-tokens", "0"], ["--max-tokens", "found 0", "allowed: 1 to"]),
    "data folder": (["prospective", "--data", "nowhere"], ["--data", "no such folder", "embedded, official"]),
}


@pytest.mark.parametrize(("arguments", "words"), SETTINGS.values(), ids=SETTINGS.keys())
@pytest.mark.parametrize("verb", ["run", "plan"])
def test_a_wrong_setting(command: Command, verb: str, arguments: list[str], words: list[str]) -> None:
    said = command(verb, *arguments, *(PERFECT if verb == "run" else []))
    _one_clear_line(said, *words)
    assert not list(Path.cwd().iterdir())


MODELS = {
    "provider": (["--model", "nobody/x"], ["--model nobody/x", "nobody", "next: forgetscope list"]),
    "no provider": (["--model", "gpt"], ["--model gpt", "next: "]),
    "model of ours": (["--model", "forgetscope/nix"], ["'forgetscope/nix'", "forgetscope/smollm2"]),
    "reference model": (["--model", "forgetscope/reference/nix"], ["'nix'", "allowed: perfect, careless"]),
    "key": (["--model", "openai/gpt-5"], ["--model openai/gpt-5", "OPENAI_API_KEY", "next: set the variable"]),
    "key of a server": (["--model", "openai-api/faulty/m"], ["FAULTY_API_KEY", "next: set the variable"]),
    "argument without value": ([*PERFECT, "-M", "latency"], ["-M", "key=value", "'latency'"]),
    "argument without name": ([*PERFECT, "-M", "=2"], ["-M", "key=value", "'=2'"]),
    "unknown argument": ([*PERFECT, "-M", "colour=1"], ["'colour'", "allowed: latency"]),
    "argument of another type": ([*PERFECT, "-M", "latency=slow"], ["latency", "'slow'"]),
    "GGUF path": (["--model", "forgetscope/gguf", "-M", "model_path=no.gguf"], ["no.gguf", "no such model file"]),
    "base URL for a model in this process": (
        [*PERFECT, "--model-base-url", "http://127.0.0.1:1"],
        ["forgetscope/reference/perfect", "no base URL"],
    ),
}


@pytest.mark.parametrize(("arguments", "words"), MODELS.values(), ids=MODELS.keys())
def test_a_model_that_cannot_be_made(command: Command, arguments: list[str], words: list[str]) -> None:
    _one_clear_line(command("run", "prospective", *SMALL, *arguments, "--out", "run"), *words)
    assert not list(Path.cwd().iterdir())


@pytest.mark.parametrize(
    ("option", "value"),
    [("--limit", "x"), ("--completeness", "2"), ("--max-retries", "-1"), ("--attempt-timeout", "0"), ("--colour", "1")],
)
def test_an_option_that_cannot_be_read_exits_2_and_names_it(command: Command, option: str, value: str) -> None:
    said = command("run", "prospective", *PERFECT, option, value)
    _one_clear_line(said, option, *([] if option == "--colour" else [f"found '{value}'"]), "run prospective --help")
    assert not list(Path.cwd().iterdir())


COMMAND_LINES = {
    "an option said twice": (
        ["run", "prospective", *PERFECT, "--model", "openai/x"],
        "run prospective --model: said tw",
    ),
    "an empty value": (["plan", "prospective", "--data", ""], "plan prospective --data: an empty value"),
    "an empty value after a sign": (["plan", "prospective", "--data="], "plan prospective --data: an empty value"),
    "an empty word": (["resume", ""], "resume: an empty value"),
    "both ways of a flag": (["plan", "in-context", "--crossed", "--no-crossed"], "--no-crossed: said twice"),
    "in a group": (["unlearn", "grid", "--out=a", "--out", "b"], "unlearn grid --out: said twice"),
    "an option left out": (["run", "prospective"], "run prospective: --model is missing"),
    "a value left out": (["plan", "prospective", "--limit"], "option '--limit' requires an argument"),
    "a word too many": (["resume", "a", "b"], "resume: got unexpected extra argument"),
    "an argument left out": (["resume"], "resume: FOLDER is missing"),
    "no such command": (["resum"], "no such command 'resum'. Did you mean 'resume'"),
    "a file for a grid": (
        ["unlearn", "grid", "--dry-run", "--out", "file"],
        "file: cannot use this folder; found 'a f",
    ),
    "a job's setting": (
        ["unlearn", "grid", "--out", "g", "--slurm", "worker=2"],
        "found 'worker' (did you mean workers?)",
    ),
    "a job's value": (["unlearn", "grid", "--out", "g", "--slurm", "workers=x"], "--slurm workers: Input should be"),
    "a cluster": (["unlearn", "grid", "--out", "g", "--slurm", "partition=p"], "--slurm: the cluster does not take"),
    "a length": (["plan", "in-context", "--lengths", "9" * 20], "--lengths: not lengths; found '9999"),
    "a provider of a plan": (["plan", "prospective", "--model", "nobody/x"], "--model nobody/x: no such provider"),
    "no provider in a plan": (["plan", "prospective", "--model", "gpt"], "--model gpt: not a model: PROVIDER/MODEL"),
    "ours in a plan": (["plan", "prospective", "--model", "forgetscope/smolm2"], "did you mean forgetscope/smollm2?"),
    "a judge of a plan": (["plan", "in-context", "--judge", "nobody/x"], "--judge nobody/x: no such provider"),
}


@pytest.mark.parametrize(("arguments", "words"), COMMAND_LINES.values(), ids=COMMAND_LINES.keys())
def test_a_command_line_that_cannot_be_meant(
    command: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    Path("file").touch()
    monkeypatch.setenv("PATH", "")  # no cluster
    _one_clear_line(command(*arguments), words)
    assert [path.name for path in Path.cwd().iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["prospective", "--model", "forgetscope/reference/stubborn"],
            "reference/stubborn: this benchmark has no such",
        ),
        (
            ["in-context", "--model", "forgetscope/reference/fading"],
            "found 'fading'; allowed: perfect-forgetter, stubborn",
        ),
        (["visual", "--model", "forgetscope/reference/perfect"], "allowed: visual-perfect, visual-stubborn"),
        (["in-context", "--model", "nobody/x"], "--model nobody/x: no such provider of models; found 'nobody'; next: "),
        (["prospective", *PERFECT, "--out", "file"], "file: cannot use this folder; found 'a file of this name'"),
        (["prospective", *PERFECT, "--shard", "9/3"], "--shard: no such shard"),
        (
            ["in-context", "--model", "forgetscope/reference/perfect-forgetter", "--judge", "nobody/x"],
            "--judge nobody/x: no such provider",
        ),
    ],
)
def test_what_a_run_cannot_use_is_said_before_its_plan(command: Command, arguments: list[str], words: str) -> None:
    Path("file").touch()
    said = command("run", *arguments, "--limit", "1")
    _one_clear_line(said, words)
    assert said.out == ""


def test_whatever_a_provider_raises_is_one_line(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def offline(*_: object, **__: object) -> None:
        raise OSError("We couldn't connect to the hub.\nCheck your connection")

    monkeypatch.setattr("inspect_ai.model.get_model", offline)
    said = command("run", "prospective", *SMALL, "--model", "hf/no/such")
    _one_clear_line(said, "--model hf/no/such: cannot make this model", "We couldn't connect to the hub.")


BROKEN_DATA = {
    "malformed line": ("ifeval", '{"key": 1, "prompt": ', ["ifeval.jsonl:2", "JSON"]),
    "not an object": ("mmlu", "[1, 2]", ["mmlu.jsonl:2"]),
    "unknown constraint": (
        "ifeval",
        {**ROWS["ifeval"], "key": 2, "instruction_id_list": ["punctuation:no_full_stop"]},
        ["ifeval.jsonl:2", "punctuation:no_full_stop", "punctuation:no_comma"],
    ),
    "missing kwargs": (
        "ifeval",
        {name: value for name, value in ROWS["ifeval"].items() if name != "kwargs"},
        ["ifeval.jsonl:2", "kwargs"],
    ),
    "missing argument of a constraint": (
        "ifeval",
        {**ROWS["ifeval"], "key": 2, "instruction_id_list": ["detectable_content:postscript"]},
        ["ifeval.jsonl:2", "postscript"],
    ),
    "duplicate ids": ("ifeval", ROWS["ifeval"], ["ifeval.jsonl", "1"]),
    "answer out of range": ("mmlu", {**ROWS["mmlu"], "answer": 4}, ["mmlu.jsonl:2", "'answer'", "found 4"]),
    "gold without a number": ("gsm8k", {**ROWS["gsm8k"], "answer": "four"}, ["gsm8k.jsonl:2", "####"]),
    "question without answers": (
        "triviaqa",
        {**ROWS["triviaqa"], "question_id": "t2", "answers": []},
        ["triviaqa.jsonl:2", "'answers'"],
    ),
}


@pytest.mark.parametrize(("role", "line", "words"), BROKEN_DATA.values(), ids=BROKEN_DATA.keys())
def test_a_data_line_that_does_not_fit(
    command: Command, data: Path, role: str, line: str | dict[str, object], words: list[str]
) -> None:
    with (data / role / f"{role}.jsonl").open("a", encoding="utf-8") as stream:
        stream.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
    said = command("run", "prospective", *EVERY_SET, *PERFECT, "--data", str(data), "--out", "run")
    _one_clear_line(said, *words)
    assert not list(Path.cwd().iterdir())


@pytest.mark.parametrize("role", ROWS)
def test_an_empty_data_set(command: Command, data: Path, role: str) -> None:
    (data / role / f"{role}.jsonl").write_text("\n", encoding="utf-8")
    said = command("run", "prospective", *EVERY_SET, *PERFECT, "--data", str(data), "--out", "run")
    _one_clear_line(said, f"{role}.jsonl", "empty")
    assert not list(Path.cwd().iterdir())


def test_a_data_set_that_is_missing(command: Command, data: Path) -> None:
    (data / "mmlu" / "mmlu.jsonl").unlink()
    _one_clear_line(command("plan", "prospective", "--data", str(data)), "mmlu", "allowed: ")


def test_no_article_inside_the_token_range(command: Command, data: Path) -> None:
    row = {**ROWS["cnn_dailymail"], "article": "Too short."}
    (data / "cnn_dailymail" / "cnn_dailymail.jsonl").write_text(json.dumps(row), encoding="utf-8")
    _one_clear_line(command("plan", "prospective", "--data", str(data)), "cnn_dailymail", "600", "1000")


def test_one_article_outside_the_token_range_is_left_out_and_said(command: Command, data: Path) -> None:
    with (data / "cnn_dailymail" / "cnn_dailymail.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({**ROWS["cnn_dailymail"], "id": "a2", "article": "Too short."}) + "\n")
    said = command("plan", "prospective", *EVERY_SET, "--data", str(data), "--json")
    assert said.code == 0
    assert "1 items of cnn_dailymail outside 600-1000 cl100k tokens were left out" in json.loads(said.out)["notes"]


def test_a_folder_that_is_not_empty_keeps_what_it_has(command: Command) -> None:
    Path("run").mkdir()
    Path("run/thesis.txt").write_text("mine", encoding="utf-8")
    said = command("run", "prospective", *SMALL, *PERFECT, "--out", "run")
    _one_clear_line(said, "run: the folder is not empty", "next: forgetscope resume run")
    assert [path.name for path in Path("run").iterdir()] == ["thesis.txt"]


def test_a_folder_that_cannot_be_written(command: Command) -> None:
    Path("file").write_text("mine", encoding="utf-8")
    for folder in ("file", "file/below"):
        said = command("run", "prospective", *SMALL, *PERFECT, "--out", folder)
        _one_clear_line(said, folder, "cannot use this folder", "--out")
    assert Path("file").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("verb", ["resume", "report"])
def test_a_folder_that_is_no_run(command: Command, verb: str) -> None:
    Path("empty").mkdir()
    for folder in ("empty", "nowhere"):
        _one_clear_line(command(verb, folder), f"{folder}: not a run folder", MANIFEST_NAME, "next: ")
    assert not list(Path("empty").iterdir())


@pytest.fixture
def finished_run(command: Command, data: Path) -> Path:
    said = command("run", "prospective", *SMALL, *PERFECT, "--data", str(data), "--out", "run")
    assert said.code == 0, said
    return Path("run")


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


MANIFESTS: dict[str, tuple[dict[str, object], list[str]]] = {
    "another layout": ({"manifest_version": 9}, ["manifest_version", "9", "manifest version 1", "next: "]),
    "a field nobody knows": ({"temperature": 1}, ["temperature", "next: "]),
    "other prompts": ({"prompts_version": "0"}, ["prompt texts changed", "next: use forgetscope"]),
    "an unknown benchmark": ({"benchmark": "dreams"}, ["no such benchmark", "'dreams'"]),
}


@pytest.mark.parametrize(("change", "words"), MANIFESTS.values(), ids=MANIFESTS.keys())
def test_a_run_of_another_version_is_not_touched(
    command: Command, finished_run: Path, change: dict[str, object], words: list[str]
) -> None:
    manifest = finished_run / MANIFEST_NAME
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), **change}), encoding="utf-8")
    before = _files(finished_run)
    _one_clear_line(command("resume", str(finished_run)), *words)
    assert _files(finished_run) == before


def test_a_manifest_cut_short(command: Command, finished_run: Path) -> None:
    manifest = finished_run / MANIFEST_NAME
    manifest.write_text(manifest.read_text()[:100], encoding="utf-8")
    before = _files(finished_run)
    _one_clear_line(command("resume", str(finished_run)), MANIFEST_NAME, "next: ")
    assert _files(finished_run) == before


def test_a_run_whose_data_changed_is_not_continued(command: Command, finished_run: Path, data: Path) -> None:
    with (data / "mmlu" / "mmlu.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({**ROWS["mmlu"], "question": "What is dry?", "answer": 0}) + "\n")
    from forgetscope.benchmarks.prospective.plan import cached_data

    cached_data.cache_clear()
    before = _files(finished_run)
    _one_clear_line(command("resume", str(finished_run)), "the data changed", "next: ")
    assert _files(finished_run) == before


def test_validate_and_data_speak_as_clearly(command: Command) -> None:
    _one_clear_line(command("validate", "prospective", "--limit", "0"), "--limit", "found '0'")
    _one_clear_line(command("validate", "unlearning", "--limit", "1"), "of one size", "--limit")
    _one_clear_line(command("validate", "unlearning", "--data", "official"), "the embedded corpus", "'official'")
    _one_clear_line(command("validate", "dreams"), "no such benchmark", "'dreams'")
    _one_clear_line(command("validate", "prospective", "--style", "emojione"), "--style", "'prospective'")
    _one_clear_line(command("validate", "visual", "--style", "twemoji"), "held out", "'twemoji'", "emojione")
    _one_clear_line(command("validate", "visual", "--weights", "nowhere"), "no weights", "'nowhere'")
    _one_clear_line(command("data", "verify", "nowhere"), "no such folder", "'nowhere'")


LONG = "n" * 300
OVERLONG = {
    "data": ["plan", "prospective", "--data", LONG],
    "out": ["run", "prospective", *PERFECT, *SMALL, "--out", LONG],
    "prices": ["plan", "prospective", *SMALL, "--prices", LONG],
    "replies": ["run", "prospective", "--replies", LONG, *SMALL],
    "prompts": ["plan", "prospective", *SMALL, "--write-prompts", LONG],
    "run folder": ["resume", LONG],
    "report": ["report", LONG],
    "split": ["plan", "visual", "--data", LONG],
    "scored": ["score", "refusals", LONG, "--out", "scored.jsonl"],
    "verified": ["data", "verify", LONG],
    "annotations": ["annotate", "agreement", LONG, LONG],
    "grid": ["unlearn", "evaluate", LONG],
    "configuration": ["unlearn", "grid", "--config", f"{LONG}.yaml", "--out", "grid", "--dry-run"],
}


@pytest.mark.parametrize("arguments", OVERLONG.values(), ids=OVERLONG.keys())
def test_a_path_that_no_system_takes(command: Command, arguments: list[str]) -> None:
    _one_clear_line(command(*arguments), LONG[:100])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    out = tmp_path_factory.mktemp("ran") / "run"
    chosen: dict[str, Any] = {"experiments": "load", "loads": "mmlu", "conditions": "baseline", "limit": 1}
    return fs.run("prospective", "forgetscope/reference/perfect", seed=42, out=out, **chosen).folder


CIRCLES = {
    "data of a plan": ["plan", "prospective", "--data", "circle"],
    "data of a visual plan": ["plan", "visual", "--data", "circle"],
    "data of a reproduction": [
        "reproduce",
        "in-context",
        "--model",
        "forgetscope/reference/perfect",
        "--data",
        "circle",
    ],
    "a run to export": ["export", "circle", "--format", "csv", "--out", "new"],
    "a place to export to": ["export", "RUN", "--format", "csv", "--out", "circle"],
    "a place to run in": ["run", "prospective", *SMALL, *PERFECT, "--out", "circle"],
    "a run to report": ["report", "circle"],
    "a run to compare": ["compare", "circle", "RUN", "--out", "new"],
    "a place to compare in": ["compare", "RUN", "RUN", "--out", "circle"],
}


@pytest.mark.parametrize("called", CIRCLES)
def test_a_link_that_leads_to_itself_is_one_line(command: Command, tmp_path: Path, run: Path, called: str) -> None:
    (tmp_path / "here" / "circle").symlink_to("round")
    (tmp_path / "here" / "round").symlink_to("circle")
    said = command(*[str(run) if word == "RUN" else word for word in CIRCLES[called]])
    assert said.code == 2
    assert said.err.startswith("forgetscope: ")
    assert said.err.count("\n") == 1


OUTPUTS = {
    "a page for a manifest": ["report", "RUN", "--out", "RUN/run.json"],
    "a page for a table": ["report", "RUN", "RUN", "--out", "RUN/samples.parquet"],
    "a comparison in a run": ["compare", "RUN", "RUN", "--out", "RUN/comparison"],
    "a run in a run": ["run", "prospective", *SMALL, *PERFECT, "--out", "RUN/inner"],
    "a merged run in its shard": ["merge", "RUN", "--out", "RUN/merged"],
    "an export in another run": ["export", "RUN", "--format", "csv", "--out", "RUN/logs/csv"],
    "verdicts for replies": ["score", "gsm8k", "rows.jsonl", "--out", "rows.jsonl"],
    "verdicts for linked replies": ["score", "gsm8k", "rows.jsonl", "--out", "linked.jsonl"],
    "verdicts in a run": ["score", "gsm8k", "rows.jsonl", "--out", "RUN/verdicts.jsonl"],
}


@pytest.mark.parametrize("called", OUTPUTS)
def test_an_output_replaces_no_input_and_no_file_of_a_run(
    command: Command, tmp_path: Path, run: Path, called: str
) -> None:
    rows = tmp_path / "here" / "rows.jsonl"
    rows.write_text(json.dumps({"gold": "4", "reply": "4"}), encoding="utf-8")
    (tmp_path / "here" / "linked.jsonl").symlink_to(rows)
    before = {path: path.read_bytes() for path in [rows, *run.rglob("*")] if path.is_file()}
    said = command(*[word.replace("RUN", str(run)) for word in OUTPUTS[called]])
    assert said.code == 2
    assert "not a shard" in said.err or "--out: an output" in said.err
    assert said.err.count("\n") == 1
    assert before == {path: path.read_bytes() for path in [rows, *run.rglob("*")] if path.is_file()}


def test_a_full_disk_is_one_line_wherever_it_is_met(
    command: Command, monkeypatch: pytest.MonkeyPatch, run: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("forgetscope.report.write.write_text", full)
    said = command("report", str(run))
    assert (said.code, said.err) == (
        2,
        "forgetscope: cannot write; found 'No space left on device'; next: make room, then the same command again\n",
    )
    unraisable: Any = SimpleNamespace(exc_value=OSError(errno.EFBIG, "File too large", "trace.log"))
    _show_last_words(unraisable)
    assert capfd.readouterr().err.startswith("forgetscope: trace.log: cannot write")
