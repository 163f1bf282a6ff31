"""From a workshop's parts to the files a member is loaded from."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forgetscope.models.glimpse.family import DECODERS, DOSES
from forgetscope.models.glimpse.shape import DecoderShape
from forgetscope.models.glimpse.storage import load_tensors
from tools.glimpse.projector import Scaling
from tools.glimpse.quantising import quantised

_TRAINING_ONLY = ("judge.",)
"""Tensors that only training uses."""


def pack(folder: Path, run_folder: Path, seed: int, scaling: Scaling) -> None:
    """Write encoder, vocabulary, eyes and every decoder that is trained into a seed's `packed` folder.

    Args:
        folder: A workshop's, with what all seeds share.
        run_folder: The seed's own.
        seed: The training seed.
        scaling: Of the features that its eyes take.
    """
    import torch
    from safetensors.numpy import save_file

    packed = run_folder / "packed"
    packed.mkdir(parents=True, exist_ok=True)
    for name in ("encoder.safetensors", "vocabulary.safetensors"):
        copy_whole(folder / name, packed / name)
    save_file(_eyes(run_folder, scaling), packed / "eyes.safetensors")
    for name in DECODERS:
        checkpoint = run_folder / f"{name}.checkpoint"
        if not checkpoint.is_file():
            continue
        stored = torch.load(checkpoint, weights_only=True)
        tensors: dict[str, NDArray[Any]] = {
            key: np.ascontiguousarray(tensor.numpy().astype(np.float16))
            for key, tensor in stored["decoder"].items()
            if not key.startswith(_TRAINING_ONLY)
        }
        tensors["heads"] = np.array([DecoderShape().heads], np.int64)
        about = {"seed": str(seed), "steps": str(stored["step"])}
        save_file(tensors, packed / f"{name}.safetensors", metadata=about)
    sizes = {path.name: path.stat().st_size for path in sorted(packed.glob("*.safetensors"))}
    print(json.dumps(sizes | {"total": sum(sizes.values())}))


def _eyes(run_folder: Path, scaling: Scaling) -> dict[str, NDArray[Any]]:
    tensors: dict[str, NDArray[Any]] = {"mean": scaling.mean, "spread": scaling.spread}
    for name in ("how", *(f"dose{dose}" for dose in DOSES)):
        with np.load(run_folder / f"eye-{name}.npz", allow_pickle=False) as stored:
            values, scales = quantised(stored["weight"])
            tensors |= {f"{name}.weight": values, f"{name}.scale": scales, f"{name}.bias": stored["bias"]}
    return {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}


def copy_whole(source: Path, target: Path) -> None:
    """Copy a file of tensors after reading it whole, so that a damaged one is not passed on."""
    load_tensors(source)
    target.write_bytes(source.read_bytes())
