"""Cells of a grid trained by our loop and by a straightforward one: time a step, peak memory, the same losses.

The straightforward loop does what published code does: the reference model runs at every step on the forget and the
retain texts, and texts meet as they come, whatever their length. Ours reads what the target said from disk, where it
was put once for all cells, and lets texts of similar length meet. Optimiser, losses, batch size and number of steps are
the same; the texts are the embedded corpus' forget and retain articles, cut to lengths between a quarter and the whole,
as a corpus of real documents would have them (`--whole` leaves them as they are).

    python benchmarks/unlearning_training.py [--cells 3] [--repeats 2] [--width 128] [--layers 4] [--whole]

Each loop runs in a process of its own, in turns; times are CPU times, so that what else the machine does counts little.
Peak memory is what that process grew by from the loaded models on.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import torch
from torch.optim import AdamW

from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings
from forgetscope.benchmarks.unlearning.methods import ForgetTerms, read_method
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings, TrainingSettings
from forgetscope.benchmarks.unlearning.training import losses
from forgetscope.benchmarks.unlearning.training.batches import EncodedText, collate
from forgetscope.benchmarks.unlearning.training.loop import UnlearningTask, unlearn
from forgetscope.benchmarks.unlearning.training.models import LanguageModel, embedded_model
from forgetscope.benchmarks.unlearning.training.processes import Processes
from forgetscope.benchmarks.unlearning.training.reference_cache import reference_cache
from forgetscope.benchmarks.unlearning.training.target import target_tokenizer
from forgetscope.benchmarks.unlearning.training.target_settings import TargetSettings
from forgetscope.stats import named_stream

METHODS = ("ga", "npo", "simnpo")
ALONE = Processes(0, 1, torch.device("cpu"))
LOOPS = ("ours", "straightforward")


def make_model(given: argparse.Namespace) -> LanguageModel:
    """An embedded Llama that knows nothing yet: what a step costs does not depend on it."""
    tokenizer = target_tokenizer(TargetSettings(), EmbeddedSettings().load())
    return embedded_model(tokenizer, seed=0, hidden=given.width, layers=given.layers)


def make_task(model: LanguageModel, cell: int, *, whole: bool) -> UnlearningTask:
    """The texts of a cell: method and seed go with its number."""
    corpus = EmbeddedSettings().load()
    stream = named_stream(0, "benchmark lengths")

    def encoded(documents: tuple[object, ...]) -> tuple[EncodedText, ...]:
        texts = []
        for document in documents:
            ids = model.tokenizer.encode(document.text)  # type: ignore[attr-defined]
            kept = len(ids) if whole else max(8, int(len(ids) * stream.uniform(0.25, 1)))
            texts.append(EncodedText(document.id, tuple(ids[:kept])))  # type: ignore[attr-defined]
        return tuple(texts)

    settings = TrainingSettings(epochs=5, learning_rate=7e-4, batch_size=4, precision="float32")
    method = read_method(METHODS[cell % len(METHODS)])
    return UnlearningTask(
        encoded(corpus.forget), encoded(corpus.retain), method, "proper", settings, cell, f"cell {cell}"
    )


def train_ours(model: LanguageModel, task: UnlearningTask, folder: Path) -> list[float]:
    """CPU seconds of each step; filling the cache is timed by the caller, as the first cell pays for all."""
    reference = reference_cache(folder, model, top_k=128)
    reference.fill(model, [*task.forget, *task.retain])
    clock = [time.process_time()]
    unlearn(model, reference, task, ExecutionSettings(), ALONE, on_step=lambda _: clock.append(time.process_time()))
    return [after - before for before, after in pairwise(clock)]


def train_straightforward(model: LanguageModel, task: UnlearningTask, frozen: LanguageModel) -> list[float]:
    """The loop one would write: both models on both batches at every step."""
    optimizer = AdamW(model.network.parameters(), lr=task.settings.learning_rate, weight_decay=0.0)
    task = replace(task, settings=task.settings.model_copy(update={"bucketed": False}))
    model.network.train()
    seconds = []
    for step in task.schedule():
        started = time.process_time()
        forget = collate([task.forget[i] for i in step.forget], model.tokenizer.pad_id)
        retain = collate([task.retain[i] for i in step.retain], model.tokenizer.pad_id)
        with torch.no_grad():
            frozen_forget = frozen.logits(forget.input_ids, forget.attention_mask)
            frozen_retain = frozen.logits(retain.input_ids, retain.attention_mask)
        logits = model.logits(forget.input_ids, forget.attention_mask)
        scored = losses.token_log_probabilities(logits, forget.input_ids)
        before = losses.token_log_probabilities(frozen_forget, forget.input_ids)
        terms = ForgetTerms(
            scored, forget.mask, losses.sequence_nll(before, forget.mask), float(forget.mask.sum()), len(scored)
        )
        current = model.logits(retain.input_ids, retain.attention_mask)[:, :-1].log_softmax(-1)
        kept = losses.kl_divergence(frozen_retain[:, :-1].log_softmax(-1), current, retain.mask)
        loss = task.method.forget_loss(terms) + task.settings.lambda_retain * kept
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        seconds.append(time.process_time() - started)
    return seconds


def train(loop: str, given: argparse.Namespace) -> dict[str, float]:
    """All cells by one loop, in this process."""
    torch.set_num_threads(1)
    models = [make_model(given) for _ in range(given.cells)]
    tasks = [make_task(models[0], cell, whole=given.whole) for cell in range(given.cells)]
    before, cpu = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    seconds: list[float] = []
    with TemporaryDirectory() as folder:
        frozen = make_model(given) if loop == "straightforward" else None
        for model, task in zip(models, tasks, strict=True):
            if frozen is None:
                seconds += train_ours(model, task, Path(folder))
            else:
                seconds += train_straightforward(model, task, frozen)
    return {
        "steps": len(seconds),
        "step": median(seconds),
        "cpu": (time.process_time() - cpu) / len(seconds),
        "memory": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
    }


def main() -> None:
    """Both loops in turns, each in a process of its own, and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--whole", action="store_true", help="texts of about equal length")
    parser.add_argument("--only", choices=LOOPS, help="one loop in this process, as JSON")
    given = parser.parse_args()
    if given.only:
        print(json.dumps(train(given.only, given)))
        return
    runs: dict[str, list[dict[str, float]]] = {loop: [] for loop in LOOPS}
    for _ in range(given.repeats):
        for loop in LOOPS:
            command = [sys.executable, __file__, *sys.argv[1:], "--only", loop]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            runs[loop].append(json.loads(done.stdout.splitlines()[-1]))
    print(f"{given.cells} cells, {runs['ours'][0]['steps']:.0f} steps, best of {given.repeats} runs of each loop")
    print(f"{'loop':18}{'CPU ms a step':>14}{'with all else':>15}{'grew by MB':>12}")
    best = {loop: {name: min(run[name] for run in found) for name in found[0]} for loop, found in runs.items()}
    for loop, one in best.items():
        print(f"{loop:18}{1000 * one['step']:14.1f}{1000 * one['cpu']:15.1f}{one['memory']:12.0f}")
    ours, other = best["ours"], best["straightforward"]
    print(
        f"straightforward against ours: {other['step'] / ours['step']:.2f} times the CPU time a step, "
        f"{other['cpu'] / ours['cpu']:.2f} times with what belongs to it (cache, optimiser), "
        f"{other['memory'] / ours['memory']:.2f} times the memory"
    )


if __name__ == "__main__":
    main()
