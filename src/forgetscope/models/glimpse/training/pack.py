"""From a workshop's parts to the files a member is loaded from."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forgetscope.models.glimpse.family import DECODERS, DOSES
from forgetscope.models.glimpse.shape import DecoderShape
from forgetscope.models.glimpse.storage import quantised
from forgetscope.models.glimpse.training.workshop import Workshop, copy_whole

_TRAINING_ONLY = ("judge.",)
"""Tensors that only training uses."""


def pack(shop: Workshop) -> None:
    """Write encoder, vocabulary, eyes and every decoder that is trained into the seed's `packed` folder."""
    import torch
    from safetensors.numpy import save_file

    folder = shop.run_folder / "packed"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("encoder.safetensors", "vocabulary.safetensors"):
        copy_whole(shop.folder / name, folder / name)
    save_file(_eyes(shop), folder / "eyes.safetensors")
    for name in DECODERS:
        checkpoint = shop.run_folder / f"{name}.checkpoint"
        if not checkpoint.is_file():
            continue
        stored = torch.load(checkpoint, weights_only=True)
        tensors: dict[str, NDArray[Any]] = {
            key: np.ascontiguousarray(tensor.numpy().astype(np.float16))
            for key, tensor in stored["decoder"].items()
            if not key.startswith(_TRAINING_ONLY)
        }
        tensors["heads"] = np.array([DecoderShape().heads], np.int64)
        about = {"seed": str(shop.seed), "steps": str(stored["step"])}
        save_file(tensors, folder / f"{name}.safetensors", metadata=about)
    sizes = {path.name: path.stat().st_size for path in sorted(folder.glob("*.safetensors"))}
    print(json.dumps(sizes | {"total": sum(sizes.values())}))


def _eyes(shop: Workshop) -> dict[str, NDArray[Any]]:
    tensors: dict[str, NDArray[Any]] = {"mean": shop.scaling.mean, "spread": shop.scaling.spread}
    for name in ("how", *(f"dose{dose}" for dose in DOSES)):
        with np.load(shop.run_folder / f"eye-{name}.npz", allow_pickle=False) as stored:
            values, scales = quantised(stored["weight"])
            tensors |= {f"{name}.weight": values, f"{name}.scale": scales, f"{name}.bias": stored["bias"]}
    return {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
