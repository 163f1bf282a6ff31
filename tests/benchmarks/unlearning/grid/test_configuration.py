"""Configurations: presets, every key checked, one line for a mistake."""

from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.grid.configuration import read_settings, settings_of
from forgetscope.benchmarks.unlearning.methods import read_method
from forgetscope.benchmarks.unlearning.methods.simnpo import SimNpo
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.core.errors import DataError, SettingError, UnknownNameError


def test_the_papers_presets_are_the_papers_settings() -> None:
    news, books = settings_of({"preset": "news"}), settings_of({"preset": "books"})
    assert (news.training.epochs, books.training.epochs) == (5, 2)
    for settings in (news, books):
        assert settings.training.learning_rate == 2e-5
        assert settings.training.batch_size == 4
        assert settings.training.lambda_retain == 1
        assert settings.epochs_factor == {"triplets": 2}
        assert settings.experiments[0].data.chunk_tokens == 2048
        assert settings.evaluation.verbatim_max_tokens == 128
        assert settings.evaluation.knowledge_max_tokens == 32


def test_what_a_file_says_goes_before_its_preset_and_the_rest_comes_from_it(tmp_path: Path) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text(
        "preset: books\ntraining: {learning_rate: 1.0e-5}\nmethods: [ga, {kind: simnpo, delta: 0.5}]\n"
        "experiments: [{data: {corpus: {source: embedded}}}]\n"
    )
    settings = read_settings(path)
    assert settings.training.learning_rate == 1e-5
    assert settings.training.epochs == 2
    assert settings.methods[1] == SimNpo(delta=0.5)
    assert settings.experiments[0].data.chunk_tokens == 2048


def test_toml_and_yaml_give_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('methods = ["npo"]\nseeds = [1, 2]\n[training]\nepochs = 3\n')
    (tmp_path / "a.yaml").write_text("methods: [npo]\nseeds: [1, 2]\ntraining: {epochs: 3}\n")
    assert read_settings(tmp_path / "a.toml") == read_settings(tmp_path / "a.yaml")


def test_a_file_that_says_nothing_is_no_grid(tmp_path: Path) -> None:
    path = tmp_path / "grid.yml"
    path.write_text("")
    with pytest.raises(DataError, match="settings that say nothing"):
        read_settings(path)
    assert len(settings_of({}).methods) == 3


def test_settings_survive_being_written_and_read() -> None:
    settings = settings_of({"preset": "news", "methods": [{"kind": "npo", "beta": 0.2}], "semantics": ["muse-compat"]})
    assert GridSettings.model_validate_json(settings.model_dump_json()) == settings


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"metods": ["ga"]},
            r"metods: unknown key; found 'metods' \(did you mean methods\?\); allowed: preset, experiments, methods",
        ),
        ({"training": {"lr": 1}}, r"training\.lr: unknown key; found 'lr'; allowed: epochs, learning_rate"),
        (
            {"experiments": [{"targets": {}}]},
            r"experiments\.0\.targets: unknown key.*allowed: data, target, retain_only",
        ),
        (
            {"experiments": [{"data": {"corpus": {"source": "embedded", "forgot": 4}}}]},
            r"experiments\.0\.data\.corpus\.forgot: unknown key; .*; allowed: source, forget, retain, holdout",
        ),
        (
            {"experiments": [{"data": {"formats": [{"format": "pruned", "shares": 0.5}]}}]},
            r"data\.formats\.0\.shares: unknown key; found 'shares'; allowed: format, unit",
        ),
        (
            {"experiments": [{"data": {"corpus": {"source": "folder", "paht": "mine"}}}]},
            r"experiments\.0\.data\.corpus\.paht: unknown key.*allowed: source, world, tofu_path, path",
        ),
        ({"experiments": [{"target": {"fit": {"epoch": 4}}}]}, r"fit\.epoch: unknown key.*allowed: epochs"),
        (
            {"experiments": [{"data": {"corpus": {"source": "embeded"}}}]},
            r"corpus: unknown source; found 'embeded'; allowed: 'embedded', 'muse'",
        ),
        (
            {"methods": [{"kind": "npo", "betta": 1}]},
            r"methods\.0: setting 'betta' of npo.*allowed: kind, beta",
        ),
        ({"training": {"epochs": 0}}, r"training\.epochs: input should be greater than or equal to 1; found 0"),
        ({"retain_subsets": ["middle"]}, r"retain_subsets\.0: input should be 'low', 'high' or 'original'"),
        ({"formats": ["poems"]}, r"formats poems are not among those of the data: raw, pruned, triplets"),
        ({"preset": "films"}, r"preset: input should be 'embedded', 'news' or 'books'; found 'films'"),
        ({"methods": []}, r"methods: tuple should have at least 1 item"),
        ({"methods": [{"kind": "npo", "gamma": 1}]}, r"gamma"),
        (
            {"experiments": [{"retain_only": {"model": "embedded"}}]},
            r"a model that is fitted here as retain_only needs sides: retain",
        ),
    ],
)
def test_a_mistake_is_one_line_that_names_the_key(row: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message) as caught:
        settings_of(row)
    assert "\n" not in str(caught.value)


def test_an_unknown_method_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"no such unlearning method.*found 'gd'; allowed: ga, npo, simnpo"):
        read_method("gd")


def test_files_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.yaml: no such file"):
        read_settings(tmp_path / "none.yaml")
    (tmp_path / "a.ini").write_text("")
    with pytest.raises(
        DataError, match=r"unknown kind of settings; found '.ini'; allowed: .yaml, .yml, .toml or .json"
    ):
        read_settings(tmp_path / "a.ini")
    (tmp_path / "b.yaml").write_text("a: 1\nb: [")
    with pytest.raises(DataError, match=r"b\.yaml:2: not YAML that can be read; found") as caught:
        read_settings(tmp_path / "b.yaml")
    assert "\n" not in str(caught.value)
    (tmp_path / "c.toml").write_text("a = ")
    with pytest.raises(DataError, match="not TOML that can be read"):
        read_settings(tmp_path / "c.toml")
