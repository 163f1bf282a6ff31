"""(a) Instructional forgetting: from a dialogue to a request to forget, a query, facts, and gates of meaning.

ICF-Bench, appendix A.1, asks one prompt per dialogue. Ours asks for the facts as well, so that a rule can score the
item, and has a reader answer the query from M, from the request's wording alone, and from nothing.
"""

from collections.abc import Iterator

from pydantic import BaseModel

from forgetscope.benchmarks.building import Builder, Prompt
from forgetscope.benchmarks.in_context.construction.prompts import (
    closed_book_prompt,
    facts_prompt,
    recall_prompt,
    request_prompt,
    target_prompt,
)
from forgetscope.benchmarks.in_context.construction.replies import DialogueAnswer, FactAnnotation
from forgetscope.benchmarks.in_context.construction.stages.gates import (
    GateFinding,
    check_closed_book,
    check_recall,
    check_request,
    check_target,
    has_memory_cue,
    quoted_from,
    unverifiable,
    usable_neighbour,
    usable_reask,
)
from forgetscope.benchmarks.in_context.construction.trail import Trail
from forgetscope.benchmarks.in_context.data.items import (
    Fact,
    FillerDialogue,
    InstructionalForgettingItem,
    Neighbour,
    Scenario,
    Turn,
)

STAGES = ("request", "facts", "recall", "target", "closed_book")

_REHEARSED = "Please forget the piece of information that I gave you about this matter before."


def rehearsal(source: FillerDialogue) -> Iterator[Prompt[BaseModel]]:
    """The prompts a row will need at most, with stand-ins for what is not written yet: for the plan's token counts."""
    yield request_prompt(source.turns)
    yield facts_prompt(source.turns, _REHEARSED, _REHEARSED)
    yield recall_prompt(source.turns, _REHEARSED)
    yield target_prompt(source.turns, _REHEARSED)
    yield closed_book_prompt(_REHEARSED)


async def construct(source: FillerDialogue, origin: str, builder: Builder, trail: Trail) -> None:
    """Take a dialogue through the stages; the trail ends with an item or with a reason.

    Raises:
        Stopped: a reply could not be read, or a hard gate found something.
    """
    row, turns = trail.row, source.turns
    trail.enter("request")
    asked = trail.value(await builder.ask(row, request_prompt(turns)))
    request, query = asked.forget_instruction, asked.test_question
    trail.require(check_request(request, query))

    trail.enter("facts")
    annotation = trail.value(await builder.ask(row, facts_prompt(turns, request, query)))
    facts, neighbour, reask = _usable(annotation, turns, query, trail)

    trail.enter("recall")
    recalled = trail.value(await builder.ask(row, recall_prompt(turns, query)))
    trail.require(check_recall(recalled, facts, turns))

    trail.enter("target")
    target = trail.value(await builder.ask(row, target_prompt(turns, request)))
    trail.require(check_target(target, facts, turns, recalled))

    trail.enter("closed_book")
    guessed = trail.value(await builder.ask(row, closed_book_prompt(query)))
    trail.require(check_closed_book(guessed, facts))

    said = _first_said(turns, facts, recalled)
    trail.finish(
        InstructionalForgettingItem(
            id=f"if-{source.id}",
            domain=source.topic,
            source=origin,
            scenario=Scenario.INSTRUCTIONAL_FORGETTING,
            memory=turns,
            request=request,
            query=query,
            facts=facts,
            neighbour=neighbour,
            reask=reask,
            forgotten=annotation.forgotten,
            said_by=said.role,
            request_kind=annotation.request_kind,
            query_kind=annotation.query_kind,
            memory_cue=has_memory_cue(query),
        )
    )


def _usable(
    annotation: FactAnnotation, turns: tuple[Turn, ...], query: str, trail: Trail
) -> tuple[tuple[Fact, ...], Neighbour | None, str | None]:
    """What of the annotation holds by rule; the rest is noted and left out, and the item needs a judge."""
    facts, neighbour, reask = annotation.facts, annotation.neighbour, annotation.reask
    if neighbour is not None and (unfit := usable_neighbour(neighbour, facts, turns)):
        trail.warnings.append(GateFinding("neighbour question left out", unfit))
        neighbour = None
    if reask is not None and (unfit := usable_reask(reask, facts)):
        trail.warnings.append(GateFinding("re-ask left out", unfit))
        reask = None
    if unfit := unverifiable(facts, turns, query):
        trail.warnings.append(GateFinding("not verified", unfit))
        facts = ()
    return facts, neighbour, reask


def _first_said(turns: tuple[Turn, ...], facts: tuple[Fact, ...], recalled: DialogueAnswer) -> Turn:
    """The first turn that holds the piece: whose turn it is, is a factor and no matter of opinion."""
    for quote in (*(fact.value for fact in facts), recalled.evidence):
        found = quoted_from(turns, quote)
        if found is not None:
            return found
    raise ValueError("a row came through the gates without a place in its dialogue")
