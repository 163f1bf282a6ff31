"""From a listing to items: question, choices, answer; and what did not become an item, with the reason.

The order of the choices and the draw of distractors come from the picture alone: the first eight hex digits of the
SHA-1 of its relative path seed named streams (paper, section 3.2). The authors' own draws come from another generator
and cannot be repeated.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.concepts import Concept, clues_for, name_words
from forgetscope.benchmarks.visual.data.pictures import picture_seed
from forgetscope.benchmarks.visual.data.records import Item, Part, RejectedItem, Side
from forgetscope.benchmarks.visual.sources.listing import AttributeListing, ClassListing, Listing, QuestionListing
from forgetscope.benchmarks.visual.splits.distractors import (
    WRONG,
    ClassPools,
    ValuePools,
    WrongAnswers,
    dominant_value,
    other_options,
    ranked_values,
)
from forgetscope.benchmarks.visual.splits.quality import quality_reasons
from forgetscope.stats.streams import named_stream

LadRule = Literal["false", "ranked"]
"""Which attribute values may be wrong answers: those false of the class, or the authors' next highest scores."""
PadRule = Literal["none", "relations"]
"""Whether SpatialMQA's questions of two options stay so, or are padded to four with relations of our choice."""


@dataclass(frozen=True)
class ItemRules:
    """How items are built where the authors' code and protocols.md differ; the defaults are protocols.md's."""

    lad_distractors: LadRule = "false"
    pad: PadRule = "none"


@dataclass(frozen=True)
class BuiltItems:
    """Items in order of their pictures, what did not become one, and what the reader had passed over by reason."""

    items: tuple[Item, ...]
    rejected: tuple[RejectedItem, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)


def build_items(listing: Listing, rules: ItemRules | None = None) -> BuiltItems:
    """The items of a listing after quality control; each rejected one keeps its reasons."""
    items: dict[str, Item] = {}
    rejected: list[RejectedItem] = []
    for draft in _drafts(listing, rules or ItemRules()):
        reasons = draft.reject_reasons()
        if not reasons:
            item = draft.item()
            if item.id not in items:
                items[item.id] = item
                continue
            reasons = ("asked before",)
        rejected.append(draft.rejected(reasons))
    return BuiltItems(tuple(items.values()), tuple(rejected), dict(listing.skipped))


def item_id(source: str, axis: Axis, concept: str, image: str, question: str) -> str:
    """`{source}-{axis}-{concept}-{ten hex digits}`; the digits are of picture and question together."""
    words = "-".join(name_words(concept)).encode("ascii", "ignore").decode().strip("-")
    digest = hashlib.sha1(f"{image}\0{question}".encode(), usedforsecurity=False).hexdigest()[:10]
    return "-".join(part for part in (source, axis.name, words[:40], digest) if part)


@dataclass(frozen=True)
class _Draft:
    """An item before quality control."""

    source: str
    axis: Axis
    image: str
    question: str
    class_name: str
    answer: Concept
    wrong: WrongAnswers
    order: tuple[int, ...] = ()
    supercategory: str = ""
    group: str = ""
    scale: str = ""
    prebuilt: bool = False
    complaint: str = ""
    concept: str = ""
    side: Side | None = None
    part: Part | None = None

    @property
    def options(self) -> tuple[Concept, ...]:
        """Answer first."""
        return (self.answer, *self.wrong.concepts)

    def reject_reasons(self) -> tuple[str, ...]:
        if self.complaint:
            return (self.complaint,)
        if not self.prebuilt and len(self.wrong.concepts) < WRONG:
            return ("too few distractors",)
        return quality_reasons(self.question, [option.name for option in self.options], 0, prebuilt=self.prebuilt)

    def rejected(self, reasons: tuple[str, ...]) -> RejectedItem:
        return RejectedItem(
            source=self.source,
            image=self.image,
            class_name=self.class_name,
            reasons=reasons,
            question=self.question,
            choices=tuple(option.name for option in self.options),
        )

    def item(self) -> Item:
        shown = [self.options[index] for index in self.order]
        concept = self.concept or self.answer.name
        return Item(
            id=item_id(self.source, self.axis, concept, self.image, self.question),
            level=self.axis.level,
            axis=self.axis.name,
            source=self.source,
            image=self.image,
            question=" ".join(filter(None, (self.question, self.scale))),
            choices=tuple(option.name for option in shown),
            answer=self.order.index(0),
            class_name=self.class_name,
            forget_concept=concept,
            supercategory=self.supercategory,
            group=self.group,
            side=self.side,
            part=self.part,
            aliases=self.answer.aliases,
            clues=clues_for(shown, self.question if self.axis.level.forgets_answer_value else ""),
            hard_distractors=self.wrong.hard,
            notes=self.wrong.notes,
        )


def _stream(image: str) -> np.random.Generator:
    """The stream of a picture: first its distractors, then the order of its choices."""
    return named_stream(picture_seed(image), "visual item")


def _order(wrong: WrongAnswers, stream: np.random.Generator) -> tuple[int, ...]:
    return tuple(stream.permutation(1 + len(wrong.concepts)).tolist())


def _drafts(listing: Listing, rules: ItemRules) -> Iterator[_Draft]:
    match listing:
        case ClassListing():
            return _class_drafts(listing)
        case AttributeListing():
            return _attribute_drafts(listing, rules.lad_distractors)
        case QuestionListing():
            return _question_drafts(listing, pad=rules.pad == "relations")


def _class_drafts(listing: ClassListing) -> Iterator[_Draft]:
    pools = ClassPools(listing.concepts)
    for picture in listing.pictures:
        answer, stream = pools.concept(picture.supercategory, picture.class_name), _stream(picture.image)
        wrong = pools.draw(answer, stream)
        yield _Draft(
            source=listing.source,
            axis=listing.axis,
            image=picture.image,
            question=picture.question or listing.axis.ask(picture.subject or picture.class_name),
            class_name=picture.subject or picture.class_name,
            answer=answer,
            wrong=wrong,
            order=_order(wrong, stream),
            supercategory=picture.supercategory,
            group=picture.group,
        )


def _attribute_drafts(listing: AttributeListing, rule: LadRule) -> Iterator[_Draft]:
    known, pools = _known_values(listing), ValuePools(listing)
    for picture in listing.pictures:
        value = dominant_value(listing.scores[picture.class_name])
        draft = _Draft(
            source=listing.source,
            axis=listing.axis,
            image=picture.image,
            question=listing.axis.ask(picture.class_name),
            class_name=picture.class_name,
            answer=known.get(value, Concept(value, listing.axis.name)) if value else Concept(""),
            wrong=WrongAnswers((), 0),
            supercategory=picture.supercategory,
            group=picture.group,
            prebuilt=True,
        )
        if value is None:
            yield replace(draft, complaint="no value is true of the class")
            continue
        stream = _stream(picture.image)
        if rule == "ranked":
            wrong = ranked_values(listing, picture.class_name, value)
        else:
            wrong = pools.draw(picture.class_name, picture.supercategory, stream)
        yield replace(draft, wrong=_with_clues(wrong, known), order=_order(wrong, stream))


def _question_drafts(listing: QuestionListing, *, pad: bool) -> Iterator[_Draft]:
    known = _known_values(listing)
    for question in listing.questions:
        stream = _stream(question.image)
        wrong = other_options(question, stream, pad=pad)
        yield _Draft(
            source=listing.source,
            axis=listing.axis,
            image=question.image,
            question=question.question,
            class_name=question.class_name or listing.axis.name,
            answer=known.get(question.answer, Concept(question.answer)),
            wrong=_with_clues(wrong, known),
            order=_order(wrong, stream),
            scale=question.scale,
            prebuilt=True,
            complaint="" if question.answer in question.options else "answer is no option",
            concept=question.concept,
            side=question.side,
            part=question.part,
        )


def _known_values(listing: AttributeListing | QuestionListing) -> dict[str, Concept]:
    """The attribute values of a listing's axis that have aliases and clues."""
    values = listing.vocabulary.values()
    return {concept.name: concept for concept in values if concept.supercategory == listing.axis.name}


def _with_clues(wrong: WrongAnswers, known: Mapping[str, Concept]) -> WrongAnswers:
    return replace(wrong, concepts=tuple(known.get(concept.name, concept) for concept in wrong.concepts))
