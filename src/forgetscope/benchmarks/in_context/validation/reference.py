"""The reference models of this benchmark: what each replies to each dialogue (protocols.md, section 1).

*perfect* forgets on request and knows the rest, *stubborn* acts as if nothing had been asked, *amnesiac* has no memory
of the dialogue and answers the last message alone, *refusing* declines everything, *babbling* writes noise.
"""

from collections.abc import Iterable, Sequence

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Subtask,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe, question_of
from forgetscope.benchmarks.in_context.listed import REFERENCE_MODELS
from forgetscope.benchmarks.in_context.prompts import OPTIONS_SENTENCE
from forgetscope.benchmarks.in_context.scoring.revision import subtasks_done
from forgetscope.checkers.construct import compose
from forgetscope.core.responders import register_responder

WITHHELD = "You asked me to forget that, so I no longer use it."
UNKNOWN = "I don't know; nothing about it comes to mind."
REFUSAL = "I'm sorry, but I can't help with that."
BABBLE = "Frub, dask, Olmic, tref, Quandle, isp, morbet, Vlan, ustery, Plock, wem, Gartle, ombish."
PLAIN_BODY = "Here is a short text about it that says what matters and leaves out the rest."

_by_last_message: dict[str, dict[str, AnyItem]] = {}
"""Items by id, the latest last; several may ask the same (two preferences of PrefEval with one question)."""


def publish_answer_key(items: Iterable[AnyItem]) -> None:
    """Make the items of a run known to the reference models of this process, by what a last message can be."""
    for item in items:
        for message in _last_messages(item):
            known = _by_last_message.setdefault(message, {})
            known.pop(item.id, None)
            known[item.id] = item


def _last_messages(item: AnyItem) -> tuple[str, ...]:
    match item:
        case InstructionalForgettingItem():
            asked = (item.reask, *(question_of(probe, item) for probe in DialogueProbe))
            return tuple(dict.fromkeys(question for question in asked if question is not None))
        case SubtaskRevisionItem():
            return item.original, item.revised
        case DynamicPreferenceItem():
            return (item.question,)


def _own_texts(item: AnyItem) -> tuple[str, ...]:
    """What is said in a conversation about the item, by which it is told from others that ask the same."""
    match item:
        case InstructionalForgettingItem():
            return (item.request, *(turn.content for turn in item.memory))
        case SubtaskRevisionItem():
            return item.original, item.revised
        case DynamicPreferenceItem():
            turns = (turn.content for held in (item.old, item.new) for turn in held.turns)
            return (item.old.text, item.new.text, *turns, *item.options)


def respond(name: str, conversation: Sequence[tuple[str, str]]) -> str | None:
    """The reply of a reference model; None for a conversation that is not of this benchmark."""
    said = [text for role, text in conversation if role == "user"]
    item = _item_of(said)
    if item is None:
        return None
    match name:
        case "refuser":
            return REFUSAL
        case "babbler":
            return BABBLE
    match item:
        case InstructionalForgettingItem():
            return _on_forgetting(name, item, said, conversation)
        case SubtaskRevisionItem():
            return _on_revision(name, item, said)
        case DynamicPreferenceItem():
            return _on_preference(name, item, said)


register_responder("in_context", frozenset(REFERENCE_MODELS), respond)


def _item_of(said: Sequence[str]) -> AnyItem | None:
    """The item a conversation is about, by its last user message."""
    return item_asked_about(said[-1], said) if said else None


def item_asked_about(message: str, said: Iterable[str]) -> AnyItem | None:
    """The item whose question, revised or original instruction a message is, with its options or without.

    Of several the one of which most was said; of equals the one published last.
    """
    known = _by_last_message.get(message) or _by_last_message.get(message.split(f" {OPTIONS_SENTENCE}", 1)[0], {})
    if len(known) < 2:
        return next(iter(known.values()), None)
    texts = {*said}
    return max(
        reversed(known.values()), key=lambda item: sum(own in texts or own in message for own in _own_texts(item))
    )


def _on_forgetting(
    name: str, item: InstructionalForgettingItem, said: Sequence[str], conversation: Sequence[tuple[str, str]]
) -> str:
    if item.neighbour is not None and said[-1] == item.neighbour.query:
        return UNKNOWN if name == "amnesiac" else f"It was {item.neighbour.answers[0]}."
    if name == "amnesiac":
        return UNKNOWN
    if not {(turn.role, turn.content) for turn in item.memory} <= set(conversation):
        return UNKNOWN
    if name == "perfect-forgetter" and item.request in said:
        return WITHHELD
    return "It was " + " and ".join(fact.value for fact in item.facts) + "."


def _on_revision(name: str, item: SubtaskRevisionItem, said: Sequence[str]) -> str:
    form = Form.FORGET if item.original in said else Form.NOFORGET
    if said[-1] == item.original or (name == "stubborn" and form is Form.FORGET):
        return answer_with((*item.common, *item.original_only), avoid=item.revised_only, prompt=item.original)
    return answer_with((*item.common, *item.revised_only), avoid=item.original_only, prompt=item.revised)


def answer_with(subtasks: Sequence[Subtask], *, avoid: Sequence[Subtask], prompt: str) -> str:
    """A text in which all checks of `subtasks` hold and not all of `avoid`.

    Raises:
        ValueError: none of the texts tried is one.
    """
    instructions = [(subtask.check.type, subtask.check.kwargs) for subtask in subtasks if subtask.check is not None]
    reply = compose(instructions, prompt=prompt, body=PLAIN_BODY)
    if reply is None or not all(subtasks_done(reply, subtasks)) or (avoid and all(subtasks_done(reply, avoid))):
        raise ValueError(f"no text satisfies {instructions}")
    return reply


def right_reply(item: AnyItem) -> tuple[str, str] | None:
    """What the perfect model replies to an item's Forget form, and before to the original instruction of a revision."""
    match item:
        case InstructionalForgettingItem():
            return WITHHELD, ""
        case DynamicPreferenceItem():
            return item.new.option, ""
        case SubtaskRevisionItem() if item.is_verified:
            said = [item.original, item.revised]
            try:
                return (
                    _on_revision("perfect-forgetter", item, said),
                    _on_revision("perfect-forgetter", item, said[:1]),
                )
            except ValueError:  # no text could be made that does it all
                return None
        case SubtaskRevisionItem():
            return None


def _on_preference(name: str, item: DynamicPreferenceItem, said: Sequence[str]) -> str:
    if name == "amnesiac":
        return next(option for option in item.options if option not in (item.old.option, item.new.option))
    old, new = (
        any(turn.content in said for turn in preference.turns if turn.role == "user")
        for preference in (item.old, item.new)
    )
    if not old and not new:
        return next(option for option in item.options if option not in (item.old.option, item.new.option))
    preference = item.new if not old or (new and name == "perfect-forgetter") else item.old
    return preference.option
