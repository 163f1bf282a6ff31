"""Low-rank adapters on a GGUF model: merged into a copy of its file, once, in the user's cache.

OpenVINO GenAI opens a LoRA adapter beside a GGUF file but matches none of its tensors. So we add ``scale * B @ A``
(Hu et al. 2021, arXiv:2106.09685, section 4.1) to the unpacked weights and pack those tensors again as Q8_0, whose
rounding is a sixteenth of the Q4 formats'; all others are copied as they are. Adapters may follow one another; each
adds its own product, so their order does not matter.
"""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from forgetscope.core.errors import DataError
from forgetscope.io.files import make_folder, replacing
from forgetscope.io.received import LARGEST_SETTINGS, parse_json, read_text
from forgetscope.models.weights import read_header, sha256_of

FloatArray = NDArray[np.float32]

SETTINGS, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
KEPT = 8
"""Merged files kept in the cache; the longest unused goes first."""
LARGEST = 1_000_000_000
"""Bytes of an adapter's weights."""

_FORMAT = "1"
_KEY = re.compile(r"base_model\.model\.model\.layers\.(\d{1,3})\.(?:self_attn|mlp)\.(\w+)\.lora_(A|B)\.weight")
_NAMES = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}
_NUMBERS: Mapping[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2"), "BF16": np.dtype("<u2")}


class AdapterSettings(BaseModel):
    """What is needed of PEFT's ``adapter_config.json``; what would change the sum and is not offered must be off."""

    model_config = ConfigDict(extra="ignore")

    peft_type: Literal["LORA"]
    r: int = Field(ge=1, le=1024)
    lora_alpha: float = Field(gt=0, allow_inf_nan=False)
    use_rslora: bool = False
    use_dora: Literal[False] = False
    bias: Literal["none"] = "none"
    modules_to_save: None = None
    rank_pattern: dict[str, int] = Field(default={}, max_length=0)
    alpha_pattern: dict[str, float] = Field(default={}, max_length=0)

    @property
    def scale(self) -> float:
        """What the product of an adapter's two matrices is multiplied by."""
        return self.lora_alpha / (self.r**0.5 if self.use_rslora else self.r)


def identity_of(base: Path, adapters: Sequence[Path]) -> str:
    """SHA-256 of what a merged model is made of: the same wherever it is merged, in hexadecimal.

    Raises:
        DataError: A folder that is no adapter.
    """
    parts = [_FORMAT, sha256_of(base)]
    for folder in adapters:
        for name in (SETTINGS, WEIGHTS):
            if not (folder / name).is_file():
                raise DataError(
                    "no adapter here",
                    where=str(folder),
                    allowed=f"a folder with {SETTINGS} and {WEIGHTS}, as PEFT saves",
                )
            parts.append(sha256_of(folder / name))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def merged(base: Path, adapters: Sequence[Path]) -> Path:
    """The GGUF file of a model with adapters merged in, from the cache or made now (seconds for SmolLM2-135M).

    Raises:
        DataError: The base is no GGUF file of a Llama, or an adapter is damaged or of another model.
    """
    path = make_folder(cache_folder()) / f"{base.stem}-{identity_of(base, adapters)[:16]}.gguf"
    if path.is_file():
        os.utime(path)
        return path
    _merge(base, _products(adapters), path)
    for old in sorted(path.parent.glob("*.gguf"), key=lambda file: file.stat().st_mtime, reverse=True)[KEPT:]:
        old.unlink(missing_ok=True)
    return path


def cache_folder() -> Path:
    """Where merged files lie: ``forgetscope/models`` in the user's cache."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "forgetscope" / "models"


def _products(adapters: Sequence[Path]) -> dict[str, FloatArray]:
    """What is added to each weight, by its name in GGUF, rows still in the order of transformers."""
    found: dict[str, FloatArray] = {}
    for folder in adapters:
        settings, tensors = _settings(folder), _tensors(folder / WEIGHTS)
        pairs: dict[str, dict[str, FloatArray]] = {}
        for key, tensor in tensors.items():
            matched = _KEY.fullmatch(key)
            if matched is None or matched[2] not in _NAMES:
                raise DataError("a weight that this model has no place for", where=str(folder / WEIGHTS), found=key)
            pairs.setdefault(f"blk.{matched[1]}.{_NAMES[matched[2]]}.weight", {})[matched[3]] = tensor
        for name, pair in pairs.items():
            shapes = [pair[side].shape if side in pair else () for side in "AB"]
            if any(len(shape) != 2 for shape in shapes) or not shapes[0][0] == shapes[1][1] == settings.r:
                raise DataError("the two matrices of a weight do not fit", where=str(folder / WEIGHTS), found=name)
            product = (settings.scale * (pair["B"] @ pair["A"])).astype(np.float32)
            found[name] = found[name] + product if name in found else product
    return found


def _settings(folder: Path) -> AdapterSettings:
    path = folder / SETTINGS
    try:
        return AdapterSettings.model_validate(parse_json(read_text(path, at_most=LARGEST_SETTINGS), where=str(path)))
    except ValidationError as error:
        first = error.errors()[0]
        raise DataError(
            "not a LoRA adapter of the plain kind",
            where=f"{path}, {'.'.join(str(part) for part in first['loc'])}",
            found=str(first["input"])[:100],
            allowed="LORA without DoRA, biases, saved modules and patterns",
        ) from None


def _tensors(path: Path) -> dict[str, FloatArray]:
    import safetensors

    library: Any = safetensors  # its functions are untyped

    if path.stat().st_size > LARGEST:
        raise DataError("adapter too large", where=str(path), found=path.stat().st_size, allowed=f"{LARGEST} bytes")
    try:
        stored: list[tuple[str, dict[str, Any]]] = library.deserialize(path.read_bytes())
        return {name: _numbers(tensor) for name, tensor in stored}
    except (safetensors.SafetensorError, ValueError, KeyError) as error:
        raise DataError(f"cannot read tensors: {error}", where=str(path)) from error


def _numbers(tensor: Mapping[str, Any]) -> FloatArray:
    stored: NDArray[Any] = np.frombuffer(bytes(tensor["data"]), dtype=_NUMBERS[tensor["dtype"]])
    if tensor["dtype"] == "BF16":  # the upper half of a single-precision number
        stored = (stored.astype(np.uint32) << 16).view(np.float32)
    values: FloatArray = stored.astype(np.float32).reshape(tensor["shape"])
    if not np.isfinite(values).all():
        raise ValueError("a weight is not finite")
    return values


def _merge(base: Path, products: Mapping[str, FloatArray], path: Path) -> None:
    import gguf

    header = read_header(base)
    if header.architecture != "llama":
        raise DataError("adapters fit Llama models alone", where=str(base), found=header.architecture)
    reader: Any = gguf.GGUFReader(base)
    heads = {
        "attn_q": int(reader.fields["llama.attention.head_count"].contents()),
        "attn_k": int(reader.fields["llama.attention.head_count_kv"].contents()),
    }
    shapes = {str(tensor.name): tuple(int(length) for length in reversed(tensor.shape)) for tensor in reader.tensors}
    for name, product in products.items():
        if shapes.get(name) != product.shape:
            raise DataError(
                "the adapter is of another model",
                where=name,
                found=product.shape,
                allowed=str(shapes.get(name, "none")),
            )
    with replacing(path) as new:
        writer: Any = gguf.GGUFWriter(new, header.architecture)
        for name, field in reader.fields.items():
            if not name.startswith("GGUF.") and name != "general.architecture":
                kind = field.types[0]
                inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
                writer.add_key_value(name, field.contents(), kind, inner)
        for tensor in reader.tensors:
            data, kind = tensor.data, tensor.tensor_type
            if tensor.name in products:
                added = products[tensor.name]
                rows = heads.get(tensor.name.split(".")[2])
                whole = gguf.dequantize(data, kind) + (_interleaved(added, rows) if rows else added)
                kind = gguf.GGMLQuantizationType.Q8_0
                data = gguf.quantize(whole.astype(np.float32), kind)
            writer.add_tensor(tensor.name, data, raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


def _interleaved(rows: FloatArray, heads: int) -> FloatArray:
    """Rows of queries or keys in GGUF's order: the halves that rotate together lie side by side in each head."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(rows.shape)
