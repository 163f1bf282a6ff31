"""Published sets: rows at their commit, files pinned, compared and cached, one clear line where there are none."""

import hashlib
import http.server
import json
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from forgetscope.core.errors import DataError, UserError
from forgetscope.io.hub import HubRow, HubSet, PinnedFiles, load_hub_rows, read_hub_rows

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

    def load_dataset(path: str, config: str, **options: object) -> list[dict[str, object]]:
        asked[path] = {"config": config, **options}
        return [{"a": 1}]

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    assert list(load_hub_rows(HubSet("o/n", "c", "train", "r1", streaming=True).at("r2"))) == [{"a": 1}]
    assert asked == {"o/n": {"config": "c", "split": "train", "revision": "r2", "streaming": True}}


def test_a_hub_that_cannot_be_reached_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    def load_dataset(path: str, config: str, **options: object) -> object:  # noqa: ARG001
        raise ConnectionError("no route\nto the hub")

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    with pytest.raises(UserError, match="cannot load o/n at r1; found 'ConnectionError: no route'"):
        load_hub_rows(HubSet("o/n", None, "train", "r1"))


def test_rows_that_break_off_are_one_clear_error() -> None:
    def breaks(wanted: HubSet) -> Iterable[HubRow]:  # noqa: ARG001
        yield {"a": 1}
        raise ConnectionError("gone")

    hub = HubSet("o/n", None, "train", "r1")
    with pytest.raises(UserError, match=r"cannot load o/n at r1; found 'ConnectionError: gone'; next: check the net"):
        read_hub_rows(hub, breaks)
    assert read_hub_rows(hub, breaks, limit=1) == [{"a": 1}]


def test_a_set_in_the_cache_is_known_by_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path))
    hub = HubSet("cais/mmlu", "all", "test", "c30699")
    assert not hub.is_cached
    (tmp_path / "cais___mmlu" / "all" / "0.0.0" / "c30699").mkdir(parents=True)
    assert hub.is_cached
    assert not HubSet("cais/mmlu", "all", "test", "other").is_cached


def test_files_in_the_cache_are_known_by_their_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path))
    files = _pinned("")
    assert not files.is_cached
    (tmp_path / "downloads").mkdir()
    (url,) = files.urls().values()
    (tmp_path / "downloads" / "0a.json").write_text(json.dumps({"url": url}), encoding="utf-8")
    assert files.is_cached
