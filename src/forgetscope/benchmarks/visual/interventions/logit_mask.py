"""A mask over the digits of the first token: the options of forget concepts cannot be chosen."""

from collections.abc import Sequence
from typing import ClassVar

from forgetscope.benchmarks.visual.data.conditions import VisualProbe
from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.benchmarks.visual.interventions.intervention import Access, Intervention
from forgetscope.core.errors import SettingError


class LogitMask(Intervention):
    """`logit_mask`: of the digits that are left the likeliest is the reply. Short answers have no digits to mask."""

    access: ClassVar[Access] = Access.LOGITS

    def __post_init__(self) -> None:
        if self.argument:
            raise SettingError("a logit mask takes no argument", where="--intervention", found=self.argument)

    def masked(self, sample: VisualSample, concepts: Sequence[str]) -> frozenset[int]:
        """The options that name a forget concept."""
        if sample.probe is VisualProbe.SHORT_ANSWER:
            return frozenset()
        folded = {name.casefold() for name in concepts}
        return frozenset(index for index, label in enumerate(sample.labels) if label.casefold() in folded)
