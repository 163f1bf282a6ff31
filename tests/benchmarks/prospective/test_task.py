"""The Inspect task, as `inspect eval forgetscope/prospective -T ...` builds it."""

import shutil
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval

from forgetscope.benchmarks.base import Plan
from forgetscope.benchmarks.prospective.plan import cached_data, data_of, make_plan
from forgetscope.benchmarks.prospective.prompts import SYSTEM_MESSAGES
from forgetscope.benchmarks.prospective.scoring.row import messages
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.benchmarks.prospective.task import logged_sample, prospective
from forgetscope.core.errors import DataError, SettingError
from tests.benchmarks.prospective.data.test_data import write_sets
from tests.models.mock import says_the_same


def test_options_with_commas_arrive_as_lists_from_inspects_command_line() -> None:
    as_text = prospective(experiments="load", loads="triviaqa,mmlu", seeds="42,137", limit=2)
    as_lists = prospective(experiments=["load"], loads=["triviaqa", "mmlu"], seeds=["42", "137"], limit=2)
    assert [sample.id for sample in as_lists.dataset] == [sample.id for sample in as_text.dataset]
    assert len(as_text.dataset) == 2 * (2 + 2 * 2 * 3)


def test_a_misspelt_argument_is_refused_and_not_left_out() -> None:
    with pytest.raises(SettingError, match=r"no such setting; found 'lodas' \(did you mean loads\?\)"):
        inspect_eval("forgetscope/prospective", model="mockllm/model", task_args={"lodas": "mmlu"}, display="none")


def test_one_seed_arrives_as_a_number() -> None:
    (first, *_) = prospective(experiments="load", conditions="natural", loads="mmlu", seeds=42, limit=1).dataset
    assert str(first.id).endswith("/natural/load=mmlu/seed=42")


def test_the_other_system_message_is_sent_shown_and_hashed_and_changes_no_id() -> None:
    texts, ids, shown, plans = [], [], [], []
    for name in ("appendix_b", "appendix_d"):
        chosen = ProspectiveSettings(
            experiments="load", conditions="natural", loads="mmlu", seeds=(42,), limit=1, system_message=name
        )
        (sample,) = prospective(**chosen.model_dump()).dataset
        assert isinstance(sample.input, list)
        texts.append(sample.input[0].text)
        ids.append(sample.id)
        shown.append(messages(logged_sample(sample.metadata))[0]["content"])
        plans.append(make_plan(chosen).sha256)
    assert texts == shown == [*SYSTEM_MESSAGES.values()]
    assert ids[0] == ids[1]
    assert plans[0] != plans[1]


def test_only_the_sets_a_run_draws_from_are_read_and_hashed(tmp_path: Path) -> None:
    folder = write_sets(tmp_path / "own")
    for name in ("triviaqa", "cnn_dailymail"):
        shutil.rmtree(folder / name)

    def plan(**changes: object) -> Plan:
        values = {"data": str(folder), "conditions": "natural", "loads": "mmlu", "experiments": "load", **changes}
        return make_plan(ProspectiveSettings.model_validate(values))

    one = plan()
    assert [entry.role for entry in one.provenance] == ["ifeval", "mmlu"]
    with pytest.raises(DataError, match="triviaqa"):
        plan(loads="all")
    (problems,) = (folder / "gsm8k").glob("*.jsonl")
    problems.write_text(problems.read_text() * 1 + '{"question": "One?", "answer": "#### 1"}\n', encoding="utf-8")
    cached_data.cache_clear()
    assert plan().data_sha256 == one.data_sha256


def test_stacks_draw_from_the_problems_alone() -> None:
    for experiment in ("stacking", "tension", "singles"):
        used = data_of(ProspectiveSettings(experiments=experiment)).provenance
        assert [entry.role for entry in used] == ["ifeval", "gsm8k"]
    whole = data_of(ProspectiveSettings())
    assert [entry.role for entry in whole.provenance] == ["ifeval", "triviaqa", "mmlu", "gsm8k", "cnn_dailymail"]


def test_changed_data_are_refused() -> None:
    with pytest.raises(ValueError, match="not what the run was planned with"):
        prospective(limit=1, data_sha256="0" * 64)


def test_metadata_of_another_benchmark_are_refused() -> None:
    with pytest.raises(ValueError, match="not a sample of the prospective benchmark"):
        logged_sample({"item": "a"})


def test_a_model_that_says_the_same_to_everything_gets_both_scores(tmp_path: Path) -> None:
    (log,) = inspect_eval(
        prospective(experiments="load", conditions="natural", loads="mmlu", seeds=42, limit=2),
        model=says_the_same(),
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success"
    assert log.eval.model == "mockllm/model"
    assert log.samples
    for sample in log.samples:
        assert (sample.scores or {}).keys() == {"compliance", "task_accuracy"}
        assert (sample.scores or {})["task_accuracy"].value == 0.0
