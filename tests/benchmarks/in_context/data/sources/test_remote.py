"""Published files from a server on loopback: pinned, compared, cached; and sources that cannot be meant."""

import hashlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from forgetscope.benchmarks.in_context.data.sources import SOURCES, load_source, remote
from forgetscope.benchmarks.in_context.data.sources.remote import HubRows, PinnedFiles, load_hub_rows
from forgetscope.core.errors import DataError, SettingError, UnknownNameError, UserError

CONTENT = b'[{"a": 1}]'


@dataclass(frozen=True)
class Served:
    """A server of raw files, and what it was asked for."""

    url: str
    root: Path
    paths: list[str]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    import datasets

    monkeypatch.setattr(datasets.config, "DOWNLOADED_DATASETS_PATH", tmp_path / "cache")
    datasets.disable_progress_bars()
    root = tmp_path / "raw"
    path = root / "owner" / "name" / "commit1" / "data" / "a file.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    asked: list[str] = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: ARG002
            if self.command == "GET":
                asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Served(f"http://127.0.0.1:{server.server_port}", root, asked)
    server.shutdown()
    server.server_close()
    thread.join()
    datasets.enable_progress_bars()


def _pinned(digest: str) -> PinnedFiles:
    return PinnedFiles("owner/name", "commit1", "data", {"a file.json": digest})


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_pinned_file_is_fetched_once_and_compared(served: Served) -> None:
    files = _pinned(hashlib.sha256(CONTENT).hexdigest())
    for _ in range(2):
        assert files.fetch(base=served.url)["a file.json"].read_bytes() == CONTENT
    assert served.paths == ["/owner/name/commit1/data/a%20file.json"]
    with pytest.raises(DataError, match="not the one that was pinned"):
        _pinned("0" * 64).fetch(base=served.url)
    assert _pinned("").fetch(base=served.url), "a file nobody has hashed is vouched for by its commit"


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_file_that_cannot_be_had_is_one_clear_error(served: Served) -> None:
    with pytest.raises(UserError, match=r"cannot load owner/name at another; .*--data PATH"):
        _pinned("").fetch("another", base=served.url)


def test_a_local_copy_is_recognised_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a file.json"
    path.write_bytes(CONTENT)
    files = _pinned(hashlib.sha256(CONTENT).hexdigest())
    assert files.revision_of("a file.json", path) == "commit1"
    path.write_bytes(CONTENT + b" ")
    assert files.revision_of("a file.json", path) == ""


def test_hub_rows_are_asked_for_at_their_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    asked = {}

    def load_dataset(path: str, **options: object) -> list[dict[str, object]]:
        asked[path] = options
        return [{"a": 1}]

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    assert list(load_hub_rows(HubRows("o/n", "train", "r1", streaming=True), "r2")) == [{"a": 1}]
    assert asked == {"o/n": {"split": "train", "revision": "r2", "streaming": True}}


def test_a_hub_that_cannot_be_reached_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    def load_dataset(path: str, **options: object) -> object:  # noqa: ARG001
        raise ConnectionError("no route\nto the hub")

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    with pytest.raises(UserError, match="cannot load o/n at r1; found 'ConnectionError: no route'"):
        load_hub_rows(HubRows("o/n", "train", "r1"), "r1")


@pytest.mark.parametrize("name", ["followbench", "mt_bench_101", "prefeval"])
def test_published_files_come_through_the_same_reader_as_local_copies(
    name: str, real_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The download alone is replaced: by the copies, under names without a suffix, as the cache has them."""

    def download(urls: dict[str, str], repository: str, commit: str) -> dict[str, Path]:  # noqa: ARG001
        return {path: real_data / name / path for path in urls if (real_data / name / path).exists()}

    monkeypatch.setattr(remote, "_download", download)
    official, local = load_source(name), load_source(name, real_data / name)
    assert (official.dialogues, official.instructions, official.preferences) == (
        local.dialogues,
        local.instructions,
        local.preferences,
    )
    assert all(entry.revision for entry in official.provenance)


def test_sources_that_cannot_be_meant_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="--source: no such source; found 'sharegpt'; allowed: chatalpaca"):
        load_source("sharegpt")
    with pytest.raises(SettingError, match="a local copy has no commit to choose"):
        load_source("followbench", tmp_path, "abc")
    with pytest.raises(SettingError, match="its own data"):
        load_source(str(tmp_path), tmp_path)
    with pytest.raises(DataError, match="nothing to build from here"):
        load_source(str(tmp_path))


def test_every_source_says_what_it_gives_and_its_licence() -> None:
    assert {name: source.gives for name, source in SOURCES.items()} == {
        "chatalpaca": "dialogues",
        "followbench": "instructions",
        "prefeval": "preferences",
        "mt_bench_101": "dialogues",
        "lmsys": "dialogues",
    }
    assert all(source.licence for source in SOURCES.values())
