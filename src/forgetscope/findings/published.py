"""The papers' printed tables, shipped with the package so that a run can be set beside them.

Percentages are 0-100 as printed, accuracies 0-1. The figures are the papers' own and are not corrected
here, also where they do not agree with each other (see the page paper-audit).
"""

from functools import cache
from importlib.resources import files

import polars as pl

from forgetscope.core.errors import UnknownNameError

_WHOLE = frozenset(
    {
        "annotator",
        "constraints",
        "context_tokens",
        "count",
        "gsm8k_problems",
        "k",
        "mean_input_tokens",
        "mean_output_tokens",
        "retain_test",
        "retain_train",
        "test_per_forget_class",
    }
)
"""Columns of whole numbers; any other column of numbers holds real ones."""

MODEL_ALIASES = {
    "Mistral-8x7B": "Mixtral-8x7B",
    "GPT-3.5-turbo": "GPT-O3mini",
    "GPT-3.5-Turbo": "GPT-O3mini",
    "GPT-O3Mini": "GPT-O3mini",
}
"""Names of one model in different tables of the in-context paper, and the one it has here.

That GPT-3.5-turbo of Tables 4 and 11 is GPT-O3mini of Tables 1, 2 and 5 follows from the figures: Table 11 is the mean
of Table 1's row, and Table 4 what is left of it.
"""


def published_model(name: str) -> str:
    """The one name of a model that a paper's tables call differently; any other name as it is."""
    return MODEL_ALIASES.get(name, name)


def published_tables() -> tuple[str, ...]:
    """The names `published_table` knows, by benchmark and number of the table."""
    folder = files("forgetscope.findings") / "published_tables"
    return tuple(sorted(path.name.removesuffix(".csv") for path in folder.iterdir() if path.name.endswith(".csv")))


@cache
def published_table(name: str) -> pl.DataFrame:
    """One printed table, typed; empty cells are null.

    Raises:
        UnknownNameError: No such table is shipped.
    """
    if name not in published_tables():
        raise UnknownNameError("unknown published table", found=name, allowed=published_tables())
    content = (files("forgetscope.findings") / "published_tables" / f"{name}.csv").read_bytes()
    table = pl.read_csv(content, infer_schema_length=None)
    return table.with_columns(
        pl.col(column).cast(pl.Int64 if column in _WHOLE else pl.Float64)
        for column, kind in table.schema.items()
        if kind.is_numeric()
    )
