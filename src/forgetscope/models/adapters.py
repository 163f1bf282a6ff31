"""Low-rank adapters on a GGUF model: merged into a copy of its file, once, in the user's cache.

OpenVINO GenAI opens a LoRA adapter beside a GGUF file but matches none of its tensors. So we add ``scale * B @ A``
(Hu et al. 2021, arXiv:2106.09685, section 4.1) to the unpacked weights and pack those tensors again as Q8_0, whose
rounding is a sixteenth of the Q4 formats'; all others are copied as they are. Adapters may follow one another; each
adds its own product, so their order does not matter.

PEFT lays adapters over other models itself (`models.seeing`), after `require_plain_adapter` has seen what their
settings ask: it would allocate, import and fetch whatever they name.
"""

import hashlib
import os
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from forgetscope.core.errors import DataError, UserError, refused_value
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
    _merge(base, adapters, path)
    for old in sorted(path.parent.glob("*.gguf"), key=lambda file: file.stat().st_mtime, reverse=True)[KEPT:]:
        old.unlink(missing_ok=True)
    return path


def cache_folder() -> Path:
    """Where merged files lie: ``forgetscope/models`` in the user's cache."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "forgetscope" / "models"


def _products(adapters: Sequence[Path], of_base: Mapping[str, tuple[int, ...]]) -> dict[str, FloatArray]:
    """What is added to each weight, by its name in GGUF, rows still in the order of transformers.

    Args:
        adapters: Their folders.
        of_base: Shapes of the base's weights: two small matrices can have a product that no memory holds.
    """
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
            wanted = (shapes[1][0], shapes[0][1])
            if of_base.get(name) != wanted:
                allowed = str(of_base.get(name, "none"))
                raise DataError("the adapter is of another model", where=name, found=wanted, allowed=allowed)
            with np.errstate(all="ignore"):
                product = (settings.scale * (pair["B"] @ pair["A"])).astype(np.float32)
            if not np.isfinite(product).all():
                raise DataError("a weight would not be finite", where=str(folder / WEIGHTS), found=name)
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
            found=str(refused_value(first))[:100],
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


def _merge(base: Path, adapters: Sequence[Path], path: Path) -> None:
    import gguf

    header = read_header(base)
    if header.architecture != "llama":
        raise DataError("adapters fit Llama models alone", where=str(base), found=header.architecture)
    with _understood(base):
        reader: Any = gguf.GGUFReader(base)
        heads = {
            "attn_q": int(reader.fields["llama.attention.head_count"].contents()),
            "attn_k": int(reader.fields["llama.attention.head_count_kv"].contents()),
        }
        shapes = {str(one.name): tuple(int(length) for length in reversed(one.shape)) for one in reader.tensors}
    products = _products(adapters, shapes)
    with replacing(path) as new, _understood(base):
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
                whole = gguf.dequantize(data, kind) + (_interleaved(added, rows) if rows is not None else added)
                kind = gguf.GGMLQuantizationType.Q8_0
                data = gguf.quantize(whole.astype(np.float32), kind)
            writer.add_tensor(tensor.name, data, raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


@contextmanager
def _understood(base: Path) -> Iterator[None]:
    """Whatever the GGUF package makes of a file whose header is whole and whose values are odd, as one error."""
    try:
        yield
    except UserError:
        raise
    except (ArithmeticError, LookupError, ValueError, TypeError, AttributeError, struct.error) as error:
        found = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise DataError("not a Llama model that an adapter can be merged into", where=str(base), found=found) from None


def _interleaved(rows: FloatArray, heads: int) -> FloatArray:
    """Rows of queries or keys in GGUF's order: the halves that rotate together lie side by side in each head."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(rows.shape)


MOST_RANKS = 1024
Rank = Annotated[int, Field(ge=1, le=MOST_RANKS)]


def _quick(pattern: str) -> str:
    """The pattern, if nothing in it that repeats stands in something that repeats.

    Raises:
        ValueError: Something does: such a pattern may take for ever over a short name.
    """
    left = re.sub(r"\\.|\[[^]]*]", "x", pattern[: LONGEST_PATTERN + 1]).replace("?", "")
    repeats = len(pattern) > LONGEST_PATTERN
    while not repeats and (group := re.search(r"\(([^()]*)\)([*+{]?)", left)):
        inner = "x+" if set("*+{") & set(group[1]) else "x"
        repeats = len(inner) > 1 and bool(group[2])
        left = left[: group.start()] + inner + group[2] + left[group.end() :]
    if repeats:
        raise ValueError("a pattern that may take for ever")
    return pattern


LONGEST_PATTERN = 1000
Steps = Annotated[str, Field(pattern=r"^pissa_niter_\d{1,2}$")]
"""Of a start that is computed: of the weights' largest directions, by so many steps."""
Pattern = Annotated[str, AfterValidator(_quick)]
"""Of names of modules; PEFT takes it for a regular expression."""


class PeftSettings(BaseModel):
    """An ``adapter_config.json``; fields that change nothing of this are passed over."""

    model_config = ConfigDict(extra="ignore")

    peft_type: Literal["LORA", "ADALORA", "LOHA", "LOKR", "VERA", "IA3"]
    r: Rank = 1
    init_r: Rank = 1
    target_r: Rank = 1
    rank_pattern: dict[Pattern, Rank] | None = None
    alpha_pattern: dict[Pattern, float] | None = None
    target_modules: tuple[Pattern, ...] | Pattern | None = None
    exclude_modules: tuple[Pattern, ...] | Pattern | None = None
    megatron_config: None = None
    layer_replication: None = None
    init_lora_weights: bool | Literal["gaussian", "orthogonal", "olora", "eva", "corda", "pissa"] | Steps | None = None
    loftq_config: dict[str, object] | None = Field(default=None, max_length=0)


def require_plain_adapter(path: Path) -> None:
    """See that an adapter asks for no more than low-rank products of its own weights.

    Raises:
        DataError: It does, or its settings cannot be read.
    """
    try:
        PeftSettings.model_validate(parse_json(read_text(path, at_most=LARGEST_SETTINGS), where=str(path)))
    except ValidationError as error:
        first = error.errors()[0]
        raise DataError(
            "not an adapter that is laid over weights",
            where=f"{path}, {'.'.join(str(part) for part in first['loc'])[:100]}",
            found=str(refused_value(first))[:100],
            allowed=f"LoRA and its kin, ranks up to {MOST_RANKS}, patterns without repeats of repeats",
        ) from None
