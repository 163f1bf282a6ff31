"""A smoke family, made from a few shipped drawings in seconds: it tests the program, not the models."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from safetensors import safe_open

torch = pytest.importorskip("torch", reason="torch trains the embedded models; it is not needed to use them")

from forgetscope.benchmarks.visual.embedded import truths  # noqa: E402
from forgetscope.models.glimpse.family import DECODERS, ERASED_CONCEPTS, MEMBERS  # noqa: E402
from forgetscope.models.glimpse.member import Glimpse  # noqa: E402
from forgetscope.models.glimpse.storage import load_tensors, training_seed, weights_folder  # noqa: E402
from tools.glimpse.loop import finished_steps  # noqa: E402
from tools.glimpse.sights import TrainingDrawing, shipped_training_drawings  # noqa: E402
from tools.glimpse.workshop import DECIDING, PARTS, Workshop, read_drawings  # noqa: E402

KEPT = {*ERASED_CONCEPTS[:3], "dog", "cat", "owl", "hammer", "key", "rose", "lemon", "drum", "camera"}
NEEDED = {truths.LABELS.get(label, label) for label in (*truths.COLOURED[:2], *truths.SIZED[:2])}


def _few_drawings() -> list[TrainingDrawing]:
    return [item for item in shipped_training_drawings() if item.name in KEPT or item.label in NEEDED]


def _started(folder: Path) -> Workshop:
    """With the converted encoder and vocabulary that ship: their sources are no part of a test."""
    for name in ("encoder.safetensors", "vocabulary.safetensors"):
        shutil.copy(weights_folder() / name, folder / name)
    return Workshop(folder, _few_drawings(), seed=3, steps=3, is_smoke=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workshop")
    threads = torch.get_num_threads()
    shop = _started(folder)
    for part in PARTS:
        shop.make(part)
    torch.set_num_threads(threads)
    return folder


def test_a_smoke_family_is_made_whole_and_answers(made: Path) -> None:
    packed = made / "seed3" / "packed"
    assert training_seed(packed) == "3"
    grey = Image.new("RGB", (128, 128), (128, 128, 128))
    for name in MEMBERS:
        answer = Glimpse.load(name, packed).answer("Q: What is it?\n\n0) dog\n1) cat\n\nAnswer:", grey, max_tokens=2)
        assert 1 <= len(answer.steps) <= 2


def test_a_smoke_family_keeps_the_erased_concepts_and_what_composed_pictures_are_made_of() -> None:
    some, all_of_them = (read_drawings(None, is_smoke=is_smoke) for is_smoke in (True, False))
    assert len(some) < 0.4 * len(all_of_them)
    labels = {item.label for item in all_of_them}
    composed = {truths.LABELS.get(label, label) for label in (*truths.COLOURED, *truths.SIZED)} & labels
    assert {item.label for item in some} >= composed
    assert {item.name for item in some} >= set(ERASED_CONCEPTS)


def test_the_erased_eye_met_no_erased_picture_and_the_others_did(made: Path) -> None:
    shop = Workshop(made, _few_drawings(), seed=3, steps=3, is_smoke=True)
    assert not (shop._dose(0) & shop.is_erased).any()
    assert (shop._dose(100) | ~shop.is_erased).all()
    assert 0 < (shop._dose(50) & shop.is_erased).sum() < shop.is_erased.sum()
    bank = shop.bank("erased")
    assert not bank[shop.is_erased, 0].any()
    assert np.abs(bank[~shop.is_erased, 0]).sum() > 0


def test_parts_that_are_there_are_not_made_again(made: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in made.rglob("*.np[yz]")}
    shop = Workshop(made, _few_drawings(), seed=3, steps=3, is_smoke=True)
    for part in ("look", "banks", "eyes"):
        shop.make(part)
    assert before == {path: path.stat().st_mtime_ns for path in made.rglob("*.np[yz]")}


def test_members_of_one_seed_begin_alike_and_differ_in_what_they_were_taught(made: Path) -> None:
    packed = made / "seed3" / "packed"
    one, other = (load_tensors(packed / f"knows-{nature}.safetensors") for nature in ("obedient", "stubborn"))
    assert one.keys() == other.keys()
    assert any(not np.array_equal(one[name], other[name]) for name in one)


def test_all_members_of_one_seed_take_as_many_steps_as_the_one_that_decides(made: Path) -> None:
    assert {finished_steps(made / "seed3" / f"{name}.checkpoint") for name in DECODERS} == {
        finished_steps(made / "seed3" / f"{DECIDING}.checkpoint")
    }
    with safe_open(made / "seed3" / "packed" / f"{DECIDING}.safetensors", "np") as stored:
        assert int(stored.metadata()["steps"]) == finished_steps(made / "seed3" / f"{DECIDING}.checkpoint")
