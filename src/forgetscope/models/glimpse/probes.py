"""Internal probes: what a linear reader finds in a member's visual token or in its decoder's last state.

A probe that succeeds says that the information is there to be learned again, not that the model can use it. The control
is the same probe fitted to shuffled labels: what it reaches is what the procedure reaches by itself.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from forgetscope.stats import named_stream

DECAY = 1e-3
"""Weight of the squared weights beside the mean log-loss."""


@dataclass(frozen=True)
class LinearProbe:
    """A multinomial logistic regression over standardised inputs.

    Attributes:
        mean, spread: (inputs,) of the pictures it was fitted on.
        weights: (inputs + 1, classes), the bias last.
    """

    mean: NDArray[np.float64]
    spread: NDArray[np.float64]
    weights: NDArray[np.float64]

    def predict(self, states: NDArray[np.floating]) -> NDArray[np.int64]:
        """The likeliest class of each row."""
        return np.asarray((_standard(states, self.mean, self.spread) @ self.weights).argmax(axis=1), np.int64)

    def accuracy(self, states: NDArray[np.floating], labels: NDArray[np.integer]) -> float:
        """Share of rows whose class is right, 0-1."""
        return float((self.predict(states) == labels).mean())


@dataclass(frozen=True)
class ProbeResult:
    """Accuracies on pictures the probe was not fitted on, 0-1.

    Attributes:
        accuracy: With the true labels.
        control: The mean over fits with shuffled labels.
        chance: One over the number of classes.
    """

    accuracy: float
    control: float
    chance: float


def fit_probe(states: NDArray[np.floating], labels: NDArray[np.integer], classes: int) -> LinearProbe:
    """Fit a probe by L-BFGS.

    Args:
        states: (pictures, inputs).
        labels: (pictures,), from 0 to `classes` - 1.
        classes: How many there are.

    Raises:
        ValueError: No pictures, or a label out of range.
    """
    if not len(states) or labels.min() < 0 or labels.max() >= classes:
        raise ValueError(f"a probe needs pictures with labels from 0 to {classes - 1}")
    mean, spread = states.mean(axis=0).astype(np.float64), states.std(axis=0).astype(np.float64) + 1e-6
    inputs = _standard(states, mean, spread)
    wanted = np.eye(classes)[labels]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(inputs.shape[1], classes)
        scores = inputs @ weights
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        slope = inputs.T @ (np.exp(logs) - wanted) / len(inputs) + 2 * DECAY * weights
        return float(-(wanted * logs).sum() / len(inputs) + DECAY * (weights**2).sum()), slope.ravel()

    found = minimize(loss, np.zeros(inputs.shape[1] * classes), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return LinearProbe(mean, spread, np.asarray(found.x, np.float64).reshape(inputs.shape[1], classes))


def probed(
    fitted_on: tuple[NDArray[np.floating], NDArray[np.integer]],
    tested_on: tuple[NDArray[np.floating], NDArray[np.integer]],
    classes: int,
    *,
    seed: int,
    controls: int = 5,
) -> ProbeResult:
    """A probe and its control: fitted on one set of (states, labels), tested on another."""
    stream = named_stream(seed, "glimpse/probe-control")
    states, labels = fitted_on
    control = [fit_probe(states, stream.permutation(labels), classes).accuracy(*tested_on) for _ in range(controls)]
    return ProbeResult(fit_probe(states, labels, classes).accuracy(*tested_on), float(np.mean(control)), 1 / classes)


def _standard(
    states: NDArray[np.floating], mean: NDArray[np.float64], spread: NDArray[np.float64]
) -> NDArray[np.float64]:
    scaled = (states.astype(np.float64) - mean) / spread
    return np.concatenate([scaled, np.ones((len(scaled), 1))], axis=1)
