"""Judges made of a few lines: what they reply is the test's choice; Inspect calls them like any provider."""

from collections.abc import Callable, Sequence

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelAPI, ModelOutput, StopReason, get_model, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

Say = Callable[[Sequence[ChatMessage]], str | Exception]


class BadRequestError(Exception):
    """What providers raise at a request they cannot take."""

    status_code = 400


class ScriptedJudge(ModelAPI):
    """Replies as `say` says; an exception it returns is raised. Keeps what it was asked."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's own default
        *,
        say: Say,
        stop_reason: StopReason = "stop",
        takes_schemas: bool = True,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._say = say
        self._stop_reason = stop_reason
        self._takes_schemas = takes_schemas
        self.asked: list[list[ChatMessage]] = []
        self.configs: list[GenerateConfig] = []

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],  # noqa: ARG002 - Inspect's signature
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,
    ) -> ModelOutput:
        self.asked.append(input)
        self.configs.append(config)
        if config.response_schema is not None and not self._takes_schemas:
            raise BadRequestError
        said = self._say(input)
        if isinstance(said, Exception):
            raise said
        return ModelOutput.from_content(self.model_name, said, stop_reason=self._stop_reason)


@modelapi(name="scripted")
def scripted() -> type[ModelAPI]:
    """What Inspect finds under `scripted/...`."""
    return ScriptedJudge


def judge(
    say: Say, *, name: str = "judge", stop_reason: StopReason = "stop", takes_schemas: bool = True
) -> tuple[Model, ScriptedJudge]:
    """A scripted judge as a model, and the script to look at."""
    model = get_model(f"scripted/{name}", memoize=False, say=say, stop_reason=stop_reason, takes_schemas=takes_schemas)
    assert isinstance(model.api, ScriptedJudge)
    return model, model.api


def replies(*texts: str) -> Say:
    """The texts one after the other, the last again and again."""
    left = list(texts)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]
