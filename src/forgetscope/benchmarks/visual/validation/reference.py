"""The reference models of this benchmark: what each replies to each sample (protocols.md, section 2).

Scripted stand-ins, known by construction; the trained ones are `glimpse-*`. They see: what they answer depends on the
picture that was sent as much as on the text. Where one cannot know the answer (no picture, another's, or an erased
concept) it guesses by the prompt alone, evenly over prompts, so that the picture changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, Control, VisualProbe
from forgetscope.benchmarks.visual.data.records import SplitRecord
from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.benchmarks.visual.listed import REFERENCE_MODELS
from forgetscope.core.responders import PICTURE, picture_name, register_responder

REFUSAL = "I'm sorry, but I can't help with that."
BABBLE = "Frub, dask, Olmic, tref, Quandle, isp, morbet, Vlan, ustery, Plock, wem, Gartle, ombish."
UNNAMED = "No name comes to mind."
"""A short answer of one that does not know: of an answer in its own words there is nothing to guess from."""


@dataclass
class AnswerKey:
    """What was sent in this process, by prompt and picture, and the forget concepts of its splits.

    Samples that share both differ in nothing that a reply may depend on.
    """

    sent: dict[tuple[str, str], VisualSample] = field(default_factory=dict)
    forget: dict[str, frozenset[str]] = field(default_factory=dict)

    def is_forgotten(self, sample: VisualSample, label: str) -> bool:
        """Whether the sample's split has this among its forget concepts."""
        return label.casefold() in self.forget[sample.split]


_answer_key = AnswerKey()


def publish_forget_lists(records: Iterable[SplitRecord]) -> None:
    """Make the forget concepts of a run's splits known to the reference models of this process."""
    for record in records:
        _answer_key.forget[record.name] = frozenset(name.casefold() for name in record.forget_concepts)


def publish_sample(sample: VisualSample, picture: str | None) -> None:
    """Make a sample known as it is sent: its text, and its picture as the message holds it."""
    _answer_key.sent[sample.prompt, "" if picture is None else picture_name(picture)] = sample


def respond(name: str, conversation: Sequence[tuple[str, str]]) -> str | None:
    """The reply of a reference model; None for a prompt that is not of this benchmark."""
    picture = next((text for role, text in conversation if role == PICTURE), "")
    sample = _answer_key.sent.get((conversation[-1][1], picture))
    if sample is None:
        return None
    match name:
        case "visual-refusing":
            return REFUSAL
        case "visual-babbling":
            return BABBLE
        case _:
            return _said(sample, _CHOOSE[name](sample))


def _said(sample: VisualSample, index: int | None) -> str:
    """A choice as the probe wants it: a digit, or a name in own words."""
    if index is None:
        return UNNAMED
    return f"{sample.labels[index]}." if sample.probe is VisualProbe.SHORT_ANSWER else str(index)


def _seen(sample: VisualSample) -> int | None:
    """The option that the picture shows; None without a picture, or where it shows none of them."""
    match sample.control:
        case Control.NONE:
            return sample.answer
        case Control.SHUFFLED_IMAGE if sample.donor in sample.labels:
            return sample.labels.index(sample.donor)
        case _:
            return None


def _guess(sample: VisualSample, options: Sequence[int]) -> int | None:
    """One of the options, evenly over prompts and always the same for one prompt; in own words nothing."""
    if sample.probe is VisualProbe.SHORT_ANSWER:
        return None
    return options[int(sha256(sample.prompt.encode()).hexdigest(), 16) % len(options)]


def _perfect(sample: VisualSample) -> int | None:
    seen = _seen(sample)
    return _guess(sample, range(len(sample.labels))) if seen is None else seen


def _erased(sample: VisualSample) -> int | None:
    seen = _seen(sample)
    if seen is None or _answer_key.is_forgotten(sample, sample.labels[seen]):
        return _guess(sample, range(len(sample.labels)))
    return seen


def _stubborn(sample: VisualSample) -> int | None:
    return _following(sample, follows_lists=False)


def _obedient(sample: VisualSample) -> int | None:
    return _following(sample, follows_lists=True)


def _following(sample: VisualSample, *, follows_lists: bool) -> int | None:
    """What is seen where it is permitted, else an option that is; where none is, any that is not seen."""
    everything, seen = range(len(sample.labels)), _seen(sample)
    permitted = [index for index in everything if not _is_ruled_out(sample, index, follows_lists=follows_lists)]
    if seen in permitted:
        return seen
    if seen is not None and sample.probe is VisualProbe.SHORT_ANSWER:
        return permitted[0] if permitted else None
    return _guess(sample, permitted or [index for index in everything if index != seen])


def _is_ruled_out(sample: VisualSample, index: int, *, follows_lists: bool) -> bool:
    """Whether the text tells a model that follows it not to choose this option.

    Oracle-hard says what the picture shows and forbids that: who sees something else is not bound by it.
    """
    info, label = CONDITIONS[sample.condition], sample.labels[index]
    match info.names:
        case "nothing" | "placebo_list":
            return False
        case "forget_list":
            return follows_lists and not info.restores and _answer_key.is_forgotten(sample, label)
        case "concept" | "distractor":
            return label.casefold() == sample.target.casefold()


_CHOOSE: Mapping[str, Callable[[VisualSample], int | None]] = {
    "visual-perfect": _perfect,
    "visual-stubborn": _stubborn,
    "visual-obedient": _obedient,
    "visual-erased": _erased,
}

register_responder("visual", frozenset(REFERENCE_MODELS), respond)
