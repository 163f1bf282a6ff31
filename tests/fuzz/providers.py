"""Replies of a provider in OpenAI's protocol with one of their parts twisted: read, or refused as no completion."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from inspect_ai.model import ModelOutput
from openai.types.chat import ChatCompletion

from forgetscope.io.completions import completion_of
from forgetscope.models.received import UnreadableResponseError, made_fit, readable
from tests.fuzz.attack import Account, attempt
from tests.fuzz.mutations import twisted

MESSAGE = {"role": "assistant", "content": "Four."}
USAGE = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5, "prompt_tokens_details": {"cached_tokens": 1}}
SOUND = {
    **{"id": "c", "object": "chat.completion", "created": 1, "model": "m", "usage": USAGE},
    "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None, "message": MESSAGE}],
}


def attack_normaliser(folder: Path, seeds: Iterator[int], account: Account) -> None:
    """Each seed twists one reply, which OpenAI's client takes as it comes; ours makes it fit to be kept."""
    for seed in seeds:
        chance = random.Random(seed)
        sent = SOUND
        for _ in range(chance.choice([1, 2, 3])):
            sent = twisted(sent, chance)  # type: ignore[assignment]
        attempt(account, f"provider, seed {seed}", lambda sent=sent: _take(sent), folder)  # type: ignore[misc]


def _take(sent: object) -> object:
    """What a call makes of it: a completion that a file can hold, or nothing where it is none."""
    if not isinstance(sent, dict):
        return None
    try:
        completion = readable(ChatCompletion.construct(**{str(name): value for name, value in sent.items()}))
    except UnreadableResponseError:
        return None
    if not isinstance(completion, ChatCompletion) or not isinstance(getattr(completion, "choices", None), list):
        return None
    said = [choice.message.content for choice in completion.choices]
    output = made_fit(ModelOutput.from_content("m", str(said[0] if said else "")))
    kept = completion_of(output)
    return json.dumps([kept.reply, kept.reasoning], ensure_ascii=False).encode()
