"""The processes of one training: device, precision and sharding, the same code for one process and for many.

`accelerate launch` or `torchrun` starts several; accelerate finds out the device and the backend, PyTorch's
`fully_shard` (FSDP2) spreads the weights. On one process nothing is sharded.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from accelerate import PartialState  # type: ignore[import-untyped]
from torch import Tensor, nn
from torch.distributed import all_reduce
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor

from forgetscope.benchmarks.unlearning.training.target_settings import Precision
from forgetscope.core.errors import SettingError


@dataclass(frozen=True)
class Processes:
    """Which process this is, of how many, and where it computes.

    Attributes:
        rank: From 0.
        count: In total.
        device: Of this process.
        bfloat16: Whether forward passes run in bfloat16 (weights and losses stay in float32).
    """

    rank: int
    count: int
    device: torch.device
    bfloat16: bool = False

    @property
    def is_main(self) -> bool:
        """The process that writes."""
        return self.rank == 0

    @contextmanager
    def autocast(self) -> Iterator[None]:
        """The precision of forward passes."""
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.bfloat16):
            yield

    def total(self, value: Tensor) -> Tensor:
        """The sum of a value over all processes."""
        if self.count == 1:
            return value
        summed = value.clone()
        all_reduce(summed)
        return summed

    def shard(self, network: nn.Module) -> None:
        """Spread the weights over the processes, block by block; nothing to do on one."""
        if self.count == 1:
            return
        mesh = init_device_mesh(self.device.type, (self.count,))
        dtype = torch.bfloat16 if self.bfloat16 else None
        policy = MixedPrecisionPolicy(param_dtype=dtype, reduce_dtype=torch.float32)
        for block in transformer_blocks(network):
            fully_shard(block, mesh=mesh, mp_policy=policy)
        fully_shard(network, mesh=mesh, mp_policy=policy)


def transformer_blocks(network: nn.Module) -> list[nn.Module]:
    """The repeated blocks of a transformer, as its own class names them.

    Raises:
        SettingError: the model does not say what its blocks are.
    """
    names = set(getattr(network, "_no_split_modules", None) or ())
    blocks = [module for module in network.modules() if type(module).__name__ in names]
    if not blocks:
        raise SettingError(
            "this model does not name its blocks, so it cannot be sharded",
            where="processes",
            found=type(network).__name__,
            next_step="train it in one process",
        )
    return blocks


def current_processes(precision: Precision = "auto") -> Processes:
    """What `accelerate launch` or `torchrun` has started, or this process alone.

    Args:
        precision: `auto` takes bfloat16 where it is faster, which is measured.

    Raises:
        SettingError: bfloat16 was asked for and the device has none.
    """
    without_accelerator = not torch.accelerator.is_available()
    state = PartialState(cpu=without_accelerator)  # unasked, it does not join processes on CPUs
    device = torch.device("cpu") if without_accelerator else state.device
    wanted = is_bfloat16_faster(device) if precision == "auto" else precision == "bfloat16"
    return Processes(state.process_index, state.num_processes, device, wanted)


def is_bfloat16_faster(device: torch.device, *, size: int = 384) -> bool:
    """Whether a matrix product in bfloat16 takes less than three quarters of the time of one in float32.

    Measured, because a device may know the type and still be slower with it (CPUs without AMX: 3.6 times).
    """
    if device.type == "cuda" and not torch.cuda.is_bf16_supported():
        return False
    return _product_seconds(device, torch.bfloat16, size) < 0.75 * _product_seconds(device, torch.float32, size)


def _product_seconds(device: torch.device, dtype: torch.dtype, size: int) -> float:
    left = torch.ones(size, size, device=device, dtype=dtype)
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        left @ left
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        best = min(best, time.perf_counter() - started)
    return best


def local(value: Tensor) -> Tensor:
    """This process's part of a sharded tensor; the tensor itself where it is not sharded."""
    return value.to_local() if isinstance(value, DTensor) else value


def inner_product(left: Iterable[Tensor], right: Iterable[Tensor], processes: Processes) -> float:
    """Sum over all entries of all pairs of tensors, over all processes."""
    terms = [(local(a) * local(b)).sum(dtype=torch.float64) for a, b in zip(left, right, strict=True)]
    return float(processes.total(torch.stack(terms).sum()))
