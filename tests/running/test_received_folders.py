"""A run folder may come from anybody: it sends nowhere unasked, writes nowhere else, and is damaged in one line."""

import contextlib
import json
import os
import random
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai._util.zipfile import zipfile_compress_kwargs

from forgetscope.api.runs import load
from forgetscope.benchmarks import get_benchmark
from forgetscope.core.errors import RunFolderError, SettingError, UserError
from forgetscope.io.files import alone_in
from forgetscope.report import write_report
from forgetscope.running.execute import resume_run, start_run
from forgetscope.running.finished import TABLE_NAME, collect_run
from forgetscope.running.journal import JOURNAL_NAME
from forgetscope.running.judgements import JUDGEMENTS_NAME
from forgetscope.running.logs import DAMAGED_FOLDER
from forgetscope.running.manifest import LOG_FOLDER, MANIFEST_NAME, Limits, ModelSpec
from forgetscope.running.rejudge import rejudge_run
from forgetscope.running.started import SaidAgain
from tests.faults.server import Fault, FaultServer, Script
from tests.faults.table import MODEL, run_against

TWO = Limits(max_retries=0, attempt_timeout=60, first_wait=0.05, max_connections=2, give_up_after=1000)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of a reference model."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    benchmark = get_benchmark("prospective")
    settings = benchmark.settings.model_validate(
        {"limit": 3, "loads": "mmlu", "seeds": (42,), "experiments": "load", "conditions": "baseline"}
    )
    model = ModelSpec(name="forgetscope/reference/perfect")
    start_run(benchmark, settings, benchmark.plan(settings), model, Limits(), folder, display="none")
    return folder


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def _log(folder: Path) -> Path:
    (log,) = (folder / LOG_FOLDER).glob("*.eval")
    return log


# Where it sends.


def _half_done(server: FaultServer, folder: Path) -> Path:
    run_against(server, folder, limit=4, limits=TWO)
    return folder


def test_a_run_started_here_is_continued_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
    with FaultServer([Script(Fault.INVALID_JSON, 1), Script(Fault.NONE)]) as server:
        folder = _half_done(server, tmp_path / "run")
        assert resume_run(folder, display="none").is_complete


@pytest.mark.parametrize("hostile", ["an id of its own", "another address", "an argument more", "no id"])
def test_a_received_run_sends_nothing_before_its_address_is_said_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hostile: str
) -> None:
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
    with FaultServer([Script(Fault.INVALID_JSON, 1), Script(Fault.NONE)]) as server, FaultServer() as other:
        folder = _half_done(server, tmp_path / "run")
        path = folder / MANIFEST_NAME
        manifest = json.loads(path.read_text(encoding="utf-8"))
        match hostile:
            case "an id of its own":
                manifest["run_id"] = "0" * 32
            case "another address":
                manifest["model"]["base_url"] = other.url
            case "an argument more":
                manifest["model"]["args"] = {"stream": False}
            case _:
                del manifest["run_id"]
        path.write_text(json.dumps(manifest), encoding="utf-8")
        sent = server.requests.total()
        with pytest.raises(SettingError, match=r"was not started by you on this machine.*--model-base-url"):
            resume_run(folder, display="none")
        assert not resume_asked(folder, answer=False)
        assert (server.requests.total(), other.requests.total()) == (sent, 0)
        again = SaidAgain(server.url, {"stream": False} if hostile == "an argument more" else None)
        assert resume_run(folder, display="none", model=again).is_complete
        assert other.requests.total() == 0


def resume_asked(folder: Path, *, answer: bool) -> bool:
    """Whether a run is continued after this answer at the terminal; the question names where it would send."""
    asked: list[str] = []

    def ask(question: str) -> bool:
        asked.append(question)
        return answer

    try:
        resume_run(folder, display="none", ask=ask)
    except SettingError:
        return False
    finally:
        assert "127.0.0.1" in asked[0]
    return True


def test_a_yes_at_the_terminal_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
    with FaultServer([Script(Fault.INVALID_JSON, 2), Script(Fault.NONE)]) as server:
        folder = _half_done(server, tmp_path / "run")
        monkeypatch.setenv("FORGETSCOPE_STATE", str(tmp_path / "elsewhere"))
        assert resume_asked(folder, answer=True)
        assert resume_run(folder, display="none").is_complete


def test_judges_of_a_received_run_are_not_asked_before_their_address_is_said_again(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
    path = copied / MANIFEST_NAME
    with FaultServer() as server:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        manifest["judges"] = [{"name": MODEL, "base_url": server.url}]
        path.write_text(json.dumps(manifest), encoding="utf-8")
        with pytest.raises(SettingError, match="--judge-base-url"):
            rejudge_run(copied, [], progress=lambda _: lambda: None)
        assert server.requests.total() == 0


def _without_address(folder: Path, field: str) -> None:
    """As a folder is whose provider knows its own address."""
    path = folder / MANIFEST_NAME
    manifest = json.loads(path.read_text(encoding="utf-8"))
    del manifest[field]["base_url"]
    path.write_text(json.dumps(manifest), encoding="utf-8")


def test_a_received_run_without_an_address_asks_nobody_before_its_model_is_named_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
    with FaultServer([Script(Fault.INVALID_JSON, 1), Script(Fault.NONE)]) as server:
        monkeypatch.setenv("FAULTY_BASE_URL", server.url)
        folder = _half_done(server, tmp_path / "run")
        _without_address(folder, "model")
        sent = server.requests.total()
        with pytest.raises(SettingError, match=rf"not started by you on this machine.*again: --model {MODEL}$"):
            resume_run(folder, display="none")
        with pytest.raises(SettingError, match=r"continued with those it was started with; found 'openai/gpt-5'"):
            resume_run(folder, display="none", model=SaidAgain(names=("openai/gpt-5",)))
        assert server.requests.total() == sent
        assert resume_run(folder, display="none", model=SaidAgain(names=(MODEL,))).is_complete


def test_a_run_of_a_provider_that_knows_its_address_is_continued_here_wherever_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
    with FaultServer([Script(Fault.INVALID_JSON, 1), Script(Fault.NONE)]) as server:
        monkeypatch.setenv("FAULTY_BASE_URL", server.url)
        benchmark = get_benchmark("prospective")
        settings = benchmark.settings.model_validate({"limit": 2, "loads": "mmlu", "seeds": (42,)})
        plan = benchmark.plan(settings)
        start_run(benchmark, settings, plan, ModelSpec(name=MODEL), TWO, tmp_path / "run", display="none")
        moved = Path(shutil.move(tmp_path / "run", tmp_path / "moved"))
        assert resume_run(moved, display="none").is_complete
        monkeypatch.setenv("FORGETSCOPE_STATE", str(tmp_path / "of another user"))
        with pytest.raises(SettingError, match="not started by you"):
            resume_run(moved, display="none")


def test_judges_of_a_received_run_without_an_address_are_not_asked_before_they_are_named(copied: Path) -> None:
    path = copied / MANIFEST_NAME
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["judges"] = [{"name": MODEL}, {"name": "openai/gpt-5"}]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(SettingError, match=rf"again: --judge {MODEL} --judge openai/gpt-5$"):
        resume_run(copied, display="none")
    with pytest.raises(SettingError, match=rf"again: --judge {MODEL} --judge openai/gpt-5$"):
        rejudge_run(copied, [], progress=_silent)


# Where it reads and writes.


@pytest.mark.parametrize("name", [JOURNAL_NAME, JUDGEMENTS_NAME, TABLE_NAME, MANIFEST_NAME, "report.html", LOG_FOLDER])
@pytest.mark.parametrize("verb", [resume_run, collect_run, load])
def test_a_link_in_a_run_folder_is_followed_nowhere(
    copied: Path, tmp_path: Path, name: str, verb: Callable[..., object]
) -> None:
    outside = tmp_path / "outside"
    place = copied / name
    if place.exists():
        shutil.move(place, outside)
    else:
        outside.write_text("mine\n", encoding="utf-8")
    before = outside.read_bytes() if outside.is_file() else sorted(outside.iterdir())
    place.symlink_to(outside)
    with pytest.raises(RunFolderError, match="a link"):
        verb(copied, **({"display": "none"} if verb is resume_run else {}))
    assert (outside.read_bytes() if outside.is_file() else sorted(outside.iterdir())) == before


@pytest.mark.parametrize("place", [".", LOG_FOLDER])
def test_variables_that_came_with_a_run_folder_are_not_read(copied: Path, place: str) -> None:
    (copied / place / ".env").write_text("FAULTY_BASE_URL=http://127.0.0.1:9\n", encoding="utf-8")
    with pytest.raises(RunFolderError, match=r"holds no \.env"):
        resume_run(copied, display="none")


def test_a_pipe_in_a_run_folder_blocks_nobody(copied: Path) -> None:
    os.mkfifo(copied / JOURNAL_NAME)
    with pytest.raises(RunFolderError, match="no file"):
        resume_run(copied, display="none")


def test_two_processes_do_not_work_in_one_folder(copied: Path) -> None:
    with alone_in(copied):
        with pytest.raises(RunFolderError, match="another process works in this folder"):
            resume_run(copied, display="none")
        with pytest.raises(RunFolderError, match="another process works in this folder"):
            rejudge_run(copied, [], progress=_silent)
    resume_run(copied, display="none")


def _silent(_: int) -> Callable[[], None]:
    return lambda: None


# Damage.


def test_a_log_that_unpacks_to_far_more_is_not_unpacked(copied: Path) -> None:
    with zipfile.ZipFile(_log(copied), "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/more.json", b" " * 150_000_000)
    with pytest.raises(RunFolderError, match="unpacks to far more"):
        collect_run(copied)


def test_a_cut_log_is_set_aside_and_what_it_held_is_sent_again(copied: Path, whole: Path) -> None:
    log = _log(copied)
    log.write_bytes(log.read_bytes()[:-200])
    with pytest.raises(RunFolderError, match=r"this log is damaged.*forgetscope resume"):
        collect_run(copied)
    again = resume_run(copied, display="none")
    assert again.is_complete
    assert (copied / DAMAGED_FOLDER / log.name).is_file()
    assert any("set aside" in note for note in again.manifest.notes)
    assert again.table.drop("seconds").equals(load(whole).table.drop("seconds"))


def _each_sample(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Pack a run's log again with every sample changed: in place, or as what the change gives."""
    log = _log(folder)
    with zipfile.ZipFile(log) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(log, "w", **zipfile_compress_kwargs) as archive:
        for name, raw in held.items():
            if name.startswith("samples/"):
                sample = json.loads(raw)
                given = change(sample)
                raw = given if isinstance(given, bytes) else json.dumps(sample).encode()
            archive.writestr(name, raw)


def test_long_samples_are_read_however_many_there_are(copied: Path, whole: Path) -> None:
    _each_sample(copied, lambda sample: sample.update(store={"said": "x" * 40_000_000}))
    with zipfile.ZipFile(_log(copied)) as archive:
        assert sum(entry.file_size for entry in archive.infolist()) > 100_000_000 + 300 * _log(copied).stat().st_size
    assert collect_run(copied).table.equals(load(whole).table)
    resume_run(copied, display="none")
    assert not (copied / DAMAGED_FOLDER).exists()


def test_an_entry_that_is_larger_than_the_archive_says_is_not_unpacked(copied: Path) -> None:
    _each_sample(copied, lambda sample: sample.update(store={"said": "x" * 90_000_000}))
    log = _log(copied)
    raw = bytearray(log.read_bytes())
    with zipfile.ZipFile(log) as archive:
        size = max(entry.file_size for entry in archive.infolist()).to_bytes(4, "little")
    while (place := raw.find(size)) >= 0:
        raw[place : place + 4] = (1000).to_bytes(4, "little")
    log.write_bytes(raw)
    tracemalloc.start()
    with pytest.raises(RunFolderError, match="this log is damaged"):
        collect_run(copied)
    assert tracemalloc.get_traced_memory()[1] < 400_000_000
    tracemalloc.stop()


DAMAGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "no sample": lambda _: b'"x"',
    "no JSON": lambda _: b"{",
    "nested without end": lambda _: b"[" * 200_000,
    "nested without end in a field": lambda sample: (
        json.dumps({"x": "HERE", **sample}).replace('"HERE"', "[" * 9000 + "]" * 9000).encode()
    ),
    "a number of 400 digits": lambda sample: sample["output"].update(
        usage={"input_tokens": 1, "output_tokens": int("9" * 400), "total_tokens": 1}
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_log_of_damaged_samples_is_set_aside_and_the_run_goes_on(
    copied: Path, damage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    log = _log(copied)
    _each_sample(copied, DAMAGES[damage])
    with pytest.raises(RunFolderError, match=r"this log is damaged.*forgetscope resume"):
        collect_run(copied)
    said = capfd.readouterr().err
    assert not said
    assert resume_run(copied, display="none").is_complete
    assert (copied / DAMAGED_FOLDER / log.name).is_file()


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("entry", ["samples/more_epoch_1.json", "reductions.json"])
def test_what_only_inspect_would_read_is_looked_at_before_it_does(copied: Path, entry: str) -> None:
    with zipfile.ZipFile(_log(copied), "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(entry, b"[" * 200_000)
    assert resume_run(copied, display="none").is_complete
    assert len(list((copied / DAMAGED_FOLDER).iterdir())) == 1


def test_a_count_near_the_largest_is_no_count(copied: Path) -> None:
    usage = {"input_tokens": 2**63 - 1, "output_tokens": 2**62, "total_tokens": 1, "input_tokens_cache_read": 2**63 - 1}
    _each_sample(copied, lambda sample: sample["output"].update(usage=usage))
    assert collect_run(copied).table["input_tokens"].null_count() == 3


def test_a_folder_in_the_place_of_a_log_is_one_line(copied: Path) -> None:
    log = _log(copied)
    log.unlink()
    log.mkdir()
    with pytest.raises(RunFolderError, match="a log that cannot be read; found 'Is a directory'"):
        collect_run(copied)


def test_nothing_planned_is_no_run(copied: Path) -> None:
    manifest = json.loads((copied / MANIFEST_NAME).read_text(encoding="utf-8"))
    (copied / MANIFEST_NAME).write_text(json.dumps({**manifest, "planned": {}}), encoding="utf-8")
    with pytest.raises(RunFolderError, match="planned"):
        collect_run(copied)


@pytest.mark.parametrize(
    "changes",
    [
        {"shard": "1/99999999999"},
        {"shard": "9/2"},
        {"merged": ["1/2", "elsewhere"]},
        {"planned": {f"cell {number}": 1 for number in range(20_000)}},
        {"planned": {"c" * 100_000: 3}},
        {"planned": {"cell": int("9" * 400)}},
        {"planned": {"cell": 2**40}},
        {"model": {"name": "m" * 100_000}},
        {"started": "yesterday"},
        {"finished": ""},
        {"settings": {"repeats": 1000}},
        {"settings": {"seeds": list(range(20_000))}},
        {"settings": {"seeds": list(range(90)), "repeats": 90}},
    ],
    ids=lambda changes: f"{changes!r:.60}",
)
def test_names_and_numbers_without_end_are_one_line(copied: Path, changes: dict[str, Any]) -> None:
    manifest = json.loads((copied / MANIFEST_NAME).read_text(encoding="utf-8"))
    if settings := changes.get("settings"):
        changes = {"settings": {**manifest["settings"], **settings}}
    (copied / MANIFEST_NAME).write_text(json.dumps({**manifest, **changes}), encoding="utf-8")
    with pytest.raises(UserError) as refused:
        load(copied).report()
    assert len(str(refused.value)) < 1000


def _damage(content: bytes, chance: random.Random) -> bytes:
    """The content with one of the damages that transport, disks and people do to files."""
    if not content:
        return b"\x00"
    here = chance.randrange(len(content))
    there = min(len(content), here + chance.randrange(1, 200))
    return chance.choice(
        [
            content[:here],
            content[:here] + content[there:],
            content[:here] + bytes([content[here] ^ (1 << chance.randrange(8))]) + content[here + 1 :],
            content[:here] + bytes(chance.randrange(256) for _ in range(there - here)) + content[there:],
            content[:here] + content[here:there] * 3 + content[there:],
            b"",
            content.decode("latin-1").encode("utf-16"),
            b"[" * 100_000,
            content.replace(b'"', b"'"),
            content.replace(b"0", b"99999999999999999999999999"),
        ]
    )


def _repacked(content: bytes, chance: random.Random) -> bytes:
    """A log with one of its entries damaged, missing or doubled, and otherwise a sound archive."""
    import io

    found = zipfile.ZipFile(io.BytesIO(content))
    names = found.namelist()
    hit = chance.choice(names)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            entry = found.read(name)
            if name != hit:
                archive.writestr(name, entry)
            elif chance.random() < 0.8:
                archive.writestr(name, _damage(entry, chance))
    return made.getvalue()


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_folder_is_read_or_refused_in_one_line(copied: Path, seed: int) -> None:
    chance = random.Random(seed)
    files = sorted(path for path in copied.rglob("*") if path.is_file() and path.suffix != ".html")
    hit = chance.choice(files)
    repack = hit.suffix == ".eval" and chance.random() < 0.7
    hit.write_bytes((_repacked if repack else _damage)(hit.read_bytes(), chance))
    for verb in (lambda: load(copied).results, lambda: write_report(collect_run(copied))):
        with contextlib.suppress(UserError):  # whose message is one line by the way it is made
            verb()
