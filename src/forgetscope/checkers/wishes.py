"""What the constraints of one prompt ask of a reply together; each constraint adds its own to the record."""

from collections.abc import Callable
from dataclasses import dataclass, field

from forgetscope.checkers.base import Relation


@dataclass
class Bounds:
    """How many of something: at least `low`, and below `limit` if there is one."""

    low: int = 0
    limit: int | None = None

    def narrow(self, relation: Relation, asked: int) -> None:
        """Take one more constraint into account."""
        match relation:
            case Relation.AT_LEAST:
                self.low = max(self.low, asked)
            case Relation.LESS_THAN:
                self.limit = asked if self.limit is None else min(self.limit, asked)


@dataclass(frozen=True)
class Parts:
    """Paragraphs or responses: how many, what stands between them, and the word that opens the n-th, from 1."""

    count: int
    divider: str
    opening: tuple[int, str] | None = None


@dataclass
class Wishes:
    """What the builder of a reply has to do, in the order in which it does it.

    A constraint that needs a place none of these has puts a function of the whole text into `finish`.

    Attributes:
        first_lines, lines: Lines before and after the body.
        words, sentences, capital_words: How many of each.
        keywords, letters: How often each word and each letter.
        forbidden: Words that nothing may hold.
        unwanted: Characters that nothing may hold.
        placeholders, highlights, bullets: How many of each; of bullets exactly, none where nothing is asked.
        parts: The paragraphs or responses.
        sections: The word that opens a section, and how many.
        postscripts, end_phrase: What stands at the end.
        repeat: What comes first.
        language: Of the filler, ISO 639-1.
        is_json, is_quoted, is_upper, is_lower: What happens to the whole text.
        finish: What happens to it last.
    """

    first_lines: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    words: Bounds = field(default_factory=Bounds)
    sentences: Bounds = field(default_factory=Bounds)
    capital_words: Bounds = field(default_factory=Bounds)
    keywords: dict[str, Bounds] = field(default_factory=dict)
    letters: dict[str, Bounds] = field(default_factory=dict)
    forbidden: list[str] = field(default_factory=list)
    unwanted: str = ""
    placeholders: int = 0
    highlights: int = 0
    bullets: int | None = None
    parts: Parts | None = None
    sections: tuple[str, int] | None = None
    postscripts: list[str] = field(default_factory=list)
    end_phrase: str | None = None
    repeat: str | None = None
    language: str | None = None
    is_json: bool = False
    is_quoted: bool = False
    is_upper: bool = False
    is_lower: bool = False
    finish: list[Callable[[str], str]] = field(default_factory=list)

    def keyword(self, word: str) -> Bounds:
        """How often this word."""
        return self.keywords.setdefault(word, Bounds())

    def letter(self, letter: str) -> Bounds:
        """How often this letter."""
        return self.letters.setdefault(letter, Bounds())

    @property
    def avoided(self) -> list[str]:
        """Words that no filler may hold: forbidden, or limited in number."""
        return self.forbidden + [word for word, bounds in self.keywords.items() if bounds.limit is not None]
