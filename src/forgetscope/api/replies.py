"""Replies made elsewhere, from Python: write the prompts of a plan, make a run of the answers."""

from collections.abc import Sequence
from pathlib import Path

from forgetscope.api.runs import Run, default_folder, inspect_run
from forgetscope.api.settings import settings_of
from forgetscope.benchmarks import get_benchmark


def write_prompts(
    benchmark: str,
    out: str | Path,
    *,
    data: str | Path = "embedded",
    limit: int | None = None,
    seed: int | Sequence[int] | None = None,
    max_tokens: int | None = None,
    **settings: object,
) -> int:
    """Write every prompt of a plan as JSON Lines, to be answered by any model; gives how many.

    Args:
        benchmark: Its name, one of `fs.BENCHMARK_NAMES`.
        out: The file; pictures go into a folder beside it.
        data: `embedded`, `official`, or a folder.
        limit: The first so many items of each scenario, experiment or split side, with all their forms.
        seed: As in `plan`.
        max_tokens: Token limit of a reply.
        settings: Others of the benchmark, as in `plan`.

    Raises:
        UserError: as in `plan`; settings that send what no file can hold.
    """
    from forgetscope.api.reply_files import write_prompts as write

    made = settings_of(benchmark, {"limit": limit, "max_tokens": max_tokens, **settings}, data=data, seed=seed)
    return write(get_benchmark(benchmark), made, Path(out))


def run_replies(
    benchmark: str,
    replies: str | Path,
    *,
    model: str = "",
    out: str | Path | None = None,
    data: str | Path = "embedded",
    limit: int | None = None,
    seed: int | Sequence[int] | None = None,
    max_tokens: int | None = None,
    strict: bool = False,
    **settings: object,
) -> Run:
    """A run of replies one already has; nothing is sent. Planned samples without a reply are missing.

    Args:
        benchmark: Its name, one of `fs.BENCHMARK_NAMES`.
        replies: JSON Lines, a row a reply: `reply`, and `sample_id` as `write_prompts` gives it or fields that only one
            planned sample has. Rows that fit no sample are left out; the run's notes say how many.
        model: What to call the model whose replies they are; by default as the file.
        out: The run's folder, new or empty; by default `runs/BENCHMARK-MODEL-TIME`.
        data: As in `plan`, and so the next three: they say what was planned.
        limit: As in `plan`.
        seed: As in `plan`.
        max_tokens: As in `plan`.
        strict: Refuse the file if a row fits no sample.
        settings: Others of the benchmark, as in `plan`.

    Raises:
        UserError: as in `plan`; no row of the file fits, or, with `strict`, one does not; a folder that is not empty.
    """
    from forgetscope.api.reply_files import run_replies as make

    chosen, name = get_benchmark(benchmark), model or Path(replies).stem
    made = settings_of(benchmark, {"limit": limit, "max_tokens": max_tokens, **settings}, data=data, seed=seed)
    folder = default_folder(chosen.name, name) if out is None else Path(out)
    done = make(chosen, made, chosen.plan(made), Path(replies), folder, model=name, strict=strict)
    return inspect_run(done.finished)
