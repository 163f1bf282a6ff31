"""How the next token is chosen, as one value that can be compared, logged and named in a report."""

import math
from dataclasses import dataclass

from forgetscope.core.errors import SettingError


@dataclass(frozen=True)
class Decoding:
    """Settings of one generation. The defaults are greedy decoding as the papers use it.

    Attributes:
        max_new_tokens: Tokens of reply at most.
        temperature: 0 for greedy decoding, above it for sampling.
        top_p: Probability mass kept when sampling; None keeps all.
        top_k: Number of tokens kept when sampling; None keeps all.
        seed: Seed of the sampling; needed when `temperature` is above 0, else two samples of one prompt are equal.
            OpenVINO GenAI draws from one generator for all requests in flight, and not alike before and after the
            prompt is in its cache: a seed repeats a text only one request at a time and from the cache.
        stop: Texts that end the reply (and are not part of it).
        repetition_penalty: Divides the logits of every token that stands in prompt or reply; 1 is off. An
            anti-loop measure for small models; none of the papers uses it.
        frequency_penalty: Subtracted from a token's logit for each time it stands in the reply; 0 is off.
        presence_penalty: Subtracted once from the logits of tokens that stand in the reply; 0 is off.
        logprobs: Return the log-probability of each token of the reply.
        json_schema: JSON schema, as text, the reply is held to; None for free text.
    """

    max_new_tokens: int = 256
    temperature: float = 0.0
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    repetition_penalty: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    logprobs: bool = False
    json_schema: str | None = None

    def __post_init__(self) -> None:
        _require(self.max_new_tokens >= 1, "max_tokens", self.max_new_tokens, "1 or more")
        _require(
            self.temperature >= 0 and math.isfinite(self.temperature), "temperature", self.temperature, "0 or more"
        )
        _require(self.top_p is None or 0 < self.top_p <= 1, "top_p", self.top_p, "above 0, at most 1")
        _require(self.top_k is None or self.top_k >= 1, "top_k", self.top_k, "1 or more")
        _require(0 < self.repetition_penalty < math.inf, "repetition_penalty", self.repetition_penalty, "above 0")
        _require(-2 <= self.frequency_penalty <= 2, "frequency_penalty", self.frequency_penalty, "-2 to 2")
        _require(-2 <= self.presence_penalty <= 2, "presence_penalty", self.presence_penalty, "-2 to 2")
        _require(all(self.stop), "stop_seqs", self.stop, "texts of one character or more")

    @property
    def is_greedy(self) -> bool:
        """Always the most probable token."""
        return self.temperature == 0

    @property
    def is_as_published(self) -> bool:
        """Free of penalties, as the papers decode; a report must say when it is not."""
        return self.repetition_penalty == 1 and self.frequency_penalty == 0 and self.presence_penalty == 0

    def label(self) -> str:
        """What to call this decoding in results, without limit, seed and stop texts.

        Example: ``greedy``, ``sampling at temperature 0.7, top_p 0.9``,
        ``greedy + repetition_penalty 1.1 (not the paper's)``.
        """
        if self.is_greedy:
            text = "greedy"
        else:
            text = f"sampling at temperature {self.temperature:g}"
            text += f", top_p {self.top_p:g}" if self.top_p is not None else ""
            text += f", top_k {self.top_k}" if self.top_k is not None else ""
        penalties = {
            "repetition_penalty": (self.repetition_penalty, 1.0),
            "frequency_penalty": (self.frequency_penalty, 0.0),
            "presence_penalty": (self.presence_penalty, 0.0),
        }
        for name, (value, off) in penalties.items():
            text += f" + {name} {value:g}" if value != off else ""
        return text if self.is_as_published else f"{text} (not the paper's)"


def _require(holds: bool, name: str, found: object, allowed: str) -> None:
    if not holds:
        raise SettingError("cannot be meant", where=name, found=found, allowed=allowed)
