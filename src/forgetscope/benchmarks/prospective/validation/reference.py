"""The reference models of this benchmark: what each replies to each sample (protocols.md, section 3).

Known by construction: *perfect* complies and is right, *careless* is right and never complies, *pedant* complies
and is never right, *fading* complies without load only, *babbling* writes noise, *refusing* declines everything.
"""

from collections.abc import Iterable, Sequence

from forgetscope.benchmarks.prospective.data.conditions import Load
from forgetscope.benchmarks.prospective.data.items import LoadContent, ProspectiveSample
from forgetscope.benchmarks.prospective.data.loading import number_text
from forgetscope.benchmarks.prospective.prompts import CHOICE_LETTERS
from forgetscope.checkers import check
from forgetscope.checkers.construct import compose, violate
from forgetscope.models.reference import register_responder

REFERENCE_MODELS = {
    "perfect": "complies and is right",
    "careless": "right, never complies",
    "pedant": "complies, never right",
    "fading": "complies without load only, and is right",
    "babbling": "writes noise",
    "refusing": "declines everything",
}

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
            return compliant_reply(sample, right=True) if sample.load is Load.NONE else violating_reply(sample)
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
    if content is None:
        return (ORIGINAL_BODY,)
    if content.load is Load.TRIVIAQA:
        return [f"The answer is {alias}." for alias in content.golds[0]] if right else ("Nobody can tell.",)
    if content.load is Load.MMLU:
        letter = content.golds[0][0]
        if not right:
            letter = CHOICE_LETTERS[(CHOICE_LETTERS.index(letter) + 1) % len(CHOICE_LETTERS)]
        return (f"The answer is {letter}.",)
    if content.load is Load.CNN_DAILYMAIL:
        if not right:
            return ("Zzz.",)
        sentences = [line.strip().rstrip(".").strip() for line in content.golds[0][0].splitlines() if line.strip()]
        whole = ". ".join(sentences) + "."
        return (whole, *(f"{sentence}." for sentence in sentences), whole.replace(",", ""))
    numbers = [float(gold[0]) + (0 if right else 1) for gold in content.golds]
    if len(numbers) == 1:
        return (f"The answer is {number_text(numbers[0])}.",)
    return ("\n".join(f"Problem {position}: {number_text(value)}" for position, value in enumerate(numbers, start=1)),)
