"""Other weights in the model's place: what a training-based method left on disk."""

from pathlib import Path
from typing import ClassVar

from forgetscope.benchmarks.visual.interventions.intervention import Access, Intervention
from forgetscope.core.errors import SettingError


class OtherWeights(Intervention):
    """`weights=FOLDER`: measured samples are asked of these weights, eligibility of the model's own."""

    access: ClassVar[Access] = Access.WEIGHTS

    def __post_init__(self) -> None:
        if not self.argument or not Path(self.argument).is_dir():
            raise SettingError(
                "no folder of weights",
                where="--intervention weights=FOLDER",
                found=self.argument,
                next_step="give the folder with the other weights, laid out as the model's own, or an adapter of PEFT",
            )

    def weights(self) -> Path | None:
        """The folder."""
        return Path(self.argument)
