"""Checkers per second, ours against the public reference implementation, on the same replies in one run.

    python benchmarks/checkers_speed.py [--replies-per-prompt 4] [--prompts IFEVAL.jsonl] [--wheel lm_eval.whl]

The reference comes from the wheel of lm-eval, downloaded with `pip download --no-deps` into a temporary folder; it is
not a dependency and nothing is installed. What it needs (langdetect, nltk) is ours too. Without `--prompts` and without
real data beside the repository, our own prompts below are used. Both sides judge every reply strictly and loosely; the
agreement is printed with the speed. langdetect is seeded on both sides, as an unseeded one does not agree with itself.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import logging
import os
import random
import subprocess
import sys
import tempfile
import time
import types
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from forgetscope.checkers import PromptSpec, check_prompt, read_prompts
from forgetscope.checkers.construct import compose, satisfy, violate
from forgetscope.checkers.punkt import _carried_model

REFERENCE = "lm-eval==0.4.13"

OWN_KWARGS: dict[str, dict[str, object]] = {
    "change_case:english_capital": {},
    "change_case:english_lowercase": {},
    "change_case:capital_word_frequency": {"capital_frequency": 3, "capital_relation": "at least"},
    "keywords:existence": {"keywords": ["harbour", "lantern"]},
    "keywords:forbidden_words": {"forbidden_words": ["storm", "night"]},
    "keywords:frequency": {"keyword": "boat", "frequency": 3, "relation": "at least"},
    "keywords:letter_frequency": {"letter": "q", "let_frequency": 4, "let_relation": "less than"},
    "language:response_language": {"language": "de"},
    "length_constraints:number_words": {"num_words": 120, "relation": "at least"},
    "length_constraints:number_sentences": {"num_sentences": 6, "relation": "less than"},
    "length_constraints:number_paragraphs": {"num_paragraphs": 3},
    "length_constraints:nth_paragraph_first_word": {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "later"},
    "detectable_content:postscript": {"postscript_marker": "P.S."},
    "detectable_content:number_placeholders": {"num_placeholders": 3},
    "detectable_format:json_format": {},
    "detectable_format:title": {},
    "detectable_format:number_bullet_lists": {"num_bullets": 4},
    "detectable_format:number_highlighted_sections": {"num_highlights": 2},
    "detectable_format:multiple_sections": {"section_spliter": "Section", "num_sections": 3},
    "detectable_format:constrained_response": {},
    "combination:two_responses": {},
    "combination:repeat_prompt": {"prompt_to_repeat": "Describe a harbour at dawn."},
    "startend:end_checker": {"end_phrase": "So the day begins."},
    "startend:quotation": {},
    "punctuation:no_comma": {},
}
PROSE = (
    "The harbour wakes before the town does, and the first boats leave while the lamps still burn. Gulls follow them. "
    "On the quay a woman counts crates, drinks her tea, and writes each number in a small blue book. "
)


def own_prompts() -> list[PromptSpec]:
    return [
        PromptSpec(
            key=index,
            prompt=f"Describe a harbour at dawn ({index}).",
            instruction_id_list=(instruction_id,),
            kwargs=(kwargs,),
        )
        for index, (instruction_id, kwargs) in enumerate(OWN_KWARGS.items())
    ]


def replies(spec: PromptSpec, count: int, rng: random.Random) -> list[str]:
    """Following, breaking, and plain prose of 20 to 400 words, with and without markdown."""
    pairs = list(zip(spec.instruction_id_list, spec.kwargs, strict=True))
    built = [
        compose(pairs, prompt=spec.prompt, body=PROSE),
        violate(*pairs[0], prompt=spec.prompt, body=PROSE),
        satisfy(*pairs[-1], prompt=spec.prompt, body=PROSE),
    ]
    made = [reply for reply in built if reply]
    while len(made) < count:
        text = PROSE * rng.randint(1, 10)
        made.append(rng.choice([text, "Sure!\n\n* " + text.replace(". ", ".\n* "), "**Dawn**\n\n" + text.upper()]))
    return made[:count]


def reference_judge(wheel: Path, folder: Path) -> Callable[[PromptSpec, str], tuple[list[bool], list[bool]]]:
    """The reference's strict and loose functions, imported from the unpacked wheel."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith("lm_eval/tasks/ifeval/")])
    sys.path.insert(0, str(folder))
    try:
        importlib.import_module("immutabledict")
    except ImportError:  # it uses one class of it, which a dict can stand in for
        stand_in = types.ModuleType("immutabledict")
        stand_in.immutabledict = dict  # type: ignore[attr-defined]
        sys.modules["immutabledict"] = stand_in
    carried = _carried_model()
    if carried is not None:
        import nltk

        nltk.data.path.append(str(carried.parents[2]))
    langdetect: Any = importlib.import_module("langdetect")
    langdetect.DetectorFactory.seed = 0
    logging.disable(logging.ERROR)
    reference: Any = importlib.import_module("lm_eval.tasks.ifeval.utils")

    def judge(spec: PromptSpec, reply: str) -> tuple[list[bool], list[bool]]:
        prompt = reference.InputExample(spec.key, list(spec.instruction_id_list), spec.prompt, list(spec.kwargs))
        strict = reference.test_instruction_following_strict(prompt, reply).follow_instruction_list
        loose = reference.test_instruction_following_loose(prompt, reply).follow_instruction_list
        return [bool(value) for value in strict], [bool(value) for value in loose]

    return judge


def our_judge(spec: PromptSpec, reply: str) -> tuple[list[bool], list[bool]]:
    verdict = check_prompt(spec, reply)
    return [v.followed for v in verdict.strict], [v.followed for v in verdict.loose]


def find_prompts(given: Path | None) -> tuple[list[PromptSpec], str]:
    beside = Path(os.environ.get("FORGETSCOPE_DATA", Path(__file__).parents[2] / "shared" / "data"))
    path = given or beside / "ifeval" / "input_data.jsonl"
    if given is None and not path.exists():
        return own_prompts(), "our own prompts"
    # Two IFEval prompts count the characters # and !, which this copy of the reference replaces by a random letter.
    kept = [
        spec for spec in read_prompts(path) if not any(str(kwargs.get("letter", "a")) in "#!" for kwargs in spec.kwargs)
    ]
    return kept, f"IFEval ({len(kept)} prompts)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replies-per-prompt", type=int, default=4)
    parser.add_argument("--prompts", type=Path)
    parser.add_argument("--wheel", type=Path, help="a downloaded wheel of lm-eval; otherwise pip fetches it")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    specs, source = find_prompts(options.prompts)
    rng = random.Random(0)
    pairs = [(spec, reply) for spec in specs for reply in replies(spec, options.replies_per_prompt, rng)]
    checks = 2 * sum(len(spec.instruction_id_list) for spec, _ in pairs)

    with tempfile.TemporaryDirectory() as folder:
        wheel = options.wheel
        if wheel is None:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, REFERENCE]
            subprocess.run(command, check=True)
            wheel = next(Path(folder).glob("lm_eval-*.whl"))
        theirs = reference_judge(wheel, Path(folder))
        sides = {"reference": theirs, "forgetscope": our_judge}
        verdicts: dict[str, list[tuple[list[bool], list[bool]]]] = {}
        best = dict.fromkeys(sides, float("inf"))
        for judge in sides.values():  # load the models of both before timing
            for spec, reply in pairs[:200]:
                judge(spec, reply)
        for _ in range(options.rounds):
            for name, judge in sides.items():
                start = time.process_time()
                verdicts[name] = [judge(spec, reply) for spec, reply in pairs]
                best[name] = min(best[name], time.process_time() - start)

    differing = sum(a != b for a, b in zip(*verdicts.values(), strict=True))
    report = Report(
        source=source,
        replies=len(pairs),
        checks=checks,
        reference_checks_per_second=round(checks / best["reference"]),
        forgetscope_checks_per_second=round(checks / best["forgetscope"]),
        ratio=round(best["reference"] / best["forgetscope"], 2),
        replies_judged_differently=differing,
    )
    print(json.dumps(dataclasses.asdict(report), indent=1))


@dataclasses.dataclass(frozen=True)
class Report:
    source: str
    replies: int
    checks: int
    reference_checks_per_second: int
    forgetscope_checks_per_second: int
    ratio: float
    replies_judged_differently: int


if __name__ == "__main__":
    main()
