"""The projector: from features to visual tokens that look like the identity code of what is shown. One linear layer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from forgetscope.models.glimpse.encoder import FEATURES
from forgetscope.models.glimpse.perception import CLIP
from forgetscope.models.glimpse.shape import HOW, SHOWN
from forgetscope.models.glimpse.vocabulary import IDENTITY
from forgetscope.stats import named_stream
from tools.glimpse.curriculum import LessonSubject
from tools.glimpse.sights import Looked

BATCH = 128
DROPOUT = 0.5
STRANGERS = 4
"""Into so many groups things are divided to be left out together; each head for `unfamiliar` knows the others."""


@dataclass(frozen=True)
class Scaling:
    """Mean and spread of each feature over training pictures no member is denied."""

    mean: NDArray[np.float32]
    spread: NDArray[np.float32]

    def scaled(self, features: NDArray[np.float16]) -> NDArray[np.float32]:
        """Features around zero, clipped."""
        return np.asarray(np.clip((features.astype(np.float32) - self.mean) / self.spread, -CLIP, CLIP), np.float32)


def scaling_of(features: NDArray[np.float16]) -> Scaling:
    """The scaling of these pictures, in chunks that fit memory."""
    total, squares = np.zeros(FEATURES), np.zeros(FEATURES)
    for chunk in np.array_split(features, max(1, len(features) // 2000)):
        wide = chunk.astype(np.float64)
        total, squares = total + wide.sum(axis=0), squares + (wide**2).sum(axis=0)
    mean = total / len(features)
    spread = np.sqrt(np.maximum(squares / len(features) - mean**2, 0)) + 1e-3
    return Scaling(mean.astype(np.float32), spread.astype(np.float32))


@dataclass(frozen=True)
class Head:
    """One visual token's layer: `weight` (IDENTITY, FEATURES), `bias` (IDENTITY,)."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]

    def tokens(self, scaled: NDArray[np.float32]) -> NDArray[np.float32]:
        """Visual tokens of scaled features, length one: (pictures, IDENTITY)."""
        raw = scaled @ self.weight.T + self.bias
        return np.asarray(raw / np.linalg.norm(raw, axis=1, keepdims=True), np.float32)


def rival_groups(subjects: Sequence[LessonSubject], view: int) -> NDArray[np.int64]:
    """For each subject the group it competes in: all that is shown together, what is `HOW` by kind; -1 elsewhere."""
    kinds = sorted({subject.kind for subject in subjects if subject.view == HOW})
    groups = [-1 if subject.view != view else 0 if view == SHOWN else kinds.index(subject.kind) for subject in subjects]
    return np.array(groups)


def fit_head(
    looked: Looked,
    scaling: Scaling,
    subjects: Sequence[LessonSubject],
    codes: NDArray[np.float32],
    view: int,
    use: NDArray[np.bool_],
    *,
    seed: int,
    epochs: int,
) -> Head:
    """Train one head on the pictures in `use`. Pictures of other views are left out.

    Two members with the same seed begin with the same weights and see the pictures they share in the same order.
    Names without a picture in `use` are not rivals: what was never met is not pushed away either.
    """
    torch.set_num_threads(1)  # more threads wait for one another on a shared machine
    groups = rival_groups(subjects, view)
    usable = use & (groups[looked.subject] >= 0)
    met = np.zeros(len(subjects), np.bool_)
    met[looked.subject[usable]] = True
    generator = torch.Generator().manual_seed(seed)
    layer = nn.Linear(FEATURES, IDENTITY)
    with torch.no_grad():
        layer.weight.copy_((torch.rand(IDENTITY, FEATURES, generator=generator) - 0.5) * 2 / FEATURES**0.5)
        layer.bias.zero_()
    sharpness = nn.Parameter(torch.tensor(2.5))
    optimiser = torch.optim.AdamW([*layer.parameters(), sharpness], 1.5e-3, weight_decay=0.3)
    names, rivals = torch.from_numpy(codes), torch.from_numpy(groups)
    seen = torch.from_numpy(met)
    steps, step = epochs * int(usable.sum() / BATCH + 1), 0
    for _ in range(epochs):
        order = torch.randperm(len(usable), generator=generator).numpy()
        for rows in np.array_split(order[usable[order]], max(1, int(usable.sum() / BATCH))):
            for group in optimiser.param_groups:
                group["lr"] = 1.5e-3 * max(0.0, 1 - step / steps) + 1e-5
            subject = torch.from_numpy(looked.subject[rows])
            inputs = torch.from_numpy(scaling.scaled(looked.features[rows]))
            kept = (torch.rand(inputs.shape, generator=generator) >= DROPOUT) / (1 - DROPOUT)
            loss = _loss(layer(inputs * kept), subject, names, sharpness, seen & (rivals[subject][:, None] == rivals))
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            step += 1
    return Head(layer.weight.detach().numpy(), layer.bias.detach().numpy())


def _loss(raw: Tensor, subject: Tensor, names: Tensor, sharpness: Tensor, rivals: Tensor) -> Tensor:
    tokens = functional.normalize(raw, dim=1)
    scores = (sharpness.exp() * tokens @ names.T).masked_fill(~rivals, -30.0)
    likeness = (tokens * names[subject]).sum(dim=1)
    return functional.cross_entropy(scores, subject) + 2 * (1 - likeness).mean()


def cross_fitted(
    looked: Looked,
    scaling: Scaling,
    subjects: Sequence[LessonSubject],
    codes: NDArray[np.float32],
    view: int,
    use: NDArray[np.bool_],
    *,
    seed: int,
    epochs: int,
) -> NDArray[np.float32]:
    """One visual token (pictures, IDENTITY) of each picture in `use`, by a head that never met its designer.

    This is what pictures of a new designer will look like to the decoder, mistakes included.
    """
    tokens = np.zeros((len(looked.subject), IDENTITY), np.float32)
    for fold in sorted(set(looked.fold.tolist())):
        outside, inside = use & (looked.fold != fold), use & (looked.fold == fold)
        outside = outside if outside.any() else use
        head = fit_head(looked, scaling, subjects, codes, view, outside, seed=seed + fold, epochs=epochs)
        _look_through(head, looked, scaling, inside, tokens)
    return tokens


def unfamiliar(
    looked: Looked,
    scaling: Scaling,
    subjects: Sequence[LessonSubject],
    codes: NDArray[np.float32],
    use: NDArray[np.bool_],
    *,
    seed: int,
    epochs: int,
) -> NDArray[np.float32]:
    """One token of what each picture shows, (pictures, IDENTITY), by a head that met neither designer nor thing.

    Things are left out `STRANGERS` at a time. A thing without a picture in `use` is unfamiliar to every head; its
    pictures have tokens too, for members that may see them. Those of the other view stay zero.
    """
    tokens = np.zeros((len(looked.subject), IDENTITY), np.float32)
    group = np.array([named_stream(0, f"glimpse/unfamiliar/{one.name}").integers(STRANGERS) for one in subjects])
    is_shown = np.array([one.view == SHOWN for one in subjects])[looked.subject]
    for fold in sorted(set(looked.fold.tolist())):
        for left_out in range(STRANGERS):
            is_stranger = group[looked.subject] == left_out
            outside = use & ~is_stranger & (looked.fold != fold)
            outside = outside if (outside & is_shown).any() else use & ~is_stranger
            head = fit_head(looked, scaling, subjects, codes, SHOWN, outside, seed=seed + fold, epochs=epochs)
            _look_through(head, looked, scaling, is_shown & is_stranger & (looked.fold == fold), tokens)
    return tokens


def _look_through(
    head: Head, looked: Looked, scaling: Scaling, inside: NDArray[np.bool_], tokens: NDArray[np.float32]
) -> None:
    """Write a head's tokens of the pictures `inside`, in chunks that fit memory."""
    chosen = np.nonzero(inside)[0]
    for rows in np.array_split(chosen, max(1, len(chosen) // 1000)):
        tokens[rows] = head.tokens(scaling.scaled(looked.features[rows]))
