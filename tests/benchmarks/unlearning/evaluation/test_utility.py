"""Utility through the lm-evaluation-harness, where it is installed, and the line a user gets where it is not."""

import json
import sys
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.evaluation.base import FACTOR_SCHEMA, Subject
from forgetscope.benchmarks.unlearning.evaluation.measures import MEASURES, evaluate
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.settings import EvaluationSettings, UtilitySettings
from forgetscope.benchmarks.unlearning.training.target import load_target
from forgetscope.core.errors import SettingError
from tests.benchmarks.unlearning.small_grid import cells_of

TASK = """
task: ours
dataset_path: json
dataset_kwargs:
  data_files: {data}
output_type: multiple_choice
test_split: train
doc_to_text: "{{{{question}}}}"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: "{{{{answer}}}}"
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
"""


def subject_of(grid: GridFolder, **utility: object) -> Subject:
    target, _, _ = cells_of(grid)
    return Subject(
        model=load_target(grid.target(target.target)),
        data=GridData.load(grid.data(target.data)),
        settings=EvaluationSettings(measures=("utility",), utility=UtilitySettings.model_validate(utility)),
        factors={**dict.fromkeys(FACTOR_SCHEMA), "cell": "c", "method": "target"},
        seed=0,
    )


def test_without_the_harness_one_line_says_how_to_get_it(
    made_grid: GridFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lm_eval.tasks", None)
    with pytest.raises(SettingError, match=r"needs the lm-evaluation-harness.*pip install lm-eval"):
        MEASURES["utility"](subject_of(made_grid, tasks=["piqa"]))


@pytest.mark.filterwarnings("ignore")
class TestWithTheHarness:
    @pytest.fixture(autouse=True)
    def harness(self) -> None:
        pytest.importorskip("lm_eval", reason="lm-eval is not installed")

    def test_a_task_of_ones_own_gives_its_accuracy(
        self, made_grid: GridFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
        rows = [{"question": f"Is {n} a number?", "choices": [" yes", " no"], "answer": n % 2} for n in range(6)]
        data = tmp_path / "rows.jsonl"
        data.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        (tmp_path / "tasks").mkdir()
        (tmp_path / "tasks" / "ours.yaml").write_text(TASK.format(data=data), encoding="utf-8")
        subject = subject_of(made_grid, tasks=["ours"], limit=4, include_path=str(tmp_path / "tasks"))
        figures = evaluate(subject).figures
        assert list(figures) == ["utility.ours.acc"]
        assert figures["utility.ours.acc"] in (0.0, 0.25, 0.5, 0.75, 1.0)

    def test_an_unknown_task_is_one_line(self, made_grid: GridFolder) -> None:
        with pytest.raises(SettingError, match=r"knows no such task.*found 'no_such_task'"):
            MEASURES["utility"](subject_of(made_grid, tasks=["no_such_task"]))

    def test_no_task_is_one_line(self, made_grid: GridFolder) -> None:
        with pytest.raises(SettingError, match="no task is named"):
            MEASURES["utility"](subject_of(made_grid))
