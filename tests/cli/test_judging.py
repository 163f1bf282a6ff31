"""Judges on the command line: who may judge, what it is asked, and what it is told when that cannot be meant."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from forgetscope.cli.commands import app
from forgetscope.core.errors import SettingError
from tests.faults.server import FaultServer

PERFECT = ["in-context", "--model", "forgetscope/reference/perfect-forgetter", "--limit", "1", "--probes", "none"]
RULE = "forgetscope/reference/rule-judge"


def command(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--judge", PERFECT[2]], "must not judge itself"),
        (["--judge", RULE, "--judge", RULE], "named twice"),
        (["--judge-what", "needed"], "--judge-what: this is about a judge, and there is none"),
        (["--judge-max-tokens", "50"], "--judge-max-tokens: this is about a judge"),
        (["--allow-self-judge"], "--allow-self-judge: this is about a judge"),
        (["--judge", RULE, "--judge-what", "none"], "no such choice with a judge; found 'none'; allowed: all, needed"),
    ],
)
@pytest.mark.parametrize("verb", ["plan", "run"])
def test_judges_that_cannot_be_meant_are_refused(verb: str, arguments: list[str], message: str, tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "run")] if verb == "run" else []
    result = command(verb, *PERFECT, *arguments, *out)
    assert isinstance(result.exception, SettingError)
    assert message in str(result.exception)
    assert not (tmp_path / "run").exists()


def test_another_benchmark_says_that_it_has_no_judge() -> None:
    result = command("plan", "prospective", "--judge", RULE)
    assert isinstance(result.exception, SettingError)
    assert "prospective has no such option; found '--judge'" in str(result.exception)


def test_a_plan_counts_the_questions_to_a_judge() -> None:
    result = command("plan", *PERFECT, "--judge", RULE, "--questions", "options,open", "--json")
    notes = json.loads(result.output)["notes"]
    assert any(note.startswith("8 questions to each judge") for note in notes)


def test_a_run_is_judged_and_judged_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    babbling = "forgetscope/reference/babbling-judge"
    first = command("run", *PERFECT, "--judge", babbling, "--out", str(folder), "--json")
    assert first.exit_code == 0, first.output
    again = command("rejudge", str(folder), "--judge", RULE, "--only", "judge_unparseable", "--json")
    assert again.exit_code == 0, again.output
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert summary["run"]["judge"] == RULE, "no verdict of the other counts"
    assert again.stderr.splitlines() == ["judging: 0 of 6", "judging: 6 of 6"], "how far it is, where it goes to a file"
    assert json.loads(again.stdout)["run"]["judge"] == RULE
    wrong = command("rejudge", str(folder), "--only", "incorrect")
    assert isinstance(wrong.exception, SettingError)
    assert "--only: no such verdict; found 'incorrect'; allowed: judge_unparseable, judge_error" in str(wrong.exception)
    itself = command("rejudge", str(folder), "--judge", PERFECT[2])
    assert "must not judge itself" in str(itself.exception)


def test_a_judge_is_tried_with_every_attack() -> None:
    result = command("try-judge", RULE, "--scenario", "dynamic_preference", "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert len(rows) >= 25
    assert {(row["plain"], row["attacked"], row["moved"]) for row in rows} == {("fail", "fail", False)}
    table = command("try-judge", RULE, "--scenario", "dynamic_preference")
    assert "flagged as they must be" in table.output


@pytest.mark.parametrize(
    ("name", "why"), [("generous", "it passed 6"), ("echoing", "no readable verdict on 6"), ("babbling", "on 6")]
)
def test_a_judge_that_fails_no_plain_wrong_reply_is_refused(name: str, why: str) -> None:
    result = command("try-judge", f"forgetscope/reference/{name}-judge", "--scenario", "dynamic_preference")
    assert result.exit_code == 1
    assert "is no judge: blind on 41 of 41 attacks: of 6 plain wrong replies" in result.stderr
    assert why in result.stderr


def test_a_judge_behind_a_server_that_passes_all_or_repeats_all_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", "none")
    judges: dict[str, Callable[[str], str]] = {
        "passed 6": lambda _: '{"follows": true, "reason": "It does."}',
        "no readable verdict on 6": lambda prompt: prompt,
    }
    for said, answer in judges.items():
        with FaultServer(answer=answer) as server:
            asked = ("openai-api/loopback/judge", "--scenario", "dynamic_preference", "--judge-base-url", server.url)
            result = command("try-judge", *asked)
        assert result.exit_code == 1
        assert said in result.stderr


def test_a_trial_needs_a_benchmark_with_judges_and_a_scenario_of_it() -> None:
    assert "nothing in this benchmark is judged" in str(
        command("try-judge", RULE, "--benchmark", "prospective").exception
    )
    assert "no such scenario" in str(command("try-judge", RULE, "--scenario", "sums").exception)
