"""Values by name become settings, or are refused by the name the user knows them under."""

from pathlib import Path

import pytest

import forgetscope as fs
from forgetscope.api.settings import settings_of


def test_a_list_of_names_is_as_good_as_names_with_commas() -> None:
    listed = settings_of("in-context", {"scenarios": ["subtask_revision", "dynamic_preference"]})
    assert listed == settings_of("in-context", {"scenarios": "subtask_revision,dynamic_preference"})


def test_none_leaves_the_default() -> None:
    assert settings_of("prospective", {"limit": None, "loads": None}) == settings_of("prospective", {})


def test_a_seed_may_be_several_where_a_benchmark_runs_several() -> None:
    one = settings_of("prospective", {}, seed=7)
    two = settings_of("prospective", {}, seed=[7, 8])
    assert (one.model_dump()["seeds"], two.model_dump()["seeds"]) == ((7,), (7, 8))
    with pytest.raises(fs.UserError, match="one seed"):
        settings_of("in-context", {}, seed=(7, 8))


def test_a_folder_of_data_is_named_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert settings_of("prospective", {}, data=Path("mine")).data == str(tmp_path / "mine")


@pytest.mark.parametrize(
    ("benchmark", "values", "says"),
    [
        ("retrospective", {}, "no such benchmark; found 'retrospective'.*; allowed: in-context"),
        ("prospective", {"lengths": "native"}, "no such option; found 'lengths'; allowed: baseline, conditions, const"),
        ("prospective", {"limit": 0}, "the limit leaves nothing to run; found 0"),
        ("prospective", {"limit": "many"}, "limit: Input should be a valid integer.*found 'many'"),
        ("prospective", {"loads": ["moon"]}, "moon"),
    ],
)
def test_a_mistake_says_what_is_allowed(benchmark: str, values: dict[str, object], says: str) -> None:
    with pytest.raises(fs.UserError, match=says):
        settings_of(benchmark, values)


def test_a_mistake_on_the_command_line_names_the_option_and_those_it_has() -> None:
    with pytest.raises(fs.UserError, match="found '--lengths'; allowed: --baseline, --conditions, --constraints"):
        settings_of("prospective", {"lengths": "native"}, called=lambda name: f"--{name}")
    with pytest.raises(fs.UserError, match=r"^--limit: the limit leaves nothing to run"):
        settings_of("prospective", {"limit": 0}, called=lambda name: f"--{name}")
