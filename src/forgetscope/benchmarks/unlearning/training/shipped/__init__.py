"""The shipped models: the embedded Llama that knows the embedded corpus, and the one that never knew its forget side.

Both in 16 bits, so that a demo trains no target. Made by `tools/shipped_target.py`; how, from what and what they know
is in `provenance.json` beside the weights. They are embedded references: they stand for the method, not for any model
people use.
"""

from pathlib import Path

from forgetscope.core.errors import DataError
from forgetscope.models.weights import sha256_of

SHIPPED, SHIPPED_RETAIN_ONLY = "shipped", "shipped-retain-only"

WEIGHTS_SHA256 = {
    SHIPPED: "06c59f07c21ff0f4a1a3bc9b3de16b3cd8cee2a91eccd0af6bfb4080c565a191",
    SHIPPED_RETAIN_ONLY: "d66a9ddde16a90b31917e7682f92ed203e09a8d568c1e278413611da2eb3fcc0",
}
"""Of each model's weights; the program that makes the files prints them."""

PROVENANCE_NAME, WEIGHTS_NAME = "provenance.json", "model.safetensors"
MODEL_FOLDERS = {
    SHIPPED: Path(__file__).parent / "model",
    SHIPPED_RETAIN_ONLY: Path(__file__).parent / "retain_only",
}


def shipped_model(name: str) -> Path:
    """The folder of a shipped model: `shipped` or `shipped-retain-only`.

    Raises:
        DataError: the weights are not there, or not those that were shipped.
    """
    weights = MODEL_FOLDERS[name] / WEIGHTS_NAME
    found = sha256_of(weights) if weights.is_file() else "nothing"
    if found != WEIGHTS_SHA256[name]:
        raise DataError(
            "the shipped target is damaged",
            where=str(weights),
            found=found[:16],
            allowed=WEIGHTS_SHA256[name][:16],
            next_step="install forgetscope again",
        )
    return MODEL_FOLDERS[name]
