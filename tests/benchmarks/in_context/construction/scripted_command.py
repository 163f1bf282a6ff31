"""The `forgetscope` command with the perfect scripted builder: `scripted_command.py CALLS SECONDS ARGUMENTS...`.

Appends a line to the file CALLS for each request that reaches the builder, which takes SECONDS to answer.
"""

import asyncio
import hashlib
import os
import sys

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.tool import ToolChoice, ToolInfo

from forgetscope.cli import main
from forgetscope.running import building
from forgetscope.running.manifest import Limits, ModelSpec
from tests.benchmarks.in_context.construction.scripted import Scripted, step_of


def answer_with_script(calls: str, seconds: float) -> None:
    record = os.open(calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    scripted = Scripted()

    async def answer(
        messages: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        text = next(message.text for message in messages if message.role == "user")
        os.write(record, f"{step_of(text)} {hash_of(messages)}\n".encode())
        await asyncio.sleep(seconds)
        return scripted.answer(messages, tools, tool_choice, config)

    def build_model(spec: ModelSpec, limits: Limits, option: str = "") -> Model:  # noqa: ARG001 - what it stands in for
        return get_model("mockllm/scripted", memoize=False, custom_outputs=answer)

    building.build_model = build_model


def hash_of(messages: list[ChatMessage]) -> str:
    return hashlib.sha256("\0".join(message.text for message in messages).encode()).hexdigest()[:12]


if __name__ == "__main__":
    answer_with_script(sys.argv[1], float(sys.argv[2]))
    sys.argv[1:] = sys.argv[3:]
    main()
