"""The reference models of this benchmark: what each replies to each sample (protocols.md, section 3).

Known by construction: *perfect* complies and is right, *careless* is right and never complies, *pedant* complies
and is never right, *fading* complies without load only, *babbling* writes noise, *refusing* declines everything.
"""

from collections.abc import Iterable, Sequence

from forgetscope.benchmarks.prospective.data.conditions import NO_LOAD
from forgetscope.benchmarks.prospective.data.items import ProspectiveSample
from forgetscope.benchmarks.prospective.listed import REFERENCE_MODELS
from forgetscope.benchmarks.prospective.loads.load import LoadContent
from forgetscope.benchmarks.prospective.loads.registry import LOADS
from forgetscope.checkers import check
from forgetscope.checkers.construct import compose, violate
from forgetscope.core.responders import register_responder

REFUSAL = "I'm sorry, but I can't help with that."
BABBLE = "Frub, dask, Olmic, tref, Quandle, isp, morbet, Vlan, ustery, Plock, wem, Gartle, ombish."
ORIGINAL_BODY = "Here is a short text about it that says what matters and leaves out the rest."

_answer_key: dict[str, ProspectiveSample] = {}


def publish_answer_key(samples: Iterable[ProspectiveSample]) -> None:
    """Make the samples of a run known to the reference models of this process."""
    _answer_key.update({sample.prompt: sample for sample in samples})


def respond(name: str, conversation: Sequence[tuple[str, str]]) -> str | None:
    """The reply of a reference model; None for a prompt that is not of this benchmark."""
    sample = _answer_key.get(conversation[-1][1])
    if sample is None:
        return None
    match name:
        case "perfect":
            return compliant_reply(sample, right=True)
        case "careless":
            return violating_reply(sample)
        case "pedant":
            return compliant_reply(sample, right=False)
        case "fading":
            return compliant_reply(sample, right=True) if sample.load == NO_LOAD else violating_reply(sample)
        case "babbling":
            return BABBLE
        case "refusing":
            return REFUSAL
        case _:
            raise ValueError(f"no reference model {name!r}")


register_responder("prospective", frozenset(REFERENCE_MODELS), respond)


def compliant_reply(sample: ProspectiveSample, *, right: bool) -> str:
    """A reply in which every constraint holds and the load is answered, rightly or not.

    Raises:
        ValueError: the constraints cannot hold together with any of the answers.
    """
    instructions = tuple(zip(sample.instruction_types, sample.kwargs, strict=True))
    for body in answers(sample.content, right=right):
        if not instructions:
            return body
        reply = compose(instructions, prompt=sample.original_prompt, body=body)
        if reply is not None and all(check(name, kwargs, reply).followed for name, kwargs in instructions):
            return reply
    raise ValueError(f"{sample.sample_id}: no reply satisfies {sample.instruction_types}")


def violating_reply(sample: ProspectiveSample) -> str:
    """A right answer that breaks the first constraint."""
    for body in answers(sample.content, right=True):
        if not sample.instruction_types:
            return body
        for instruction, kwargs in zip(sample.instruction_types, sample.kwargs, strict=True):
            reply = violate(instruction, kwargs, prompt=sample.original_prompt, body=body)
            if not check(instruction, kwargs, reply).followed:
                return reply
    raise ValueError(f"{sample.sample_id}: nothing violates {sample.instruction_types}")


def answers(content: LoadContent | None, *, right: bool) -> Sequence[str]:
    """Bodies that answer the load, rightly or wrongly, the plainest first; constraints may rule some out."""
    return (ORIGINAL_BODY,) if content is None else LOADS[content.load].answers(content, right)
