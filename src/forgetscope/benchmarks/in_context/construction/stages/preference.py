"""(c) Dynamic preference: from a preference and another option to a second preference, its expression, and gates.

ICF-Bench, appendix A.3, asks for the restated preference alone. NEW is the source's own preference, OLD is written
for an option that does not follow it; `reversed` swaps the two (protocols.md, section 1). Both are expressed as a
statement, by a choice, or in the course of a dialogue. The gate has a reader pick the option from the turns alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from forgetscope.benchmarks.building import Builder, Prompt
from forgetscope.benchmarks.in_context.construction.prompts import (
    choose_prompt,
    dialogue_prompt,
    relevance_prompt,
    restate_prompt,
    select_prompt,
    stage_prompt,
)
from forgetscope.benchmarks.in_context.construction.replies import ChosenOption
from forgetscope.benchmarks.in_context.construction.stages.gates import (
    GateFinding,
    check_expression,
    check_restatement,
    restatement_warnings,
)
from forgetscope.benchmarks.in_context.construction.trail import Trail
from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem, Preference, Scenario, Turn
from forgetscope.benchmarks.in_context.data.published_rows import ACKNOWLEDGEMENT
from forgetscope.benchmarks.in_context.data.sources.records import ChoiceConversation, SourcePreference
from forgetscope.benchmarks.in_context.prompts import OPTION_LABELS
from forgetscope.stats import named_stream

Expression = Literal["direct", "multiple_choice", "dialogue"]
Pairing = Literal["coherent", "paper"]
Direction = Literal["forward", "reversed"]

EXPRESSIONS: tuple[Expression, ...] = ("direct", "multiple_choice", "dialogue")
"""How preferences are expressed (ICF-Bench, section 3.2.1)."""
PAIRINGS: tuple[Pairing, ...] = ("coherent", "paper")
"""Whether the question comes with its own options, or with those of another question, as in the paper."""
DIRECTIONS: tuple[Direction, ...] = ("forward", "reversed")

STEPS = {
    "relevance": ("relevance",),
    "restate": ("restate",),
    "express": ("select", "stage", "dialogue_source", "dialogue"),
    "own_option": ("choose_own",),
    "written_option": ("choose_written",),
}
"""The calls of each stage."""


def stages(pairing: Pairing) -> tuple[str, ...]:
    """The stages in order; only the paper's pairing has to ask whether options and question fit."""
    return (*(("relevance",) if pairing == "paper" else ()), "restate", "express", "own_option", "written_option")


@dataclass(frozen=True)
class PreferenceRow:
    """A preference, how it is to be expressed, and which question, options and option the written one is for.

    Attributes:
        own: The source's preference, in the wording of its expression, and its option.
        written_option: What the other preference is to be written for.
    """

    source: SourcePreference
    expression: Expression
    pairing: Pairing
    own: str
    own_option: str
    options: tuple[str, ...]
    written_option: str


def preference_row(
    source: SourcePreference, expression: Expression, pairing: Pairing, seed: int
) -> PreferenceRow | None:
    """The row to build; None where the source lacks the conversation that the expression or pairing needs."""
    choice = source.choice
    if choice is None and (expression == "multiple_choice" or pairing == "paper"):
        return None
    options, own_option = source.options, source.option
    if pairing == "paper" and choice is not None:
        options, own_option = choice.options, choice.option
    others = [option for option in options if option != own_option]
    drawn = named_stream(seed, f"in_context construction option {source.id}").integers(len(others))
    own = choice.preference if choice is not None and expression == "multiple_choice" else source.preference
    return PreferenceRow(source, expression, pairing, own, own_option, options, others[drawn])


def rehearsal(row: PreferenceRow) -> Iterator[Prompt[BaseModel]]:
    """The prompts a row will need at most, with stand-ins for what is not written yet: for the plan's token counts."""
    if row.pairing == "paper":
        yield relevance_prompt(row.source.question, row.options)
    yield restate_prompt(row.own, row.written_option)
    stand_in = _stated(row.own)
    if row.expression == "multiple_choice" and row.source.choice is not None:
        stand_in = _chosen(row.source.choice)
        if row.pairing == "paper":
            yield select_prompt(row.source.choice, row.own, row.written_option)
        else:
            yield stage_prompt(row.source.choice, row.own, row.options)
    if row.expression == "dialogue":
        stand_in = row.source.dialogue or 3 * stand_in
        written = ("dialogue",) if row.source.dialogue else ("dialogue_source", "dialogue")
        for step in written:
            yield dialogue_prompt(step, row.own, row.source.question, row.options)
    for step in ("choose_own", "choose_written"):
        yield choose_prompt(step, stand_in, row.source.question, row.options)


async def construct(
    made: PreferenceRow, origin: str, direction: Direction, seed: int, builder: Builder, trail: Trail
) -> None:
    """Take a preference through the stages; the trail ends with an item or with a reason.

    Raises:
        Stopped: a reply could not be read, or a hard gate found something.
    """
    row, source = trail.row, made.source
    if made.pairing == "paper":
        trail.enter("relevance")
        relevance = trail.value(await builder.ask(row, relevance_prompt(source.question, made.options)))
        trail.require(
            None if relevance.relevant else GateFinding("the options do not answer the question", source.question)
        )

    trail.enter("restate")
    written = trail.value(await builder.ask(row, restate_prompt(made.own, made.written_option))).preference
    trail.require(check_restatement(made.own, written))
    trail.warnings += restatement_warnings(made.own, written)

    trail.enter("express")
    own_turns = await _source_turns(made, builder, trail)
    written_turns = await _written_turns(made, written, builder, trail)

    own = Preference(text=made.own, option=made.own_option, turns=own_turns)
    other = Preference(text=written, option=made.written_option, turns=written_turns)
    for stage, step, preference in (("own_option", "choose_own", own), ("written_option", "choose_written", other)):
        trail.enter(stage)
        order = named_stream(seed, f"in_context construction {step} {row}").permutation(len(made.options))
        shown = [made.options[index] for index in order]
        chosen = trail.value(await builder.ask(row, choose_prompt(step, preference.turns, source.question, shown)))
        trail.require(_other_option(chosen, shown, preference.option))

    old, new = (other, own) if direction == "forward" else (own, other)
    trail.finish(
        DynamicPreferenceItem(
            id=f"dp-{source.id}",
            domain=source.topic,
            source=origin,
            scenario=Scenario.DYNAMIC_PREFERENCE,
            expression=made.expression,
            old=old,
            new=new,
            question=source.question,
            options=made.options,
        )
    )


def _other_option(chosen: ChosenOption, shown: Sequence[str], wanted: str) -> GateFinding | None:
    if chosen.option == "none":
        return GateFinding("no option follows from what is said")
    picked = shown[OPTION_LABELS.index(chosen.option)]
    return None if picked == wanted else GateFinding("another option follows from what is said", picked)


async def _source_turns(made: PreferenceRow, builder: Builder, trail: Trail) -> tuple[Turn, ...]:
    """The source's preference as it is expressed there; a dialogue is written where the source has none."""
    match made.expression:
        case "direct":
            return _stated(made.own)
        case "multiple_choice":
            return _chosen(_choice(made))
        case "dialogue":
            if made.source.dialogue is not None:
                return made.source.dialogue
            return await _dialogue("dialogue_source", made, made.own, builder, trail)


async def _written_turns(made: PreferenceRow, written: str, builder: Builder, trail: Trail) -> tuple[Turn, ...]:
    """The written preference, expressed like the source's."""
    match made.expression:
        case "direct":
            return _stated(written)
        case "dialogue":
            return await _dialogue("dialogue", made, written, builder, trail)
        case "multiple_choice":
            choice = _choice(made)
            if made.pairing == "paper":
                prompt = select_prompt(choice, written, made.written_option)
                selected = trail.value(await builder.ask(trail.row, prompt))
                said = (selected.user_selection, selected.assistant_acknowledgment)
                return _conversation(choice.query, choice.assistant_options, *said)
            staged = trail.value(await builder.ask(trail.row, stage_prompt(choice, written, made.options)))
            offered = "\n".join(f"{number}. {option}" for number, option in enumerate(staged.options, start=1))
            said = (staged.user_selection, staged.assistant_acknowledgment)
            turns = _conversation(staged.query, f"Here are a few options:\n{offered}", *said)
            trail.require(check_expression(turns, made.options))
            return turns


async def _dialogue(
    step: str, made: PreferenceRow, preference: str, builder: Builder, trail: Trail
) -> tuple[Turn, ...]:
    prompt = dialogue_prompt(step, preference, made.source.question, made.options)
    turns = trail.value(await builder.ask(trail.row, prompt)).turns
    trail.require(check_expression(turns, made.options))
    return turns


def _choice(made: PreferenceRow) -> ChoiceConversation:
    if made.source.choice is None:
        raise ValueError(f"{made.source.id} has no conversation with a choice")
    return made.source.choice


def _stated(preference: str) -> tuple[Turn, ...]:
    return _conversation(preference, ACKNOWLEDGEMENT)


def _chosen(choice: ChoiceConversation) -> tuple[Turn, ...]:
    return _conversation(choice.query, choice.assistant_options, choice.user_selection, choice.acknowledgement)


def _conversation(*said: str) -> tuple[Turn, ...]:
    """Turns from what user and assistant say in alternation."""
    return tuple(Turn(role="assistant" if place % 2 else "user", content=content) for place, content in enumerate(said))
