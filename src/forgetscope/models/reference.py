"""`forgetscope/reference/NAME`: responders whose behaviour is known by construction.

They are the calibration of a benchmark: one that claims to tell forgetting from obeying must rank them right. A
benchmark registers a `Responder` (`core.responders`), which writes each named responder's reply; the model below only
carries it to Inspect, optionally after a delay.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence

from inspect_ai.model import ChatMessage, ContentImage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage
from inspect_ai.tool import ToolChoice, ToolInfo

from forgetscope.core.bounds import LONGEST_ATTEMPT
from forgetscope.core.errors import SettingError, UnknownNameError, UserError
from forgetscope.core.responders import PICTURE, RESPONDERS, picture_name, reference_names


class ReferenceModel(ModelAPI):
    """A responder of known behaviour as an Inspect model.

    Args:
        model_name: `reference/NAME`.
        config: Kept for Inspect; replies are always whole.
        latency: Seconds before each reply, to make a run that can be interrupted.
    """

    def __init__(self, model_name: str, config: GenerateConfig, latency: float) -> None:
        super().__init__(model_name, config=config)
        self._name = model_name.removeprefix("reference/")
        self._latency = latency

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],  # noqa: ARG002 - Inspect's signature
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        """The reply this responder gives to the last message."""
        started = time.monotonic()
        if self._latency:
            await asyncio.sleep(self._latency)
        reply = self._reply([turn for message in input for turn in _turns(message)])
        output = ModelOutput.from_content(self.model_name, reply)
        tokens_in, tokens_out = sum(len(message.text.split()) for message in input), len(reply.split())
        output.usage = ModelUsage(input_tokens=tokens_in, output_tokens=tokens_out, total_tokens=tokens_in + tokens_out)
        output.time = time.monotonic() - started
        return output

    def _reply(self, conversation: Sequence[tuple[str, str]]) -> str:
        for names, responder in RESPONDERS.values():
            if self._name in names:
                reply = responder(self._name, conversation)
                if reply is not None:
                    return reply
        raise UserError(
            "reference models know only the items of a benchmark run in this process",
            where=self.model_name,
            found=conversation[-1][1],
        )

    def max_connections(self) -> int:
        """Replies are computed here: many at once cost nothing but the delay."""
        return 32

    def connection_key(self) -> str:
        """One queue for each responder."""
        return self.model_name


def _turns(message: ChatMessage) -> Iterator[tuple[str, str]]:
    """A message as roles and texts, its pictures first."""
    if not isinstance(message.content, str):
        for part in message.content:
            if isinstance(part, ContentImage):
                yield PICTURE, picture_name(part.image)
    yield message.role, message.text


def create_reference_model(model_name: str, config: GenerateConfig, model_args: Mapping[str, object]) -> ModelAPI:
    """Build `reference/NAME`.

    Raises:
        UnknownNameError: no benchmark registered this name.
        SettingError: an argument other than `latency`, or one that is no number of seconds.
    """
    name = model_name.removeprefix("reference/")
    if name not in reference_names():
        raise UnknownNameError("unknown reference model", found=name, allowed=reference_names())
    unknown = set(model_args) - {"latency"}
    if unknown:
        raise SettingError(
            "unknown model argument", where=f"forgetscope/{model_name}", found=sorted(unknown), allowed="latency"
        )
    try:
        latency = float(str(model_args.get("latency", 0)))
    except ValueError:
        latency = -1.0
    if not 0 <= latency <= LONGEST_ATTEMPT:
        allowed = f"0 to {LONGEST_ATTEMPT:,}"
        raise SettingError("latency is a number of seconds", found=model_args["latency"], allowed=allowed)
    return ReferenceModel(model_name, config, latency)
