"""What a cell trains on, and the log of a step."""

from collections.abc import Sequence
from dataclasses import dataclass

from forgetscope.benchmarks.unlearning.methods.base import Method, WeightEdit
from forgetscope.benchmarks.unlearning.methods.terms import REFERENCE_NEEDS
from forgetscope.benchmarks.unlearning.settings import (
    ExecutionSettings,
    Semantics,
    TrainingSettings,
)
from forgetscope.benchmarks.unlearning.training.batches import (
    EncodedText,
    TrainingStep,
    make_schedule,
)


@dataclass(frozen=True)
class StepLog:
    """One optimiser step, over the whole effective batch.

    Attributes:
        forget_loss, retain_loss: As minimised; the retain term before lambda.
        forget_nll: Nats a token of the step's forget texts, before the step.
        weight: Mean share of the gradient that the method still lets through, 0-1; None for methods without, and for
            published losses, which do not see the text.
        saturated: Share of sequences whose weight is below `losses.SATURATED_BELOW`; None likewise.
        forget_gradient, retain_gradient: Norms of the two terms' gradients, lambda included; None when not kept apart.
        gradient_cosine: Of the angle between them: -1 they pull against each other; None where one is zero.
        gradient: Norm of their sum, before it is shortened.
        padding: Share of padded positions.
        seconds: Wall time.
    """

    step: int
    epoch: int
    forget_loss: float
    retain_loss: float | None
    forget_nll: float
    weight: float | None
    saturated: float | None
    forget_gradient: float | None
    retain_gradient: float | None
    gradient_cosine: float | None
    gradient: float
    forget_tokens: int
    retain_tokens: int
    padding: float
    seconds: float


@dataclass(frozen=True)
class UnlearningTask:
    """What one cell trains on.

    Attributes:
        forget, retain: Texts; retain may be empty when lambda is 0.
        seed: Of the order.
        fingerprint: Of the whole configuration; a checkpoint of another one is not continued.
        substitutes: What is to be said in place of the forget texts, one each, in order; empty where not asked for.
    """

    forget: tuple[EncodedText, ...]
    retain: tuple[EncodedText, ...]
    method: Method
    semantics: Semantics
    settings: TrainingSettings
    seed: int
    fingerprint: str
    substitutes: tuple[EncodedText, ...] = ()

    @property
    def forget_asks_reference(self) -> bool:
        """Whether the forget term uses what the target said."""
        return self.semantics != "proper" or bool(self.method.needs & REFERENCE_NEEDS)

    @property
    def retain_asks_reference(self) -> bool:
        """Whether the retain term does: the KL divergence, or one of the method's own that says so."""
        return self.method.retain_needs is None or bool(self.method.retain_needs & REFERENCE_NEEDS)

    def reads_cache(self, execution: ExecutionSettings) -> bool:
        """Whether what the target said is read from disk: where that is asked for, and no hidden states, never kept."""
        needs = self.method.needs | (self.method.retain_needs or frozenset())
        return execution.reference == "cached" and "reference_hidden_states" not in needs

    def reference_texts(self, steps: Sequence[TrainingStep] | None = None) -> list[EncodedText]:
        """Texts whose values under the target training may look up; those of some steps, or all."""
        has_retain = bool(self.settings.lambda_retain)
        if isinstance(self.method, WeightEdit):
            return []
        if not (self.forget_asks_reference or (has_retain and self.retain_asks_reference)):
            return []
        forget: Sequence[int] = range(len(self.forget))
        retain: Sequence[int] = range(len(self.retain) if has_retain else 0)
        if steps is not None:
            used = {i for step in steps for i in step.forget}, {i for step in steps for i in step.retain}
            forget, retain = sorted(used[0]), sorted(used[1])
        sides = (self.forget, forget), (self.substitutes, forget if self.substitutes else ()), (self.retain, retain)
        return [texts[i] for texts, places in sides for i in places]

    def schedule(self) -> tuple[TrainingStep, ...]:
        """All steps, in order; none of a method that edits weights at once."""
        if isinstance(self.method, WeightEdit):
            return ()
        return make_schedule(
            [len(text.ids) for text in self.forget],
            [len(text.ids) for text in self.retain] if self.settings.lambda_retain else [],
            epochs=self.settings.epochs,
            batch_size=self.settings.batch_size,
            seed=self.seed,
            bucketed=self.settings.bucketed,
        )
