"""The projector: from features to visual tokens that look like the identity code of what is shown. One linear layer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from forgetbench.models.glimpse.encoder import FEATURES
from forgetbench.models.glimpse.perception import CLIP
from forgetbench.models.glimpse.training.curriculum import Subject
from forgetbench.models.glimpse.training.sights import HOW, SHOWN, Looked
from forgetbench.models.glimpse.vocabulary import IDENTITY

BATCH = 128
DROPOUT = 0.5


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


def rival_groups(subjects: Sequence[Subject], view: int) -> NDArray[np.int64]:
    """For each subject the group it competes in: all that is shown together, what is `HOW` by kind; -1 elsewhere."""
    kinds = sorted({subject.kind for subject in subjects if subject.view == HOW})
    groups = [-1 if subject.view != view else 0 if view == SHOWN else kinds.index(subject.kind) for subject in subjects]
    return np.array(groups)


def fit_head(
    looked: Looked,
    scaling: Scaling,
    subjects: Sequence[Subject],
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
    subjects: Sequence[Subject],
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
        outside, inside = use & (looked.fold != fold), np.nonzero(use & (looked.fold == fold))[0]
        head = fit_head(
            looked,
            scaling,
            subjects,
            codes,
            view,
            outside if outside.any() else use,
            seed=seed + fold,
            epochs=epochs,
        )
        for rows in np.array_split(inside, max(1, len(inside) // 1000)):
            tokens[rows] = head.tokens(scaling.scaled(looked.features[rows]))
    return tokens
