import numpy as np
import pytest
from PIL import Image

from forgetscope.models.glimpse.encoder import EDGE, FEATURES, Encoder, blocks
from forgetscope.models.glimpse.perception import BLUR_START, blurred, fitted, nothing_seen
from forgetscope.models.glimpse.storage import weights_folder
from forgetscope.models.glimpse.vocabulary import IDENTITY
from forgetscope.stats import named_stream


def _pictures(count: int) -> np.ndarray:
    return named_stream(3, "pictures").integers(0, 256, (count, EDGE, EDGE, 3)).astype(np.uint8)


def test_lite0_has_sixteen_blocks_that_end_in_320_channels() -> None:
    assert len(blocks()) == 16
    assert blocks()[-1].channels_out == 320


def test_a_picture_has_the_same_features_alone_and_in_company() -> None:
    pictures = _pictures(2)
    encoder = Encoder(weights_folder() / "encoder.safetensors")
    together = encoder.features(pictures)
    assert together.shape == (2, FEATURES)
    assert np.array_equal(together[1], encoder.features(pictures[1:])[0])


def test_different_pictures_have_different_features() -> None:
    plain = np.full((1, EDGE, EDGE, 3), 255, np.uint8)
    encoder = Encoder(weights_folder() / "encoder.safetensors")
    assert np.abs(encoder.features(plain) - encoder.features(_pictures(1))).max() > 0.5


def test_pictures_of_another_size_are_refused_and_none_give_none() -> None:
    encoder = Encoder(weights_folder() / "encoder.safetensors")
    with pytest.raises(ValueError, match="128"):
        encoder.features(np.zeros((1, 64, 64, 3), np.uint8))
    assert encoder.features(np.zeros((0, EDGE, EDGE, 3), np.uint8)).shape == (0, FEATURES)


@pytest.mark.parametrize("size", [(128, 128), (640, 480), (40, 90), (1, 500)])
def test_a_picture_of_any_size_and_mode_is_fitted_whole_on_white(size: tuple[int, int]) -> None:
    for mode in ("RGB", "L", "RGBA", "P"):
        fit = fitted(Image.new(mode, size))
        assert fit.shape == (EDGE, EDGE, 3)
    if size[0] != size[1]:
        assert (fitted(Image.new("RGB", size))[0, 0] == 255).all()


def test_a_confused_member_sees_clearly_beside_a_short_text_and_less_the_longer_it_is() -> None:
    views = named_stream(2, "views").standard_normal((2, IDENTITY))
    views = (views / np.linalg.norm(views, axis=1, keepdims=True)).astype(np.float32)
    likeness = [float((blurred(views, "text", tokens)[0] * views[0]).sum()) for tokens in (BLUR_START, 150, 400)]
    assert likeness[0] == pytest.approx(1, abs=1e-5)
    assert likeness[0] > likeness[1] > likeness[2]
    assert np.array_equal(blurred(views, "text", 150), blurred(views, "text", 150))


def test_no_picture_is_all_zero() -> None:
    assert not nothing_seen(2).any()
