"""Judging again: nothing is generated, nothing is paid for twice, and who judged is on record."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from forgetscope.benchmarks.in_context.benchmark import BENCHMARK
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.core.outcomes import Status
from forgetscope.models.reference import ReferenceModel
from forgetscope.report import write_report
from forgetscope.running.execute import start_run
from forgetscope.running.finished import FinishedRun, collect_run
from forgetscope.running.journal import JOURNAL_NAME
from forgetscope.running.judgements import JUDGEMENTS_NAME
from forgetscope.running.manifest import Limits, ModelSpec, read_manifest
from forgetscope.running.rejudge import rejudge_run

COUNTING = str(Path(__file__).with_name("counting_judges.py"))
SETTINGS = {"limit": 2, "probes": "none", "arms": "none", "max_tokens": 64}


class KilledError(BaseException):
    """Stands for a kill: nothing catches it."""


def spec(name: str) -> ModelSpec:
    return ModelSpec(name=f"forgetscope/reference/{name}")


def run(folder: Path, *judges: str, model: str = "perfect-forgetter", **settings: object) -> FinishedRun:
    chosen = InContextSettings.model_validate({**SETTINGS, **settings, "judged": "all" if judges else "none"})
    return start_run(
        BENCHMARK,
        chosen,
        BENCHMARK.plan(chosen),
        spec(model),
        Limits(max_connections=1),
        folder,
        display="none",
        judges=[spec(judge) for judge in judges],
    )


def again(folder: Path, *judges: str, only: Sequence[Status] = ()) -> FinishedRun:
    return rejudge_run(folder, [spec(judge) for judge in judges], only=only, progress=lambda _: lambda: None)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> "Calls":
    return Calls(monkeypatch)


class Calls:
    """Counts the calls of reference models and judges, and ends the process' work after some, or fails them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[str] = []
        self.on_call: Callable[[int], None] = lambda _: None
        generate = ReferenceModel.generate

        async def counted(api: ReferenceModel, *given: object, **named: object) -> object:
            self.on_call(len(self.made))
            self.made.append(api.model_name.removeprefix("reference/"))
            return await generate(api, *given, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(ReferenceModel, "generate", counted)

    def kill_at(self, number: int) -> None:
        def kill(made: int) -> None:
            if made == number:
                raise KilledError

        self.on_call = kill

    def since(self) -> list[str]:
        made, self.made = self.made, []
        self.on_call = lambda _: None
        return made


def test_a_run_without_a_judge_is_judged_for_the_first_time_and_nothing_is_generated(
    tmp_path: Path, calls: Calls
) -> None:
    before = run(tmp_path / "run")
    assert before.table["judge_status"].null_count() == 12
    calls.since()
    after = again(tmp_path / "run", "rule-judge")
    assert calls.since() == ["rule-judge"] * 12
    assert after.table["judge_pass"].to_list() == after.table["rule_pass"].to_list()
    assert after.table["reply"].equals(before.table["reply"])
    assert after.table["status"].equals(before.table["status"])
    assert after.manifest.finished == before.manifest.finished


def test_the_manifest_names_all_judges_and_the_report_those_whose_verdicts_count(tmp_path: Path) -> None:
    before = run(tmp_path / "run", "babbling-judge")
    assert before.judged_by == "forgetscope/reference/babbling-judge (no verdict of it could be read)"
    after = again(tmp_path / "run", "rule-judge")
    assert after.manifest.judges == (spec("babbling-judge"),)
    assert after.manifest.later_judges == (spec("rule-judge"),)
    rule = "forgetscope/reference/rule-judge"
    assert collect_run(tmp_path / "run").judged_by == rule
    written = write_report(after)
    assert json.loads(written.summary_json)["run"]["judge"] == rule
    assert "rule-judge" in written.html.read_text(encoding="utf-8")
    assert again(tmp_path / "run", "rule-judge").manifest.later_judges == (spec("rule-judge"),)


def test_a_judge_that_was_named_and_asked_nothing_is_not_named_and_two_that_judged_are(tmp_path: Path) -> None:
    settings = InContextSettings.model_validate({**SETTINGS, "limit": 1, "judged": "needed"})
    named = {"display": "none", "judges": [spec("rule-judge")]}
    asked = (BENCHMARK, settings, BENCHMARK.plan(settings), spec("stubborn"), Limits(), tmp_path / "needed")
    assert start_run(*asked, **named).judged_by == ""  # type: ignore[arg-type]
    run(tmp_path / "run", "rule-judge", scenarios="dynamic_preference", limit=1)
    assert again(tmp_path / "run", "generous-judge").judged_by == "forgetscope/reference/generous-judge"
    first, *rest = read_manifest(tmp_path / "run").judges + read_manifest(tmp_path / "run").later_judges
    table = collect_run(tmp_path / "run").table.with_columns(judge_names=pl.lit([first.name, rest[0].name]))
    both = replace(collect_run(tmp_path / "run"), table=table).judged_by
    assert both == "forgetscope/reference/rule-judge; judged again by forgetscope/reference/generous-judge"


def test_only_verdicts_that_could_not_be_read_are_judged_again(tmp_path: Path, calls: Calls) -> None:
    run(tmp_path / "run", "babbling-judge", limit=1)
    again(tmp_path / "run", "rule-judge", only=[Status.JUDGE_UNPARSEABLE])
    assert calls.since()[-6:] == ["rule-judge"] * 6
    with pytest.raises(RunFolderError, match=r"nothing to judge.*judge_unparseable"):
        again(tmp_path / "run", "rule-judge", only=[Status.JUDGE_UNPARSEABLE])
    assert calls.since() == []


def test_open_questions_get_their_status_from_the_later_judge(tmp_path: Path) -> None:
    before = run(tmp_path / "run", "babbling-judge", questions="options,open", scenarios="dynamic_preference", limit=2)
    is_open = pl.col("question") == "open"
    assert before.table.filter(is_open)["status"].to_list() == ["judge_unparseable"] * 4
    assert not before.is_complete
    after = again(tmp_path / "run", "rule-judge", only=[Status.JUDGE_UNPARSEABLE])
    assert after.table.filter(is_open)["status"].to_list() == ["correct"] * 4
    assert after.is_complete


def test_a_re_ask_that_could_not_be_judged_is_found_by_its_own_verdict(tmp_path: Path, calls: Calls) -> None:
    run(tmp_path / "run", "rule-judge", scenarios="instructional_forgetting", probes="reask", limit=1)
    again(tmp_path / "run", "babbling-judge")
    calls.since()
    after = again(tmp_path / "run", "rule-judge", only=[Status.JUDGE_UNPARSEABLE])
    assert calls.since() == ["rule-judge"] * 3, "two answers and one re-ask"
    assert after.table["reask_judge_status"].drop_nulls().to_list() == ["correct"]


@pytest.mark.parametrize("moment", [1, 5, 11])
def test_a_killed_rejudge_keeps_what_was_judged_and_asks_for_the_rest_alone(
    tmp_path: Path, calls: Calls, moment: int
) -> None:
    run(tmp_path / "run")
    calls.since()
    calls.kill_at(moment)
    with pytest.raises(KilledError):
        again(tmp_path / "run", "rule-judge")
    assert len(calls.since()) == moment
    after = again(tmp_path / "run", "rule-judge")
    assert len(calls.since()) == 12 - moment
    assert after.table["judge_status"].null_count() == 0
    assert len(again(tmp_path / "run", "rule-judge").table) == 12
    assert len(calls.since()) == 12, "a round that was finished is over: the same command judges anew"


@pytest.mark.parametrize("where", ["collect_run", "write_pages"])
def test_a_rejudge_that_is_killed_after_the_last_verdict_asks_nobody_again(
    tmp_path: Path, calls: Calls, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def killed(*_: object) -> None:
        raise KilledError

    folder, rule, silent = tmp_path / "run", [spec("rule-judge")], lambda _: lambda: None
    run(folder)
    calls.since()
    with monkeypatch.context() as patched:
        if where == "collect_run":
            patched.setattr("forgetscope.running.rejudge.collect_run", killed)
        with pytest.raises(KilledError):
            rejudge_run(folder, rule, progress=silent, write_pages=killed)
    assert len(calls.since()) == 12
    assert again(folder, "rule-judge").table["judge_status"].null_count() == 0
    assert not calls.since()


def test_a_killed_panel_leaves_the_old_verdict_until_it_is_whole(tmp_path: Path, calls: Calls) -> None:
    run(tmp_path / "run", "generous-judge", model="stubborn", limit=1)
    calls.since()
    calls.kill_at(3)
    with pytest.raises(KilledError):
        again(tmp_path / "run", "rule-judge", "babbling-judge")
    calls.since()
    table = collect_run(tmp_path / "run").table
    names = Counter(tuple(names) for names in table["judge_names"].to_list())
    assert names[("forgetscope/reference/generous-judge",)] >= table.height - 1
    after = again(tmp_path / "run", "rule-judge", "babbling-judge")
    assert set(after.table["judge_unread"].explode()) == {"forgetscope/reference/babbling-judge"}
    assert set(after.table["judge_names"].explode()) == {"forgetscope/reference/rule-judge"}


def test_a_judge_that_was_down_is_asked_again_where_it_was_down(tmp_path: Path, calls: Calls) -> None:
    run(tmp_path / "run")
    calls.since()

    def fail(made: int) -> None:
        if made >= 8:
            raise RuntimeError("the server is down")

    calls.on_call = fail
    after = again(tmp_path / "run", "rule-judge")
    assert after.table["judge_status"].to_list().count("judge_error") == 4
    calls.since()
    assert again(tmp_path / "run", "rule-judge").table["judge_status"].to_list().count("judge_error") == 0
    assert len(calls.since()) == 4


def test_without_a_judge_named_those_of_the_run_judge_again(tmp_path: Path, calls: Calls) -> None:
    run(tmp_path / "run", "rule-judge", limit=1)
    calls.since()
    again(tmp_path / "run")
    assert set(calls.since()) == {"rule-judge"}
    run(tmp_path / "unjudged", limit=1)
    with pytest.raises(SettingError, match="this run had no judge"):
        again(tmp_path / "unjudged")


def test_a_folder_that_cannot_keep_judgements_is_the_users_mistake(tmp_path: Path) -> None:
    run(tmp_path / "run", limit=1)
    (tmp_path / "run" / JUDGEMENTS_NAME).mkdir()
    with pytest.raises(RunFolderError, match="cannot read judgements"):
        again(tmp_path / "run", "rule-judge")


@pytest.mark.slow
def test_a_run_killed_while_it_is_judged_asks_no_judge_twice(tmp_path: Path) -> None:
    folder, calls = tmp_path / "run", tmp_path / "calls"
    command = ["run", "in-context", "--limit", "3", "--probes", "none", "--max-connections", "2", "--out", str(folder)]
    command += ["--model", "forgetscope/reference/perfect-forgetter", "-M", "latency=0.05"]
    command += ["--judge", "forgetscope/reference/rule-judge", "-J", "latency=0.2"]
    counting = [sys.executable, COUNTING, str(calls)]
    process = subprocess.Popen([*counting, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal = folder / JOURNAL_NAME
    deadline = time.monotonic() + 120
    while journal_replies(journal)["rule-judge"] < 6:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = journal_replies(journal)
    asked = len(calls.read_text().splitlines())
    done = subprocess.run([*counting, "resume", str(folder)], capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    later = Counter(line.split()[0] for line in calls.read_text().splitlines()[asked:])
    assert later["rule-judge"] == 18 - kept["rule-judge"]
    assert read_manifest(folder).status == "complete"
    generous = ["--judge", "forgetscope/reference/generous-judge"]
    rejudged = subprocess.run(
        [*counting, "rejudge", str(folder), *generous], capture_output=True, text=True, timeout=180, check=False
    )
    assert rejudged.returncode == 0, "a process that has built no task: " + rejudged.stderr
    assert read_manifest(folder).later_judges == (spec("generous-judge"),)


def journal_replies(journal: Path) -> Counter[str]:
    """Replies on disk by who gave them; a line cut by the kill counts as in flight."""
    found: Counter[str] = Counter()
    for line in journal.read_text().splitlines() if journal.exists() else []:
        try:
            found[json.loads(line)["output"]["model"].removeprefix("reference/")] += 1
        except json.JSONDecodeError:
            continue
    return found
