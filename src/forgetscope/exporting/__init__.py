"""A run in the forms that others read: one writer a form, each from a chapter to files in a folder.

A chapter has what was run, every figure and the sample table (`report.chapters`); no writer opens the run's folder.
To add a form: a module with a writer, and a line in `FORMATS`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from forgetscope.core.errors import UnknownNameError

if TYPE_CHECKING:
    from forgetscope.report.chapters import Chapter

FORMATS: Mapping[str, tuple[str, str]] = {
    "eee": (
        "every_eval_ever:write_eee",
        "Every Eval Ever, schema 0.3.0: each result with its direction, each sample a line",
    ),
    "croissant": (
        "croissant:write_run",
        "Croissant 1.0 with RAI 1.0: the sample table, and embedded data it was made on",
    ),
    "hf": ("model_card:write_model_card", "a model card's model-index: the figures of the first page"),
    "hf-all": ("model_card:write_whole_card", "the same with every result"),
    "csv": ("tables:write_csv", "figures.csv, and each table of the report"),
    "latex": ("tables:write_latex", "each table of the report"),
}
"""By name: the module here and its writer, and what it is, in a few words."""


def writer_of(name: str) -> "Callable[[Chapter, Path], tuple[Path, ...]]":
    """The writer of a form: from a chapter and a folder that is there to the files written.

    Raises:
        UnknownNameError: there is no such form.
    """
    if name not in FORMATS:
        raise UnknownNameError("no such format", where="--format", found=name, allowed=FORMATS)
    module, _, function = FORMATS[name][0].partition(":")
    found: Callable[[Chapter, Path], tuple[Path, ...]] = getattr(import_module(f"{__name__}.{module}"), function)
    return found
