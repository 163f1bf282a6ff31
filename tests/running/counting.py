"""The `forgetscope` command with an eye on the reference models: `counting.py CALLS ARGUMENTS...`.

Appends the id of each sample that is asked for to the file CALLS, before the reference model's delay.
"""

import os
import sys

from inspect_ai.log._samples import sample_active
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
        active = sample_active()
        assert active is not None
        os.write(calls, f"{active.sample.id}\n".encode())
        return await generate(self, input=input, tools=tools, tool_choice=tool_choice, config=config)

    ReferenceModel.generate = counted  # type: ignore[method-assign]


if __name__ == "__main__":
    count_calls(sys.argv[1])
    sys.argv[1:] = sys.argv[2:]
    main()
