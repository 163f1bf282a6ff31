"""Every number a command line takes has a largest and a smallest value, and what lies beyond is one line, exit 2."""

from collections.abc import Iterator
from itertools import product

import pytest
import typer.main
from typer.core import TyperCommand, TyperGroup, TyperOption

from forgetscope.benchmarks import BENCHMARK_NAMES, settings_class
from forgetscope.cli import main
from forgetscope.cli.commands import app
from forgetscope.cli.specs import key_values
from forgetscope.core.errors import SettingError
from forgetscope.core.settings import checked, declarations, option_name
from forgetscope.models.local import LocalModelArgs
from forgetscope.running.manifest import Limits

ABSURD = "99999999999999999999"
PERFECT = ["--model", "forgetscope/reference/perfect"]


def _options(group: TyperGroup, path: str = "") -> Iterator[tuple[str, TyperOption]]:
    context = typer.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, TyperGroup):
            yield from _options(command, f"{path} {name}")
        elif isinstance(command, TyperCommand):
            options = (entry for entry in command.params if isinstance(entry, TyperOption))
            yield from ((f"{path} {name} {entry.opts[0]}", entry) for entry in options)


def test_every_option_that_is_a_number_has_bounds() -> None:
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    numbers = {where: one for where, one in _options(root) if one.type_descriptor.annotation in (int, float)}
    assert len(numbers) > 60
    for benchmark in BENCHMARK_NAMES:  # whose settings have bounds of their own: the next test
        kind = settings_class(benchmark)
        for verb, name in product(("plan", "run"), declarations(kind)):
            numbers.pop(f" {verb} {benchmark} {option_name(kind, name)}", None)
    assert [where for where, one in numbers.items() if one.min is None or one.max is None] == []


@pytest.mark.parametrize("benchmark", BENCHMARK_NAMES)
def test_every_setting_that_is_a_number_refuses_an_absurd_one(benchmark: str) -> None:
    kind = settings_class(benchmark)
    names = [name for name in declarations(kind) if kind.model_fields[name].annotation in (int, int | None, float)]
    for name in [*names, *(name for name in ("seeds",) if name in kind.model_fields)]:
        for number in (10**20, -(10**20)):
            with pytest.raises(SettingError, match=name):
                checked(kind, {name: (number,) if name == "seeds" else number})


@pytest.mark.parametrize(
    "option", ["--max-connections", "--max-retries", "--attempt-timeout", "--max-samples", "--reasoning-tokens"]
)
def test_a_limit_of_absurd_size_is_one_line(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["forgetscope", "run", "prospective", *PERFECT, option, ABSURD])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    assert (ended.value.code, said.count("\n")) == (2, 1), said
    assert option in said
    assert "Traceback" not in said


@pytest.mark.parametrize("given", [ABSURD, "-" + ABSURD, "1e300", "[1, 1e300]", '{"a": {"b": 99999999999999999999}}'])
def test_an_argument_of_absurd_size_is_refused_and_not_repeated(given: str) -> None:
    with pytest.raises(SettingError, match="-M retries: not a number to count with") as refused:
        key_values([f"retries={given}"], "-M")
    assert given not in str(refused.value)


@pytest.mark.parametrize("kind", [Limits, LocalModelArgs])
def test_what_is_kept_of_a_model_and_its_limits_has_bounds(kind: type[Limits | LocalModelArgs]) -> None:
    for name, found in kind.model_fields.items():
        if found.annotation in (int, float, int | None, float | None):
            with pytest.raises(ValueError, match=name):
                kind.model_validate({name: 10**20})
