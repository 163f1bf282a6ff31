"""The papers' printed tables, shipped with the package so that a run can be set beside them.

Percentages are 0-100 as printed, accuracies 0-1. The figures are the papers' own and are not corrected
here, also where they do not agree with each other (see the page paper-audit).
"""

from functools import cache
from importlib.resources import files

import polars as pl

from forgetscope.core.errors import UnknownNameError

_PERCENT = pl.Float64
_THREE = {"no_forget_accuracy": _PERCENT, "forget_accuracy": _PERCENT, "sfrr": _PERCENT}
_SCHEMAS: dict[str, dict[str, type[pl.DataType]]] = {
    "in_context_table1_main": {"model": pl.String, "scenario": pl.String, **_THREE},
    "in_context_table2_prompt_strategy": {"strategy": pl.String, "model": pl.String, "scenario": pl.String, **_THREE},
    "in_context_table4_wrong_to_right": {"model": pl.String, "scenario": pl.String, "percent": _PERCENT},
    "in_context_table5_difference": {"model": pl.String, "scenario": pl.String, "percent": _PERCENT},
    "in_context_tables6to8_context_length": {
        "model": pl.String,
        "context_tokens": pl.Int64,
        "scenario": pl.String,
        **_THREE,
    },
    "in_context_table10_correlations": {
        "scenario": pl.String,
        "na_fa": pl.Float64,
        "na_sfrr": pl.Float64,
        "fa_sfrr": pl.Float64,
    },
    "in_context_table11_average": {"model": pl.String, **_THREE},
    "in_context_table12_agreement": {"scenario": pl.String, "no_forget": _PERCENT, "forget": _PERCENT},
    "in_context_table13_annotators": {
        "scenario": pl.String,
        "annotator": pl.Int64,
        "no_forget_percent": _PERCENT,
        "forget_percent": _PERCENT,
    },
    "in_context_table14_kappa": {
        "task": pl.String,
        "cohen_a1": pl.Float64,
        "cohen_a2": pl.Float64,
        "cohen_a3": pl.Float64,
        "fleiss": pl.Float64,
    },
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
    "visual_appendixA": {
        "dataset": pl.String,
        "model": pl.String,
        "condition": pl.String,
        "forget_macro_accuracy": pl.Float64,
        "retain_accuracy": pl.Float64,
    },
    "visual_table1_splits": {
        "dataset": pl.String,
        "split_mode": pl.String,
        "k": pl.Int64,
        "test_per_forget_class": pl.Int64,
        "retain_train": pl.Int64,
        "retain_test": pl.Int64,
    },
    "unlearning_table1_change": {
        "corpus": pl.String,
        "method": pl.String,
        "forget_format": pl.String,
        "retain_subset": pl.String,
        "forget_change_percent": _PERCENT,
        "retain_change_percent": _PERCENT,
    },
}


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
    content = files("forgetscope.findings").joinpath("published_tables", f"{name}.csv").read_bytes()
    return pl.read_csv(content, schema=schema)
