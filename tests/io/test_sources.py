"""A source says where it is, and is read from the nearest place."""

from pathlib import Path

import pytest

from forgetscope.core.errors import DataError
from forgetscope.io.hub import HubSet
from forgetscope.io.records import Provenance
from forgetscope.io.sources import DataSource, Inventory

HUB = HubSet("o/n", "c", "test", "abc123")


def found(name: str) -> Inventory:
    return Inventory((Provenance("role", name, "", "0" * 64, 1),))


SOURCE = DataSource(
    "mine", "load", "MIT", HUB, local=lambda path: found(str(path)), official=lambda: found("hub"), folder="other"
)


@pytest.fixture(autouse=True)
def nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("FORGETSCOPE_DATA", raising=False)


def test_a_published_set_is_fetched_unless_a_copy_is_named_or_lies_below_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (SOURCE.where, SOURCE.revision, SOURCE.state) == ("o/n (c) test", "abc123", "not fetched")
    assert SOURCE.read().entries[0].name == "hub"
    monkeypatch.setenv("FORGETSCOPE_DATA", str(tmp_path))
    assert SOURCE.state == "not fetched"
    (tmp_path / "other").mkdir()
    assert SOURCE.state == "local copy"
    assert SOURCE.read().entries[0].name == str(tmp_path / "other")
    assert SOURCE.read(tmp_path).entries[0].name == str(tmp_path)


def test_what_the_cache_has_is_here(tmp_path: Path) -> None:
    (tmp_path / "cache" / "o___n" / "c" / "0.0.0" / "abc123").mkdir(parents=True)
    assert SOURCE.state == "cached"
    assert SOURCE.is_here


def test_what_is_in_the_package_is_always_here() -> None:
    source = DataSource("embedded", "items", "Apache-2.0", embedded=lambda: found("package"))
    assert (source.state, source.is_here, source.where, source.revision) == ("embedded", True, "", "")
    assert source.read().entries[0].name == "package"


def test_what_must_be_had_by_hand_says_from_where() -> None:
    source = DataSource("pictures", "axis", "for research", "https://example.org", local=lambda path: found(str(path)))
    assert source.state == "local files"
    with pytest.raises(DataError, match=r"local files are needed; allowed: https://example.org; next: .* PATH"):
        source.read()
