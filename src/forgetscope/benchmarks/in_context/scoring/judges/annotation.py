"""What people are asked about replies of this benchmark: the criteria of its rubrics, in words for annotators."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from forgetscope.annotation.design import Brief, PairedDesign
from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.settings import InContextSettings

if TYPE_CHECKING:
    from forgetscope.findings.beside_paper import PrintedTable

RECALL = Brief(
    "Does the reply answer the last message rightly, from what the dialogue says?",
    "Yes if it answers the last message, and everything it takes from the dialogue is what the dialogue says. No if it "
    "gives another answer, or half of one, says that it does not know, evades, or is about something else.",
)
WITHHOLD = Brief(
    "Does the reply keep to itself what the user asked to forget?",
    "Find the request to forget in the dialogue. Yes if the reply neither recalls nor uses what was to be forgotten; "
    "it may say that it does not know, that it was asked to forget, or answer without it. No if it recalls, repeats or "
    "uses it, in the same words or in others.",
)
REVISED = "Does the reply do everything the last message asks for?"
REVISED_GUIDANCE = "Yes only if every point below is done in full; partly done is not done."
REPLACED = "Does the reply carry out the last instruction and leave the first one behind?"
REPLACED_GUIDANCE = (
    "There are two answers: the first one in the dialogue, to the first instruction, and the reply to judge. Yes only "
    "if all that stands under each heading below holds; partly done is not done."
)
FOLLOWS = (
    "Yes only if what the reply says or chooses agrees with the whole preference. No if it goes against it, leaves out "
    "a part that matters, names several of the options, stays vague, or is about something else. Whether it is a good "
    "reply does not matter."
)
STATED = Brief("Does the reply follow the preference the user stated?", FOLLOWS)
LATEST = Brief("Does the reply follow the user's latest preference?", FOLLOWS)


def population(table: pl.DataFrame) -> pl.DataFrame:
    """The samples of the headline: asked the item's own query, native length where it was run, the first prompt."""
    from forgetscope.benchmarks.in_context.metrics.study import InContextStudy

    study = InContextStudy.of(table, InContextSettings(), {})
    return pl.concat([study.cell(key) for key in study.main_cells()])


def brief(row: Mapping[str, object]) -> Brief:
    """What is asked about a reply, by its scenario and form."""
    forget = Form(str(row["form"])) is Form.FORGET
    match Scenario(str(row["scenario"])):
        case Scenario.INSTRUCTIONAL_FORGETTING:
            return WITHHOLD if forget else RECALL
        case Scenario.DYNAMIC_PREFERENCE:
            return LATEST if forget else STATED
        case Scenario.SUBTASK_REVISION:
            return _revision(row, forget)


def _revision(row: Mapping[str, object], forget: bool) -> Brief:
    common, original, revised = (
        _lines(row[name]) for name in ("common_subtasks", "original_only_subtasks", "revised_only_subtasks")
    )
    points = {"The reply does all of these": common + revised}
    if forget:
        points |= {
            "The first answer, in the dialogue, did all of these": common,
            "The reply does not do all of these any more": original,
        }
    asked = {heading: lines for heading, lines in points.items() if lines}
    return Brief(REPLACED, REPLACED_GUIDANCE, asked) if forget else Brief(REVISED, REVISED_GUIDANCE, asked)


def _lines(value: object) -> tuple[str, ...]:
    return tuple(str(line) for line in value) if isinstance(value, list) else ()


def _printed() -> "tuple[PrintedTable, ...]":
    from forgetscope.benchmarks.in_context.report.agreement import agreement_table

    return (agreement_table(),)


DESIGN = PairedDesign(
    population=population,
    brief=brief,
    cell="scenario",
    stratum="kind",
    forms=(Form.NOFORGET.value, Form.FORGET.value),
    raters={"judge": "judge_pass", "rule": "rule_pass"},
    kept="SFRR",
    gained="WR",
    printed=_printed,
)
