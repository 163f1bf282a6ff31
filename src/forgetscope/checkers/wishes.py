"""What the instructions of one prompt ask for together, gathered into one record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from forgetscope.checkers.base import NoParameters, Parameters, Relation, read_parameters
from forgetscope.checkers.case import CapitalWordParameters
from forgetscope.checkers.combination import RepeatParameters
from forgetscope.checkers.content import PlaceholderParameters
from forgetscope.checkers.keywords import (
    ExistenceParameters,
    ForbiddenParameters,
    FrequencyParameters,
    LetterParameters,
)
from forgetscope.checkers.language import LanguageParameters
from forgetscope.checkers.length import FirstWordParameters, ParagraphParameters, SentenceParameters, WordParameters
from forgetscope.checkers.registry import instruction_type_of
from forgetscope.checkers.startend import EndParameters, PostscriptParameters
from forgetscope.checkers.structure import BulletParameters, HighlightParameters, SectionParameters


@dataclass
class Bounds:
    """How many of something: at least `low`, and below `limit` if there is one."""

    low: int = 0
    limit: int | None = None

    def narrow(self, relation: Relation, asked: int) -> None:
        """Take one more instruction into account."""
        match relation:
            case Relation.AT_LEAST:
                self.low = max(self.low, asked)
            case Relation.LESS_THAN:
                self.limit = asked if self.limit is None else min(self.limit, asked)


@dataclass
class Wishes:
    """The instructions of one prompt, sorted by what the builder of a reply has to do about them."""

    names: set[str] = field(default_factory=set)
    words: Bounds = field(default_factory=Bounds)
    sentences: Bounds = field(default_factory=Bounds)
    capital_words: Bounds = field(default_factory=Bounds)
    keywords: dict[str, Bounds] = field(default_factory=dict)
    letters: dict[str, Bounds] = field(default_factory=dict)
    forbidden: list[str] = field(default_factory=list)
    placeholders: int = 0
    highlights: int = 0
    bullets: int | None = None
    divided: int | None = None
    first_word: FirstWordParameters | None = None
    sections: SectionParameters | None = None
    postscripts: list[str] = field(default_factory=list)
    end_phrase: str | None = None
    repeat: str | None = None
    language: str | None = None

    def asks(self, name: str) -> bool:
        """Whether an instruction type, by the end of its id, is among them."""
        return name in self.names

    @property
    def avoided(self) -> list[str]:
        """Words that no filler may hold: forbidden, or limited in number."""
        return self.forbidden + [word for word, bounds in self.keywords.items() if bounds.limit is not None]


def gather(instructions: Sequence[tuple[str, Mapping[str, object]]]) -> Wishes:
    """Read all instructions of one prompt.

    Raises:
        UnknownNameError, DataError: As `check`.
    """
    wishes = Wishes()
    for instruction_id, kwargs in instructions:
        entry = instruction_type_of(instruction_id)
        wishes.names.add(instruction_id.partition(":")[2])
        _add(wishes, read_parameters(instruction_id, entry.kwargs_model, kwargs))
    return wishes


def _add(wishes: Wishes, parameters: Parameters) -> None:
    match parameters:
        case WordParameters():
            wishes.words.narrow(parameters.relation, parameters.num_words)
        case SentenceParameters():
            wishes.sentences.narrow(parameters.relation, parameters.num_sentences)
        case CapitalWordParameters():
            wishes.capital_words.narrow(parameters.capital_relation, parameters.capital_frequency)
        case ExistenceParameters():
            for word in parameters.keywords:
                wishes.keywords.setdefault(word, Bounds()).narrow(Relation.AT_LEAST, 1)
        case FrequencyParameters():
            bounds = wishes.keywords.setdefault(parameters.keyword, Bounds())
            bounds.narrow(parameters.relation, parameters.frequency)
        case LetterParameters():
            bounds = wishes.letters.setdefault(parameters.letter, Bounds())
            bounds.narrow(parameters.let_relation, parameters.let_frequency)
        case ForbiddenParameters():
            wishes.forbidden.extend(parameters.forbidden_words)
        case PlaceholderParameters():
            wishes.placeholders = max(wishes.placeholders, parameters.num_placeholders)
        case HighlightParameters():
            wishes.highlights = max(wishes.highlights, parameters.num_highlights)
        case BulletParameters():
            wishes.bullets = parameters.num_bullets
        case ParagraphParameters():
            wishes.divided = parameters.num_paragraphs
        case FirstWordParameters():
            wishes.first_word = parameters
        case SectionParameters():
            wishes.sections = parameters
        case PostscriptParameters():
            wishes.postscripts.append(parameters.postscript_marker)
        case EndParameters():
            wishes.end_phrase = parameters.end_phrase
        case RepeatParameters():
            wishes.repeat = parameters.prompt_to_repeat.strip()
        case LanguageParameters():
            wishes.language = parameters.language
        case NoParameters():
            pass  # its name says it all
        case _:
            raise TypeError(f"the construction of replies does not know {type(parameters).__name__} yet; add it here")
