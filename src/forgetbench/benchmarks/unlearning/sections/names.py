"""What this benchmark's factors are called for a person."""

from forgetbench.benchmarks.unlearning.metrics.study import CellKey

METHOD_NAMES = {"ga": "GA", "npo": "NPO", "simnpo": "SimNPO"}
MEASURE_NAMES = {
    "verbatim": "verbatim (forget)",
    "knowledge_forget": "knowledge (forget)",
    "knowledge_low": "low entanglement (retain)",
    "knowledge_high": "high entanglement (retain)",
    "knowledge_world": "world facts (retain)",
}
"""The five metrics of figures 2 and 3."""


def method_name(method: str) -> str:
    """A method for a person; one that was added later is called by its own name."""
    return METHOD_NAMES.get(method, method)


def pair_name(key: CellKey) -> str:
    """Forget format and retain subset: `raw, low`."""
    return f"{key.forget_format}, {key.retain_subset}"


def setting_name(key: CellKey) -> str:
    """What the cells of one table share."""
    return f"{key.corpus}, {key.semantics} losses, learning rate {key.learning_rate:g}"
