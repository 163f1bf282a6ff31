"""Inspect's mock model with a count of tokens of its own: without one Inspect fetches an encoding to count with."""

from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model


def says_the_same(text: str = "It was a sunny day.") -> Model:
    """A model with one answer to everything."""

    def answer(*_: object) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=answer, memoize=False)
