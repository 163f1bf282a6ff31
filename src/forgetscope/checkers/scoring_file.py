"""Scores a file of recorded replies against a file of IFEval prompts."""

import json
from dataclasses import dataclass
from pathlib import Path

from forgetscope.checkers.base import Behaviour, Verdict
from forgetscope.checkers.loose import check_prompt
from forgetscope.checkers.schema import PromptSpec, read_prompts
from forgetscope.core.errors import DataError
from forgetscope.io.files import write_text
from forgetscope.io.records import read_objects


@dataclass(frozen=True, slots=True)
class ScoringSummary:
    """Counts over the scored replies; an accuracy is a share 0-1, higher = more instructions followed.

    Attributes:
        responses: Replies scored; the denominator of the two accuracies by prompt.
        instructions: Instructions of these replies' prompts; the denominator of the two by instruction.
        prompts_without_response: Prompts nobody answered; left out of every figure.
        followed: How many replies follow all their instructions, strictly.
        followed_loose: The same, loosely.
        instructions_followed: How many instructions are followed, strictly.
        instructions_followed_loose: The same, loosely.
        behaviour: The reading of the constraints that was applied.
    """

    responses: int
    instructions: int
    prompts_without_response: int
    followed: int
    followed_loose: int
    instructions_followed: int
    instructions_followed_loose: int
    behaviour: Behaviour

    @property
    def prompt_accuracy_strict(self) -> float:
        """Share of replies that follow all instructions, strictly."""
        return self.followed / self.responses

    @property
    def prompt_accuracy_loose(self) -> float:
        """Share of replies that follow all instructions, loosely."""
        return self.followed_loose / self.responses

    @property
    def instruction_accuracy_strict(self) -> float:
        """Share of instructions followed, strictly."""
        return self.instructions_followed / self.instructions

    @property
    def instruction_accuracy_loose(self) -> float:
        """Share of instructions followed, loosely."""
        return self.instructions_followed_loose / self.instructions


def score_responses(
    prompts: Path, responses: Path, out: Path, *, behaviour: Behaviour = Behaviour.REFERENCE
) -> ScoringSummary:
    """Score every recorded reply and write two rows for each: mode `strict`, then mode `loose`.

    A row of `responses` has `prompt` and `response` (further fields are ignored) and belongs to the prompt with the
    same text. A row of `out` has exactly `prompt`, `mode`, `follow_all_instructions`, `follow_instruction_list`; the
    order is that of `responses`. Several replies to one prompt are all scored (the reference keeps the last). A prompt
    without a reply is left out and counted in the summary (the reference stops with a KeyError). `out` appears whole
    or not at all.

    Raises:
        DataError: A malformed file or line, a reply to a prompt that is not there, two prompts of the same text that
            ask for different things.
        RunFolderError: `out` cannot be written.
    """
    by_text = _by_text(read_prompts(prompts), prompts)
    scored: list[tuple[PromptSpec, tuple[Verdict, ...], tuple[Verdict, ...]]] = []
    for where, row in read_objects(responses):
        spec, reply = _matched(where, row, by_text, prompts)
        verdict = check_prompt(spec, reply, behaviour=behaviour)
        scored.append((spec, verdict.strict, verdict.loose))
    write_text(out, "".join(_rows(spec, strict, loose) for spec, strict, loose in scored))
    answered = {spec.prompt for spec, _, _ in scored}
    return ScoringSummary(
        responses=len(scored),
        instructions=sum(len(strict) for _, strict, _ in scored),
        prompts_without_response=len(by_text) - len(answered),
        followed=sum(all(v.followed for v in strict) for _, strict, _ in scored),
        followed_loose=sum(all(v.followed for v in loose) for _, _, loose in scored),
        instructions_followed=sum(v.followed for _, strict, _ in scored for v in strict),
        instructions_followed_loose=sum(v.followed for _, _, loose in scored for v in loose),
        behaviour=behaviour,
    )


def _by_text(specs: list[PromptSpec], source: Path) -> dict[str, PromptSpec]:
    by_text: dict[str, PromptSpec] = {}
    for spec in specs:
        known = by_text.setdefault(spec.prompt, spec)
        if (known.instruction_id_list, known.kwargs) != (spec.instruction_id_list, spec.kwargs):
            raise DataError(
                f"prompts {known.key} and {spec.key} have the same text and different instructions; a reply is "
                "matched by the text",
                where=str(source),
            )
    return by_text


def _matched(
    where: str, row: dict[str, object], by_text: dict[str, PromptSpec], source: Path
) -> tuple[PromptSpec, str]:
    prompt, reply = row.get("prompt"), row.get("response")
    if not isinstance(prompt, str) or not isinstance(reply, str):
        raise DataError(
            "not a recorded reply", where=where, found=sorted(row), allowed="an object with text prompt and response"
        )
    spec = by_text.get(prompt)
    if spec is None:
        raise DataError(f"reply to a prompt that is not in {source}", where=where, found=prompt)
    return spec, reply


def _rows(spec: PromptSpec, strict: tuple[Verdict, ...], loose: tuple[Verdict, ...]) -> str:
    lines = []
    for mode, verdicts in (("strict", strict), ("loose", loose)):
        followed = [verdict.followed for verdict in verdicts]
        row = {
            "prompt": spec.prompt,
            "mode": mode,
            "follow_all_instructions": all(followed),
            "follow_instruction_list": followed,
        }
        lines.append(json.dumps(row) + "\n")
    return "".join(lines)
