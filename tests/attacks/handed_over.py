"""What `tests.attacks.handed` hands over: each attack makes something in an empty folder and gives it to its reader."""

import io
import json
import os
import pickle
import shutil
import socket
import struct
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import gguf
import inspect_ai.log  # noqa: F401 - teaches zipfile the compression of its logs
import numpy as np
import peft
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import torch
import transformers  # noqa: F401 - loaded before an attack begins
from inspect_ai.model import GenerateConfig

from forgetscope.api import runs
from forgetscope.api.inspect_logs import inspect_runs
from forgetscope.benchmarks.in_context.data.sources import chatalpaca
from forgetscope.benchmarks.visual.sources import read_source
from forgetscope.benchmarks.visual.sources.listing import ReadOptions
from forgetscope.core.errors import UserError
from forgetscope.io.records import read_rows
from forgetscope.models import probe
from forgetscope.models.adapters import SETTINGS, WEIGHTS, merged
from forgetscope.models.glimpse.storage import load_tensors, training_seed
from forgetscope.models.seeing import SeeingArgs, SeeingModel
from forgetscope.models.weights import read_header
from forgetscope.report import write_report
from forgetscope.running.manifest import Limits, ModelSpec, read_manifest
from forgetscope.running.merge import merge_shards
from tests.benchmarks.visual import layouts
from tests.models.tiny_llava import write_tiny_llava

Attack = Callable[[Path], object]
ATTACKS: dict[str, Attack] = {}
PREPARED = Path(tempfile.gettempdir()) / f"forgetscope-handed-prepared-{os.getuid()}"
"""What several attacks begin with: made once."""

torch.set_num_threads(1)


def attack(label: str, make: Attack) -> None:
    """Register an attack under its name."""
    if label in ATTACKS:
        raise ValueError(label)
    ATTACKS[label] = make


def prepare() -> None:
    """A model with eyes and an adapter for it, a run in two shards, and logs of Inspect."""
    shutil.rmtree(PREPARED, ignore_errors=True)
    PREPARED.mkdir()
    write_tiny_llava(PREPARED / "llava")
    model = SeeingModel("transformers", GenerateConfig(), SeeingArgs(model_path=PREPARED / "llava"))
    config = peft.LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False)
    peft.get_peft_model(model._parts()[1], config).save_pretrained(str(PREPARED / "peft"))
    for shard in ("1/2", "2/2"):
        made = {"limit": 4, "loads": "mmlu", "experiments": "load", "conditions": "baseline", "shard": shard}
        runs.run("prospective", "forgetscope/reference/perfect", out=PREPARED / f"shard-{shard[0]}", **made)  # type: ignore[arg-type]


Content = bytes | Callable[[], bytes]
"""Of a file; what is large is made when it is needed."""


def bytes_of(content: Content) -> bytes:
    """The bytes."""
    return content if isinstance(content, bytes) else content()


def pipe(path: Path) -> Path:
    """A pipe into which nobody writes."""
    os.mkfifo(path)
    return path


class Evil:
    """Writes a file where it is unpickled."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return os.system, ('echo ran > "$PLANTED"',)


EVIL = pickle.dumps(Evil())
CODE = "import os\nopen(os.environ['PLANTED'], 'w').write('ran')\n"


# --- adapters for a GGUF file ------------------------------------------------------------------------------------

WIDTH = 64
NAME = "base_model.model.model.layers.0.self_attn.v_proj.lora_{}.weight"
PLAIN = {"peft_type": "LORA", "r": 2, "lora_alpha": 4}


def a_base(path: Path, **other: Any) -> Path:
    """A GGUF file of one value's weights, with fields and tensors other than usual."""
    writer: Any = gguf.GGUFWriter(path, other.pop("architecture", "llama"))
    if other.pop("heads", True) is True:
        writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_context_length(64)
    for name, (add, value) in other.pop("fields", {}).items():
        getattr(writer, add)(name, value)
    for layer in ("attn_q", "attn_v"):
        writer.add_tensor(f"blk.0.{layer}.weight", np.full((WIDTH, WIDTH), 0.1, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def tensors(held: Mapping[str, Any], data: bytes = b"") -> bytes:
    """A file of safetensors with this header, whatever it says."""
    header = json.dumps(held).encode()
    return struct.pack("<Q", len(header)) + header + data


def pair(
    a: tuple[int, ...] = (2, WIDTH), b: tuple[int, ...] = (WIDTH, 2), value: float = 0.5, dtype: str = "F32"
) -> bytes:
    """The two matrices of an adapter."""
    first, second = (np.full(shape, value, np.float32).tobytes() for shape in (a, b))
    entries = {
        NAME.format("A"): {"dtype": dtype, "shape": a, "data_offsets": [0, len(first)]},
        NAME.format("B"): {"dtype": dtype, "shape": b, "data_offsets": [len(first), len(first) + len(second)]},
    }
    return tensors(entries, first + second)


def lain_over(
    settings: object = None, weights: Content | None = None, more: Callable[[Path], object] | None = None
) -> Attack:
    """An adapter with these settings and weights (bytes, or a function that writes), laid over a GGUF file."""

    def made(place: Path) -> object:
        folder = place / "adapter"
        folder.mkdir()
        said = json.dumps({**PLAIN, **(settings if isinstance(settings, dict) else {})}).encode()
        (folder / SETTINGS).write_bytes(
            bytes_of(settings) if isinstance(settings, bytes) or callable(settings) else said
        )
        (folder / WEIGHTS).write_bytes(bytes_of(weights or pair()))
        if more is not None:
            more(folder)
        return merged(a_base(place / "base.gguf"), [folder])

    return made


def _entry(**changes: object) -> bytes:
    usual = {"dtype": "F32", "shape": [2, WIDTH], "data_offsets": [0, 8 * WIDTH]}
    return tensors({NAME.format("A"): {**usual, **changes}, NAME.format("B"): usual}, bytes(8 * WIDTH))


def _sparse(size: int) -> Callable[[Path], object]:
    def made(folder: Path) -> None:
        with (folder / WEIGHTS).open("wb") as stream:
            stream.truncate(size)

    return made


def _instead(name: str, make: Callable[[Path], object]) -> Callable[[Path], object]:
    def made(folder: Path) -> None:
        (folder / name).unlink()
        make(folder / name)

    return made


def _long_settings() -> bytes:
    return b'{"x": "' + b"x" * 200_000_000 + b'"}'


DEEP = b"[" * 100_000 + b"]" * 100_000
attack("adapter: as it should be", lain_over())
WEIGHTS_OF: dict[str, Content] = {
    "a header of 2^63 bytes": struct.pack("<Q", 2**63) + b"{}",
    "a header longer than the file": struct.pack("<Q", 10**6) + b"{}",
    "a header that is no JSON": struct.pack("<Q", 4) + b"oops",
    "a header nested without end": struct.pack("<Q", len(DEEP)) + DEEP,
    "no bytes": b"",
    "offsets that overlap": _entry(),
    "offsets beyond the file": _entry(data_offsets=[0, 10**15]),
    "offsets that run backwards": _entry(data_offsets=[512, 0]),
    "offsets below zero": _entry(data_offsets=[-8, 504]),
    "a type nobody has": _entry(dtype="F8_E4M3"),
    "a type of whole numbers": pair(dtype="I32"),
    "a shape of other size": _entry(shape=[3, 1000]),
    "a shape of nothing": _entry(shape=[0, WIDTH], data_offsets=[0, 0]),
    "a shape that overflows": _entry(shape=[2**62, 8], data_offsets=[0, 0]),
    "a shape of a thousand lengths": _entry(shape=[1] * 1000 + [2, WIDTH]),
    "weights that are no numbers": pair(value=float("nan")),
    "weights without end": pair(value=float("inf")),
    "weights whose product overflows": pair(value=3e38),
    "a product of a million squared": lambda: pair((2, 10**6), (10**6, 2)),
    "a hundred thousand tensors": lambda: tensors(
        {f"x{place}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for place in range(100_000)}
    ),
    "a name with signs that are not seen": tensors(
        {"\x1b[2J\u202e../../x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}, bytes(4)
    ),
    "one matrix of two": tensors(
        {NAME.format("A"): {"dtype": "F32", "shape": [2, WIDTH], "data_offsets": [0, 8 * WIDTH]}}, bytes(8 * WIDTH)
    ),
    "a pickle": EVIL,
}
for label, weights in WEIGHTS_OF.items():
    attack(f"adapter: {label}", lain_over(weights=weights))
for label, given in {
    "a rank of 10^9": {"r": 10**9},
    "a rank of 10^20": {"r": 10**20},
    "a rank below zero": {"r": -1},
    "a scale of 1e308": {"lora_alpha": 1e308},
    "a scale of 1e-320": {"lora_alpha": 1e-320},
    "a scale without end": b'{"peft_type": "LORA", "r": 2, "lora_alpha": 1e999}',
    "settings nested without end": b'{"peft_type": "LORA", "r": 2, "lora_alpha": 4, "x": ' + DEEP + b"}",
    "settings of 200 MB": _long_settings,
    "settings that are a list": b"[1]",
    "settings of another encoding": "\ufeff{}".encode("utf-16"),
    "a number of 5,000 digits": b'{"peft_type": "LORA", "r": ' + b"9" * 5000 + b', "lora_alpha": 4}',
    "another kind": {"peft_type": "XLORA", "adapters": {"0": "/etc"}},
    "a rank of its own for some": {"rank_pattern": {"(a+)+$": 10**9}},
}.items():
    attack(f"adapter: {label}", lain_over(given))
for label, change in {
    "a pickle beside it": lambda folder: (folder / "adapter_model.bin").write_bytes(EVIL),
    "a pickle alone": _instead(WEIGHTS, lambda path: (path.parent / "adapter_model.bin").write_bytes(EVIL)),
    "weights from a pipe": _instead(WEIGHTS, os.mkfifo),
    "settings from a pipe": _instead(SETTINGS, os.mkfifo),
    "weights linked to zeros": _instead(WEIGHTS, lambda path: path.symlink_to("/dev/zero")),
    "settings linked to a secret": _instead(SETTINGS, lambda path: path.symlink_to("/etc/passwd")),
    "links in a circle": _instead(WEIGHTS, lambda path: path.symlink_to(path)),
    "a folder for weights": _instead(WEIGHTS, Path.mkdir),
    "0.9 GB of nothing": _sparse(900_000_000),
    "2 GB of nothing": _sparse(2_000_000_000),
}.items():
    attack(f"adapter: {label}", lain_over(more=change))


# --- a GGUF file that lies ---------------------------------------------------------------------------------------


def over_base(**other: Any) -> Attack:
    """A right adapter over a base of other fields."""

    def made(place: Path) -> object:
        folder = place / "adapter"
        folder.mkdir()
        (folder / SETTINGS).write_text(json.dumps(PLAIN), encoding="utf-8")
        name = other.get("layer", "v_proj")
        (folder / WEIGHTS).write_bytes(pair().replace(b"v_proj", name.encode()))
        given = {key: value for key, value in other.items() if key != "layer"}
        return merged(a_base(place / "base.gguf", **given), [folder])

    return made


def header(*parts: bytes) -> Attack:
    """A GGUF file that begins so."""

    def made(place: Path) -> object:
        (place / "base.gguf").write_bytes(b"".join(parts))
        return read_header(place / "base.gguf")

    return made


def _text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def _begins(tensors_: int, pairs: int) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, tensors_, pairs)


_TOO_MANY_HEADS = {"heads": False, "fields": {"llama.attention.head_count": ("add_uint32", 7)}}
attack("base: no number of heads", over_base(heads=False, layer="q_proj"))
attack("base: heads that do not divide", over_base(**_TOO_MANY_HEADS, layer="q_proj"))
for label, how, value in (
    ("no heads", "add_uint32", 0),
    ("a text for heads", "add_string", "many"),
    ("a list for heads", "add_array", [1, 2]),
    ("heads without end", "add_float32", float("inf")),
):
    fields = {"llama.attention.head_count": (how, value)}
    attack(f"base: {label}", over_base(heads=False, layer="q_proj", fields=fields))
attack("base: another architecture with signs that are not seen", over_base(architecture="ll\x1b[2Jama\u202e"))
attack("base: an alignment of three", over_base(fields={"general.alignment": ("add_uint32", 3)}))
attack("base: an alignment of 2^32 - 1", over_base(fields={"general.alignment": ("add_uint32", 2**32 - 1)}))
attack("base: a hundred million tensors", header(_begins(10**8, 0)))
attack("base: a hundred million fields", header(_begins(0, 10**8)))
attack("base: a tensor of four billion lengths", header(_begins(1, 0), _text("t"), struct.pack("<I", 2**32 - 1), b"x"))
attack(
    "base: a tensor of a million lengths",
    header(_begins(1, 0), _text("t"), struct.pack("<I", 10**6), struct.pack("<Q", 2**63) * 10**6, bytes(64)),
)
attack("base: a name of a hundred million letters", header(_begins(1, 0), struct.pack("<Q", 10**8)))
attack("base: a list of lists", header(_begins(0, 1), _text("k"), struct.pack("<IIQ", 9, 9, 2**63)))
attack("base: a list of 2^63", header(_begins(0, 1), _text("k"), struct.pack("<IIQ", 9, 5, 2**63)))
attack("base: a pipe", lambda place: read_header(pipe(place / "base.gguf")))


def _twice(place: Path) -> object:
    """Two tensors of one name, the second behind the end."""
    raw = a_base(place / "base.gguf").read_bytes()
    (place / "base.gguf").write_bytes(raw.replace(b"blk.0.attn_q", b"blk.0.attn_v"))
    folder = place / "adapter"
    folder.mkdir()
    (folder / SETTINGS).write_text(json.dumps(PLAIN), encoding="utf-8")
    (folder / WEIGHTS).write_bytes(pair())
    return merged(place / "base.gguf", [folder])


attack("base: two tensors of one name", _twice)


# --- adapters of PEFT, and folders of weights --------------------------------------------------------------------


def seen_through(change: Callable[[Path], object], *, what: str = "adapter") -> Attack:
    """A changed adapter, or a changed model, given to the provider of transformers."""

    def made(place: Path) -> object:
        shutil.copytree(PREPARED / "llava", place / "llava")
        shutil.copytree(PREPARED / "peft", place / "peft")
        change(place / ("peft" if what == "adapter" else "llava"))
        args = SeeingArgs(model_path=place / "llava", adapter=place / "peft" if what == "adapter" else None)
        return type(SeeingModel("transformers", GenerateConfig(), args)._parts()[1]).__name__

    return made


def says(name: str = "adapter_config.json", **changes: object) -> Callable[[Path], object]:
    """Other values in a file of settings."""

    def made(folder: Path) -> None:
        held = json.loads((folder / name).read_text(encoding="utf-8"))
        (folder / name).write_text(json.dumps({**held, **changes}), encoding="utf-8")

    return made


def both(*changes: Callable[[Path], object]) -> Callable[[Path], object]:
    """One after the other."""
    return lambda folder: [change(folder) for change in changes]


def holds(name: str, content: Content | str) -> Callable[[Path], object]:
    """A file more."""
    return lambda folder: (folder / name).write_bytes(
        content.encode() if isinstance(content, str) else bytes_of(content)
    )


def lacks(name: str) -> Callable[[Path], object]:
    """A file less."""
    return lambda folder: (folder / name).unlink()


attack("PEFT: as it should be", seen_through(lambda _: None))
_PLANTED_MODULE = both(holds("../evil_module.py", CODE), says(megatron_config={"a": 1}, megatron_core="evil_module"))
for label, change in {
    "a pickle beside it": holds("adapter_model.bin", EVIL),
    "a pickle alone": both(lacks("adapter_model.safetensors"), holds("adapter_model.bin", EVIL)),
    "a module to import": _PLANTED_MODULE,
    "a kind that loads others": says(peft_type="XLORA", adapters={"0": "http://127.0.0.1:9/x"}, hidden_size=32),
    "a kind that begins with a text": says(
        peft_type="PROMPT_TUNING",
        prompt_tuning_init="TEXT",
        prompt_tuning_init_text="x",
        num_virtual_tokens=10**9,
        tokenizer_name_or_path="../peft",
        tokenizer_kwargs={"trust_remote_code": True},
        task_type="CAUSAL_LM",
    ),
    "a rank of 10^9": says(r=10**9),
    "a rank of 10^20": says(r=10**20),
    "a rank of 10^9 for some": says(rank_pattern={"q_proj": 10**9}),
    "a base at an address": says(base_model_name_or_path="http://127.0.0.1:9/x"),
    "a pattern that takes for ever": says(target_modules="(([a-z0-9_.]+)+)+X"),
    "settings nested without end": holds("adapter_config.json", DEEP),
    "settings of 200 MB": holds("adapter_config.json", _long_settings),
    "a header of 2^63 bytes": holds("adapter_model.safetensors", struct.pack("<Q", 2**63) + b"{}"),
    "a start that is computed": says(init_lora_weights="pissa_niter_1000000"),
    "a scale without end": says(lora_alpha=1e308),
    "settings from a pipe": both(
        lacks("adapter_config.json"), lambda folder: os.mkfifo(folder / "adapter_config.json")
    ),
}.items():
    attack(f"PEFT: {label}", seen_through(change))
_REMOTE = {"auto_map": {"AutoConfig": "evil.C", "AutoModelForImageTextToText": "evil.M", "AutoProcessor": "evil.P"}}
for label, change in {
    "a pickle for weights": both(lacks("model.safetensors"), holds("pytorch_model.bin", EVIL)),
    "a pickle beside them": holds("pytorch_model.bin", EVIL),
    "code of its own": both(says("config.json", **_REMOTE), holds("evil.py", CODE)),
    "code of its own for a kind nobody knows": both(
        says("config.json", **_REMOTE, model_type="evil"), holds("evil.py", CODE)
    ),
    "code of its own for a tokenizer": both(
        says("tokenizer_config.json", auto_map={"AutoTokenizer": ["evil.T", None]}, tokenizer_class="Evil"),
        holds("evil.py", CODE),
    ),
    "code of its own for a processor": both(
        says("processor_config.json", auto_map={"AutoProcessor": "evil.P"}, processor_class="Evil"),
        holds("evil.py", CODE),
    ),
    "cut weights": lambda folder: os.truncate(folder / "model.safetensors", 1000),
    "an index that leads elsewhere": both(
        lambda folder: (folder / "model.safetensors").rename(folder / "kept"),
        holds(
            "model.safetensors.index.json",
            json.dumps({"metadata": {}, "weight_map": {"x": "../../../../etc/passwd"}}),
        ),
    ),
    "layers without number": says("config.json", text_config={"model_type": "llama", "num_hidden_layers": 10**9}),
    "settings nested without end": holds("config.json", DEEP),
}.items():
    attack(f"weights: {label}", seen_through(change, what="model"))
attack(
    "weights of glimpse: a pickle",
    lambda place: ((place / "scene-a.safetensors").write_bytes(EVIL), training_seed(place)),
)
attack(
    "weights of glimpse: a header of 2^63 bytes",
    lambda place: ((place / "x").write_bytes(struct.pack("<Q", 2**63)), load_tensors(place / "x")),
)


# --- people in Parquet ------------------------------------------------------------------------------------------


def people(change: Callable[[Path], object], source: str = "mllmu", axis: str = "profile") -> Attack:
    """The folders of a source, changed, read with pictures written out."""

    def made(place: Path) -> object:
        root = getattr(layouts, source)(place / "source")
        change(root)
        found = read_source(source, root, axis, ReadOptions(pictures=place / "pictures"))
        return len(getattr(found, "questions", ())), dict(found.skipped)

    return made


def one_person(**changes: Any) -> Callable[[Path], object]:
    """The first person to forget with another row."""

    def made(root: Path) -> None:
        changed = {name: value() if callable(value) else value for name, value in changes.items()}
        rows = [layouts.mllmu_row("Ada Moor", 1, **changed), layouts.mllmu_row("Ben Holt", 2)]
        layouts.table(root / "forget_5", rows)

    return made


def alone(**changes: Any) -> Callable[[Path], object]:
    """One person to forget alone, whose columns are of other types."""
    return lambda root: layouts.table(root / "forget_5", [layouts.mllmu_row("Ada Moor", 1, **changes)])


def repeated(folder: str, rows: int, **columns: object) -> Callable[[Path], object]:
    """A table of one row, again and again: kilobytes that unpack to anything."""

    def made(root: Path) -> None:
        row = {**layouts.mllmu_row("Ada Moor", 1), **columns}
        held = pa.Table.from_pylist([row])
        whole = pa.table(
            {
                name: pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), column.combine_chunks())
                if pa.types.is_string(column.type)
                else pa.concat_arrays([column.combine_chunks()] * 1).take(pa.array(np.zeros(rows, np.int32)))
                for name, column in zip(held.column_names, held.columns, strict=True)
            }
        )
        pq.write_table(whole, next((root / folder).glob("*.parquet")), compression="zstd", store_schema=False)

    return made


def _path(root: Path, folder: str = "forget_5") -> Path:
    return next((root / folder).glob("*.parquet"))


def _cut(root: Path) -> None:
    os.truncate(_path(root), 900)


def _bits(root: Path) -> None:
    raw = bytearray(_path(root).read_bytes())
    for place in range(200, len(raw) - 200, 97):
        raw[place] ^= 255
    _path(root).write_bytes(raw)


def _replaced(make: Callable[[Path], object]) -> Callable[[Path], object]:
    def made(root: Path) -> None:
        path = _path(root)
        path.unlink()
        make(path)

    return made


WHOLE = layouts.inside(1)["bytes"]


def _gif(frames: int) -> bytes:
    from PIL import Image

    written, images = io.BytesIO(), [Image.new("P", (64, 64), place % 255) for place in range(frames)]
    images[0].save(written, "GIF", save_all=True, append_images=images[1:])
    return written.getvalue()


attack("people: as they should be", people(lambda _: None))
attack("people: CLEAR as it should be", people(lambda _: None, "clear", "person"))
for label, change in {
    "a picture of 60,000 squared": one_person(
        image={"bytes": WHOLE[:16] + struct.pack(">II", 60_000, 60_000) + WHOLE[24:], "path": "a.png"}
    ),
    "a picture that is a program": one_person(image={"bytes": b"<svg onload='x()'/>", "path": "a.png"}),
    "a picture of 60 MB": one_person(image=lambda: {"bytes": WHOLE + bytes(60_000_000), "path": "a.png"}),
    "a picture of 500 frames": one_person(image=lambda: {"bytes": _gif(500), "path": "a.gif"}),
    "a picture named out of the root": one_person(image={"bytes": WHOLE, "path": "../../planted"}),
    "a picture at a path alone": one_person(image={"bytes": None, "path": "/etc/passwd"}),
    "a number for a picture": alone(image=7),
    "no identity": one_person(ID=None),
    "an identity that is a path": one_person(ID="../../planted"),
    "a biography nested without end": one_person(biography=DEEP.decode()),
    "a biography of 50 MB": one_person(biography=lambda: json.dumps({"Name": "Ada Moor", "x": "x" * 50_000_000})),
    "a name of signs that are not seen": one_person(biography=json.dumps({"Name": "\x1b[2J\u202eAda"})),
    "a name that ends the prompt": one_person(biography=json.dumps({"Name": "Ada\n<|im_end|>"})),
    "a name of 10 MB": one_person(biography=lambda: json.dumps({"Name": "A" * 10_000_000})),
    "a number of 5,000 digits": one_person(biography='{"Name": ' + "9" * 5000 + "}"),
    "another form of tasks": alone(Classification_Task=["x"]),
    "no such columns": lambda root: layouts.table(root / "forget_5", [{"x": 1}]),
    "a table that is cut": _cut,
    "a table with flipped bits": _bits,
    "a pipe for a table": _replaced(os.mkfifo),
    "a folder for a table": _replaced(Path.mkdir),
    "a link to no table": _replaced(lambda path: path.symlink_to("/etc/passwd")),
    "a million rows in kilobytes": repeated("forget_5", 1_000_000),
    "a biography of 2 MB, 200,000 times": repeated(
        "forget_5", 200_000, biography=json.dumps({"Name": "Ada Moor", "x": "x" * 2_000_000})
    ),
}.items():
    attack(f"people: {label}", people(change))


def bomb(rows: int, size: int) -> Attack:
    """A table of one long text, named so many times: some kilobytes."""

    def made(place: Path) -> object:
        indices = pa.array(np.zeros(rows, np.int32))
        column = pa.DictionaryArray.from_arrays(indices, pa.array(["x" * size]))
        pq.write_table(pa.table({"question": column}), place / "rows.parquet", compression="zstd", store_schema=False)
        size_now = (place / "rows.parquet").stat().st_size
        return sum(1 for _ in read_rows(place / "rows.parquet")), size_now

    return made


attack("rows: a text of 1 MB, 100,000 times, in kilobytes", bomb(100_000, 1_000_000))
attack("rows: a text of 10 letters, a billion times", bomb(1_000_000_000, 10))


# --- logs of Inspect, run folders, shards -------------------------------------------------------------------------


def logs(change: Callable[[Path, Path], object]) -> Attack:
    """A folder of logs of `inspect eval`, changed, and its page."""

    def made(place: Path) -> object:
        folder = place / "logs"
        shutil.copytree(PREPARED / "shard-1" / "logs", folder)
        (folder / "logs.json").unlink(missing_ok=True)
        (one,) = folder.glob("*.eval")
        change(folder, one)
        found, left_out = inspect_runs(folder)
        for run in found:
            write_report(run)
        return [run.table.height for run in found], left_out

    return made


def head(**changes: Any) -> Callable[[Path, Path], object]:
    """Other values in the head of a log: `eval` and the rest."""

    def made(_: Path, log: Path) -> None:
        with zipfile.ZipFile(log) as archive:
            held = {name: archive.read(name) for name in archive.namelist()}
        whole = json.loads(held["header.json"])
        whole["eval"].update(changes.get("eval", {}))
        whole.update({name: value for name, value in changes.items() if name != "eval"})
        held["header.json"] = json.dumps(whole).encode()
        with zipfile.ZipFile(log, "w") as archive:
            for name, raw in held.items():
                archive.writestr(name, raw)

    return made


def _named(name: str) -> Callable[[Path, Path], object]:
    return lambda folder, log: log.rename(folder / name)


def _two_tasks(folder: Path, log: Path) -> None:
    """Two models, so that each has a folder of its own, and that leads elsewhere."""
    shutil.copy(log, folder / "2026-other.eval")
    head(eval={"model": "someone/else"})(folder, folder / "2026-other.eval")
    (folder.parent / "elsewhere").mkdir()
    (folder / "forgetscope").symlink_to(folder.parent / "elsewhere")


def _zip_bomb(_: Path, log: Path) -> None:
    with (
        zipfile.ZipFile(log, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("samples/x.json", "w", force_zip64=True) as stream,
    ):
        for _part in range(400):
            stream.write(bytes(10_000_000))


def _linked(name: str) -> Callable[[Path, Path], object]:
    return lambda folder, _: (folder / name).symlink_to(folder.parent / "planted")


attack("logs: as they should be", logs(lambda *_: None))
for label, changed in {
    "a name with a question mark": _named("a?b.eval"),
    "a name with a number sign": _named("a#b.eval"),
    "a name with digits behind a per cent": _named("a%20b.eval"),
    "a name of two lines": _named("a\nb.eval"),
    "a name that is an address": _named("http:x.eval"),
    "a pipe": lambda folder, _: os.mkfifo(folder / "b.eval"),
    "a folder": lambda folder, _: (folder / "b.eval").mkdir(),
    "a link to another file": lambda folder, _: (folder / "b.eval").symlink_to("/etc/passwd"),
    "links in a circle": lambda folder, _: (folder / "b.eval").symlink_to(folder / "b.eval"),
    "a linked table": _linked("samples.parquet"),
    "a linked page": _linked("report.html"),
    "linked judgements": _linked("judgements.jsonl"),
    "a folder of tables that leads elsewhere": _two_tasks,
    "4 GB in 4 MB": _zip_bomb,
    "a cut log": lambda _, log: os.truncate(log, 3000),
    "epochs without number": head(eval={"config": {"epochs": 10**20}}),
    "samples without number": head(results={"total_samples": 10**20, "completed_samples": 1, "scores": []}),
    "samples below zero": head(results={"total_samples": -5, "completed_samples": 1, "scores": []}),
    "a temperature that is none": head(plan={"name": "plan", "steps": [], "config": {"temperature": 1e308}}),
    "a model with signs that are not seen": head(eval={"model": "m\x1b[2J\u202e" + "m" * 1_000_000}),
    "a time of a megabyte": head(eval={"created": "2026-01-01T00:00:00" + "0" * 1_000_000}),
    "roles without number": head(eval={"model_roles": {"grader": [{"model": "m"}] * 100_000}}),
    "another task with signs that are not seen": head(eval={"task": "x\x1b[2J\ny", "task_registry_name": None}),
    "arguments of absurd size": head(eval={"task_args": {"limit": 10**20}}),
    "data at a path": head(eval={"task_args": {"data": "/etc"}}),
}.items():
    attack(f"logs: {label}", logs(changed))


def shards(change: Callable[[Path, Path], object], out: str = "merged") -> Attack:
    """Two shards, changed, and put together."""

    def made(place: Path) -> object:
        for number in "12":
            shutil.copytree(PREPARED / f"shard-{number}", place / number)
        change(place / "1", place / "2")
        done = merge_shards([place / "1", place / "2"], place / out)
        write_report(done)
        return done.table.height, done.manifest.status

    return made


def _manifest(**changes: object) -> Callable[[Path, Path], object]:
    def made(first: Path, _: Path) -> None:
        held = json.loads((first / "run.json").read_text(encoding="utf-8"))
        for name, value in changes.items():
            at, _sign, inner = name.partition("__")
            (held[at] if inner else held).__setitem__(inner or at, value)
        (first / "run.json").write_text(json.dumps(held), encoding="utf-8")

    return made


def _same_log(first: Path, second: Path) -> None:
    (mine,), (theirs,) = first.glob("logs/*.eval"), second.glob("logs/*.eval")
    theirs.rename(second / "logs" / mine.name)


attack("merge: as they should be", shards(lambda *_: None))
for label, changed in {
    "a linked log": lambda first, _: (first / "logs" / "x.eval").symlink_to(first.parent / "planted"),
    "a pipe among the logs": lambda first, _: os.mkfifo(first / "logs" / "x.eval"),
    "logs of one name": _same_log,
    "planned without number": _manifest(planned={"x": 10**30}),
    "retries without number": _manifest(limits__max_retries=10**20),
    "a wait that is none": _manifest(limits__first_wait=1e300),
    "a penalty without end": _manifest(model__frequency_penalty=1e300),
    "a shard of billions": _manifest(shard="1/99999999999"),
    "times that are none": _manifest(started="\x1b[2J", finished="9" * 1_000_000),
    "merged of thousands": _manifest(merged=["1/2"] * 100_000),
    "judgements nested without end": lambda first, _: (first / "judgements.jsonl").write_bytes(DEEP),
}.items():
    attack(f"merge: {label}", shards(changed))
attack("merge: into a shard", shards(lambda *_: None, "1/merged"))


def _refolded(place: Path) -> object:
    """A run folder whose table is a bomb."""
    shutil.copytree(PREPARED / "shard-1", place / "run")
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(100_000, np.int32)), pa.array(["x" * 1_000_000]))
    held = pq.read_table(place / "run" / "samples.parquet").take(pa.array(np.zeros(100_000, np.int32)))
    place_of = held.column_names.index("reply") if "reply" in held.column_names else 0
    whole = held.set_column(place_of, held.column_names[place_of], column)
    pq.write_table(whole, place / "run" / "samples.parquet", compression="zstd", store_schema=False)
    read_manifest(place / "run")
    return runs.load(place / "run").table.height


attack("run: a table that unpacks to 100 GB", _refolded)


# --- dialogues ---------------------------------------------------------------------------------------------------


def dialogues(content: object) -> Attack:
    """A file of ChatAlpaca."""

    def made(place: Path) -> object:
        (place / "chat").mkdir()
        path = place / "chat" / "chatalpaca-20k.json"
        held = content() if callable(content) else content
        path.write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
        found = chatalpaca.read_local(place / "chat")
        return len(found.dialogues), dict(found.left_out)

    return made


SAID = [{"role": "user", "content": "Hello there."}, {"role": "assistant", "content": "Hello."}]
attack("dialogues: as they should be", dialogues([{"id": "1", "conversations": SAID}] * 3))
for label, content in {
    "turns numbered by 5,000 digits": [{"id": "1", "conversations": {"9" * 5000: {"user": "a", "bot": "b"}}}],
    "turns nested without end": b'[{"id": "1", "conversations": ' + DEEP + b"}]",
    "turns nested in a text": [{"id": "1", "conversations": DEEP.decode()}],
    "a million turns of nothing": lambda: [{"id": "1", "conversations": [{"role": "user", "content": ""}] * 1_000_000}],
    "a turn of 100 MB": lambda: [
        {"id": "1", "conversations": [{"role": "user", "content": "x" * 100_000_000}, SAID[1]]}
    ],
    "an id that is a path": [{"id": "../../planted", "conversations": SAID}],
    "an id of a megabyte": [{"id": "x" * 1_000_000, "conversations": SAID}],
    "an id of signs that are not seen": [{"id": "\x1b[2J\u202e\n", "conversations": SAID}],
    "an id that is a list": [{"id": [[]], "conversations": SAID}],
    "one id a thousand times": [{"id": "1", "conversations": SAID}] * 1000,
    "a list of numbers": [1, 2, 3],
    "half a pair": b'[{"id": "1", "conversations": [{"role": "user", "content": "\\ud800"}]}]',
    "a role nobody has": [{"id": "1", "conversations": [{"role": "root", "content": "x"}]}],
    "another encoding": json.dumps([{"id": "1", "conversations": SAID}]).encode("utf-16"),
    "no bytes": b"",
    "zeros": bytes(1_000_000),
}.items():
    attack(f"dialogues: {label}", dialogues(content))
attack("dialogues: a pipe", lambda place: chatalpaca.read_local(pipe(place / "a.jsonl").parent))


# --- servers that are asked one thing before a run ----------------------------------------------------------------

KEY = "sk-handed-over-0123456789abcdef"


def server(*answers: Content, again: bytes = b"") -> Attack:
    """Whatever connects is sent these bytes, and then `again` without end."""

    def made(place: Path) -> object:
        os.environ["FAULTY_API_KEY"] = KEY
        probe.SECONDS = 8
        listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=_serve, args=(listening, b"".join(map(bytes_of, answers)), again), daemon=True).start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        limits = Limits(max_retries=0, attempt_timeout=5, first_wait=0.01, completeness_floor=0)
        spec = ModelSpec(name="openai-api/faulty/m", base_url=url)
        settings: dict[str, Any] = {"limit": 1, "loads": "mmlu", "experiments": "load", "conditions": "baseline"}
        try:
            done = runs.run("prospective", spec, out=place / "run", limits=limits, **settings)
        except UserError as error:
            if KEY in str(error):
                raise RuntimeError("the key is told") from None
            raise
        told = [
            path.name for path in (place / "run").rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
        ]
        if told:
            raise RuntimeError(f"the key stands in {told}")
        return done.table["status"].to_list()

    return made


def _serve(listening: socket.socket, first: bytes, again: bytes) -> None:
    while True:
        connection, _ = listening.accept()
        threading.Thread(target=_send, args=(connection, first, again), daemon=True).start()


def _send(connection: socket.socket, first: bytes, again: bytes) -> None:
    import contextlib

    with contextlib.suppress(OSError), connection:
        connection.recv(1_000_000)
        connection.sendall(first)
        while again:
            connection.sendall(again)


def _answer(body: bytes, head: str = "200 OK", more: Iterable[str] = ()) -> bytes:
    lines = [f"HTTP/1.1 {head}", "Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join([*lines, *more, "", ""]).encode() + body


def _reply(message: Mapping[str, object]) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return json.dumps(
        {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    ).encode()


def _packed(times: int) -> bytes:
    """Gzip that unpacks to so many times 10 MB: one block of it, again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = packer.compress(b'{"x": "') + packer.flush(zlib.Z_FULL_FLUSH)
    return head + (packer.compress(bytes(10_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)) * times


_CALL = {"id": "1", "type": "function", "function": {"name": "rm", "arguments": "{broken"}}
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
attack("server: as it should be", server(_answer(_reply({"content": "The answer is B."}))))
for label, made in {
    "calls of tools": server(_answer(_reply({"content": None, "tool_calls": [_CALL] * 1000}))),
    "never an answer": server(b""),
    "a head without end": server(b"HTTP/1.1 200 OK\r\n", again=b"X-More: " + b"x" * 8000 + b"\r\n"),
    "a body without end": server(_HEAD + b"\r\n" + b'{"x": "', again=b"x" * 1_000_000),
    "chunks without end": server(
        _HEAD + b"Transfer-Encoding: chunked\r\n\r\n", again=b"f4240\r\n" + b"x" * 1_000_000 + b"\r\n"
    ),
    "4 GB packed in 4 MB": server(lambda: _answer(_packed(400), more=["Content-Encoding: gzip"])),
    "10 MB": server(lambda: _answer(_reply({"content": "x" * 10_000_000}))),
    "300 MB": server(lambda: _answer(_reply({"content": "x" * 300_000_000}))),
    "the key in a refusal": server(_answer(json.dumps({"error": {"message": KEY}}).encode(), "401 Unauthorized")),
    "the key in a refusal of a request": server(_answer(json.dumps({"error": KEY}).encode(), "400 Bad Request")),
    "the key in an answer": server(_answer(_reply({"content": KEY}))),
    "the key in a head": server(_answer(b"{}", f"400 {KEY}", [f"X-Request-Id: {KEY}"])),
    "on to another host with the key": server(_answer(b"", "307 Moved", [f"Location: http://127.0.0.1:9/{KEY}"])),
    "on to a file": server(_answer(b"", "302 Found", ["Location: file:///etc/passwd"])),
    "signs that are not seen in a refusal": server(
        _answer(json.dumps({"error": {"message": "\x1b[2J\u202e\nTraceback"}}).encode(), "404 Not Found")
    ),
    "a refusal of 10 MB": server(_answer(json.dumps({"error": {"message": "x" * 10_000_000}}).encode(), "400 No")),
    "a wait of years": server(_answer(b"{}", "429 Slow", ["Retry-After: 999999999"])),
    "a status nobody has": server(_answer(b"{}", "999 What")),
    "no HTTP": server(b"SSH-2.0-OpenSSH_9.0\r\n"),
    "an answer nested without end": server(_answer(DEEP)),
    "a number of 5,000 digits": server(_answer(b'{"created": ' + b"9" * 5000 + b"}")),
}.items():
    attack(f"server: {label}", made)
