"""The papers' printed tables, shipped with the package so that a run can be set beside them.

Percentages are 0-100 as printed. The figures are the papers' own and are not corrected here, also where they do not
agree with each other (see the page paper-audit).
"""

from functools import cache
from importlib.resources import files

import polars as pl

from forgetbench.errors import UnknownNameError

_PERCENT = pl.Float64
_SCHEMAS: dict[str, dict[str, type[pl.DataType]]] = {
    "prospective_table1_compliance": {
        "template": pl.String,
        "condition": pl.String,
        "model": pl.String,
        "compliance_percent": _PERCENT,
    },
    "prospective_table3_task_accuracy": {"condition": pl.String, "model": pl.String, "accuracy_percent": _PERCENT},
    "prospective_table4_stacking": {
        "constraints": pl.Int64,
        "model": pl.String,
        "joint_compliance_percent": _PERCENT,
    },
    "prospective_table8_statistics": {
        "model": pl.String,
        "condition": pl.String,
        "compliance_percent": _PERCENT,
        "ci_low": _PERCENT,
        "ci_high": _PERCENT,
        "delta_percent": _PERCENT,
        "cohens_h": pl.Float64,
        "mcnemar_p": pl.String,
    },
    "prospective_table9_tokens": {
        "template": pl.String,
        "condition": pl.String,
        "mean_input_tokens": pl.Int64,
        "mean_output_tokens": pl.Int64,
    },
    "prospective_table10_mechanisms": {"mechanism": pl.String, "count": pl.Int64},
    "prospective_table12_stacking_load": {
        "gsm8k_problems": pl.Int64,
        "model": pl.String,
        "joint_compliance_percent": _PERCENT,
    },
    "prospective_table13_type_under_stacking": {
        "constraint_type": pl.String,
        "o4-mini": _PERCENT,
        "DeepSeek-V3.1": _PERCENT,
        "Llama-3.3-70B": _PERCENT,
    },
}


def published_tables() -> tuple[str, ...]:
    """The names `published_table` knows, by benchmark and number of the table."""
    return tuple(_SCHEMAS)


@cache
def published_table(name: str) -> pl.DataFrame:
    """One printed table, typed; empty cells are null.

    Raises:
        UnknownNameError: No such table is shipped.
    """
    schema = _SCHEMAS.get(name)
    if schema is None:
        raise UnknownNameError("unknown published table", found=name, allowed=published_tables())
    content = files("forgetbench.data").joinpath("published", f"{name}.csv").read_bytes()
    return pl.read_csv(content, schema=schema)
