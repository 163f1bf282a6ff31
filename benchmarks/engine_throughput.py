"""Tokens a second of reply: the bare pipeline, our provider through Inspect, and Inspect's ``hf/`` on the same weights.

One process, the contenders taking turns, so that what else the machine does meets all of them alike; the figure is the
ratio within a turn, with its smallest, median and largest value over the turns. Each turn has prompts of its own, so
that no contender finds its prompts in the prefix cache; the bare pipeline has the same settings as ours.

    python benchmarks/engine_throughput.py [--turns 5] [--prompts 64] [--max-tokens 128] [--out FILE]

``hf/`` takes part where torch and transformers are installed and ``--hf FOLDER`` names a folder with the weights in
transformers' format (``--export FOLDER`` makes one from the GGUF).
"""

import argparse
import json
import os
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

from forgetscope.models.backend import EngineSettings
from forgetscope.models.local import LocalModel
from forgetscope.models.weights import find_smollm2

SYSTEM = "You are a helpful assistant."
TOPICS = ("rivers", "cities", "stars", "music", "bread", "chess", "trains", "bees", "ships", "maps", "glass", "wool")
BARE, OURS, HF = "bare pipeline", "forgetscope/smollm2 in an Inspect task", "hf/ in an Inspect task"


@dataclass(frozen=True)
class Load:
    prompts: int
    max_tokens: int

    def texts(self, turn: int) -> list[str]:
        return [
            f"Variant {turn}-{n}: write {3 + n // len(TOPICS)} paragraphs about {TOPICS[n % len(TOPICS)]}."
            for n in range(self.prompts)
        ]


@dataclass(frozen=True)
class Measured:
    tokens: int
    seconds: float
    cpu_seconds: float

    @property
    def rate(self) -> float:
        return self.tokens / self.seconds

    @property
    def cpu_milliseconds_per_token(self) -> float:
        return 1000 * self.cpu_seconds / self.tokens


def bare(load: Load) -> Callable[[int], Measured]:
    import openvino_genai

    settings = EngineSettings()
    scheduler = openvino_genai.SchedulerConfig()
    scheduler.cache_size = settings.cache_gb
    scheduler.max_num_seqs = settings.max_sequences
    scheduler.max_num_batched_tokens = settings.max_batched_tokens
    scheduler.enable_prefix_caching = settings.prefix_caching
    pipeline = openvino_genai.ContinuousBatchingPipeline(str(find_smollm2()), scheduler, settings.device)
    tokenizer = pipeline.get_tokenizer()
    config = openvino_genai.GenerationConfig()
    config.max_new_tokens = load.max_tokens
    config.apply_chat_template = False

    def turn(number: int) -> Measured:
        conversations = [
            [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}] for text in load.texts(number)
        ]
        begin, cpu = time.perf_counter(), time.process_time()
        prompts = [tokenizer.apply_chat_template(conversation, True) for conversation in conversations]
        results = pipeline.generate(prompts, [config] * len(prompts))
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
        # Every result carries the metrics of the whole call.
        return Measured(results[0].perf_metrics.get_num_generated_tokens(), seconds, cpu)

    return turn


def through_inspect(load: Load, model_name: str, **model_args: str) -> Callable[[int], Measured]:
    model = get_model(model_name, config=None, memoize=False, **model_args)  # type: ignore[arg-type]  # -M arguments
    if isinstance(model.api, LocalModel):
        model.api.engine.load()

    def turn(number: int) -> Measured:
        samples = [
            Sample(
                id=f"{number}/{n}", input=[ChatMessageSystem(content=SYSTEM), ChatMessageUser(content=text)], target="a"
            )
            for n, text in enumerate(load.texts(number))
        ]
        with tempfile.TemporaryDirectory() as folder:
            begin, cpu = time.perf_counter(), time.process_time()
            (log,) = inspect_eval(
                Task(dataset=MemoryDataset(samples), solver=generate(), scorer=includes(), name="throughput"),
                model=model,
                log_dir=folder,
                log_realtime=False,
                display="none",
                max_connections=load.prompts,
                max_samples=load.prompts,
                max_tokens=load.max_tokens,
                # Greedy either way; hf/ refuses a temperature of zero.
                temperature=0.0 if isinstance(model.api, LocalModel) else None,
            )
            seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
            assert log.status == "success", log.error
            assert log.samples is not None
            tokens = 0  # read while the log is there: samples are loaded late
            for sample in log.samples:
                assert sample.output.usage is not None
                tokens += sample.output.usage.output_tokens
        return Measured(tokens, seconds, cpu)

    return turn


def export_for_transformers(folder: Path) -> None:
    # Only in the benchmark's own environment.
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig  # type: ignore[import-not-found]

    path = find_smollm2()
    AutoTokenizer.from_pretrained(str(path.parent), gguf_file=path.name).save_pretrained(folder)
    loaded = AutoModelForCausalLM.from_pretrained(
        str(path.parent), gguf_file=path.name, quantization_config=GgufConfig(dequantize=True)
    )
    clean = AutoModelForCausalLM.from_config(loaded.config)  # saving refuses a model that was quantised
    clean.load_state_dict(loaded.state_dict())
    clean.save_pretrained(folder)


def summary(values: list[float]) -> dict[str, float]:
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--prompts", type=int, default=64)
    parser.add_argument("--max-tokens", type=int, default=128)
    parser.add_argument("--hf", type=Path)
    parser.add_argument("--export", type=Path)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.export:
        export_for_transformers(given.export)
        return
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    load = Load(given.prompts, given.max_tokens)
    contenders = {BARE: bare(load), OURS: through_inspect(load, "forgetscope/smollm2")}
    if given.hf:
        folder = str(given.hf)
        contenders[HF] = through_inspect(load, "hf/local", model_path=folder, tokenizer_path=folder, device="cpu")

    print("warming up", flush=True)
    for turn in contenders.values():
        turn(-1)
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    costs: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(given.turns):
        order = list(contenders) if number % 2 == 0 else list(reversed(contenders))
        for name in order:
            measured = contenders[name](number)
            rates[name].append(measured.rate)
            costs[name].append(measured.cpu_milliseconds_per_token)
            print(f"turn {number}  {name:42} {measured.tokens:6} tokens {measured.rate:7.1f} tokens/s", flush=True)

    cpu = {name: summary(values) for name, values in costs.items()}
    speeds = {name: summary(values) for name, values in rates.items()}
    pairs = [(name, BARE) for name in rates if name != BARE] + ([(OURS, HF)] if HF in rates else [])
    ratios = {f"{a} / {b}": summary([x / y for x, y in zip(rates[a], rates[b], strict=True)]) for a, b in pairs}
    for title, table in (
        ("tokens a second", speeds),
        ("CPU milliseconds a token", cpu),
        ("ratio of tokens a second", ratios),
    ):
        print(f"\n{title:72} {'min':>8} {'median':>8} {'max':>8}")
        for name, row in table.items():
            print(f"{name:72} {row['min']:8.2f} {row['median']:8.2f} {row['max']:8.2f}")
    if given.out:
        report = {
            "load": vars(load),
            "cpus": os.cpu_count(),
            "tokens_per_second": speeds,
            "cpu_ms_per_token": cpu,
            "ratio": ratios,
        }
        given.out.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
