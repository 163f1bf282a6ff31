"""What becomes of samples under each fault: `python -m tests.faults.table` prints it, the tests use its parts."""

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import polars as pl

from forgetscope.benchmarks import get_benchmark
from forgetscope.running.execute import start_run
from forgetscope.running.finished import FinishedRun
from forgetscope.running.manifest import Limits, ModelSpec
from tests.faults.server import DIALECTS, Fault, FaultServer, Script

MODEL = "openai-api/faulty/some-model"
"""Inspect's provider for any server that speaks OpenAI's chat completions."""

IMPATIENT = Limits(max_retries=2, attempt_timeout=60, first_wait=0.05, give_up_after=1000)
"""Three attempts with short waits, and never a run given up: for faults that hit single samples."""

HASTY = IMPATIENT.model_copy(update={"attempt_timeout": 6})
"""For what hangs; where nothing does, a loaded machine alone would make requests of it."""

SCORED = frozenset({"correct", "incorrect"})


@dataclass(frozen=True)
class Expected:
    """How a sample ends under a script, and what the server is asked until then."""

    statuses: frozenset[str]
    finish_reason: str
    requests: int


def _ends(status: str, finish_reason: str, requests: int) -> Expected:
    return Expected(frozenset({status}), finish_reason, requests)


_RECOVERS, _FAILS = Expected(SCORED, "stop", 3), _ends("model_error", "error", 3)

EXPECTED: dict[Script, Expected] = {
    Script(Fault.NONE): Expected(SCORED, "stop", 1),
    # Failures that pass: two bad replies, then the answer. The sample is scored as if nothing had happened.
    Script(Fault.RATE_LIMIT, 2): _RECOVERS,
    Script(Fault.SERVER_ERROR, 2): _RECOVERS,
    Script(Fault.UNAVAILABLE, 2): _RECOVERS,
    Script(Fault.CUT, 2): _RECOVERS,
    Script(Fault.INVALID_JSON, 2): _RECOVERS,
    Script(Fault.NOT_AN_OBJECT, 2): _RECOVERS,
    Script(Fault.NO_CHOICES, 2): _RECOVERS,
    Script(Fault.EMPTY_CHOICES, 2): _RECOVERS,
    Script(Fault.WRONG_UTF8, 2): _RECOVERS,
    # The same failures for ever.
    Script(Fault.RATE_LIMIT): _FAILS,
    Script(Fault.SERVER_ERROR): _FAILS,
    Script(Fault.UNAVAILABLE): _FAILS,
    Script(Fault.CUT): _FAILS,
    Script(Fault.INVALID_JSON): _FAILS,
    Script(Fault.NOT_AN_OBJECT): _FAILS,
    Script(Fault.NO_CHOICES): _FAILS,
    Script(Fault.EMPTY_CHOICES): _FAILS,
    Script(Fault.WRONG_UTF8): _FAILS,
    # Nothing that a second request could mend.
    Script(Fault.UNAUTHORIZED): _ends("model_error", "error", 1),
    Script(Fault.UNPAID): _ends("model_error", "error", 1),
    Script(Fault.REFUSED_400): _ends("model_error", "error", 1),
    Script(Fault.NOT_FOUND): _ends("model_error", "error", 1),
    # Replies, of a kind.
    Script(Fault.EMPTY): _ends("invalid_format", "stop", 1),
    Script(Fault.NULL): _ends("invalid_format", "stop", 1),
    Script(Fault.LENGTH): _ends("truncated", "length", 1),
    Script(Fault.FILTER_WITH_TEXT): _ends("refused", "content_filter", 1),
    Script(Fault.FILTER_WITHOUT_TEXT): _ends("refused", "content_filter", 1),
    Script(Fault.POLICY_400): _ends("refused", "content_filter", 1),
    Script(Fault.CONTEXT_400): _ends("not_sent", "context", 1),
    Script(Fault.THINK_BLOCK): Expected(SCORED, "stop", 1),
    Script(Fault.REASONING_FIELD): Expected(SCORED, "stop", 1),
    Script(Fault.MEGABYTE): Expected(SCORED, "stop", 1),
    # The protocol as servers speak it: read at the first request, never bought twice.
    **{Script(fault): Expected(SCORED, "stop", 1) for fault in DIALECTS},
    Script(Fault.TOOL_CALL): _ends("invalid_format", "stop", 1),
    Script(Fault.NULL_FINISH): Expected(SCORED, "unknown", 1),
    Script(Fault.INVISIBLE): _ends("invalid_format", "stop", 1),
    Script(Fault.OWN_FINISH): Expected(SCORED, "stop", 1),
    Script(Fault.OLLAMA_LOADED): _ends("invalid_format", "unknown", 1),
    Script(Fault.LLAMA_CPP_CUT): _ends("truncated", "length", 1),
    Script(Fault.LM_STUDIO_CUT): _ends("truncated", "length", 1),
    Script(Fault.SAFETY): _ends("refused", "content_filter", 1),
    Script(Fault.VLLM_ABORT): _FAILS,
    Script(Fault.VLLM_ABORT, 2): _RECOVERS,
    # What stands between: gateways, proxies, broken bodies.
    Script(Fault.ERROR_OBJECT, 2): _RECOVERS,
    Script(Fault.ERROR_OBJECT): _FAILS,
    Script(Fault.HTML, 2): _RECOVERS,
    Script(Fault.HTML): _FAILS,
    Script(Fault.BAD_GATEWAY, 2): _RECOVERS,
    Script(Fault.BAD_GATEWAY): _FAILS,
    Script(Fault.CHUNKED_CUT, 2): _RECOVERS,
    Script(Fault.CHUNKED_CUT): _FAILS,
    Script(Fault.GZIP_LIE, 2): _RECOVERS,
    Script(Fault.GZIP_LIE): _FAILS,
    Script(Fault.UNASKED_STREAM, 2): _RECOVERS,
    Script(Fault.UNASKED_STREAM): _FAILS,
    Script(Fault.REDIRECT): _ends("model_error", "error", 1),
    Script(Fault.REDIRECT_HERE): _ends("model_error", "error", 1),
}

_AFTER_ONE = Expected(SCORED, "stop", 2)

HANGING: dict[Script, Expected] = {
    Script(Fault.HANG, 1): _AFTER_ONE,
    Script(Fault.HANG): _FAILS,
    Script(Fault.DRIP, 1): _AFTER_ONE,
    Script(Fault.DRIP): _FAILS,
}
"""What ends with the patience of an attempt alone."""

APART: dict[Script, Expected] = {Script(Fault.TEN_MEGABYTES): Expected(SCORED, "stop", 1)}
"""What takes so long to read that others would wait for it."""

ALL = {**EXPECTED, **HANGING, **APART}


@dataclass(frozen=True)
class Outcome:
    """A run against the server, and what the server saw."""

    finished: FinishedRun
    requests: dict[str, int]
    """Per prompt."""
    scripts: dict[str, Script]
    """Per prompt."""
    seconds: float

    @property
    def lost(self) -> int:
        """Planned samples without a row. Must be 0."""
        return self.finished.manifest.planned_samples - self.finished.table["sample_id"].n_unique()


WITHOUT_LOAD: Mapping[str, object] = {
    "loads": "mmlu",
    "seeds": (42,),
    "experiments": "load",
    "conditions": "baseline",
}


def run_against(
    server: FaultServer,
    folder: Path,
    *,
    limit: int,
    limits: Limits = IMPATIENT,
    name: str = "prospective",
    chosen: Mapping[str, object] = WITHOUT_LOAD,
) -> Outcome:
    """The first `limit` items of a benchmark, by default constraints without load, against a started server."""
    benchmark = get_benchmark(name)
    settings = benchmark.settings.model_validate({"limit": limit, **chosen})
    started = time.monotonic()
    with mock.patch.dict(os.environ, {"FAULTY_API_KEY": "not-a-secret"}):
        finished = start_run(
            benchmark,
            settings,
            benchmark.plan(settings),
            ModelSpec(name=MODEL, base_url=server.url),
            limits,
            folder,
            display="none",
        )
    requests = dict(server.requests)
    return Outcome(
        finished, requests, {prompt: server.script_of(prompt) for prompt in requests}, time.monotonic() - started
    )


def prompts_of(table: pl.DataFrame) -> list[str]:
    """The user message of each row."""
    return table["messages"].str.json_path_match("$[1].content").to_list()


def main() -> None:
    """Run every fault on its own and print what became of its samples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=4, help="samples a fault")
    samples = parser.parse_args().samples
    print("| fault | samples | final statuses | finish reason | lost | requests | seconds |")
    print("|---|--:|---|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="forgetscope-faults-") as folder:
        for number, script in enumerate(ALL):
            limits = HASTY if script in HANGING else IMPATIENT
            with FaultServer([script]) as server:
                _print_row(script.label, run_against(server, Path(folder) / str(number), limit=samples, limits=limits))
        with FaultServer(refuse_seconds=1.0) as server:
            outcome = run_against(server, Path(folder) / "refused", limit=samples)
        _print_row("connection refused for 1 s", outcome)
        with FaultServer(refuse_seconds=float("inf")) as server:
            outcome = run_against(
                server, Path(folder) / "down", limit=90, limits=IMPATIENT.model_copy(update={"give_up_after": 5})
            )
        _print_row("connection refused, always", outcome)


def _print_row(label: str, outcome: Outcome) -> None:
    table = outcome.finished.table
    statuses, reasons = (
        ", ".join(f"{count} {name}" for name, count in sorted(Counter(table[column].to_list()).items()))
        for column in ("status", "finish_reason")
    )
    print(
        f"| {label} | {table.height} | {statuses} | {reasons} | {outcome.lost} | {sum(outcome.requests.values())} "
        f"| {outcome.seconds:.1f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
