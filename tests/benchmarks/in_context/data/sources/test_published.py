"""Published sources through the same reader as local copies, and sources that cannot be meant."""

from pathlib import Path

import pytest

from forgetscope.benchmarks.in_context.data.sources import SOURCES, load_source
from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from forgetscope.io import hub


@pytest.mark.parametrize("name", ["followbench", "mt_bench_101", "prefeval"])
def test_published_files_come_through_the_same_reader_as_local_copies(
    name: str, real_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The download alone is replaced: by the copies, under names without a suffix, as the cache has them."""

    def download(urls: dict[str, str], repository: str, commit: str) -> dict[str, Path]:  # noqa: ARG001
        return {path: real_data / name / path for path in urls if (real_data / name / path).exists()}

    monkeypatch.setattr(hub, "download", download)
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
