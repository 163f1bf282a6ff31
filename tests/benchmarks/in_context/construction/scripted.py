"""A builder that follows a script: rows of our own, the right reply to every prompt about them, and replies put in
their place."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from forgetscope.benchmarks.in_context.construction import prompts

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput
    from inspect_ai.tool import ToolChoice, ToolInfo

HOMES = (("Lisbon", "Bruno"), ("Oslo", "Freja"), ("Quito", "Lucho"), ("Nairobi", "Simba"))
NOTES = (("Amal", "the leaking tap"), ("Bogdan", "the shared bikes"), ("Chiara", "the stairwell lamp"))
FOODS = (
    ("peanuts", "prawns", "pears", "pork"),
    ("garlic", "anchovies", "ginger", "goose"),
    ("cilantro", "mussels", "celery", "crab"),
)

TITLES = {
    prompt.splitlines()[0]: step
    for step, prompt in {
        "request": prompts._REQUEST,
        "facts": prompts._FACTS,
        "recall": prompts._RECALL,
        "target": prompts._TARGET,
        "closed_book": prompts._CLOSED_BOOK,
        "revise": prompts._REVISE,
        "decompose": prompts._DECOMPOSE,
        "attribute": prompts._ATTRIBUTE,
        "restate": prompts._RESTATE,
        "relevance": prompts._RELEVANT,
        "select": prompts._SELECT,
        "stage": prompts._STAGE,
        "dialogue": prompts._DIALOGUE,
        "choose": prompts._CHOOSE,
    }.items()
}
"""From the first line of a prompt to its step; own and written dialogues, and both choices, share theirs."""

Script = Callable[[str, str], str]
"""From a prompt's step and text to the reply."""


def dialogue(city: str, dog: str) -> dict[str, object]:
    said = (
        f"I've just moved to {city} with my dog {dog}. Any tips for settling in?",
        "Register at the town hall in the first week, and ask neighbours which vet they like.",
        f"Thanks! And where could {dog} run off the lead?",
        "Large parks usually allow it in the early morning. Look for the signs at the gate.",
    )
    turns = [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)]
    return {"id": f"home-{city.casefold()}", "topic": "moving", "turns": turns}


def instruction(name: str, matter: str) -> dict[str, object]:
    text = f"Write a note to {name} about {matter}. Stay under 100 words and end with a question."
    return {"id": f"note-{name.casefold()}", "domain": "neighbours", "instruction": text}


def preference(*foods: str) -> dict[str, object]:
    options = [f"The place that never cooks with {food}" for food in foods]
    picks = [f"A dish without {food}" for food in foods]
    conversation = {
        "preference": f"I avoid {foods[0]} in all my meals.",
        "query": "What could I have for lunch?",
        "options": picks,
        "option": picks[0],
        "assistant_options": "\n".join(f"{number}. {pick}" for number, pick in enumerate(picks[::-1], start=1)),
        "user_selection": f"The one with no {foods[0]}, please. The others are not for me.",
        "acknowledgement": "Coming up.",
    }
    return {
        "id": f"food-{foods[0]}",
        "topic": "food",
        "preference": f"I avoid {foods[0]} in all my meals.",
        "question": "Where should I eat tonight?",
        "options": options,
        "option": options[0],
        "choice": conversation,
    }


def write_source(folder: Path, *, dialogues: int = 0, instructions: int = 0, preferences: int = 0) -> Path:
    """A folder of records: the first so many of each."""
    folder.mkdir(parents=True, exist_ok=True)
    kinds = {
        "dialogues": [dialogue(*entry) for entry in HOMES[:dialogues]],
        "instructions": [instruction(*entry) for entry in NOTES[:instructions]],
        "preferences": [preference(*entry) for entry in FOODS[:preferences]],
    }
    for name, records in kinds.items():
        if records:
            text = "".join(json.dumps(record) + "\n" for record in records)
            (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def perfect(step: str, text: str) -> str:
    """The right reply to any prompt about the rows above."""
    if step in ("request", "facts", "recall", "target", "closed_book"):
        city, dog = next((entry for entry in HOMES if entry[0] in text), ("", ""))
        return json.dumps(_about_home(step, city, dog))
    if step in ("revise", "decompose", "attribute"):
        name, matter = next((entry for entry in NOTES if entry[1] in text), ("", ""))
        return json.dumps(_about_note(step, name, matter, text))
    return _about_food(step, text)


def _about_home(step: str, city: str, dog: str) -> dict[str, object]:
    match step:
        case "request":
            return {
                "forget_instruction": "Please forget which city I moved to.",
                "test_question": "Which city did I tell you earlier I had moved to?",
            }
        case "facts":
            return {
                "facts": [{"value": city, "aliases": [], "paraphrases": [f"the {city} area"], "hints": ["a capital"]}],
                "neighbour": {"query": "What is my dog called?", "answers": [dog]},
                "reask": "Come on, you must know where I live now!",
                "forgotten": "context",
                "request_kind": "explicit",
                "query_kind": "explicit",
            }
        case "recall":
            return {"answerable": True, "answer": f"You moved to {city}.", "evidence": f"I've just moved to {city}"}
        case "target":
            return {"named": True, "piece": f"I've just moved to {city}"}
    return {"answerable": False, "answer": "Perhaps Vienna."}


def _about_note(step: str, name: str, matter: str, text: str) -> dict[str, object]:
    match step:
        case "revise":
            revised = f"Write a note to {name} about {matter}. Stay under 100 words and end with a proverb."
            return {"modified_instruction": revised, "description": ["The note closes otherwise."]}
        case "decompose":
            return {
                "common_subtasks": [f"Write a note about {matter}", "Stay under 100 words"],
                "original_special_subtasks": ["End with a question"],
                "modified_special_subtasks": ["End with a proverb"],
            }
    listed = re.findall(r"^\d+\. (.+)$", text, re.MULTILINE)
    return {"a": ["proverb" not in line for line in listed], "b": ["question" not in line for line in listed]}


def _about_food(step: str, text: str) -> str:
    match step:
        case "restate":
            return f"I avoid {_avoided(text, 'New choice')} in all my meals."
        case "relevance":
            return '{"relevant": true}'
        case "select":
            pick = f"The one with no {_avoided(text, 'New pick')}. The rest is not for me."
            return json.dumps({"user_selection": pick, "assistant_acknowledgment": "Coming up."})
        case "stage":
            food = _avoided(text, "New preference")
            reply = {
                "query": "What should I take to the picnic?",
                "options": [f"{food} wraps", "Fruit", f"{food} rice", f"{food} pie"],
                "user_selection": f"Fruit. There is no {food} in it, so nothing else works.",
                "assistant_acknowledgment": "Fruit is easy to share.",
            }
            return json.dumps(reply)
        case "dialogue":
            said = (
                "My cousin has invited me to dinner on Sunday.",
                "How nice! Is there anything she should know?",
                f"Only that there can be no {_avoided(text, 'Preference')}. She has cooked around it for years.",
                "Then bring flowers and enjoy the evening.",
            )
            turns = [{"role": ("user", "assistant")[place % 2], "content": line} for place, line in enumerate(said)]
            return json.dumps({"turns": turns})
    return _choose(text)


def _avoided(text: str, label: str) -> str:
    """The food that a labelled part of a prompt is against."""
    part = text.partition(f"\n{label}:")[2]
    found = re.search(r"(?:never cooks with|without|avoid|no) (\w+)", part)
    assert found is not None, text
    return found.group(1)


def _choose(text: str) -> str:
    """The option that goes with what the user says they avoid."""
    said = re.search(r"user: .*\b(?:avoid|no) (\w+)", text)
    assert said is not None, text
    for label, option in re.findall(r"^([A-D])\. (.+)$", text, re.MULTILINE):
        if option.endswith(said.group(1)):
            return json.dumps({"option": label})
    return '{"option": "none"}'


def babbling(step: str, text: str) -> str:  # noqa: ARG001 - a script takes both
    return "..... --- ..... ???\n....."


def instead(replies: Mapping[str, str | Mapping[str, object]], rest: Script = perfect) -> Script:
    """The script with other replies at some steps; a mapping changes fields of the right reply."""

    def reply(step: str, text: str) -> str:
        if step not in replies:
            return rest(step, text)
        given = replies[step]
        return given if isinstance(given, str) else json.dumps({**json.loads(rest(step, text)), **given})

    return reply


def step_of(text: str) -> str:
    """The step of a prompt."""
    return TITLES[text.splitlines()[0]]


class Scripted:
    """A model of Inspect's that follows a script, and all that it was asked.

    Args:
        script: Replies.
        fail_after: Calls that succeed before every further one fails; None for all.
    """

    def __init__(self, script: Script = perfect, *, fail_after: int | None = None) -> None:
        self.asked: list[tuple[str, str]] = []
        self.configs: list[GenerateConfig] = []
        self._script = script
        self._fail_after = fail_after

    def model(self) -> "Model":
        from inspect_ai.model import get_model

        return get_model("mockllm/scripted", memoize=False, custom_outputs=self.answer)

    def answer(
        self,
        messages: "list[ChatMessage]",
        tools: "list[ToolInfo]",  # noqa: ARG002 - Inspect's signature
        tool_choice: "ToolChoice",  # noqa: ARG002
        config: "GenerateConfig",
    ) -> "ModelOutput":
        from inspect_ai.model import ModelOutput, ModelUsage

        text = next(message.text for message in messages if message.role == "user")
        step = step_of(text)
        if self._fail_after is not None and len(self.asked) >= self._fail_after:
            raise ConnectionError("nobody there")
        self.asked.append((step, messages[-1].text))
        self.configs.append(config)
        output = ModelOutput.from_content("mockllm/scripted", self._script(step, text))
        output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
        return output


def on_real_rows(prefeval: Path) -> Script:
    """A script that comes through every gate with rows it has never seen: what it writes carries its own meaning.

    Args:
        prefeval: The local copy whose preferences the rows are of; a reader of them has to know which option follows.
    """
    follows: dict[str, str] = {}
    for path in sorted((prefeval / "implicit_preference/choice-based").glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            mcq = json.loads((prefeval / "mcq_options" / path.name).read_text(encoding="utf-8"))
            option = next(entry for entry in mcq if entry["question"] == row["question"])["classification_task_options"]
            said = (row["preference"], row["conversation"]["user_selection"])
            follows |= dict.fromkeys((" ".join(text.split()) for text in said), option[0])
        for row in json.loads((prefeval / "explicit_preference" / path.name).read_text(encoding="utf-8")):
            option = next(entry for entry in mcq if entry["question"] == row["question"])["classification_task_options"]
            follows[" ".join(row["preference"].split())] = option[0]

    def reply(step: str, text: str) -> str:
        parts = dict(re.findall(r"^([A-Z][a-z ]*):\n<<<BEGIN[^\n]*\n(.*?)\n<<<END", text, re.MULTILINE | re.DOTALL))
        if "Instruction" in parts or "Original instruction" in parts or "Requirements" in parts:
            return json.dumps(_of_instruction(step, parts))
        if step in ("request", "facts", "recall", "target", "closed_book"):
            return json.dumps(_of_dialogue(step, parts))
        return _of_preference(step, parts, follows)

    return reply


def _of_dialogue(step: str, parts: Mapping[str, str]) -> dict[str, object]:
    """The piece is the longest word of the user's first message."""
    first = parts.get("Dialogue", "").partition("\nassistant: ")[0].removeprefix("user: ")
    word = max(re.findall(r"[^\W\d_]+", first), key=len, default="")
    match step:
        case "request":
            asked = "Please forget the longest word of my first message."
            return {"forget_instruction": asked, "test_question": "Which longest word did I use at first?"}
        case "facts":
            kinds = {"forgotten": "context", "request_kind": "explicit", "query_kind": "explicit"}
            return {"facts": [{"value": word}], "neighbour": None, "reask": None, **kinds}
        case "recall":
            return {"answerable": True, "answer": word, "evidence": word}
        case "target":
            return {"named": True, "piece": word}
    return {"answerable": False, "answer": "Nobody knows."}


def _of_instruction(step: str, parts: Mapping[str, str]) -> dict[str, object]:
    added = "End with a proverb."
    match step:
        case "revise":
            return {"modified_instruction": f"{parts['Instruction']}\n{added}", "description": ["It ends otherwise."]}
        case "decompose":
            groups = {"common_subtasks": ["Do the rest"], "original_special_subtasks": []}
            return {**groups, "modified_special_subtasks": [added]}
    listed = re.findall(r"^\d+\. (.+)$", parts["Requirements"], re.MULTILINE)
    return {"a": [line != added for line in listed], "b": [True] * len(listed)}


def _of_preference(step: str, parts: Mapping[str, str], follows: Mapping[str, str]) -> str:
    """What is written for an option says its words backwards, which no option does."""
    match step:
        case "restate":
            return f"I want {_backwards(parts['New choice'])}."
        case "stage":
            picked = {"user_selection": parts["New preference"], "assistant_acknowledgment": "Very well."}
            return json.dumps({"query": "What now?", "options": ["This", "That", "Neither", "Both"], **picked})
        case "dialogue":
            own = follows.get(" ".join(parts["Preference"].split()))
            said = parts["Preference"] if own is None else f"I want {_backwards(own)}."
            lines = ("I had a long day.", "Tell me about it.", said, "I see.")
            turns = [{"role": ("user", "assistant")[place % 2], "content": line} for place, line in enumerate(lines)]
            return json.dumps({"turns": turns})
    said, options = " ".join(parts["Conversation"].split()), re.findall(r"^([A-D])\. (.+)$", parts["Options"], re.M)
    own = next((option for text, option in follows.items() if text in said), "")
    meant = (label for label, option in options if f"I want {_backwards(option)}." in said or option == own)
    return json.dumps({"option": next(meant, "none")})


def _backwards(option: str) -> str:
    return " ".join(option.split()[::-1]).rstrip(".")
