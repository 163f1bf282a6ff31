"""What this benchmark's factors are called for a person."""

from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.methods import METHODS, method_class
from forgetscope.benchmarks.unlearning.metrics.study import CellKey, GridSetting
from forgetscope.findings.tables import label

MEASURE_NAMES = {
    "verbatim": "Verbatim (forget)",
    "knowledge_forget": "Knowledge (forget)",
    "knowledge_low": "Low entanglement (retain)",
    "knowledge_high": "High entanglement (retain)",
    "knowledge_world": "World facts (retain)",
}
"""The five metrics of figures 2 and 3."""

SHORT_MEASURE_NAMES = {
    "verbatim": "verbatim",
    "knowledge_forget": "forget",
    "knowledge_low": "low",
    "knowledge_high": "high",
    "knowledge_world": "world",
}
"""The same, on the spokes of a radar."""


def method_name(method: str) -> str:
    """A method for a person, with what tells it from others of its kind; one that was added is called by its name."""
    kind, bracket, settings = method.partition(" (")
    return f"{method_class(kind).title if kind in METHODS else kind}{bracket}{settings}"


def pair_name(key: CellKey) -> str:
    """Forget format and retain subset: `raw, low`."""
    return f"{key.forget_format}, {key.retain_subset}"


def setting_name(setting: GridSetting) -> str:
    """What the cells of one table share."""
    return (
        f"{setting.corpus}, {setting.semantics} losses, learning rate {setting.learning_rate:g}, "
        f"lambda {setting.lambda_retain:g}, {setting.epochs:g} epochs"
    )


def dose_names(keys: Sequence[CellKey]) -> dict[CellKey, str]:
    """How strongly and how long each cell was trained, as far as they differ: the points of curves."""
    parts = {
        "learning_rate": lambda key: f"rate {key.learning_rate:g}",
        "epochs": lambda key: f"{key.epochs:g} epochs",
        "lambda_retain": lambda key: f"lambda {key.lambda_retain:g}",
    }
    varied = [name for name in parts if len({getattr(key, name) for key in keys}) > 1]
    return {key: ", ".join(parts[name](key) for name in varied) for key in keys}


FORMAT, SUBSET = label("Forget format", "forget_format"), label("Retain subset", "retain_subset")
METHOD = label("Method", "method", method_name)
CORPUS = label("Corpus", "corpus")

PROBE_NAMES = {
    "verbatim": "continuation",
    "knowledge_forget": "questions",
    "paraphrased_forget": "questions in other words",
    "extraction_strength": "extraction strength",
}
"""What was asked of the forget side."""


def probe_name(probe: str) -> str:
    """A probe for a person: after which attack, and what was asked."""
    attack, _, asked = probe.rpartition(".")
    asked = PROBE_NAMES.get(asked, asked.replace("_", " "))
    return f"{attack.replace('_', ' ')}: {asked}" if attack else asked


RESIDUE_LABELS = (METHOD, FORMAT, SUBSET, label("Probe", "probe", probe_name))
"""Columns that say which residue it is."""
