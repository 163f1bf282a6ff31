"""What an `eval.yaml` says of a benchmark is so, and Inspect shows its logs well."""

import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from inspect_ai import eval as inspect_eval

import forgetscope as fs
from forgetscope import _inspect
from forgetscope.benchmarks import every_benchmark
from forgetscope.benchmarks.unlearning.task import unlearning

ROOT = Path(__file__).parents[2]
SMALL: dict[str, tuple[str, dict[str, object]]] = {
    "in_context": ("perfect-forgetter", {"limit": 1}),
    "prospective": ("perfect", {"limit": 1, "loads": "mmlu", "seeds": 42, "experiments": "load"}),
    "visual": ("visual-perfect", {"limit": 1, "probes": "choice", "controls": "none", "splits": "embedded-identity"}),
}


def described(benchmark: str) -> dict[str, Any]:
    content = yaml.safe_load((files(every_benchmark()[benchmark].package) / "eval.yaml").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def has_file(benchmark: str, name: str) -> bool:
    """Whether a benchmark's folder has it; one that follows no paper and is in no register need not."""
    return (files(every_benchmark()[benchmark].package) / name).is_file()


@pytest.mark.parametrize("benchmark", [name for name in every_benchmark() if has_file(name, "eval.yaml")])
def test_a_description_names_the_tasks_there_are(benchmark: str) -> None:
    content = described(benchmark)
    assert {"title", "description", "tags", "tasks"} <= content.keys()
    assert content["group"]
    assert content["contributors"] == ["The forgetscope authors"]
    assert (
        {"arxiv", "paper"} & content.keys()
    ) or benchmark == "unlearning"  # whose paper's address is not known to us
    for task in content["tasks"]:
        registered = _inspect.TASKS[task["name"]]
        assert sys.modules[registered.__module__].__file__ == str(ROOT / task["task_path"])


@pytest.mark.parametrize("benchmark", ["in-context", "prospective", "visual"])
def test_a_description_counts_the_samples_of_the_defaults(benchmark: str) -> None:
    assert described(benchmark)["tasks"][0]["dataset_samples"] == fs.plan(benchmark).samples


def test_the_registers_pointers_are_written_out_for_every_task() -> None:
    page = (ROOT / "docs" / "register.md").read_text(encoding="utf-8")
    pointers = [yaml.safe_load(block.partition("```")[0]) for block in page.split("```yaml\n")[1:]]
    named = {pointer["tasks"][0]["name"]: pointer for pointer in pointers}
    assert named.keys() == _inspect.TASKS.keys()
    for name, pointer in named.items():
        content = described(name.replace("_", "-"))
        assert pointer["title"] == content["title"]
        assert pointer["tasks"][0]["task_path"] == content["tasks"][0]["task_path"]


def test_unlearning_counts_its_questions() -> None:
    assert described("unlearning")["tasks"][0]["dataset_samples"] == len(unlearning().dataset)


@pytest.mark.parametrize("task", SMALL)
def test_a_log_can_be_filtered_and_read_in_the_viewer(task: str, tmp_path: Path) -> None:
    model, arguments = SMALL[task]
    (log,) = inspect_eval(
        f"forgetscope/{task}",
        model=f"forgetscope/reference/{model}",
        task_args=arguments,
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success"
    assert log.eval.task_registry_name == f"forgetscope/{task}"
    assert log.eval.metadata is not None
    assert {"data_sha256", "prompts_version"} <= log.eval.metadata.keys()
    assert log.results is not None
    assert all(0 <= score.metrics["mean"].value <= 1 for score in log.results.scores)
    assert log.samples
    for sample in log.samples:
        assert str(sample.id).startswith(f"{task}/")
        assert "item" in sample.metadata
        assert sample.scores
        for score in sample.scores.values():
            assert score.explanation
            assert (score.metadata or {})["status"] in list(fs.Status)
