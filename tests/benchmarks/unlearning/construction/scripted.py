"""A builder that follows a script on any corpus: triplets by rule, questions about them, answers out of the text."""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from forgetscope.benchmarks.unlearning.construction import prompts
from forgetscope.benchmarks.unlearning.formats.extraction.rules import rule_triplets

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput
    from inspect_ai.tool import ToolChoice, ToolInfo

STEPS = {
    text.splitlines()[0]: step
    for step, text in (
        ("triplets", prompts.TRIPLETS),
        ("questions", prompts.QUESTIONS),
        ("answers", prompts.ANSWER),
    )
}
_FENCED = re.compile(r"<<<BEGIN (?P<label>\w+)[^\n]*>>>\n(?P<text>.*?)\n<<<END ", re.DOTALL)


class ScriptedBuilder:
    """A model of Inspect's that follows the script, and all that it was asked.

    Args:
        instead: By step, what it says in place of the script.
        fail_after: Calls that succeed before every further one fails; None for all.
    """

    def __init__(self, instead: Mapping[str, str] | None = None, *, fail_after: int | None = None) -> None:
        self.asked: list[tuple[str, str]] = []
        self._instead = instead or {}
        self._fail_after = fail_after

    def model(self) -> "Model":
        from inspect_ai.model import get_model

        return get_model("mockllm/scripted", memoize=False, custom_outputs=self.answer)

    def answer(
        self,
        messages: "list[ChatMessage]",
        tools: "list[ToolInfo]",  # noqa: ARG002 - Inspect's signature
        tool_choice: "ToolChoice",  # noqa: ARG002
        config: "GenerateConfig",  # noqa: ARG002
    ) -> "ModelOutput":
        from inspect_ai.model import ModelOutput, ModelUsage

        text = next(message.text for message in messages if message.role == "user")
        step = STEPS[text.splitlines()[0]]
        if self._fail_after is not None and len(self.asked) >= self._fail_after:
            raise ConnectionError("nobody there")
        self.asked.append((step, messages[-1].text))
        said = self._instead.get(step)
        text = said if said is not None else scripted_reply(step, text)
        output = ModelOutput.from_content("mockllm/scripted", text)
        output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
        return output


def scripted_reply(step: str, prompt: str) -> str:
    """The right reply to a prompt about any text."""
    shown = {match["label"]: match["text"] for match in _FENCED.finditer(prompt)}
    triplets = rule_triplets(shown["TEXT"])
    if step == "triplets":
        return json.dumps({"triplets": [one.model_dump() for one in triplets]})
    if step == "answers":
        return next((one.tail for one in triplets if one.head in shown["QUESTION"] and one.relation in prompt), "")
    rows = [
        {"question": f"{one.head} {one.relation} what?", "answer": one.tail, "paraphrase": f"What {one.relation}?"}
        for one in triplets
    ]
    return json.dumps({"questions": rows[:4]})
