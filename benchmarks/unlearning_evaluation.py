"""Continuing and answering in batches with a key-value cache, against one prompt at a time, with and without cache.

The shipped target continues the first halves of its forget articles and answers the questions about them and the world.
The library's own `generate` writes one prompt at a time; texts are compared token by token.

    python benchmarks/unlearning_evaluation.py [--articles 12] [--questions 60] [--uncached 12]
"""

import argparse
import time
from collections.abc import Callable, Sequence

import torch

from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings
from forgetscope.benchmarks.unlearning.evaluation.generation import continue_greedily
from forgetscope.benchmarks.unlearning.prompts import question_prompt
from forgetscope.benchmarks.unlearning.training.models import LanguageModel, load_model
from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED

Prompts = list[list[int]]


def one_by_one(model: LanguageModel, prompts: Prompts, most: int, *, cached: bool) -> list[tuple[int, ...]]:
    """The library's greedy decoding, one prompt at a time."""
    end = model.tokenizer.end
    found = []
    for prompt in prompts:
        written = model.network.generate(  # type: ignore[operator]
            input_ids=torch.tensor([prompt]),
            attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
            max_new_tokens=most,
            do_sample=False,
            use_cache=cached,
            pad_token_id=model.tokenizer.pad_id,
            eos_token_id=end,
        )[0, len(prompt) :].tolist()
        found.append(tuple(written[: written.index(end)] if end in written else written))
    return found


def timed(call: Callable[[], list[tuple[int, ...]]]) -> tuple[list[tuple[int, ...]], float]:
    """What a call returns, and its CPU seconds."""
    started = time.process_time()
    found = call()
    return found, time.process_time() - started


def compare(name: str, model: LanguageModel, prompts: Prompts, most: int, uncached: int) -> None:
    """Three ways of writing the same texts."""
    ours, batched = timed(lambda: [one.ids for one in continue_greedily(model, prompts, max_new_tokens=most)])
    single, alone = timed(lambda: one_by_one(model, prompts, most, cached=True))
    few = prompts[:: max(1, len(prompts) // uncached)][:uncached]
    _, ours_few = timed(lambda: [one.ids for one in continue_greedily(model, few, max_new_tokens=most)])
    _, cached_few = timed(lambda: one_by_one(model, few, most, cached=True))
    _, without = timed(lambda: one_by_one(model, few, most, cached=False))
    same = sum(a == b for a, b in zip(ours, single, strict=True))
    tokens = sum(len(ids) for ids in ours)
    print(f"{name}: {len(prompts)} prompts, {tokens:,} tokens written, {same} of {len(prompts)} texts the same")
    print(f"  in batches      {batched:7.2f} CPU s  {tokens / batched:8,.0f} tokens a CPU second")
    print(f"  one at a time   {alone:7.2f} CPU s  {tokens / alone:8,.0f}   {alone / batched:.1f} times the time")
    print(
        f"  of {len(few)} prompts, one at a time without cache {without:.2f} CPU s: {without / cached_few:.1f} times "
        f"one at a time with it, {without / ours_few:.1f} times a batch"
    )


def main() -> None:
    """Verbatim continuations and answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=12)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--uncached", type=int, default=12)
    given = parser.parse_args()
    torch.set_num_threads(1)
    model = load_model(SHIPPED)
    model.network.train(False)
    corpus = EmbeddedSettings().load()
    encoded: Sequence[list[int]] = [model.tokenizer.encode(one.text) for one in corpus.forget[: given.articles]]
    halves = [[*model.tokenizer.begin, *ids[: len(ids) // 2]] for ids in encoded]
    asked = [question for question in (*corpus.questions, *corpus.world) if not question.is_paraphrase]
    prompts = [model.tokenizer.prompt(question_prompt(question.question)) for question in asked[: given.questions]]
    one_by_one(model, halves[:1], 4, cached=True)  # warm up
    compare("verbatim", model, halves, 128, given.uncached)
    compare("answers", model, prompts, 32, given.uncached)


if __name__ == "__main__":
    main()
