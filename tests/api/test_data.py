"""Every benchmark says what it can be run on; what is here is read to its last line."""

import re
from pathlib import Path

import pytest

from forgetscope.api.data import chosen_sources, data_sources, fetched, verified
from forgetscope.core.errors import DataError, SettingError, UnknownNameError


def test_every_benchmark_names_its_sources_each_once_with_a_way_to_read_it() -> None:
    sources = data_sources()
    assert list(sources) == ["in-context", "prospective", "visual", "unlearning"]
    for of_benchmark in sources.values():
        names = [source.name for source in of_benchmark]
        assert len(set(names)) == len(names)
        assert names[0] == "embedded"
        assert names[-1] == "folder"
        for source in of_benchmark:
            assert source.role
            assert source.name == "folder" or source.licence
            assert source.embedded or source.local or source.official
            assert source.embedded or source.where
            assert source.official is None or re.fullmatch("[0-9a-f]{40}", source.revision)


def test_names_that_nobody_has_are_named() -> None:
    with pytest.raises(UnknownNameError, match=r"no such benchmark; found 'visul' .did you mean visual"):
        chosen_sources("visul")
    with pytest.raises(UnknownNameError, match=r"prospective: no such source; found 'mmlus' .did you mean mmlu"):
        chosen_sources("prospective", "mmlus")
    with pytest.raises(SettingError, match="too many words"):
        list(verified(["prospective", "mmlu", "a", "b"]))


def test_what_is_in_the_package_can_be_read_whole() -> None:
    found = {one.benchmark: one.found for one in verified(["embedded"])}
    assert list(found) == list(data_sources())
    assert {entry.role: entry.rows for entry in found["prospective"].entries}["mmlu"] == 90
    assert all(len(entry.sha256) == 64 for inventory in found.values() for entry in inventory.entries)


def test_a_local_copy_is_read_to_its_last_line(tmp_path: Path) -> None:
    row = '{"question": "1 + 1?", "answer": "#### 2"}\n'
    (tmp_path / "test.jsonl").write_text(row * 3, encoding="utf-8")
    (one,) = verified(["prospective", "gsm8k", str(tmp_path)])
    assert [entry.rows for entry in one.found.entries] == [3]
    (tmp_path / "test.jsonl").write_text(row + '{"question": "1 + 1?"}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"test\.jsonl:2: field 'answer'"):
        list(verified(["prospective", "gsm8k", str(tmp_path)]))


def test_a_copy_without_some_parts_says_which(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nothing of this source is here"):
        list(verified(["unlearning", "tofu", str(tmp_path)]))
    (tmp_path / "forget01.json").write_text('[{"question": "Who?", "answer": "Ada."}]', encoding="utf-8")
    (one,) = verified(["unlearning", "tofu", str(tmp_path)])
    assert [(entry.role, entry.rows) for entry in one.found.entries] == [("forget01", 1)]
    assert one.found.notes[0].startswith("not in this copy: forget05, forget10, ")


def test_what_must_be_had_by_hand_is_not_fetched() -> None:
    with pytest.raises(
        SettingError, match="visual coco: this source has to be had by hand; found 'https://cocodataset"
    ):
        list(fetched("visual", "coco"))
    with pytest.raises(SettingError, match="this source is in the package"):
        list(fetched("visual", "embedded"))


def test_every_real_copy_that_is_here_fits(real_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGETSCOPE_DATA", str(real_data))
    found = {
        (one.benchmark, one.source.name): sum(entry.rows for entry in one.found.entries)
        for name in data_sources()
        for one in verified([name])
        if one.source.state == "local copy"
    }
    known = {
        ("prospective", "mmlu"): 14042,
        ("in-context", "mt_bench_101"): 1388,
        ("visual", "spatialmqa"): 5392,
        ("unlearning", "muse-news"): 220,
    }
    assert {key: found[key] for key in known if key in found} == {key: known[key] for key in known if key in found}
