"""Adapters as they ship: half precision, the settings that are read, nothing of the machine they were made on."""

import json
from pathlib import Path

from safetensors.torch import load_file, save_file

from forgetscope.models.adapters import SETTINGS, WEIGHTS, AdapterSettings


def pack(trained: Path, folder: Path) -> int:
    """Write a trained adapter as it ships; gives its size in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = AdapterSettings.model_validate_json((trained / SETTINGS).read_bytes())
    (folder / SETTINGS).write_text(f"{json.dumps(settings.model_dump(), indent=2)}\n", encoding="utf-8")
    tensors = {name: tensor.half().contiguous() for name, tensor in sorted(load_file(trained / WEIGHTS).items())}
    save_file(tensors, folder / WEIGHTS)
    return (folder / WEIGHTS).stat().st_size
