"""Items small enough to read whole in a test, one a scenario, and samples of them."""

from forgetscope.benchmarks.in_context.data.context import native_context
from forgetscope.benchmarks.in_context.data.forms import Form, InContextSample, Replies
from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    Fact,
    FillerDialogue,
    Forgotten,
    InstructionalForgettingItem,
    Neighbour,
    Preference,
    Scenario,
    Subtask,
    SubtaskCheck,
    SubtaskRevisionItem,
    Turn,
)
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import Completion


def user(text: str) -> Turn:
    return Turn(role="user", content=text)


def assistant(text: str) -> Turn:
    return Turn(role="assistant", content=text)


FORGETTING = InstructionalForgettingItem(
    id="if-small",
    domain="travel",
    scenario=Scenario.INSTRUCTIONAL_FORGETTING,
    memory=(user("I live in Lisbon and start in Fukuoka."), assistant("Noted.")),
    request="Please forget where I live.",
    query="Where do I live?",
    facts=(Fact(value="Lisbon", paraphrases=("capital of Portugal",), hints=("a port",)),),
    neighbour=Neighbour(query="Where do I start?", answers=("Fukuoka",)),
    reask="Are you sure you cannot say it?",
    forgotten=Forgotten.IDENTITY,
    said_by="user",
    request_kind="explicit",
    query_kind="explicit",
    memory_cue=False,
)
JUDGED_FORGETTING = FORGETTING.model_copy(update={"id": "if-judged", "facts": (), "neighbour": None})


def subtask(text: str, word: str) -> Subtask:
    return Subtask(text=text, check=SubtaskCheck(type="keywords:existence", kwargs={"keywords": [word]}))


REVISION = SubtaskRevisionItem(
    id="sr-small",
    scenario=Scenario.SUBTASK_REVISION,
    original="Write about the mould and ask for a surveyor.",
    revised="Write about the mould and ask for a dehumidifier.",
    common=(subtask("Write about the mould.", "mould"),),
    original_only=(subtask("Ask for a surveyor.", "surveyor"),),
    revised_only=(subtask("Ask for a dehumidifier.", "dehumidifier"),),
    change="altered",
)
JUDGED_REVISION = REVISION.model_copy(update={"id": "sr-judged", "common": (Subtask(text="Write about the mould."),)})

PREFERENCE = DynamicPreferenceItem(
    id="dp-small",
    domain="cooking",
    scenario=Scenario.DYNAMIC_PREFERENCE,
    expression="direct",
    old=Preference(text="I eat vegan.", option="A lentil stew", turns=(user("I'm vegan."), assistant("Noted."))),
    new=Preference(text="I eat meat.", option="Roast beef", turns=(user("I eat meat now."), assistant("Understood."))),
    question="What shall I cook?",
    options=("A lentil stew", "Roast beef", "Cheese on toast", "Baked salmon"),
    unrelated=(user("What is the time in Lima?"), assistant("Five hours behind London.")),
)

FILLER = tuple(
    FillerDialogue(
        id=f"filler-{number}",
        topic="bees" if number % 5 == 0 else "",
        turns=tuple(
            turn
            for part in range(3)
            for turn in (
                user(f"Question {number}.{part}? " + "why " * number),
                assistant("Because it is so. " * (part + 1)),
            )
        ),
    )
    for number in range(40)
)


def sample(
    item: AnyItem,
    form: Form = Form.FORGET,
    *,
    probe: DialogueProbe = DialogueProbe.QUERY,
    question: PreferenceQuestion | None = None,
    reask: bool = False,
    rotation: int = 0,
) -> InContextSample:
    """A sample at native length; preference items are asked with their options unless said otherwise."""
    if isinstance(item, DynamicPreferenceItem) and question is None:
        question = PreferenceQuestion.OPTIONS
    return InContextSample(
        item=item,
        form=form,
        strategy="noforget",
        question=question,
        probe=probe,
        reask=reask,
        rotation=rotation,
        context=native_context(item),
        seed=42,
    )


def said(text: str, finish: FinishReason = FinishReason.STOP, *, reasoning: str = "") -> Completion:
    return Completion(text, finish, reasoning=reasoning, error="" if text else "nothing came")


def replies(answer: str, *, first: str | None = None, reask: str | None = None) -> Replies:
    """Replies that ended of themselves."""
    return Replies(
        said(answer),
        first=None if first is None else said(first),
        reask=None if reask is None else said(reask),
    )
