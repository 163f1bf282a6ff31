"""Run folders written before the package had its name: read under today's, but never continued."""

from pathlib import Path

from forgetscope.core.errors import RunFolderError
from forgetscope.core.version import FORMER_NAME


def renamed(manifest: str) -> str:
    """The text of a manifest with today's name in place of the former: the version's key, and models of ours."""
    for mark in ('": "', "/"):
        manifest = manifest.replace(f'"{FORMER_NAME}{mark}', f'"forgetscope{mark}')
    return manifest


def require_own_logs(folder: Path) -> None:
    """See that a run can be continued: Inspect knows a finished sample by the name of its task, which was another.

    Raises:
        RunFolderError: its logs are of the former name.
    """
    from inspect_ai.log import list_eval_logs, read_eval_log

    from forgetscope.running.logs import LOG_FOLDER

    found = list_eval_logs(str(folder / LOG_FOLDER), formats=["eval"])
    name = read_eval_log(found[0], header_only=True).eval.task_registry_name if found else None
    if name and name.startswith(f"{FORMER_NAME}/"):
        raise RunFolderError(
            f"this run was started when the package was called {FORMER_NAME}, so it cannot be continued",
            where=str(folder),
            next_step=f"forgetscope report {folder} reads what is there; start a new run for the rest",
        )
