"""General utility: tasks of EleutherAI's lm-evaluation-harness, put to the model as it is after unlearning.

Optional: `lm-eval` is no dependency of ours, and its tasks load their own data.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from forgetscope.benchmarks.unlearning.evaluation.base import Measured, Subject
from forgetscope.benchmarks.unlearning.settings import UtilitySettings
from forgetscope.core.errors import SettingError

if TYPE_CHECKING:
    from lm_eval.tasks import TaskManager


def utility(subject: Subject) -> Measured:
    """Figures `utility.TASK.METRIC`, as the harness computes them (`acc`, `acc_norm`, `exact_match,strict-match`, ...).

    Raises:
        SettingError: lm-eval is not installed, no task is named, or it knows no task of that name.
    """
    settings = subject.settings.utility
    manager = _task_manager(settings)
    from lm_eval import simple_evaluate
    from lm_eval.models.huggingface import HFLM

    found = simple_evaluate(
        model=HFLM(
            pretrained=subject.model.network,
            tokenizer=subject.model.tokenizer.base,
            max_length=subject.model.context,
            batch_size=settings.batch_size,
            device=str(subject.model.device),
        ),
        tasks=list(settings.tasks),
        num_fewshot=settings.num_fewshot,
        limit=settings.limit,
        task_manager=manager,
        bootstrap_iters=0,
        log_samples=False,
    )
    subject.model.network.train(False)
    return Measured(figures=dict(_figures(found["results"] if found else {})))


def _task_manager(settings: UtilitySettings) -> "TaskManager":
    """Which tasks there are, the user's own among them."""
    try:
        from lm_eval.tasks import TaskManager
    except ImportError as error:
        raise SettingError(
            "the measure 'utility' needs the lm-evaluation-harness",
            where="evaluation.measures",
            found=f"lm-eval cannot be imported: {error}",
            next_step="pip install lm-eval, or leave the measure out",
        ) from error
    if not settings.tasks:
        raise SettingError("no task is named", where="evaluation.utility.tasks", next_step="such as [arc_easy, piqa]")
    manager = TaskManager(include_path=settings.include_path)
    unknown = [name for name in settings.tasks if not manager.match_tasks([name])]
    if unknown:
        raise SettingError(
            "lm-eval knows no such task",
            where="evaluation.utility.tasks",
            found=", ".join(unknown),
            next_step="'lm_eval ls tasks' lists them; evaluation.utility.include_path adds a folder of your own",
        )
    return manager


def _figures(results: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, float | None]]:
    """The numbers among a task's results, without their standard errors; a filter other than none stays in the name."""
    for task, measured in results.items():
        for name, value in measured.items():
            if isinstance(value, int | float) and "_stderr" not in name and name != "sample_len":
                yield f"utility.{task}.{name.removesuffix(',none')}", float(value)
