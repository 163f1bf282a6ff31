"""What is sent: an item in one condition, under one control, by one probe, in one order of its options.

A sample carries all that is needed to score it again from the log alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from forgetscope.benchmarks.selection import first_of_each
from forgetscope.benchmarks.visual.data.axes import Level
from forgetscope.benchmarks.visual.data.concepts import mentions, without_names
from forgetscope.benchmarks.visual.data.conditions import (
    CONDITIONS,
    Condition,
    Control,
    Mode,
    OracleTarget,
    VisualProbe,
)
from forgetscope.benchmarks.visual.data.controls import PlaceboPool, donors, wrong_target
from forgetscope.benchmarks.visual.data.forms import Design, QuestionForm, effect_forms, eligibility_forms
from forgetscope.benchmarks.visual.data.records import Item, Side, Split, VisualRecord
from forgetscope.benchmarks.visual.prompts import (
    INDIRECT_QUESTION,
    choice_prompt,
    class_list,
    instruction_text,
    short_answer_prompt,
)

Role = Literal["effect", "eligibility"]
"""What a sample is for: the effect of a condition, or whether the untouched model knows the concept at all.

The two never share a picture (protocols.md, section 2).
"""


class VisualSample(VisualRecord):
    """One item in one form: what a model answers once, its factors, and what scoring needs.

    Attributes:
        image: The picture that is sent, below the split's root; empty when none is.
        donor: What the sent picture shows, where it is another item's (shuffled_image).
        choices: As shown, in this order of options; for the indirect probe the clues.
        answer: Index of the right one among them.
        labels: The concepts behind the choices, in the same order.
        target: What the oracle or wrong-oracle text names; empty otherwise.
        listed_choices: How many labels the text's list of concepts names.
        answer_listed: Whether it names the right one.
        longer_names: Names of other concepts that hold one of the answer's names ("teddy bear" for "bear"): a short
            answer with one of those does not name the answer.
        system: What an intervention's system message says; empty where there is none.
        input_error: Why the picture cannot be read; nothing is sent then.
        unsupported: What access an intervention lacks; nothing is sent then.
    """

    sample_id: str
    item: str
    split: str
    side: Side
    role: Role
    level: Level
    axis: str
    source: str
    class_name: str
    forget_concept: str
    supercategory: str = ""
    picture_group: str
    condition: Condition
    control: Control = Control.NONE
    probe: VisualProbe = VisualProbe.CHOICE
    mode: Mode = Mode.GENERATE
    phrasing: int = 0
    order: int = 0
    prompt: str
    image: str = ""
    donor: str = ""
    choices: tuple[str, ...]
    answer: int
    labels: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    longer_names: tuple[str, ...] = ()
    target: str = ""
    listed_choices: int = 0
    answer_listed: bool = False
    hard_distractors: int = 0
    system: str = ""
    input_error: str = ""
    unsupported: str = ""

    @property
    def chance(self) -> float:
        """Accuracy of guessing among the options; 0 for a short answer."""
        return 0.0 if self.probe is VisualProbe.SHORT_ANSWER else 1 / len(self.choices)

    @property
    def no_permitted_choice(self) -> bool:
        """Whether the text's list leaves no option to obey with; such samples are outside suppression figures."""
        return self.probe is not VisualProbe.SHORT_ANSWER and self.listed_choices == len(self.labels)


def sample_id(
    item: str,
    split: str,
    condition: Condition,
    *,
    role: Role = "effect",
    control: Control = Control.NONE,
    probe: VisualProbe = VisualProbe.CHOICE,
    phrasing: int = 0,
    order: int = 0,
    mode: Mode = Mode.GENERATE,
) -> str:
    """`visual/{item}/{condition}/split={split}`, then every factor that is not at its first level."""
    factors = {
        "split": split,
        "role": role if role != "effect" else "",
        "control": control.value if control is not Control.NONE else "",
        "probe": probe.value if probe is not VisualProbe.CHOICE else "",
        "phrasing": str(phrasing) if phrasing else "",
        "order": str(order) if order else "",
        "mode": mode.value if mode is not Mode.GENERATE else "",
    }
    written = "".join(f"/{name}={value}" for name, value in factors.items() if value)
    return f"visual/{item}/{condition.value}{written}"


def split_samples(split: Split, design: Design, *, limit: int | None = None) -> Iterator[VisualSample]:
    """Every sample of a split, all forms of an item next to each other.

    Items come in a fixed interleaved order: forget and retain in turns, and within each the concepts in turns.
    `limit` takes the first so many of each side, with all their forms, and as many as of both sides together to decide
    what the model knows; donors and orders depend neither on it nor on `pictures`.
    """
    builder = _Builder(split, design)
    effect = [item for item in split.items if item.part == "test"]
    given = donors(effect, split.record.seed, "effect")
    for item in first_of_each(interleaved(measured(effect, design.pictures)), _side, limit):
        for form in effect_forms(item, _side(item), design):
            yield from builder.samples(item, "effect", form, given.get(item.id))
    trained = [item for item in split.items if item.part == "train"]
    given = donors(trained, split.record.seed, "eligibility")
    known = interleaved(first_of_each(split.of("train", "forget"), _concept, design.eligibility))
    for item in known if limit is None else known[: 2 * limit]:
        for form in eligibility_forms(design):
            yield from builder.samples(item, "eligibility", form, given.get(item.id))


def measured(items: Sequence[Item], pictures: int) -> list[Item]:
    """The items that measure: so many of each forget concept, and on the retain side as many, at least three times it.

    Args:
        items: Of the test part.
        pictures: Of a forget concept; 0 for all that there are.
    """
    if not pictures:
        return list(items)
    forget = first_of_each([item for item in items if item.side == "forget"], _concept, pictures)
    retain = interleaved(item for item in items if item.side == "retain")
    return [*forget, *retain[: max(len(forget), RETAINED_PER_PICTURE * pictures)]]


RETAINED_PER_PICTURE = 3
"""Items to keep for each picture of a forget concept, where a split has few concepts to forget."""


def _concept(item: Item) -> str:
    return item.forget_concept


def interleaved(items: Iterable[Item]) -> list[Item]:
    """Items with sides in turns, and within a side concepts in turns."""
    by_side: dict[Side, dict[str, list[Item]]] = {"forget": {}, "retain": {}}
    for item in items:
        by_side[_side(item)].setdefault(item.forget_concept, []).append(item)
    return _in_turns([_in_turns([groups[name] for name in sorted(groups)]) for groups in by_side.values()])


def _in_turns(queues: Sequence[Sequence[Item]]) -> list[Item]:
    longest = max(map(len, queues), default=0)
    return [queue[turn] for turn in range(longest) for queue in queues if turn < len(queue)]


def _side(item: Item) -> Side:
    if item.side is None:
        raise ValueError(f"{item.id} is of no split")
    return item.side


class _Builder:
    """Samples of one split: what all its items have in common."""

    def __init__(self, split: Split, design: Design) -> None:
        self._split, self._design = split.record, design
        forget = split.record.forget_concepts
        self._listed = class_list(forget)
        self._folded = frozenset(name.casefold() for name in forget)
        self._placebo = PlaceboPool(forget, split.record.concepts)
        self._longer: dict[tuple[str, ...], tuple[str, ...]] = {}

    def samples(self, item: Item, role: Role, form: QuestionForm, donor: Item | None) -> Iterator[VisualSample]:
        """A form of an item in every mode; none where its control has no donor."""
        if form.control is Control.SHUFFLED_IMAGE and donor is None:
            return
        for mode in self._design.modes:
            if mode is Mode.FIRST_TOKEN and form.probe is VisualProbe.SHORT_ANSWER:
                continue
            yield self._sample(item, role, form, donor, mode)

    def _sample(self, item: Item, role: Role, form: QuestionForm, donor: Item | None, mode: Mode) -> VisualSample:
        order = [(index + form.order) % len(item.choices) for index in range(len(item.choices))]
        labels = tuple(item.choices[index] for index in order)
        shown = tuple(item.clues[index] for index in order) if form.probe is VisualProbe.INDIRECT else labels
        target = self._target(item, form)
        instruction = self._instruction(item, form, target)
        names_list = CONDITIONS[form.condition].names == "forget_list"
        listed = [label.casefold() in self._folded for label in labels] if names_list else [False] * len(labels)
        shuffled = form.control is Control.SHUFFLED_IMAGE and donor is not None
        source = donor if shuffled and donor else item
        answer = order.index(item.answer)
        return VisualSample(
            sample_id=self._sample_id(item, role, form, mode),
            item=item.id,
            split=self._split.name,
            side=_side(item),
            role=role,
            level=item.level,
            axis=item.axis,
            source=item.source,
            class_name=item.class_name,
            forget_concept=item.forget_concept,
            supercategory=item.supercategory,
            picture_group=item.picture_group,
            condition=form.condition,
            control=form.control,
            probe=form.probe,
            mode=mode,
            phrasing=form.phrasing,
            order=form.order,
            prompt=_prompt(item, form, shown, instruction),
            image=source.image if form.control.shows_a_picture else "",
            donor=source.forget_concept if shuffled else "",
            choices=shown,
            answer=answer,
            labels=labels,
            aliases=item.aliases,
            longer_names=self._longer_names(item) if form.probe is VisualProbe.SHORT_ANSWER else (),
            target=target,
            listed_choices=sum(listed),
            answer_listed=listed[answer],
            hard_distractors=item.hard_distractors,
        )

    def _sample_id(self, item: Item, role: Role, form: QuestionForm, mode: Mode) -> str:
        return sample_id(
            item.id,
            self._split.name,
            form.condition,
            role=role,
            control=form.control,
            probe=form.probe,
            phrasing=form.phrasing,
            order=form.order,
            mode=mode,
        )

    def _target(self, item: Item, form: QuestionForm) -> str:
        match CONDITIONS[form.condition].names:
            case "concept" if self._design.oracle_target is OracleTarget.CLASS:
                return item.class_name
            case "concept":
                return item.forget_concept
            case "distractor":
                return wrong_target(item, self._split.concepts)
            case _:
                return ""

    def _instruction(self, item: Item, form: QuestionForm, target: str) -> str:
        is_placebo = CONDITIONS[form.condition].names == "placebo_list"
        listed = self._placebo.draw(item).text if is_placebo else self._listed
        return instruction_text(form.condition, listed=listed, target=target, phrasing=form.phrasing)

    def _longer_names(self, item: Item) -> tuple[str, ...]:
        own = (item.answer_text, *item.aliases)
        if own not in self._longer:
            self._longer[own] = tuple(
                name for name in self._split.concepts if name not in own and _holds_one_of(name, own)
            )
        return self._longer[own]


def _holds_one_of(name: str, own: Sequence[str]) -> bool:
    """Whether a name holds one of the others as a part of itself, not as the whole."""
    return mentions(name, own) and without_names(name, own) != "·"


def _prompt(item: Item, form: QuestionForm, shown: Sequence[str], instruction: str) -> str:
    if form.probe is VisualProbe.SHORT_ANSWER:
        return short_answer_prompt(item.question, instruction)
    # Of an attribute the item's question is kept: it names what is shown, not the concept, and asks for the relation.
    is_described = form.probe is VisualProbe.INDIRECT and not item.level.forgets_answer_value
    question = INDIRECT_QUESTION if is_described else item.question
    return choice_prompt("" if form.control is Control.OPTION_ONLY else question, shown, instruction)
