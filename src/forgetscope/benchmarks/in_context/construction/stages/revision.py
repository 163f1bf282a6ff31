"""(b) Subtask revision: from an instruction to its revision, the subtasks of both, and a gate of meaning.

ICF-Bench, appendix A.2, with its two prompts. Ours has a reader say, subtask by subtask and without seeing the
groups, which instruction asks for it. No machine checks are written: a model would invent them.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import BaseModel

from forgetscope.benchmarks.building import Builder, Prompt
from forgetscope.benchmarks.in_context.construction.prompts import (
    attribute_prompt,
    decompose_prompt,
    revise_prompt,
)
from forgetscope.benchmarks.in_context.construction.replies import Attribution, attribution_of
from forgetscope.benchmarks.in_context.construction.stages.gates import (
    GateFinding,
    check_decomposition,
    check_revision,
    revision_warnings,
)
from forgetscope.benchmarks.in_context.construction.trail import Trail
from forgetscope.benchmarks.in_context.data.items import Scenario, Subtask, SubtaskRevisionItem
from forgetscope.benchmarks.in_context.data.sources.records import SourceInstruction
from forgetscope.mentions.same_wording import folded
from forgetscope.stats import named_stream

STAGES = ("revise", "decompose", "attribute")

_ASKED_BY = {"common": (True, True), "original": (True, False), "revised": (False, True)}
_CALLED = {"common": "a common subtask", "original": "an original subtask", "revised": "a revised subtask"}


def rehearsal(source: SourceInstruction) -> Iterator[Prompt[BaseModel]]:
    """The prompts a row will need at most, the revision as long as its original: for the plan's token counts."""
    yield revise_prompt(source.instruction)
    yield decompose_prompt(source.instruction, source.instruction)
    yield attribute_prompt(source.instruction, source.instruction, [source.instruction], Attribution)


async def construct(source: SourceInstruction, origin: str, seed: int, builder: Builder, trail: Trail) -> None:
    """Take an instruction through the stages; the trail ends with an item or with a reason.

    Raises:
        Stopped: a reply could not be read, or a hard gate found something.
    """
    row, original = trail.row, source.instruction
    trail.enter("revise")
    asked = trail.value(await builder.ask(row, revise_prompt(original)))
    revised = asked.modified_instruction
    trail.notes["reasons"] = list(asked.description)
    trail.require(check_revision(original, revised))
    trail.warnings += revision_warnings(original, revised)

    trail.enter("decompose")
    parts = trail.value(await builder.ask(row, decompose_prompt(original, revised)))
    trail.require(check_decomposition(parts))
    groups = {
        "common": _distinct(parts.common_subtasks),
        "original": _distinct(parts.original_special_subtasks),
        "revised": _distinct(parts.modified_special_subtasks),
    }

    trail.enter("attribute")
    placed = [(group, subtask) for group, subtasks in groups.items() for subtask in subtasks]
    order = named_stream(seed, f"in_context construction attribute {row}").permutation(len(placed))
    shown = [placed[index] for index in order]
    prompt = attribute_prompt(original, revised, [subtask for _, subtask in shown], attribution_of(len(shown)))
    said = trail.value(await builder.ask(row, prompt))
    trail.require(_misplaced(shown, said))

    trail.finish(
        SubtaskRevisionItem(
            id=f"sr-{source.id}",
            domain=source.domain,
            source=origin,
            scenario=Scenario.SUBTASK_REVISION,
            original=original,
            revised=revised,
            common=_subtasks(groups["common"]),
            original_only=_subtasks(groups["original"]),
            revised_only=_subtasks(groups["revised"]),
            change=_change(len(groups["original"]), len(groups["revised"])),
        )
    )


def _distinct(subtasks: Sequence[str]) -> list[str]:
    """Each subtask once, whatever its case and spacing."""
    return list({folded(subtask): subtask for subtask in reversed(subtasks)}.values())[::-1]


def _subtasks(texts: Sequence[str]) -> tuple[Subtask, ...]:
    return tuple(Subtask(text=text) for text in texts)


def _misplaced(shown: Sequence[tuple[str, str]], said: Attribution) -> GateFinding | None:
    """The first subtask that a reader does not see where it was put."""
    for (group, subtask), by_original, by_revised in zip(shown, said.a, said.b, strict=True):
        if (by_original, by_revised) != _ASKED_BY[group]:
            return GateFinding(f"{_CALLED[group]} is not seen there", subtask)
    return None


def _change(original_only: int, revised_only: int) -> Literal["altered", "removed", "added", "mixed"]:
    """What the revision did, by how many subtasks went and came: as many of each is an alteration."""
    if not revised_only:
        return "removed"
    if not original_only:
        return "added"
    return "altered" if original_only == revised_only else "mixed"
