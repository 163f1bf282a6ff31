"""The Inspect task, as `inspect eval forgetscope/in_context -T ...` builds and runs it."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage, Model, get_model

from forgetscope.benchmarks.base import LoggedSample
from forgetscope.benchmarks.in_context.benchmark import BENCHMARK
from forgetscope.benchmarks.in_context.data.forms import FIRST_KEY, NO_FILLER, REASK_KEY, logged_replies, logged_sample
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.plan import iter_samples
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.benchmarks.in_context.task import in_context, inspect_samples
from forgetscope.core.results import Value
from forgetscope.io.completions import completion_of_sample
from forgetscope.judging.panel import GRADER
from forgetscope.running.logs import logged_judgements
from tests.judging.scripted import judge, replies
from tests.models.mock import says_the_same

PERFECT = "forgetscope/reference/perfect-forgetter"


def run(task: Task, model: str | Model, folder: Path, *judges: str | Model) -> EvalLog:
    bound: list[str | Model] = [get_model(name, memoize=False) if isinstance(name, str) else name for name in judges]
    (log,) = inspect_eval(
        task,
        model=model,
        model_roles={GRADER: bound} if bound else None,
        log_dir=str(folder),
        display="none",
        max_samples=4,
    )
    return log


def rows(log: EvalLog) -> dict[str, dict[str, Value]]:
    """The rows of the sample table that a log gives, by sample id."""
    found = {}
    for sample in read_eval_log(log.location).samples or []:
        logged = LoggedSample(sample.metadata, completion_of_sample(sample), "m", logged_judgements(sample))
        found[str(sample.id)] = BENCHMARK.row(logged)
    return found


def test_options_with_commas_arrive_as_lists_from_inspects_command_line() -> None:
    as_text = in_context(scenarios="instructional_forgetting", lengths="500,1000", strategies="none,forget", limit=2)
    as_lists = in_context(
        scenarios=["instructional_forgetting"], lengths=["500", "1000"], strategies=["none", "forget"], limit=2
    )
    assert [sample.id for sample in as_lists.dataset] == [sample.id for sample in as_text.dataset]
    assert len(as_text.dataset) == 2 * 2 * 2 * (4 + 3)
    assert len(in_context(lengths=500, limit=1, arms="none").dataset) == 8, "one length arrives as a number"


def test_changed_data_are_refused() -> None:
    with pytest.raises(ValueError, match="not what the run was planned with"):
        in_context(limit=1, data_sha256="0" * 64)


def test_metadata_of_another_benchmark_are_refused() -> None:
    with pytest.raises(ValueError, match="not a sample of the in-context benchmark"):
        logged_sample({"item": "a"})


def test_samples_of_an_item_share_its_record() -> None:
    settings = InContextSettings(limit=1, lengths="500,1000,3000")
    samples = [sample for sample, _ in iter_samples(settings, load_data("embedded"))]
    made = list(inspect_samples(samples))
    assert [logged_sample(sample.metadata or {}) for sample in made] == samples
    records = {id((sample.metadata or {})["sample"]["item"]) for sample in made}
    assert len(records) == 3


def test_a_run_by_inspect_is_scored_like_ours(tmp_path: Path) -> None:
    found = rows(run(in_context(limit=2, arms="none"), PERFECT, tmp_path))
    assert len(found) == 16
    assert {row["status"] for row in found.values()} == {"correct"}
    assert {row["judge_status"] for row in found.values()} == {None}


def test_live_answers_and_re_asks_are_kept_beside_the_scored_reply(tmp_path: Path) -> None:
    log = run(in_context(limit=1), PERFECT, tmp_path)
    for sample in log.samples or []:
        of, replies_ = logged_sample(sample.metadata), logged_replies(sample.metadata, completion_of_sample(sample))
        assert (replies_.first is not None) == any(turn.live for turn in of.turns(NO_FILLER))
        assert (replies_.reask is not None) == of.reask
        assert (FIRST_KEY in sample.metadata, REASK_KEY in sample.metadata) == (
            replies_.first is not None,
            replies_.reask is not None,
        )
        assert sample.messages[-1].role == "assistant", "the re-ask is no part of the scored dialogue"


def test_a_judge_is_asked_by_role_and_its_judgements_are_in_the_log(tmp_path: Path) -> None:
    task = in_context(limit=1, judged="all", questions="options,open", probes="none", arms="none")
    found = rows(run(task, PERFECT, tmp_path, "forgetscope/reference/rule-judge"))
    assert {row["judge_status"] for row in found.values()} == {"correct"}
    assert {row["status"] for row in found.values()} == {"correct"}
    assert {str(row["judge_names"]) for row in found.values()} == {"['forgetscope/reference/rule-judge']"}


def test_needed_asks_only_about_what_no_rule_scores(tmp_path: Path) -> None:
    model, script = judge(replies('{"follows": true}'))
    task = in_context(limit=1, judged="needed", questions="options,open", probes="none", arms="none")
    found = rows(run(task, PERFECT, tmp_path, model))
    assert len(script.asked) == 2
    assert [row["question"] for row in found.values() if row["judge_status"]] == ["open", "open"]


def test_a_panel_of_three_decides_by_majority(tmp_path: Path) -> None:
    names = [f"forgetscope/reference/{name}" for name in ("rule-judge", "generous-judge", "babbling-judge")]
    task = in_context(limit=1, judged="all", probes="none", arms="none")
    found = rows(run(task, "forgetscope/reference/stubborn", tmp_path, *names))
    forget = [row for row in found.values() if row["form"] == "forget"]
    assert {row["judge_status"] for row in forget} == {"judge_unparseable"}
    assert {row["judge_status"] for row in found.values() if row["form"] == "noforget"} == {"correct"}
    assert {str(row["judge_unread"]) for row in found.values()} == {f"['{names[2]}']"}


@pytest.mark.parametrize(
    ("judges", "message"), [((), "no judge; next: --judge MODEL"), (("scripted/m",), "must not judge itself")]
)
def test_without_a_judge_or_with_itself_nothing_is_generated(
    tmp_path: Path, judges: tuple[str, ...], message: str
) -> None:
    model, script = judge(replies("Hello."), name="m")
    bound = [judge(replies("{}"), name="m")[0] for _ in judges]
    log = run(in_context(limit=1, judged="all"), model, tmp_path, *bound)
    assert log.status == "error"
    assert log.error is not None
    assert message in " ".join(log.error.message.split())
    assert script.asked == []


def test_a_model_may_judge_itself_where_that_is_said(tmp_path: Path) -> None:
    model, _ = judge(replies("I don't know."), name="m")
    itself, script = judge(replies('{"verdict": "yes", "leak": "none"}'), name="m")
    task = in_context(limit=1, judged="all", scenarios="instructional_forgetting", probes="none", allow_self_judge=True)
    assert run(task, model, tmp_path, itself).status == "success"
    assert script.asked


def test_a_judges_limit_is_passed_on(tmp_path: Path) -> None:
    model, script = judge(replies('{"verdict": "no"}'))
    task = in_context(limit=1, judged="all", scenarios="instructional_forgetting", probes="none", judge_max_tokens=77)
    run(task, PERFECT, tmp_path, model)
    assert {config.max_tokens for config in script.configs} == {77}


def test_a_judge_that_fails_loses_no_answer(tmp_path: Path) -> None:
    model, _ = judge(lambda _: RuntimeError("down"))
    log = run(
        in_context(limit=1, judged="all", questions="options,open", probes="none", arms="none"),
        PERFECT,
        tmp_path,
        model,
    )
    assert log.status == "success"
    found = rows(log)
    assert {row["judge_status"] for row in found.values()} == {"judge_error"}
    assert {row["status"] for row in found.values() if row["question"] == "open"} == {"judge_error"}
    assert {row["status"] for row in found.values() if row["question"] != "open"} == {"correct"}


def test_an_error_when_asked_again_loses_no_answer(tmp_path: Path) -> None:
    answer = "You asked me to forget that."

    def once(conversation: Sequence[ChatMessage]) -> str | Exception:
        return RuntimeError("down") if any(message.text == answer for message in conversation) else answer

    model, _ = judge(once)
    task = in_context(limit=1, scenarios="instructional_forgetting")
    found = rows(run(task, model, tmp_path))
    (asked_again,) = [row for row in found.values() if row["reask_status"] is not None]
    assert (asked_again["status"], asked_again["reask_status"]) == ("correct", "model_error")


def test_the_system_message_follows_the_strategy(tmp_path: Path) -> None:
    model, script = judge(replies("I don't know."))
    run(
        in_context(limit=1, scenarios="subtask_revision", strategies="none,noforget", probes="none"),
        model,
        tmp_path,
    )
    first = {asked[0].text for asked in script.asked}
    assert "" in first
    assert len(first) == 2
    assert all(asked[0].role == "system" for asked in script.asked)


@pytest.mark.slow
def test_inspects_command_line_knows_the_task(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("inspect")), "eval", "forgetscope/in_context", "--model", PERFECT]
    command += ["--limit", "4", "--display", "none", "--log-dir", str(tmp_path)]
    command += ["-T", "judged=all", "--model-role", "grader=forgetscope/reference/rule-judge"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = tmp_path.glob("*.eval")
    log = read_eval_log(str(path))
    assert log.status == "success"
    assert {row["judge_status"] for row in rows(log).values()} <= {"correct", None}


def test_a_model_that_says_the_same_to_everything_is_scored_in_every_sample(tmp_path: Path) -> None:
    log = run(in_context(limit=1, scenarios="instructional_forgetting"), says_the_same(), tmp_path)
    assert log.status == "success"
    assert log.eval.model == "mockllm/model"
    assert [step.solver for step in log.plan.steps] == ["forgetscope/converse"]
    found = rows(log)
    assert len(found) == log.eval.dataset.samples
    assert {row["reply"] for row in found.values()} == {"It was a sunny day."}
    assert "correct" not in {row["status"] for row in found.values() if row["form"] == "noforget"}
