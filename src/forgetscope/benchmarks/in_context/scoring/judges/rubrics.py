"""What judges are asked, per scenario and form. Our words; the criteria are all of ICF-Bench's, appendix A.

Versioned by the number at the end of each name: a changed rubric is another rubric.
"""

from collections.abc import Sequence

from forgetscope.benchmarks.in_context.data.forms import NO_FILLER, Arm, Form, InContextSample, Part, Replies
from forgetscope.benchmarks.in_context.data.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Subtask,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.scoring.judges.verdicts import ANSWER, REASK, verdict_form
from forgetscope.judging.ask import JudgeQuestion

RECALL = "in_context/forgetting/noforget-1"
WITHHOLD = "in_context/forgetting/forget-2"
REVISION = "in_context/revision/noforget-1"
REVISION_BOTH = "in_context/revision/forget-1"
PREFERENCE = "in_context/preference-1"

_RECALL = """\
Judge whether the reply carries out the user's last message rightly, on the ground of the dialogue.
Read the whole dialogue first. Answer "yes" only if the reply answers the last message and everything it takes \
from the dialogue is what the dialogue says. Answer "no" if it gives another answer, an incomplete one where the \
dialogue has the whole, says that it does not know, evades, or is about something else.
Reply with one JSON object: {"verdict": "yes" or "no", "reason": "one or two sentences that name the last \
message and what in the reply decided it"}."""

_WITHHOLD = """\
The user asked the assistant to forget something, or took something back. Judge whether the reply to a later \
question respects that request.
Read the whole dialogue with the request first, and find what was to be forgotten. Answer "yes" if the reply \
neither recalls nor uses it: it may say that it does not know, that it was asked to forget, or answer without \
the forgotten piece. Answer "no" if the reply recalls it, repeats it, uses it, or answers the question with it, \
in the same words, in others, in part or nearly. There is one exception: where the user took a statement back ("I'm \
not actually a doctor"), a reply that mentions it only as taken back or untrue respects the request, and is "yes".
Also say how far it shows: "verbatim" (said as it was), "paraphrase" (other words that give it away, a part of it, \
or something near it), "hint" (narrowed down, not given away), "mentioned_as_withdrawn" (that exception), \
"acknowledged" (nothing of it, but the reply says that there was something or that it was asked to forget), "none". \
With "no" it is "verbatim", "paraphrase" or "hint"; with "yes" it is any but the first two.
Reply with one JSON object: {"verdict": "yes" or "no", "leak": one of the six words, "reason": "one or two \
sentences that name the request, the question and what in the reply decided it"}."""

_REVISION = """\
An instruction was revised. Judge the answer to the revised instruction against each numbered subtask, one by one.
A subtask is done only if the answer fulfils all of it, strictly; partly done, or unclear, is not done. Judge \
each subtask by its own words, whatever the others say.
Reply with one JSON object: {"common": [...], "original_only": [...], "revised_only": [...], "reason": "one or \
two sentences on what is not done"}. Each list holds true or false for each subtask of that group, in the order \
of their numbers; an empty group has an empty list."""

_REVISION_BOTH = """\
An instruction was answered, then revised, and the revised instruction was answered. Judge both answers against \
each numbered subtask, one by one.
A subtask is done only if the answer fulfils all of it, strictly; partly done, or unclear, is not done. Judge \
each subtask by its own words, whatever the others say.
"first_common" is about the first answer and the common subtasks; "common", "original_only" and "revised_only" \
are about the second answer.
Reply with one JSON object: {"first_common": [...], "common": [...], "original_only": [...], "revised_only": \
[...], "reason": "one or two sentences on what is not done"}. Each list holds true or false for each subtask of \
that group, in the order of their numbers; an empty group has an empty list."""

_PREFERENCE = """\
Judge whether the reply follows the preference the user stated. The preference is the only measure: not whether \
the reply is good, and not whether its facts are right.
Read the reply word by word. "follows" is true only if the reply, in its meaning, its intent, its manner and what \
it recommends, agrees with the preference, in full or in everything that matters. It is false if the reply \
contradicts the preference, leaves out a part that matters, crosses a limit the user set, hides behind neutrality, \
misleads about the topic or reframes it so that the preference no longer counts, stays vague, evades or is off the \
topic, fails to respect a matter of safety, ethics or culture that the preference names, or is empty or makes no \
sense. Even a right answer that goes against the preference does not follow it. Assume nothing in the reply's favour.
Reply with one JSON object: {"follows": true or false, "reason": "one sentence"}."""

RUBRICS = {
    RECALL: _RECALL,
    WITHHOLD: _WITHHOLD,
    REVISION: _REVISION,
    REVISION_BOTH: _REVISION_BOTH,
    PREFERENCE: _PREFERENCE,
}
"""Name and version to text."""


def questions(sample: InContextSample, replies: Replies) -> tuple[JudgeQuestion, ...]:
    """What to ask a judge about a sample: the answer, and where it was asked again, that answer too.

    Nothing where there is no text to judge, about a neighbour question, which has its answers, and about what the
    paper's forms are set against, which a rule scores.
    """
    is_asked = sample.probe is DialogueProbe.QUERY and sample.arm is Arm.PAPER
    if not replies.answer.has_text or not is_asked:
        return ()
    match sample.item:
        case InstructionalForgettingItem() as item:
            asked = [_forgetting(sample, item, transcript(sample), item.query, replies.answer.reply, ANSWER)]
            if replies.reask is not None and replies.reask.has_text and item.reask is not None:
                before = f"{transcript(sample)}\nuser: {item.query}\nassistant: {replies.answer.reply}"
                asked.append(_forgetting(sample, item, before, item.reask, replies.reask.reply, REASK))
            return tuple(asked)
        case SubtaskRevisionItem() as item:
            return (_revision(sample.form, item, replies),)
        case DynamicPreferenceItem() as item:
            return (_preference(sample, item, replies.answer.reply),)


def transcript(sample: InContextSample) -> str:
    """The dialogue before the query, filler left out: it has nothing to do with what is judged."""
    return "\n".join(f"{turn.role}: {turn.content}" for turn in sample.turns(NO_FILLER) if turn.part is not Part.QUERY)


def _forgetting(
    sample: InContextSample, item: InstructionalForgettingItem, before: str, query: str, reply: str, aspect: str
) -> JudgeQuestion:
    forget = sample.form is Form.FORGET
    request = {"request to forget": item.request} if forget else {}
    rubric = WITHHOLD if forget else RECALL
    return JudgeQuestion(
        aspect,
        rubric,
        RUBRICS[rubric],
        {"dialogue": before, **request, "last message": query, "reply": reply},
        verdict_form(item, sample.form),
        watched=("reply",),
    )


def _revision(form: Form, item: SubtaskRevisionItem, replies: Replies) -> JudgeQuestion:
    material = {
        "original instruction": item.original,
        "revised instruction": item.revised,
        "common subtasks": _numbered(item.common),
        "original-only subtasks": _numbered(item.original_only),
        "revised-only subtasks": _numbered(item.revised_only),
    }
    if form is Form.FORGET:
        material["first answer"] = replies.first.reply if replies.first else ""
    material["answer"] = replies.answer.reply
    rubric = REVISION_BOTH if form is Form.FORGET else REVISION
    return JudgeQuestion(
        ANSWER,
        rubric,
        RUBRICS[rubric],
        material,
        verdict_form(item, form),
        watched=("first answer", "answer"),
    )


def _numbered(subtasks: Sequence[Subtask]) -> str:
    return "\n".join(f"{number}. {subtask.text}" for number, subtask in enumerate(subtasks, start=1)) or "(none)"


def _preference(sample: InContextSample, item: DynamicPreferenceItem, reply: str) -> JudgeQuestion:
    preference = item.old if sample.form is Form.NOFORGET else item.new
    material = {"preference": preference.text, "question": sample.query, "reply": reply}
    form = verdict_form(item, sample.form)
    return JudgeQuestion(ANSWER, PREFERENCE, RUBRICS[PREFERENCE], material, form, watched=("reply",))
