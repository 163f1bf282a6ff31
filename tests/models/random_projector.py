"""The picture half of a LLaVA with random weights, as llama.cpp reads it beside any language model: an mmproj file."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

EDGE, PATCH, WIDTH, LAYERS, HEADS = 56, 14, 32, 2, 2


def write_random_projector(path: Path, embedding: int, seed: int = 0) -> Path:
    """A vision tower of 16 patches and two layers, and a two-layer projector to a language model's embeddings.

    Args:
        path: Of the GGUF file to write.
        embedding: Width of the language model's embeddings (SmolLM2-135M: 576).
        seed: Of the weights.
    """
    import gguf

    stream = np.random.Generator(np.random.PCG64(seed))

    def drawn(*shape: int) -> NDArray[np.float32]:
        return np.asarray(stream.standard_normal(shape) / np.sqrt(shape[-1]), np.float32)

    ones, zeros = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    writer = gguf.GGUFWriter(str(path), "clip")
    writer.add_string("general.type", "mmproj")
    writer.add_clip_has_vision_encoder(True)
    writer.add_clip_projector_type("mlp")
    writer.add_vision_image_size(EDGE)
    writer.add_vision_patch_size(PATCH)
    writer.add_vision_embedding_length(WIDTH)
    writer.add_vision_feed_forward_length(2 * WIDTH)
    writer.add_vision_block_count(LAYERS)
    writer.add_vision_head_count(HEADS)
    writer.add_vision_attention_layernorm_eps(1e-5)
    writer.add_vision_projection_dim(embedding)
    writer.add_vision_image_mean([0.5, 0.5, 0.5])
    writer.add_vision_image_std([0.5, 0.5, 0.5])
    writer.add_vision_use_gelu(True)
    tensors = {
        "v.class_embd": drawn(WIDTH),
        "v.patch_embd.weight": drawn(WIDTH, 3, PATCH, PATCH),
        "v.position_embd.weight": drawn((EDGE // PATCH) ** 2 + 1, WIDTH),
        "v.pre_ln.weight": ones,
        "v.pre_ln.bias": zeros,
        "mm.0.weight": drawn(embedding, WIDTH),
        "mm.0.bias": np.zeros(embedding, np.float32),
        "mm.2.weight": drawn(embedding, embedding),
        "mm.2.bias": np.zeros(embedding, np.float32),
    }
    for layer in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
            tensors[f"v.blk.{layer}.{name}.weight"], tensors[f"v.blk.{layer}.{name}.bias"] = drawn(WIDTH, WIDTH), zeros
        for name in ("ln1", "ln2"):
            tensors[f"v.blk.{layer}.{name}.weight"], tensors[f"v.blk.{layer}.{name}.bias"] = ones, zeros
        tensors[f"v.blk.{layer}.ffn_up.weight"] = drawn(2 * WIDTH, WIDTH)
        tensors[f"v.blk.{layer}.ffn_up.bias"] = np.zeros(2 * WIDTH, np.float32)
        tensors[f"v.blk.{layer}.ffn_down.weight"] = drawn(WIDTH, 2 * WIDTH)
        tensors[f"v.blk.{layer}.ffn_down.bias"] = zeros
    for name, tensor in tensors.items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
