"""How long a run may take, where a model's speed is known: only for models that run in this process."""

PROMPT_TOKENS_PER_SECOND = 1500.0
"""Prompt reading of SmolLM2-135M on two cores; a rough figure for estimates."""


def estimated_seconds(model: str, samples: int, prompt_tokens: int, max_tokens: int) -> float | None:
    """Seconds for a run whose replies all reach the limit; None where the model's speed is not known."""
    if model.startswith("forgetscope/reference/"):
        return samples * 0.02
    if model.startswith(("forgetscope/smollm2", "forgetscope/gguf")):
        from forgetscope.models.local import estimated_tokens_per_second

        return samples * max_tokens / estimated_tokens_per_second() + prompt_tokens / PROMPT_TOKENS_PER_SECOND
    return None
