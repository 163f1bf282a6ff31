"""The dialogues themselves: what to filter them by, and how one is read."""

from forgetscope.benchmarks.in_context.data.forms import SYSTEM_PART, Part
from forgetscope.benchmarks.in_context.report.names import ARM_NAMES, FORM_NAMES, PROBE_NAMES, STRATEGY_NAMES
from forgetscope.benchmarks.in_context.settings import NATIVE
from forgetscope.findings.figures import Browser, Checklist, Choice, Column, FurtherAnswer, Marking, Section, TurnPart

PARTS = (
    TurnPart(SYSTEM_PART, "System message"),
    TurnPart(Part.MEMORY.value, "Memory (M)"),
    TurnPart(Part.INTERFERENCE.value, "Forgetting (F)"),
    TurnPart(Part.UNRELATED.value, "Unrelated (MC)"),
    TurnPart(Part.QUERY.value, "Query (Q)"),
)
"""ICF-Bench, figure 2."""

MARKINGS = (
    Marking("accepted_answers", "accepted answer"),
    Marking("facts", "the fact"),
    Marking("fact_paraphrases", "gives the fact away"),
    Marking("fact_hints", "hint", is_weak=True),
    Marking("leak_wording", "what the rule went by", is_weak=True),
)

CHECKLISTS = (
    Checklist("Common subtasks", "common_subtasks", "common_done"),
    Checklist("New subtasks", "revised_only_subtasks", "revised_only_done"),
    Checklist("Old subtasks (Forget form: not all may be done)", "original_only_subtasks", "original_only_done"),
    Checklist("Common subtasks in the first answer", "common_subtasks", "first_common_done"),
)


def dialogue_section() -> Section:
    """Every dialogue, to filter and read, its two forms side by side."""
    return Section(
        "Dialogues",
        (
            Browser(
                filters=(
                    Column("scenario", "Scenario"),
                    Column("form", "Form", names=FORM_NAMES),
                    Column("length", "Length", names={"": NATIVE}),
                    Column("strategy", "Prompt", names=STRATEGY_NAMES),
                    Column("kind", "Kind"),
                    Column("probe", "Asked", names=PROBE_NAMES),
                    Column("arm", "Arm", names=ARM_NAMES),
                    Column("status", "Status"),
                    Column("leak", "Leak"),
                    Column("chosen", "Chosen"),
                    Column("unreadable", "No answer because"),
                    Column("first_finish_reason", "First answer ended by"),
                    Column("decided_by", "Decided by"),
                ),
                shown=(
                    Column("sample_id", "Sample"),
                    Column("scenario", "Scenario"),
                    Column("form", "Form", names=FORM_NAMES),
                    Column("length", "Length", names={"": NATIVE}),
                    Column("strategy", "Prompt", names=STRATEGY_NAMES),
                    Column("status", "Status"),
                    Column("leak", "Leak"),
                    Column("chosen", "Chosen"),
                    Column("reask_status", "Asked again"),
                ),
                together=("item", "length", "strategy", "question", "probe", "direction", "arm"),
                apart=Column("form", "Form", names=FORM_NAMES),
                parts=PARTS,
                markings=MARKINGS,
                answers=(FurtherAnswer("reask_reply", "Asked again", asked="reask_query", status="reask_status"),),
                checklists=CHECKLISTS,
                choices=(
                    Choice(
                        "Options",
                        "options",
                        chosen="shown_position",
                        places=(Column("old_position", "old preference"), Column("new_position", "new preference")),
                    ),
                ),
                left_out=("first_reply",),
            ),
        ),
        intro="Every dialogue with its reply and verdict; 'Side by side' sets the two forms of an item next to each "
        "other. Filler turns are one line here; the logs have them.",
        slug="samples",
    )
