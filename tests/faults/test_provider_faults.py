"""Whatever a provider does, every planned sample ends in its right status and the run ends."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from forgetscope.cli import main
from forgetscope.models.received import LONGEST_REPLY
from forgetscope.running.execute import resume_run
from forgetscope.running.manifest import Limits
from tests.faults.server import ANSWER, DIALECTS, REASONING, Fault, FaultServer, Script
from tests.faults.table import (
    APART,
    EXPECTED,
    HANGING,
    HASTY,
    IMPATIENT,
    SCORED,
    Expected,
    Outcome,
    prompts_of,
    run_against,
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    with FaultServer() as server:
        return run_against(server, tmp_path_factory.mktemp("good") / "run", limit=len(EXPECTED)).finished.table


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    """One run in which every sample meets another fault."""
    with FaultServer(list(EXPECTED), seed=7) as server:
        yield run_against(server, tmp_path_factory.mktemp("mixed") / "run", limit=len(EXPECTED))


@pytest.fixture(scope="module")
def hanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    """The same of faults that take an attempt's whole time."""
    with FaultServer(list(HANGING), seed=7) as server:
        yield run_against(server, tmp_path_factory.mktemp("hanging") / "run", limit=len(HANGING), limits=HASTY)


def _row(outcome: Outcome, script: Script) -> dict[str, object]:
    table = outcome.finished.table.with_columns(pl.Series("prompt", prompts_of(outcome.finished.table)))
    prompt = next(prompt for prompt, dealt in outcome.scripts.items() if dealt == script)
    return table.row(by_predicate=pl.col("prompt").eq(prompt), named=True)


def test_no_sample_is_lost(mixed: Outcome) -> None:
    assert mixed.lost == 0
    assert mixed.finished.table.height == mixed.finished.manifest.planned_samples == len(EXPECTED)


def test_a_run_with_every_fault_ends_soon(mixed: Outcome) -> None:
    assert mixed.seconds < 120


@pytest.mark.parametrize("script", EXPECTED, ids=lambda script: script.label)
def test_each_sample_ends_in_its_status(mixed: Outcome, script: Script) -> None:
    _require_expected(mixed, script, EXPECTED[script])


@pytest.mark.parametrize("script", HANGING, ids=lambda script: script.label)
def test_each_sample_whose_request_hangs_ends_in_its_status(hanging: Outcome, script: Script) -> None:
    _require_expected(hanging, script, HANGING[script])


def _require_expected(outcome: Outcome, script: Script, expected: Expected) -> None:
    row = _row(outcome, script)
    assert row["status"] in expected.statuses, row["error"]
    assert row["finish_reason"] == expected.finish_reason
    assert outcome.requests[prompts_of_row(row)] == expected.requests


def prompts_of_row(row: dict[str, object]) -> str:
    return str(prompts_of(pl.DataFrame([row], schema_overrides={"messages": pl.String}))[0])


@pytest.mark.parametrize(
    "script",
    [script for script in EXPECTED if script.times is not None]
    + [Script(Fault.THINK_BLOCK), Script(Fault.REASONING_FIELD)]
    + [Script(fault) for fault in DIALECTS if EXPECTED[Script(fault)] == Expected(SCORED, "stop", 1)],
    ids=lambda script: script.label,
)
def test_a_sample_that_recovers_is_scored_as_if_nothing_had_happened(
    mixed: Outcome, undisturbed: pl.DataFrame, script: Script
) -> None:
    row = _row(mixed, script)
    calm = undisturbed.row(by_predicate=pl.col("sample_id").eq(row["sample_id"]), named=True)
    for column in ("reply", "status", "raw_pass", "strict_by_type", "loose_by_type", "reason"):
        assert row[column] == calm[column], column


@pytest.mark.parametrize(
    "fault", [Fault.THINK_BLOCK, Fault.REASONING_FIELD, Fault.THINKING_PARTS, Fault.REASONING_NAME]
)
def test_reasoning_is_split_from_the_answer(mixed: Outcome, fault: Fault) -> None:
    row = _row(mixed, Script(fault))
    assert (row["reply"], row["reasoning"]) == (ANSWER, REASONING)


def test_a_reply_of_ten_megabytes_is_bought_once_and_kept_as_far_as_replies_go(tmp_path: Path) -> None:
    (script,) = APART
    with FaultServer([script]) as server:
        outcome = run_against(server, tmp_path / "run", limit=1)
    assert outcome.finished.table["status"].is_in(APART[script].statuses).all()
    assert outcome.finished.table["reply"].str.len_chars().to_list() == [LONGEST_REPLY]
    assert server.requests.total() == 1


def test_a_redirect_carries_nothing_to_another_host_and_says_where_it_led(tmp_path: Path) -> None:
    with FaultServer() as other, FaultServer([Script(Fault.REDIRECT)], elsewhere=other.url) as server:
        outcome = run_against(server, tmp_path / "run", limit=3)
    assert other.requests.total() == 0
    assert server.requests.total() == 3
    assert outcome.finished.table["error"].str.contains(f"{other.url}.*--model-base-url").all()


def test_an_error_in_place_of_a_reply_is_what_the_sample_says(mixed: Outcome) -> None:
    assert "overloaded" in str(_row(mixed, Script(Fault.ERROR_OBJECT))["error"])


@pytest.mark.parametrize("fault", [Fault.LENGTH, Fault.FILTER_WITH_TEXT])
def test_a_reply_cut_short_keeps_its_text_and_its_raw_verdict(mixed: Outcome, fault: Fault) -> None:
    row = _row(mixed, Script(fault))
    assert row["reply"] == ANSWER
    assert row["raw_pass"] is not None


@pytest.mark.parametrize(
    "fault", [Fault.EMPTY, Fault.NULL, Fault.FILTER_WITHOUT_TEXT, Fault.POLICY_400, Fault.TOOL_CALL]
)
def test_without_text_there_is_no_raw_verdict(mixed: Outcome, fault: Fault) -> None:
    row = _row(mixed, Script(fault))
    assert (row["reply"], row["raw_pass"]) == ("", None)


def test_a_lost_sample_says_what_happened_last(mixed: Outcome) -> None:
    assert "500" in str(_row(mixed, Script(Fault.SERVER_ERROR))["error"])
    assert "429" in str(_row(mixed, Script(Fault.RATE_LIMIT))["error"])
    assert "JSONDecodeError" in str(_row(mixed, Script(Fault.INVALID_JSON))["error"])
    assert "Incorrect API key" in str(_row(mixed, Script(Fault.UNAUTHORIZED))["error"])
    said = str(_row(mixed, Script(Fault.REFUSED_400))["error"])
    assert "temperature must be 1" in said
    assert len(said) < 300, "the request stands in it"


def test_retry_after_is_waited_for(tmp_path: Path) -> None:
    limits = IMPATIENT.model_copy(update={"max_retries": 6})
    with FaultServer([Script(Fault.RATE_LIMIT, 6)], retry_after=0.4) as server:
        outcome = run_against(server, tmp_path / "run", limit=1, limits=limits)
    assert outcome.finished.is_complete
    assert outcome.seconds > 6 * 0.4


def test_connections_refused_for_a_while_cost_no_sample(tmp_path: Path) -> None:
    limits = Limits(max_retries=6, attempt_timeout=60, first_wait=0.05)  # which waits three seconds at least
    with FaultServer(refuse_seconds=1.0) as server:
        outcome = run_against(server, tmp_path / "run", limit=4, limits=limits)
    assert outcome.finished.is_complete
    assert outcome.finished.table["status"].is_in(["correct", "incorrect"]).all()


def test_a_server_that_is_down_ends_the_run_after_a_few_calls_and_every_sample_says_so(tmp_path: Path) -> None:
    limits = Limits(max_retries=1, attempt_timeout=3, first_wait=0.05, max_connections=2)
    with FaultServer(refuse_seconds=float("inf")) as server:
        outcome = run_against(server, tmp_path / "run", limit=24, limits=limits)
    table = outcome.finished.table
    assert outcome.lost == 0
    assert table["status"].unique().to_list() == ["model_error"]
    assert table["error"].str.starts_with("ProviderDown").sum() >= 16
    assert not outcome.finished.is_complete
    assert outcome.seconds < 60


def test_resume_sends_what_failed_again_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
    with FaultServer([Script(Fault.INVALID_JSON, 3), Script(Fault.NONE)]) as server:
        first = run_against(server, tmp_path / "run", limit=6)
        assert sorted(first.finished.table["status"].is_in(["model_error"]).to_list()) == [False] * 3 + [True] * 3
        again = resume_run(tmp_path / "run", display="none")
        assert again.is_complete
        assert again.table.height == 6
        assert set(server.answered.values()) == {1}
        requests = server.requests.total()
        assert resume_run(tmp_path / "run", display="none").table.equals(again.table)
        assert server.requests.total() == requests
    kept = first.finished.table.filter(pl.col("status") != "model_error")
    assert again.table.filter(pl.col("sample_id").is_in(kept["sample_id"].to_list())).equals(kept)


@pytest.mark.parametrize(("broken", "code"), [(1, 0), (2, 1)])
def test_the_command_exits_1_below_the_completeness_floor_and_0_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], broken: int, code: int
) -> None:
    scripts = [Script(Fault.INVALID_JSON)] * broken + [Script(Fault.NONE)] * (10 - broken)
    arguments = "run prospective --model openai-api/faulty/some-model --limit 10 --loads mmlu --experiments load "
    arguments += "--conditions baseline --seed 42 --max-retries 0 --completeness 0.9 --out"
    monkeypatch.setattr(sys, "argv", ["forgetscope", *arguments.split(), str(tmp_path / "run")])
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
    with FaultServer(scripts) as server:
        monkeypatch.setenv("FAULTY_BASE_URL", server.url)
        with pytest.raises(SystemExit) as left:
            main()
    out, err = capfd.readouterr()
    assert left.value.code == code, out + err
    assert f"completeness {100 - 10 * broken}.0%" in out
    assert (f"next: forgetscope resume {tmp_path / 'run'}" in err) is (code == 1)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.UNAUTHORIZED, "Incorrect API key provided"),
        (Fault.UNPAID, "Insufficient balance"),
        (Fault.REFUSED_400, "temperature must be 1 for this model"),
        (Fault.RATE_LIMIT, "slow down"),
    ],
)
def test_the_last_line_of_a_run_that_a_server_refused_has_the_servers_words(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    fault: Fault,
    said: str,
) -> None:
    arguments = "run prospective --model openai-api/faulty/some-model --limit 3 --loads mmlu --experiments load "
    arguments += "--conditions baseline --seed 42 --max-retries 0 --out"
    monkeypatch.setattr(sys, "argv", ["forgetscope", *arguments.split(), str(tmp_path / "run")])
    monkeypatch.setenv("FAULTY_API_KEY", "sk-planted-0123456789")
    with FaultServer([Script(fault)], echo=" \x1b[31m\nby sk-planted-0123456789" + "!" * 1000) as server:
        monkeypatch.setenv("FAULTY_BASE_URL", server.url)
        with pytest.raises(SystemExit) as left:
            main()
    (line,) = (line for line in capfd.readouterr().err.splitlines() if line.startswith("forgetscope: "))
    assert left.value.code == 1
    assert re.search(rf"; 3 of 3 say: .*{said}.*\[FAULTY_API_KEY\]!+\.\.\.; next: forgetscope resume", line)
    assert "\x1b" not in line
    assert "planted" not in line
    assert len(line) < 700 + len(str(tmp_path))


def test_impatience_in_these_tests_differs_from_the_default_in_time_only() -> None:
    assert set(IMPATIENT.model_dump(exclude_defaults=True)) == {
        "max_retries",
        "attempt_timeout",
        "first_wait",
        "give_up_after",
    }
