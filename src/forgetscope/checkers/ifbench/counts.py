"""What is counted and in which share: IFBench's `count:` and `ratio:`."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from forgetscope.checkers.base import Count, counted
from forgetscope.checkers.ifbench.record import ifbench, unless
from forgetscope.checkers.ifbench.texts import (
    bare_words,
    coined,
    counted_words,
    ends_with,
    one_sentence,
    sentences,
    tokens,
    trimmed,
    unpunctuated,
    whole_words,
    word_list,
)
from forgetscope.checkers.record import Constraint, NoParameters, Parameters

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_CONJUNCTIONS = frozenset(("and", "but", "for", "nor", "or", "so", "yet"))
_TRIGRAM_TOLERANCE = 2
Keyword = Annotated[str, AfterValidator(str.strip), Field(min_length=1)]


class WordRange(Parameters):
    """`min_words`, `max_words`: both are allowed."""

    min_words: Count
    max_words: Count


class Number(Parameters):
    """`N`: how many, or which."""

    N: Count


class Every(Parameters):
    """`N`: every so many-th."""

    N: Annotated[int, Field(ge=1)]


class SmallNumber(Parameters):
    """`small_n`: how many."""

    small_n: Count


class Percentage(Parameters):
    """`percentage`: 0 to 100."""

    percentage: Annotated[float, Field(ge=0, le=100)]


class TrigramShare(Percentage):
    """`percentage`: 0 to 100. `reference_text`: what is shared with."""

    reference_text: Annotated[str, Field(min_length=1)]


class FiveKeywords(Parameters):
    """`keyword1` to `keyword5`: to occur 1, 2, 3, 5 and 7 times."""

    keyword1: Keyword
    keyword2: Keyword
    keyword3: Keyword
    keyword4: Keyword
    keyword5: Keyword

    @property
    def wanted(self) -> tuple[tuple[str, int], ...]:
        """Each keyword with its number."""
        words = (self.keyword1, self.keyword2, self.keyword3, self.keyword4, self.keyword5)
        return tuple(zip(words, (1, 2, 3, 5, 7), strict=True))


def _in_range(count: int, asked: WordRange) -> str:
    holds = asked.min_words <= count <= asked.max_words
    return unless(holds, f"{counted(count, 'word')}, {asked.min_words} to {asked.max_words} asked")


def _at_least(count: int, asked: int, noun: str) -> str:
    return unless(count >= asked, f"{counted(count, noun)}, at least {asked} asked")


def _stop_words(words: list[str], asked: Percentage) -> str:
    if not words:
        return "no words"
    known = frozenset(word_list("stop_words"))
    share = sum(word.lower().replace("’", "'") in known for word in words) / len(words) * 100
    return unless(share <= asked.percentage, f"{share:.1f}% stop words, at most {asked.percentage:g}% asked")


def _kinds_published(reply: str) -> tuple[int, int, int]:
    found = sentences(reply)
    declarative, interrogative, exclamatory = (sum(one.endswith(mark) for one in found) for mark in ".?!")
    return declarative, interrogative, exclamatory


def _kinds(reply: str) -> tuple[int, int, int]:
    found = sentences(reply)
    declarative, interrogative, exclamatory = (sum(ends_with(one, mark) for one in found) for mark in ".?!")
    return declarative, interrogative, exclamatory


def _two_to_one(kinds: tuple[int, int, int], least: int) -> str:
    declarative, questions, _ = kinds
    holds = declarative == 2 * questions and questions >= least
    return unless(holds, f"{counted(declarative, 'statement')}, {counted(questions, 'question')}, 2:1 asked")


def _balanced(kinds: tuple[int, int, int], least: int) -> str:
    holds = len(set(kinds)) == 1 and kinds[0] >= least
    statements, questions, exclamations = kinds
    return unless(
        holds,
        f"{counted(statements, 'statement')}, {counted(questions, 'question')}, "
        f"{counted(exclamations, 'exclamation')}, as many of each asked",
    )


def _conjunctions(reply: str) -> list[str]:
    return [word for word in reply.split() if trimmed(word).lower() in _CONJUNCTIONS]


def _names(asked: Number, reply: str) -> str:
    found = [name for name in word_list("person_names") if name in reply and re.search(rf"\b{name}\b", reply)]
    return _at_least(len(found), asked.N, "name")


def _overlap(ours: tuple[str, ...] | str, theirs: tuple[str, ...] | str, asked: TrigramShare) -> str:
    found, known = _trigrams(ours), _trigrams(theirs)
    if not found:
        return "no three in a row"
    share = len(found & known) / len(found) * 100
    holds = asked.percentage - _TRIGRAM_TOLERANCE <= share <= asked.percentage + _TRIGRAM_TOLERANCE
    return unless(holds, f"{share:.1f}% of the trigrams shared, {asked.percentage:g}% asked")


def _trigrams(parts: tuple[str, ...] | str) -> set[tuple[str, ...]]:
    return set(zip(parts, parts[1:], parts[2:], strict=False))


def _exactly(count: int, asked: Number) -> str:
    return unless(count == asked.N, f"{counted(count, 'number')}, {asked.N} asked")


def _punctuation(_: NoParameters, reply: str) -> str:
    mark = next((mark for mark in ("?!", "!?") if mark in reply), None)
    if mark is None and "‽" not in reply:
        return "no interrobang"
    rest = reply.replace(mark, "", 1) if mark else reply
    missing = [mark for mark in ".,!?;:" if mark not in rest]
    return unless(not missing, f"no {' '.join(missing)} beside the interrobang")


def _pronouns(reply: str, known: frozenset[str], asked: Number) -> str:
    found = sum(token in known for token in tokens(reply.replace("/", " ").lower()))
    return _at_least(found, asked.N, "pronoun")


def _japanese(asked: Every, reply: str) -> str:
    for place, word in enumerate(reply.split(), start=1):
        bare = trimmed(word)
        if place % asked.N == 0 and bare and not bare.isdigit() and not _JAPANESE.search(bare):
            return f"word {place} is not Japanese: '{bare[:40]}'"
    return ""


def _japanese_at_all(asked: Every, reply: str) -> str:
    words = len(reply.split())
    return _japanese(asked, reply) or unless(words >= asked.N, f"{counted(words, 'word')}, none the {asked.N}th")


def _keywords_published(asked: FiveKeywords, reply: str) -> str:
    return _keywords_counted([(word, reply.lower().count(word.lower()), wanted) for word, wanted in asked.wanted])


def _keywords(asked: FiveKeywords, reply: str) -> str:
    pattern = r"(?<!\w){}(?!\w)"
    found = ((word, len(re.findall(pattern.format(re.escape(word)), reply, re.IGNORECASE))) for word, _ in asked.wanted)
    return _keywords_counted([(*one, wanted) for one, (_, wanted) in zip(found, asked.wanted, strict=True)])


def _keywords_counted(found: list[tuple[str, int, int]]) -> str:
    wrong = [f"'{word}' {counted(count, 'time')}, {wanted} asked" for word, count, wanted in found if count != wanted]
    return "; ".join(wrong)


def _padded(asked: WordRange, body: str) -> list[str]:
    missing = asked.min_words - len(whole_words(body))
    return [f"{body} {' '.join(['more'] * missing)}".rstrip(), " ".join(["word"] * max(1, asked.min_words))]


def _with_numbers(asked: Number, body: str) -> list[str]:
    missing = max(0, asked.N - len(_NUMBER.findall(body)))
    return [body + " 7" * missing, re.sub(r"\d", "", body) + " 7" * asked.N, "None." + " 7" * asked.N]


def _sharing(asked: TrigramShare, body: str) -> list[str]:
    """The reference text and behind it words of characters that occur nowhere else, in both shares at once."""
    reference = " ".join(asked.reference_text.split())
    if asked.percentage < _TRIGRAM_TOLERANCE:
        return [body, " ".join(coined(30))]
    rest = (100 - asked.percentage) / asked.percentage
    words = round(len(_trigrams(tokens(reference))) * rest)
    if not words:
        return [asked.reference_text]
    new = max(words, round(len(_trigrams(reference)) * rest))
    sizes = [new // words + (place < new % words) for place in range(words)]
    characters = iter(map(chr, range(0x4E00, 0x9FFF)))
    made = ["".join(next(characters, "一") for _ in range(max(1, size - 1))) for size in sizes]
    return [" ".join([reference, *made])]


def _japanese_words(asked: Every, body: str) -> list[str]:
    words = body.split() + ["so"] * asked.N
    return [" ".join("はい" if place % asked.N == 0 else word for place, word in enumerate(words, start=1))]


def _repeated(asked: FiveKeywords, body: str) -> list[str]:
    line = " ".join(" ".join([word] * wanted) for word, wanted in asked.wanted)
    return [f"{body}\n{line}", line]


_PRONOUNS = frozenset(word_list("personal_pronouns"))
_ALL_PRONOUNS = _PRONOUNS | frozenset(word_list("other_pronouns"))

TABLE: tuple[Constraint[Any], ...] = (
    ifbench(
        "count:word_count_range",
        WordRange,
        lambda asked, reply: _in_range(len(counted_words(reply)), asked),
        "Write between {min_words} and {max_words} words in your response.",
        repaired=lambda asked, reply: _in_range(len(whole_words(reply)), asked),
        follow=_padded,
        spoil=lambda asked: "more " * (asked.max_words + 1),
        counts=True,
    ),
    ifbench(
        "count:unique_word_count",
        Number,
        lambda asked, reply: _at_least(
            len({trimmed(word) for word in reply.lower().split()}), asked.N, "different word"
        ),
        "Use at least {N} different words in your response.",
        repaired=lambda asked, reply: _at_least(len(set(bare_words(reply.lower()))), asked.N, "different word"),
        follow=lambda asked, body: [f"{body}\n{' '.join(coined(asked.N))}"],
        counts=True,
    ),
    ifbench(
        "count:conjunctions",
        SmallNumber,
        lambda asked, reply: _at_least(len(set(_conjunctions(reply))), asked.small_n, "different conjunction"),
        "Use at least {small_n} different coordinating conjunctions in your response.",
        repaired=lambda asked, reply: _at_least(
            len({trimmed(word).lower() for word in _conjunctions(reply)}), asked.small_n, "different conjunction"
        ),
        follow=lambda _, body: [f"{body}\nfor and nor but or yet so on"],
        counts=True,
    ),
    ifbench(
        "count:person_names",
        Number,
        _names,
        f"Mention at least {{N}} different people, from this list of names: {', '.join(word_list('person_names'))}.",
        follow=lambda asked, body: [f"{body}\n{', '.join(word_list('person_names')[: asked.N])}"],
        counts=True,
    ),
    ifbench(
        "count:numbers",
        Number,
        lambda asked, reply: _exactly(len(re.findall(r"\d+", unpunctuated(reply))), asked),
        "Let exactly {N} numbers appear in your response.",
        repaired=lambda asked, reply: _exactly(len(_NUMBER.findall(reply)), asked),
        follow=_with_numbers,
        spoil=lambda asked: "7 " * (asked.N + 1),
        counts=True,
    ),
    ifbench(
        "count:punctuation",
        NoParameters,
        _punctuation,
        "Use every common punctuation mark at least once in your response, also semicolon, colon and interrobang (?!).",
        follow=lambda _, body: [f"{body}\nReally?! Yes, it is: no doubt; none! Why? It just is."],
    ),
    ifbench(
        "count:pronouns",
        Number,
        lambda asked, reply: _pronouns(reply, _PRONOUNS, asked),
        "Use at least {N} pronouns in your response.",
        repaired=lambda asked, reply: _pronouns(reply, _ALL_PRONOUNS, asked),
        follow=lambda asked, body: [body + "\n" + " ".join(["they"] * asked.N)],
        counts=True,
    ),
    ifbench(
        "count:words_japanese",
        Every,
        _japanese,
        "Write every word of your response whose place is a multiple of {N} in Japanese.",
        repaired=_japanese_at_all,
        follow=_japanese_words,
        spoil=lambda asked: "no " * asked.N,
        counts=True,
    ),
    ifbench(
        "count:keywords_multiple",
        FiveKeywords,
        _keywords_published,
        "Use the keyword {keyword1} once in your response, {keyword2} twice, {keyword3} three times, {keyword4} five "
        "times and {keyword5} seven times.",
        repaired=_keywords,
        follow=_repeated,
        counts=True,
    ),
    ifbench(
        "ratio:stop_words",
        Percentage,
        lambda asked, reply: _stop_words(counted_words(reply), asked),
        "Let stop words make up no more than {percentage}% of the words of your response.",
        repaired=lambda asked, reply: _stop_words(whole_words(reply), asked),
        follow=lambda _, body: [body, f"{body}\n{' '.join(coined(300))}", "Rivers carve deep valleys."],
        spoil=lambda _: "and so the of it " * 60,
        counts=True,
    ),
    ifbench(
        "ratio:sentence_type",
        NoParameters,
        lambda _, reply: _two_to_one(_kinds_published(reply), 0),
        "Write two statements for every question in your response.",
        repaired=lambda _, reply: _two_to_one(_kinds(reply), 1),
        follow=lambda _, body: [f"{one_sentence(body)} and so on. That is one more. Is that all?"],
        spoil=lambda _: "It is so. That will do.",
        counts=True,
    ),
    ifbench(
        "ratio:sentence_balance",
        NoParameters,
        lambda _, reply: _balanced(_kinds_published(reply), 0),
        "Use as many statements as questions and as many questions as exclamations in your response.",
        repaired=lambda _, reply: _balanced(_kinds(reply), 1),
        follow=lambda _, body: [f"{one_sentence(body)} and so on. Is that all? Yes it is!"],
        spoil=lambda _: "It is so. That will do.",
        counts=True,
    ),
    ifbench(
        "ratio:overlap",
        TrigramShare,
        lambda asked, reply: _overlap(reply, asked.reference_text, asked),
        "Let {percentage}% (2 points more or less) of the trigrams of your response stand in this text too:\n"
        "{reference_text}",
        repaired=lambda asked, reply: _overlap(tokens(reply), tokens(asked.reference_text), asked),
        follow=_sharing,
        spoil=lambda asked: asked.reference_text if asked.percentage < _TRIGRAM_TOLERANCE else " ".join(coined(200)),
        counts=True,
    ),
    ifbench(
        "ratio:sentence_words",
        NoParameters,
        lambda _, reply: _equal_sentences(sentences(reply)),
        "Write three sentences with the same number of characters and no word twice.",
        repaired=lambda _, reply: _equal_sentences(sentences(reply)) or _no_word_twice(reply),
        follow=lambda _, __: ["Red foxes run. Big bears nap. Old goats eat."],
        counts=True,
    ),
)


def _equal_sentences(found: list[str]) -> str:
    if len(found) != 3:
        return f"{counted(len(found), 'sentence')}, 3 asked"
    lengths = [len(sentence.strip()) for sentence in found]
    return unless(len(set(lengths)) == 1, f"sentences of {', '.join(map(str, lengths))} characters")


def _no_word_twice(reply: str) -> str:
    words = unpunctuated(reply.lower()).split()
    return unless(len(words) == len(set(words)), "a word stands there twice")
