"""The shipped target: the embedded Llama that knows the embedded corpus, in 16 bits, so that a demo trains no target.

Made by `tools/shipped_target.py`; how, from what and what it knows is in `model/provenance.json`. It is an embedded
reference: it stands for the method, not for any model people use.
"""

from pathlib import Path

from forgetscope.core.errors import DataError
from forgetscope.models.weights import sha256_of

SHIPPED = "shipped"
WEIGHTS_SHA256 = "06c59f07c21ff0f4a1a3bc9b3de16b3cd8cee2a91eccd0af6bfb4080c565a191"
"""Of `model/model.safetensors`; the program that makes the file prints it."""

PROVENANCE_NAME, WEIGHTS_NAME = "provenance.json", "model.safetensors"
MODEL_FOLDER = Path(__file__).parent / "model"


def shipped_target() -> Path:
    """The folder of the shipped target.

    Raises:
        DataError: the weights are not there, or not those that were shipped.
    """
    weights = MODEL_FOLDER / WEIGHTS_NAME
    found = sha256_of(weights) if weights.is_file() else "nothing"
    if found != WEIGHTS_SHA256:
        raise DataError(
            "the shipped target is damaged",
            where=str(weights),
            found=found[:16],
            allowed=WEIGHTS_SHA256[:16],
            next_step="install forgetscope again",
        )
    return MODEL_FOLDER
