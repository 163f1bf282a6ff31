"""Ways to make a model seem to forget, each a plug-in that says what access to the model it needs.

An intervention is laid over every measured sample; eligibility is always asked of the untouched model. Where a model
lacks the access, the sample is not sent and its record says so: `unsupported`, never a wrong answer.

To add one: a module here with a class of `Intervention`, which overrides one method, and its line in `INTERVENTIONS`.
"""

from collections.abc import Callable, Mapping

from forgetscope.benchmarks.visual.interventions.intervention import Access, Intervention
from forgetscope.benchmarks.visual.interventions.logit_mask import LogitMask
from forgetscope.benchmarks.visual.interventions.other_weights import OtherWeights
from forgetscope.benchmarks.visual.interventions.output_filter import OutputFilter
from forgetscope.benchmarks.visual.interventions.system_prompt import SystemPrompt
from forgetscope.core.errors import UnknownNameError

INTERVENTIONS: Mapping[str, Callable[[str], Intervention]] = {
    "system_prompt": SystemPrompt,
    "output_filter": OutputFilter,
    "logit_mask": LogitMask,
    "weights": OtherWeights,
}


def parse_intervention(text: str) -> Intervention | None:
    """The intervention of `NAME` or `NAME=ARGUMENT`; None for no text.

    Raises:
        UnknownNameError: there is none of this name.
        SettingError: its argument is missing or makes no sense.
    """
    if not text:
        return None
    name, _, argument = text.partition("=")
    if name not in INTERVENTIONS:
        raise UnknownNameError("no such intervention", where="--intervention", found=name, allowed=list(INTERVENTIONS))
    return INTERVENTIONS[name](argument)


__all__ = ["INTERVENTIONS", "Access", "Intervention", "parse_intervention"]
