"""Tokens a second through everything `forgetscope run` does, against the bare pipeline on the same prompts.

The harness's time is that of a whole run: journal, scoring, log, sample table, manifest (plan and report are outside).
Turns alternate in one process; each turn has a run seed of its own, so that its load is in nobody's prefix cache.

    python benchmarks/harness_throughput.py [--turns 3] [--limit 15] [--max-tokens 128]
"""

import argparse
import statistics
import tempfile
import time
import warnings
from pathlib import Path

import openvino_genai

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.prospective.plan import build_samples, cached_data
from forgetscope.benchmarks.prospective.scoring.row import messages
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.models.backend import EngineSettings
from forgetscope.models.weights import find_smollm2
from forgetscope.running.execute import start_run
from forgetscope.running.manifest import Limits, ModelSpec


def settings_of(seed: int, limit: int, max_tokens: int) -> ProspectiveSettings:
    return ProspectiveSettings(
        experiments="load", loads="triviaqa,gsm8k_x1", seeds=(seed,), limit=limit, max_tokens=max_tokens
    )


def bare_pipeline() -> openvino_genai.ContinuousBatchingPipeline:
    ours = EngineSettings()
    scheduler = openvino_genai.SchedulerConfig()
    scheduler.cache_size = ours.cache_gb
    scheduler.max_num_seqs = ours.max_sequences
    scheduler.max_num_batched_tokens = ours.max_batched_tokens
    scheduler.enable_prefix_caching = ours.prefix_caching
    return openvino_genai.ContinuousBatchingPipeline(str(find_smollm2()), scheduler, ours.device)


def bare_turn(pipeline: openvino_genai.ContinuousBatchingPipeline, settings: ProspectiveSettings) -> float:
    tokenizer = pipeline.get_tokenizer()
    config = openvino_genai.GenerationConfig()
    config.max_new_tokens = settings.max_tokens
    config.apply_chat_template = False
    samples = build_samples(settings, cached_data(settings.data))
    begin = time.perf_counter()
    prompts = [tokenizer.apply_chat_template(messages(sample), True) for sample in samples]
    results = pipeline.generate(prompts, [config] * len(prompts))
    tokens: int = results[0].perf_metrics.get_num_generated_tokens()  # of the whole call
    return tokens / (time.perf_counter() - begin)


def harness_turn(settings: ProspectiveSettings) -> float:
    benchmark = get_benchmark("prospective")
    plan = benchmark.plan(settings)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        finished = start_run(
            benchmark,
            settings,
            plan,
            ModelSpec(name="forgetscope/smollm2"),
            Limits(),
            Path(folder) / "run",
            display="none",
        )
        seconds = time.perf_counter() - begin
    return int(finished.table["output_tokens"].sum()) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--limit", type=int, default=15)
    parser.add_argument("--max-tokens", type=int, default=128)
    given = parser.parse_args()
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    pipeline = bare_pipeline()
    print("warming up", flush=True)
    bare_turn(pipeline, settings_of(1000, 2, 32))
    harness_turn(settings_of(1001, 2, 32))
    ratios = []
    for turn in range(given.turns):
        order = ("bare", "harness") if turn % 2 == 0 else ("harness", "bare")
        rates = {}
        for name in order:
            settings = settings_of(2 * turn + (name == "bare"), given.limit, given.max_tokens)
            rates[name] = bare_turn(pipeline, settings) if name == "bare" else harness_turn(settings)
        ratios.append(rates["harness"] / rates["bare"])
        print(
            f"turn {turn}: bare {rates['bare']:.1f} tokens/s, harness {rates['harness']:.1f} tokens/s, "
            f"ratio {ratios[-1]:.3f}",
            flush=True,
        )
    print(f"ratio harness / bare: min {min(ratios):.3f}, median {statistics.median(ratios):.3f}, max {max(ratios):.3f}")


if __name__ == "__main__":
    main()
