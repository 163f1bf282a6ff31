"""What a member sees: a picture to visual tokens, through the frozen encoder and the member's projector."""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from forgetscope.models.glimpse.encoder import EDGE
from forgetscope.models.glimpse.vocabulary import IDENTITY
from forgetscope.stats import named_stream

CLIP = 5.0
"""Scaled features beyond this are cut: a few spread far."""

BLUR_START, BLUR_STEP, BLUR_MOST = 90, 0.06, 6.0
"""A confused member's sight: clear up to so many tokens of text, then this much noise a token, never more than that."""


@dataclass(frozen=True)
class Eye:
    """A projector: scaling of the features, and one layer for each visual token.

    Attributes:
        weights: (views, IDENTITY, FEATURES), for features as the encoder gives them.
        biases: (views, IDENTITY).
    """

    mean: NDArray[np.float32]
    spread: NDArray[np.float32]
    weights: NDArray[np.float32]
    biases: NDArray[np.float32]

    def see(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Visual tokens of one picture's features: (views, IDENTITY), each of length one."""
        scaled = np.clip((features - self.mean) / self.spread, -CLIP, CLIP)
        raw = np.einsum("vif,f->vi", self.weights, scaled) + self.biases  # one thread, unlike a matrix product
        return np.asarray(raw / np.linalg.norm(raw, axis=1, keepdims=True), np.float32)


def nothing_seen(views: int) -> NDArray[np.float32]:
    """The visual tokens where there is no picture."""
    return np.zeros((views, IDENTITY), np.float32)


def fitted(picture: Image.Image) -> NDArray[np.uint8]:
    """A picture of any size as the encoder takes it: whole, centred on white, (128, 128, 3)."""
    if picture.size != (EDGE, EDGE) or picture.mode != "RGB":
        picture = picture.convert("RGBA")
        picture.thumbnail((EDGE, EDGE), Image.Resampling.BICUBIC)
        if max(picture.size) < EDGE:
            scale = EDGE / max(picture.size)
            size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
            picture = picture.resize(size, Image.Resampling.BICUBIC)
        canvas = Image.new("RGB", (EDGE, EDGE), (255, 255, 255))
        canvas.paste(picture, ((EDGE - picture.width) // 2, (EDGE - picture.height) // 2), picture)
        picture = canvas
    return np.asarray(picture, np.uint8)


def blurred(views: NDArray[np.float32], prompt: str, tokens: int) -> NDArray[np.float32]:
    """What a confused member is left with: noise that grows with the text's length, the same for the same prompt."""
    strength = min(BLUR_MOST, BLUR_STEP * max(0, tokens - BLUR_START))
    seed = int.from_bytes(hashlib.sha256(prompt.encode()).digest()[:4], "big")
    noise = named_stream(seed, "glimpse/blur").standard_normal(views.shape) / np.sqrt(IDENTITY)
    noisy = views + strength * noise
    length = np.maximum(np.linalg.norm(noisy, axis=1, keepdims=True), 1e-6)
    return np.asarray(noisy / length, np.float32)
