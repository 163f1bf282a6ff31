"""Training state on disk: whole or not there at all, and never unpickled.

A checkpoint holds weights, optimiser state, the next step and the log so far. The order of texts follows from the
seed, so nothing else is needed: a run continued from it takes the same steps as one that was never stopped.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    ValueType,
    get_model_state_dict,
    get_optimizer_state_dict,
    set_model_state_dict,
    set_optimizer_state_dict,
)
from torch.optim import Optimizer

from forgetscope.core.json_values import json_object
from forgetscope.io.files import write_bytes

CHECKPOINT_NAME = "checkpoint.safetensors"

_TRAINED = StateDictOptions(full_state_dict=True, cpu_offload=True, ignore_frozen_params=True, strict=False)
"""Gathered whole from every process; with an adapter, the adapter alone."""
_WHOLE = StateDictOptions(full_state_dict=True, cpu_offload=True)


@dataclass(frozen=True)
class Checkpoint:
    """What a stopped training goes on from.

    Attributes:
        step: The next step to take.
        fingerprint: Of the configuration it belongs to.
        log: One mapping a step taken.
    """

    step: int
    fingerprint: str
    log: tuple[Mapping[str, object], ...]


def save_checkpoint(path: Path, network: nn.Module, optimizer: Optimizer, state: Checkpoint, *, writes: bool) -> None:
    """Store the training state. All processes of a sharded training must call it; the one that `writes` does.

    Raises:
        RunFolderError: the folder cannot be written, or the disk is full; an earlier checkpoint is still there.
    """
    weights = get_model_state_dict(network, options=_TRAINED)
    stored = get_optimizer_state_dict(network, optimizer, options=_TRAINED)
    if not writes:
        return
    trained = {name for name, parameter in network.named_parameters() if parameter.requires_grad}
    tensors = {
        f"model/{name}": value.contiguous()
        for name, value in weights.items()
        if name in trained and isinstance(value, Tensor)
    }
    tensors.update(_moments(stored["state"]))
    metadata = {"step": state.step, "fingerprint": state.fingerprint, "log": [dict(row) for row in state.log]}
    # Tied weights are one tensor under two names; the format wants each name to own its bytes.
    owned = {name: value.clone() for name, value in tensors.items()}
    write_bytes(path, save(owned, metadata={"state": json.dumps(metadata)}))


def _moments(state: object) -> dict[str, Tensor]:
    """The optimiser's running means by `optimizer/parameter/which`."""
    found: dict[str, Tensor] = {}
    if isinstance(state, dict):
        for name, entry in state.items():
            for key, value in entry.items():
                if isinstance(value, Tensor):
                    found[f"optimizer/{name}/{key}"] = value.contiguous()
    return found


def load_checkpoint(path: Path, network: nn.Module, optimizer: Optimizer, *, fingerprint: str) -> Checkpoint | None:
    """Put a stored training state into the network and the optimiser.

    Returns:
        What was stored beside them; None when there is no checkpoint, it is damaged, or it is of another configuration.
    """
    try:
        with safe_open(path, framework="pt") as stored:
            state = json_object((stored.metadata() or {})["state"])
            if state["fingerprint"] != fingerprint:
                return None
            tensors = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118 - no mapping
    except (FileNotFoundError, SafetensorError, KeyError, ValueError):
        return None
    weights = {name.removeprefix("model/"): value for name, value in tensors.items() if name.startswith("model/")}
    moments: dict[str, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        if name.startswith("optimizer/"):
            parameter, key = name.removeprefix("optimizer/").rsplit("/", 1)
            moments.setdefault(parameter, {})[key] = value
    set_model_state_dict(network, weights, options=_TRAINED)
    restored = get_optimizer_state_dict(network, optimizer, options=_TRAINED)
    restored["state"] = cast(dict[str, ValueType], moments)
    set_optimizer_state_dict(network, optimizer, restored, options=_TRAINED)
    return Checkpoint(cast(int, state["step"]), fingerprint, tuple(cast(list[Mapping[str, object]], state["log"])))


def whole_weights(network: nn.Module) -> dict[str, Tensor]:
    """All weights on the CPU, gathered from every process of a sharded training; all must call it."""
    gathered = get_model_state_dict(network, options=_WHOLE)
    return {name: value for name, value in gathered.items() if isinstance(value, Tensor)}
