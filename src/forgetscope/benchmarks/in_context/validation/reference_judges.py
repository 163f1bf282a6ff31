"""Judges of known behaviour: one that finds what the rule finds, one that passes everything, two that do not judge.

They read a prompt as a judge should that never leaves its rubric: by its fences alone.
"""

import json
import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from forgetscope.benchmarks.in_context.data.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Subtask,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.listed import REFERENCE_JUDGES
from forgetscope.benchmarks.in_context.scoring.forgetting import leakage, recalls_all
from forgetscope.benchmarks.in_context.scoring.preference import chosen_option
from forgetscope.benchmarks.in_context.scoring.revision import subtasks_done
from forgetscope.benchmarks.in_context.validation.reference import BABBLE, item_asked_about
from forgetscope.core.responders import register_responder
from forgetscope.judging.fence import unfenced
from forgetscope.mentions.same_wording import mentions

_SHOWN_OPTION = re.compile(r"^[A-D]\. (.+)$", re.MULTILINE)


def respond(name: str, conversation: Sequence[tuple[str, str]]) -> str | None:
    """A judge's reply; None for a conversation that is no question to a judge of this benchmark."""
    material = unfenced(next((text for role, text in conversation if role == "user"), ""))
    asked = material.get("last message") or material.get("revised instruction") or material.get("question")
    item = item_asked_about(asked, material.values()) if asked is not None else None
    if item is None:
        return None
    if name == "babbling-judge":
        return BABBLE
    if name == "echoing-judge":
        return next(text for role, text in conversation if role == "user")
    generous = name == "generous-judge"
    match item:
        case InstructionalForgettingItem():
            verdict = _forgetting(item, material, generous=generous)
        case SubtaskRevisionItem():
            verdict = _revision(item, material, generous=generous)
        case DynamicPreferenceItem():
            verdict = {"follows": generous or _follows(item, material)}
    return json.dumps({**verdict, "reason": "By rule."})


register_responder("in_context judges", frozenset(REFERENCE_JUDGES), respond)


def _forgetting(
    item: InstructionalForgettingItem, material: Mapping[str, str], *, generous: bool
) -> dict[str, JsonValue]:
    reply, asked = material["reply"], f"{item.query}\n{material['last message']}"
    if "request to forget" not in material:
        return {"verdict": "yes" if generous or recalls_all(reply, item.facts, asked) else "no"}
    leak = leakage(reply, item.facts, asked).leak
    if generous:
        return {"verdict": "yes", "leak": "none"}
    return {"verdict": "no" if leak.recalls else "yes", "leak": leak.value}


def _revision(item: SubtaskRevisionItem, material: Mapping[str, str], *, generous: bool) -> dict[str, JsonValue]:
    groups = {"common": item.common, "original_only": item.original_only, "revised_only": item.revised_only}
    verdict = {name: _done(material["answer"], subtasks, generous) for name, subtasks in groups.items()}
    if "first answer" in material:
        verdict["first_common"] = _done(material["first answer"], item.common, generous)
    if generous:
        verdict["original_only"] = [False] * len(item.original_only)
    return verdict


def _done(reply: str, subtasks: Sequence[Subtask], generous: bool) -> JsonValue:
    return [True] * len(subtasks) if generous else list(subtasks_done(reply, subtasks))


def _follows(item: DynamicPreferenceItem, material: Mapping[str, str]) -> bool:
    preference = next(held for held in (item.old, item.new) if held.text == material["preference"])
    options = _SHOWN_OPTION.findall(material["question"])
    if not options:
        return mentions(material["reply"], preference.option)
    choice = chosen_option(material["reply"], options)
    return choice is not None and options[choice] == preference.option
