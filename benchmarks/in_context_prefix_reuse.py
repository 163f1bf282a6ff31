"""What the order of issue is worth to an engine with a prefix cache: prompt tokens served from it, and time.

SmolLM2 reads the prompts of a few embedded items at several lengths in both forms, one at a time, a token of reply
each: in the order in which a run issues them, and shuffled. Two pipelines with a cache each take turns prompt by
prompt, so that what else the machine does meets both orders alike. A cache holds the longest prompt and little more,
and all prompts together are many times as long: so it is in a run of full size, where the 14 contexts of one item are
130,000 tokens and a cache of 2 GB holds 86,000.

    python benchmarks/in_context_prefix_reuse.py [--items 1] [--lengths 500,1000] [--cache-tokens 1536]

The pipeline does not say what came from its cache. It reads `STEP` prompt tokens a step, and nothing else is in the
batch, so the steps of a prompt tell how many of its tokens were read: exact to `STEP` a prompt, rounded against the
cache.
"""

import argparse
import time
from collections.abc import Iterator, Sequence

import numpy as np
import openvino_genai

from forgetscope.benchmarks.in_context.data.forms import Filler, InContextSample
from forgetscope.benchmarks.in_context.data.items import InstructionalForgettingItem
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.plan import iter_samples
from forgetscope.benchmarks.in_context.prompts import system_message
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.benchmarks.in_context.validation.reference import PLAIN_BODY
from forgetscope.models.weights import find_smollm2
from forgetscope.stats import named_stream

STEP = 64
BLOCK = 32
"""Tokens of a block of the cache on a CPU."""

Conversation = list[dict[str, str]]


def conversations(sample: InContextSample, filler: Filler) -> Iterator[Conversation]:
    """The prompts of a sample's calls in order; a fixed text stands for what the model would have answered."""
    said: Conversation = [{"role": "system", "content": system_message(sample.item.scenario, sample.strategy)}]
    for turn in sample.turns(filler):
        if turn.live:
            yield list(said)
        said.append({"role": turn.role, "content": PLAIN_BODY if turn.live else turn.content})
    yield list(said)
    if sample.reask and isinstance(sample.item, InstructionalForgettingItem):
        asked_again = {"role": "user", "content": sample.item.reask or ""}
        yield [*said, {"role": "assistant", "content": PLAIN_BODY}, asked_again]


class Reader:
    """A pipeline that reads prompts, and what that cost."""

    def __init__(self, prompts: Sequence[Conversation], cache_tokens: int) -> None:
        scheduler = openvino_genai.SchedulerConfig()
        scheduler.num_kv_blocks = cache_tokens // BLOCK
        scheduler.cache_size = 0
        scheduler.max_num_batched_tokens = STEP
        scheduler.enable_prefix_caching = True
        self._pipeline = openvino_genai.ContinuousBatchingPipeline(str(find_smollm2()), scheduler, "CPU", {})
        self._tokenizer = self._pipeline.get_tokenizer()
        self._config = openvino_genai.GenerationConfig()
        self._config.max_new_tokens = 1
        self._prompts = prompts
        self.tokens = self.read = 0
        self.seconds = self.cpu = 0.0

    def read_one(self, number: int) -> None:
        text = self._tokenizer.apply_chat_template(self._prompts[number], add_generation_prompt=True)
        ids = self._tokenizer.encode(text, add_special_tokens=False).input_ids
        begin, cpu, steps = time.perf_counter(), time.process_time(), 0
        handle = self._pipeline.add_request(number, ids, self._config)
        while self._pipeline.has_non_finished_requests():
            self._pipeline.step()
            steps += 1
        handle.read_all()
        self.seconds += time.perf_counter() - begin
        self.cpu += time.process_time() - cpu
        self.tokens += ids.shape[1]
        self.read += min(ids.shape[1], steps * STEP)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1, help="of each scenario")
    parser.add_argument("--lengths", default="500,1000")
    parser.add_argument("--cache-tokens", type=int, default=1536)
    parser.add_argument("--seed", type=int, default=42)
    given = parser.parse_args()
    settings = InContextSettings(limit=given.items, lengths=given.lengths)
    samples = iter_samples(settings, load_data("embedded"))
    issued = [prompt for sample, filler in samples for prompt in conversations(sample, filler)]
    order: np.ndarray = named_stream(given.seed, "prefix reuse").permutation(len(issued))
    readers = {
        "issue": Reader(issued, given.cache_tokens),
        "shuffled": Reader([issued[place] for place in order], given.cache_tokens),
    }
    for number in range(len(issued)):
        for reader in readers.values():
            reader.read_one(number)
    print(f"{given.items} items of each scenario, lengths {given.lengths}, a cache of {given.cache_tokens:,} tokens")
    print(f"{'order':10}{'prompts':>9}{'tokens':>10}{'read':>10}{'served':>9}{'seconds':>9}{'CPU s':>9}")
    for name, reader in readers.items():
        print(
            f"{name:10}{len(issued):9}{reader.tokens:10,}{reader.read:10,}{1 - reader.read / reader.tokens:9.1%}"
            f"{reader.seconds:9.1f}{reader.cpu:9.1f}"
        )
    in_order, shuffled = readers.values()
    print(
        f"shuffled against issue: {shuffled.read / in_order.read:.2f} times the tokens read, "
        f"{shuffled.seconds / in_order.seconds:.2f} times the wall time, "
        f"{shuffled.cpu / in_order.cpu:.2f} times the CPU time"
    )


if __name__ == "__main__":
    main()
