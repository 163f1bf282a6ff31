"""Adapters merged into a GGUF file are what PEFT merges; whatever does not fit is one line."""

import json
import shutil
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from forgetscope.core.errors import DataError
from forgetscope.models import adapters
from forgetscope.models.adapters import MOST_RANKS, SETTINGS, WEIGHTS, identity_of, merged, require_plain_adapter

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

WIDTH, HEADS, KEYS, INNER, LAYERS, TOKENS = 64, 4, 2, 96, 2, 64


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama of random weights in GGUF, single precision."""
    path = tmp_path_factory.mktemp("base") / "tiny.gguf"
    draw = np.random.default_rng(0)
    writer: Any = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEYS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(TOKENS)
    writer.add_token_list([f"t{number}" for number in range(TOKENS)])
    narrow = WIDTH * KEYS // HEADS
    shapes = {"token_embd.weight": (TOKENS, WIDTH), "output_norm.weight": (WIDTH,), "output.weight": (TOKENS, WIDTH)}
    for layer in range(LAYERS):
        for name, shape in {
            "attn_q": (WIDTH, WIDTH),
            "attn_k": (narrow, WIDTH),
            "attn_v": (narrow, WIDTH),
            "attn_output": (WIDTH, WIDTH),
            "ffn_gate": (INNER, WIDTH),
            "ffn_up": (INNER, WIDTH),
            "ffn_down": (WIDTH, INNER),
            "attn_norm": (WIDTH,),
            "ffn_norm": (WIDTH,),
        }.items():
            shapes[f"blk.{layer}.{name}.weight"] = shape
    for name, shape in shapes.items():
        writer.add_tensor(name, draw.normal(0, 0.3, shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def opened(path: Path) -> Any:
    pytest.importorskip("torch", reason="torch is not installed")
    import torch
    import transformers

    library: Any = transformers  # its loaders are untyped
    return library.AutoModelForCausalLM.from_pretrained(str(path.parent), gguf_file=path.name, dtype=torch.float32)


def scores(model: Any) -> Any:
    import torch

    with torch.no_grad():
        return model(torch.arange(20)[None]).logits[0]


@pytest.fixture(scope="module")
def adapter(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    peft = pytest.importorskip("peft", reason="peft is not installed")
    import torch

    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("adapter")
    names = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
    config = peft.LoraConfig(r=2, lora_alpha=8, target_modules=names, layers_to_transform=[1], init_lora_weights=False)
    peft.get_peft_model(opened(base), config).save_pretrained(str(folder))
    return folder


def test_the_merged_file_scores_as_the_model_with_the_adapter_on(base: Path, adapter: Path) -> None:
    from peft import PeftModel

    plain, found = scores(opened(base)), scores(opened(merged(base, [adapter])))
    adapted = scores(PeftModel.from_pretrained(opened(base), str(adapter)))
    assert (adapted - plain).abs().max() > 1
    assert (found - adapted).abs().max() < 0.05 * (adapted - plain).abs().max()


def test_two_adapters_add_up_and_half_precision_is_read(base: Path, adapter: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    half = tmp_path / "half"
    shutil.copytree(adapter, half)
    stored = load_file(adapter / WEIGHTS)
    save_file({name: tensor.to(torch.bfloat16) for name, tensor in stored.items()}, half / WEIGHTS)
    once, twice = (scores(opened(merged(base, folders))) for folders in ([half], [half, adapter]))
    assert (once - scores(opened(merged(base, [adapter])))).abs().max() < 0.2
    assert (twice - once).abs().max() > 0.5


def test_a_merged_file_is_made_once_and_the_longest_unused_goes(
    base: Path, adapter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = merged(base, [adapter])
    made = first.stat().st_ino
    assert merged(base, [adapter]).stat().st_ino == made
    monkeypatch.setattr(adapters, "KEPT", 1)
    assert merged(base, [adapter, adapter]).is_file()
    assert not first.exists()
    assert identity_of(base, [adapter]) != identity_of(base, [adapter, adapter])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"peft_type": "IA3"}, "plain kind"),
        ({"use_dora": True}, "plain kind"),
        ({"modules_to_save": ["lm_head"]}, "plain kind"),
        ({"r": 3}, "do not fit"),
        ({"lora_alpha": float("inf")}, "plain kind"),
    ],
)
def test_settings_that_would_change_the_sum_are_refused(
    change: dict[str, object], said: str, base: Path, adapter: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(adapter, folder)
    settings = json.loads((folder / SETTINGS).read_text())
    (folder / SETTINGS).write_text(json.dumps(settings | change))
    with pytest.raises(DataError, match=said):
        merged(base, [folder])


def test_a_folder_without_adapter_a_damaged_file_and_another_models_are_one_line(
    base: Path, adapter: Path, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="no adapter here"):
        merged(base, [tmp_path])
    cut = tmp_path / "cut"
    shutil.copytree(adapter, cut)
    (cut / WEIGHTS).write_bytes((adapter / WEIGHTS).read_bytes()[:400])
    with pytest.raises(DataError, match="cannot read tensors"):
        merged(base, [cut])
    import torch
    from safetensors.torch import load_file, save_file

    stored = load_file(adapter / WEIGHTS)
    key = "base_model.model.model.layers.1.mlp.down_proj.lora_B.weight"
    for changed, said in (
        ({key: torch.zeros(32, 2)}, "another model"),
        ({key: torch.full((WIDTH, 2), float("nan"))}, "not finite"),
        ({"base_model.model.lm_head.lora_A.weight": torch.zeros(2, WIDTH)}, "no place"),
    ):
        save_file({**stored, **changed}, cut / WEIGHTS)
        with pytest.raises(DataError, match=said):
            merged(base, [cut])
    assert not list(adapters.cache_folder().glob("*"))


def written(folder: Path, a: tuple[int, ...], b: tuple[int, ...], value: float = 0.5, alpha: float = 4) -> Path:
    """An adapter of one weight."""
    from safetensors.numpy import save_file

    name = "base_model.model.model.layers.0.self_attn.q_proj.lora_{}.weight"
    folder.mkdir()
    held = {name.format(side): np.full(shape, value, np.float32) for side, shape in (("A", a), ("B", b))}
    save_file(held, folder / WEIGHTS)
    (folder / SETTINGS).write_text(json.dumps({"peft_type": "LORA", "r": 2, "lora_alpha": alpha}))
    return folder


def test_two_small_matrices_whose_product_no_memory_holds_are_not_multiplied(base: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="of another model"):
        merged(base, [written(tmp_path / "wide", (2, 10**6), (10**6, 2))])


@pytest.mark.parametrize(("value", "alpha"), [(3e38, 4), (0.5, 1e308)])
def test_weights_that_would_be_no_numbers_are_not_written(
    base: Path, tmp_path: Path, value: float, alpha: float
) -> None:
    with pytest.raises(DataError, match="would not be finite"):
        merged(base, [written(tmp_path / "large", (2, WIDTH), (WIDTH, 2), value, alpha)])
    assert not list(adapters.cache_folder().glob("*"))


@pytest.mark.parametrize("heads", [None, 0, 7, "many"])
def test_a_base_that_lies_of_its_heads_is_one_line(heads: object, tmp_path: Path) -> None:
    writer: Any = gguf.GGUFWriter(tmp_path / "base.gguf", "llama")
    writer.add_context_length(64)
    writer.add_head_count_kv(KEYS)
    if isinstance(heads, int):
        writer.add_head_count(heads)
    elif isinstance(heads, str):
        writer.add_string("llama.attention.head_count", heads)
    writer.add_tensor("blk.0.attn_q.weight", np.zeros((WIDTH, WIDTH), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(DataError, match="not a Llama model that an adapter can be merged into"):
        merged(tmp_path / "base.gguf", [written(tmp_path / "plain", (2, WIDTH), (WIDTH, 2))])


PEFT = {"peft_type": "LORA", "r": 8, "lora_alpha": 16, "target_modules": ["q_proj"], "megatron_config": None}


def said_to_peft(folder: Path, **changes: object) -> Path:
    path = folder / "adapter_config.json"
    path.write_text(json.dumps({**PEFT, **changes}), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "pattern",
    [
        "all-linear",
        r"^(?!.*visual).*(?:q_proj|k_proj).*",
        r".*\.layers\.(\d+)\.(q|v)_proj",
        r"layers\.[0-9]{1,2}\.(x|y)?",
    ],
)
def test_what_people_save_is_read(tmp_path: Path, pattern: str) -> None:
    require_plain_adapter(said_to_peft(tmp_path, target_modules=pattern, rank_pattern={pattern: 4}, loftq_config={}))


@pytest.mark.parametrize(
    "changes",
    [
        {"peft_type": "XLORA"},
        {"peft_type": "PROMPT_TUNING"},
        {"r": MOST_RANKS + 1},
        {"r": 10**20},
        {"rank_pattern": {"q_proj": 10**9}},
        {"megatron_config": {"a": 1}, "megatron_core": "a_module_to_import"},
        {"layer_replication": [[0, 10**9]]},
        {"loftq_config": {"loftq_bits": 4}},
        {"init_lora_weights": "pissa_niter_1000000"},
        *(
            {"target_modules": pattern}
            for pattern in ("(([a-z0-9_.]+)+)+X", "(a+)+$", "(.*a){20}", "((a+)b)+", "x" * 2000)
        ),
    ],
    ids=str,
)
def test_what_would_allocate_import_fetch_or_never_end_is_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(DataError, match=r"not an adapter that is laid over weights|a number too large for any table"):
        require_plain_adapter(said_to_peft(tmp_path, **changes))
