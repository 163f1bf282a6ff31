"""The `forgetscope` command with an eye on who is asked what: `counting_judges.py CALLS ARGUMENTS...`.

Appends a line for each call of a reference model or judge to the file CALLS, before its delay: its name and a digest of
what it is asked.
"""

import hashlib
import os
import sys

from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput
from inspect_ai.tool import ToolChoice, ToolInfo

from forgetscope.cli import main
from forgetscope.models.reference import ReferenceModel


def count_calls(path: str) -> None:
    calls = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    generate = ReferenceModel.generate

    async def counted(
        self: ReferenceModel,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        asked = hashlib.sha256("\0".join(message.text for message in input).encode()).hexdigest()[:16]
        os.write(calls, f"{self.model_name.removeprefix('reference/')} {asked}\n".encode())
        return await generate(self, input=input, tools=tools, tool_choice=tool_choice, config=config)

    ReferenceModel.generate = counted  # type: ignore[method-assign]


if __name__ == "__main__":
    count_calls(sys.argv[1])
    sys.argv[1:] = sys.argv[2:]
    main()
