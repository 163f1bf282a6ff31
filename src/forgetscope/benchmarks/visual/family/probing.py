"""Internal probes of the family: what a linear reader finds behind the answers, with shuffled labels as control."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.conditions import Condition, Control
from forgetscope.benchmarks.visual.data.samples import Role, VisualSample
from forgetscope.benchmarks.visual.family.examination import SEED, Examination
from forgetscope.benchmarks.visual.prompts import short_answer_prompt
from forgetscope.models.glimpse.family import ERASED_CONCEPTS
from forgetscope.models.glimpse.hypotheses import FAMILY
from forgetscope.models.glimpse.member import Glimpse
from forgetscope.models.glimpse.probes import ProbeResult, probed

QUESTION = axes.IDENTITY.question
"""Asked without options, so that the text is the same for every picture and says nothing of the concept."""

ENCODER, PROJECTOR, LAST_STATE = "shared encoder", "projector's output", "decoder's last state"
PLACES = (PROJECTOR, LAST_STATE)
"""Where members differ."""

Reader = Callable[[VisualSample, Examination], NDArray[np.float32]]


@dataclass(frozen=True)
class ProbeFinding:
    """What a probe of one place of one member found.

    Attributes:
        member: Its name; of the shared encoder any member's.
        place: `ENCODER` or one of `PLACES`.
        fitted_on, tested_on: The drawings, in words.
        result: Accuracy, its control, chance.
    """

    member: str
    place: str
    fitted_on: str
    tested_on: str
    result: ProbeResult


def probe_findings(folder: Path, fitted: Examination, tested: Examination) -> tuple[ProbeFinding, ...]:
    """The shared encoder once, then for the four members of the 2 x 2 the projector's token and the last state.

    Args:
        folder: Packed weights of one training seed.
        fitted: Development drawings; the probe is fitted on the pictures set aside for eligibility.
        tested: The drawings it is tested on, on the pictures that measure the effect.
    """
    same = "other arrangements of the same drawings" if fitted.style == tested.style else tested.style

    def finding(name: str, place: str, reader: Reader) -> ProbeFinding:
        samples = (_read(fitted, "eligibility", reader), _read(tested, "effect", reader))
        return ProbeFinding(name, place, fitted.style, same, probed(*samples, len(ERASED_CONCEPTS), seed=SEED))

    members = [Glimpse.load(name, folder) for name in FAMILY]
    return (
        finding(FAMILY[0], ENCODER, _features_of(members[0])),
        *(
            finding(name, place, reader(member))
            for name, member in zip(FAMILY, members, strict=True)
            for place, reader in ((PROJECTOR, _token_of), (LAST_STATE, _state_of))
        ),
    )


def _features_of(member: Glimpse) -> Reader:
    return lambda sample, exam: member.features(exam.pictures[sample.image])


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
