"""`run BENCHMARK` and `plan BENCHMARK` take what the benchmark's settings declare, and nothing of the others."""

import sys

import pytest

from forgetscope.benchmarks import BENCHMARK_NAMES, settings_class
from forgetscope.cli import main
from forgetscope.core.settings import declarations, option_name

HEADINGS = ["What to run:", "Model:", "Judge:", "Limits:", "Output:"]


def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
    monkeypatch.setattr(sys, "argv", ["forgetscope", *words])
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main()
    captured = capsys.readouterr()
    return captured.out, captured.err


@pytest.mark.parametrize("verb", ["run", "plan"])
@pytest.mark.parametrize("name", BENCHMARK_NAMES)
def test_the_help_has_this_benchmarks_settings_in_groups_and_no_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str, name: str
) -> None:
    text, _ = said(monkeypatch, capsys, verb, name, "--help")
    options = {
        known: {option_name(settings_class(known), one) for one in declarations(settings_class(known))}
        for known in BENCHMARK_NAMES
    }
    assert all(f" {option} " in text for option in options[name])
    others = set().union(*(options[known] for known in BENCHMARK_NAMES)) - options[name]
    assert not [option for option in others if f" {option} " in text]
    headings = [line for line in text.splitlines() if line in HEADINGS]
    assert headings == [heading for heading in HEADINGS if heading != "Judge:" or "--judge-what" in options[name]]
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "prospectve"], "no such benchmark; found 'prospectve' (did you mean prospective?)"),
        (["run", "--limit", "2"], "a benchmark is missing; found '--limit'; allowed: in-context, prospective, visual"),
        (
            ["plan", "prospective", "--scenarios", "all"],
            "found '--scenarios'; allowed: with in-context",
        ),
        (["plan", "visual", "--judge", "m"], "found '--judge'; allowed: with in-context"),
        (
            ["plan", "prospective", "--load", "mmlu"],
            "no such option; found '--load' (did you mean --loads?); allowed: --loads",
        ),
        (["plan", "prospective", "--loads", "mlu"], "--loads: no such load; found 'mlu' (did you mean mmlu?)"),
        (["plan", "in-context", "--judge-max-tokens", "9"], "--judge-max-tokens: this is about a judge"),
        (["pla"], "Did you mean 'plan'?"),
    ],
)
def test_what_is_nearly_right_or_anothers_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    assert says in said(monkeypatch, capsys, *words)[1]


def test_options_may_stand_before_the_benchmark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["--limit", "1", "--experiments", "load", "--seed", "1", "--json"]
    before, _ = said(monkeypatch, capsys, "plan", *small, "prospective")
    assert before == said(monkeypatch, capsys, "plan", "prospective", *small)[0]


def test_the_program_lists_its_commands_in_an_order_one_can_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, _ = said(monkeypatch, capsys, "--help")
    commands = [line.split()[0] for line in text.partition("Commands:\n")[2].splitlines() if line[2:3].strip()]
    assert commands[:4] == ["demo", "list", "plan", "run"]
    assert "..." not in text.partition("Commands:\n")[2]
