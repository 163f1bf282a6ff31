"""Internal probes of the family: what a linear reader finds behind the answers, with shuffled labels as control."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forgetbench.benchmarks.visual.conditions import Condition, Control
from forgetbench.benchmarks.visual.family.examination import SEED, Examination
from forgetbench.benchmarks.visual.prompts import short_answer_prompt
from forgetbench.benchmarks.visual.samples import Role, VisualSample
from forgetbench.models.glimpse.family import ERASED_CONCEPTS
from forgetbench.models.glimpse.hypotheses import FAMILY
from forgetbench.models.glimpse.member import Glimpse
from forgetbench.models.glimpse.probes import probed

QUESTION = "What is the object shown in the image?"
"""Asked without options, so that the text is the same for every picture and says nothing of the concept."""

Reader = Callable[[VisualSample, Examination], NDArray[np.float32]]


def probe_lines(seed: str, folder: Path, fitted: Examination, tested: Examination) -> Iterator[str]:
    """A line for each place a probe reads: of the four members of the 2 x 2 the projector's token and the last state.

    Args:
        seed: The training seed, for the text.
        folder: Its packed weights.
        fitted: Development drawings; the probe is fitted on the pictures set aside for eligibility.
        tested: The drawings it is tested on, on the pictures that measure the effect.
    """
    same = "other arrangements of the same drawings" if fitted.style == tested.style else f"drawings of {tested.style}"
    yield f"seed {seed}, probes: fitted on {fitted.style}, tested on {same}; the encoder is shared, its probe identical"
    for name in FAMILY:
        member = Glimpse.load(name, folder)
        for place, reader in (("projector", _token_of(member)), ("last state", _state_of(member))):
            found = probed(
                _read(fitted, "eligibility", reader),
                _read(tested, "effect", reader),
                len(ERASED_CONCEPTS),
                seed=SEED,
            )
            yield (
                f"seed {seed}, {name}, probe of the {place}: {100 * found.accuracy:.1f}% "
                f"(shuffled labels {100 * found.control:.1f}%, chance {100 * found.chance:.1f}%)"
            )


def _token_of(member: Glimpse) -> Reader:
    return lambda sample, exam: member.see(exam.pictures[sample.image])[0]


def _state_of(member: Glimpse) -> Reader:
    prompt = short_answer_prompt(QUESTION)
    return lambda sample, exam: member.state(prompt, exam.pictures[sample.image])


def _read(exam: Examination, role: Role, reader: Reader) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    chosen = [
        sample
        for sample in exam.samples
        if sample.role == role
        and sample.side == "forget"
        and sample.condition is Condition.BASELINE_NORMAL
        and sample.control is Control.NONE
    ]
    labels = np.array([ERASED_CONCEPTS.index(sample.forget_concept) for sample in chosen], np.int64)
    return np.stack([reader(sample, exam) for sample in chosen]), labels
