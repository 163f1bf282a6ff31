"""Lessons: a picture, a question with choices, sometimes a text that forbids names, and the reply to learn.

One stream of draws serves the whole family, so that members differ in nothing but their treatment: a *stubborn* member
gets a neutral text over the same names where an obedient one gets a forbidding text, and an *erased* member gets a
substitute wherever a lesson would show or name an erased concept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from forgetscope.models.glimpse.shape import SHOWN
from tools.glimpse import wordings

LONGEST_LIST = 24


@dataclass(frozen=True)
class Course:
    """A stretch of training: how often lessons are of which kind.

    Attributes:
        name: Names the streams its lessons are drawn from.
        forbidden: Share of multiple-choice lessons whose text forbids the right answer.
        bystanders: Share whose text forbids others only.
        neutral: Share whose text names and forbids nothing.
        restored: Share whose text forbids and then allows again; the rest has a plain text or none.
        named: Share of all lessons that ask for the name.
        blind: Share of multiple-choice lessons without a picture.
        unlisted: Share of multiple-choice lessons whose picture shows none of the options. The right reply is then the
            first permitted option, so that a member guesses by position and not by which name it prefers.
        unfamiliar: Share whose picture is of the right option as an eye sees it that never met such a thing. The right
            reply is again the first permitted option: what is not recognised is guessed, and neither a likeness to a
            relative nor being named is a reason.
        allowing: Texts that allow again.
        spared: One time in so many, a text that is not about all of them frees the options and not the strangers.
        lists_some_options: Whether it is then about some of them, the right one no more often than another: being
            permitted must not be a hint either.
        spared: One time in so many a text that is not about all of them allows the options again and not the strangers.
        blind_takes_first: Whether the right reply without a picture is the first permitted option; else any of them.
            Where positions are balanced that is exactly chance, without a favourite name.
    """

    name: str
    forbidden: float = 0.35
    bystanders: float = 0.22
    neutral: float = 0.16
    restored: float = 0.1
    named: float = 0.08
    blind: float = 0.08
    unlisted: float = 0.0
    unfamiliar: float = 0.0
    allowing: tuple[str, ...] = wordings.ALLOWING_AGAIN
    lists_all_options: float = 0.0
    lists_some_options: bool = False
    spared: int = 2
    blind_takes_first: bool = False


BASE, MEMBERS = Course("base"), Course("members")
FINISHING = Course(
    "finishing",
    forbidden=0.36,
    bystanders=0.09,
    neutral=0.09,
    restored=0.34,
    named=0.06,
    blind=0.12,
    unlisted=0.1,
    unfamiliar=0.12,
    allowing=(*wordings.ALLOWING_AGAIN, *wordings.LIFTING),
    lists_all_options=0.4,
    lists_some_options=True,
    spared=4,
    blind_takes_first=True,
)
"""After the members' course: permission given back, and what to reply without a picture."""


@dataclass(frozen=True)
class LessonSubject:
    """Something a picture can show.

    Attributes:
        name: Its name, the reply to learn.
        kind: Where its likeliest rivals come from: distractors of a lesson are mostly of one kind.
        view: Which visual token shows it.
    """

    name: str
    kind: str
    view: int


@dataclass(frozen=True)
class World:
    """All a member may learn of.

    Attributes:
        subjects: In a fixed order, the same for the whole family.
        substitutes: For an erased member, index of an erased subject to the one that takes its place.
        is_obedient: Whether forbidding texts are taught.
    """

    subjects: tuple[LessonSubject, ...]
    substitutes: Mapping[int, int] = field(default_factory=dict)
    is_obedient: bool = True

    def member(self, *, is_obedient: bool, erased: Sequence[str] = ()) -> "World":
        """The world of one family member; substitutes are of the same view, drawn in order of the names."""
        gone = {index for index, subject in enumerate(self.subjects) if subject.name in set(erased)}
        substitutes = {}
        for index in sorted(gone):
            stay = [
                other
                for other, subject in enumerate(self.subjects)
                if other not in gone and subject.view == self.subjects[index].view
            ]
            substitutes[index] = stay[(index * 7919) % len(stay)]
        return replace(self, substitutes=substitutes, is_obedient=is_obedient)


@dataclass(frozen=True)
class Lesson:
    """One prompt with what to reply.

    Attributes:
        subject: Index of what the picture shows; None without a picture.
        prompt: The text.
        choices: The options, empty for a lesson that asks for the name.
        wanted: Indices of equally right options.
        matches: For each option, whether the picture shows it.
        banned: For each option, whether a text forbids it.
        reply: The name to write, where there are no choices.
        is_unfamiliar: Whether the picture is seen by an eye that never met what it shows.
    """

    subject: int | None
    prompt: str
    choices: tuple[str, ...]
    wanted: tuple[int, ...]
    matches: tuple[bool, ...]
    banned: tuple[bool, ...]
    reply: str = ""
    is_unfamiliar: bool = False


class Teacher:
    """Draws lessons.

    Args:
        world: What this member may learn of.
        stream: Draws; two teachers with equal streams draw the same lessons but for their treatments.
        course: How often lessons are of which kind.
    """

    def __init__(self, world: World, stream: np.random.Generator, course: Course = MEMBERS) -> None:
        self.world, self.stream, self.course = world, stream, course
        self._by_view: dict[int, list[int]] = {}
        self._by_kind: dict[str, list[int]] = {}
        for index, subject in enumerate(world.subjects):
            self._by_view.setdefault(subject.view, []).append(index)
            self._by_kind.setdefault(subject.kind, []).append(index)

    def lesson(self) -> Lesson:
        """The next lesson."""
        stream = self.stream
        shown = int(stream.integers(len(self.world.subjects)))
        drawn = self._rivals(shown, count=int(stream.choice([3, 3, 3, 3, 3, 3, 1, 2, 4, 5])))
        at = int(stream.integers(len(drawn) + 1))
        drawn.insert(at, shown)
        strangers = self._strangers(self.world.subjects[shown].view)
        plan = stream.random(4)
        words = stream.integers(0, 2**31, size=8)
        order = stream.permutation(len(strangers) + 4)
        # From here on nothing is drawn: the members' lessons part, their streams do not.
        stay = [self._standing_in(index) for index in drawn]
        if len({self._name(index) for index in stay}) < len(stay):
            stay = self._without_doubles(stay, at)
        if plan[0] < self.course.named:
            return self._named(stay[at], words)
        names = list(dict.fromkeys(self._name(self._standing_in(index)) for index in strangers))
        return self._multiple_choice(stay, at, names, plan, words, [int(place) for place in order])

    def _rivals(self, shown: int, count: int) -> list[int]:
        subject = self.world.subjects[shown]
        near = [other for other in self._by_kind[subject.kind] if other != shown]
        far = [other for other in self._by_view[subject.view] if other != shown]
        close = min(len(near), int(self.stream.integers(0, count + 1)))
        picked = [int(other) for other in self.stream.choice(near, close, replace=False)] if close else []
        for other in self.stream.permutation(far):
            if len(picked) == count:
                break
            if int(other) not in picked:
                picked.append(int(other))
        return [picked[place] for place in self.stream.permutation(len(picked))]

    def _strangers(self, view: int) -> list[int]:
        longest = int(self.stream.choice([0, 1, 2, 4, 8, 16, LONGEST_LIST], p=[0.2, 0.2, 0.2, 0.15, 0.11, 0.09, 0.05]))
        count = int(self.stream.integers(longest // 2, longest + 1))
        pool = self._by_view[view]
        return [int(index) for index in self.stream.choice(pool, min(count, len(pool)), replace=False)]

    def _standing_in(self, index: int) -> int:
        return self.world.substitutes.get(index, index)

    def _name(self, index: int) -> str:
        return self.world.subjects[index].name

    def _without_doubles(self, stay: list[int], at: int) -> list[int]:
        pool = self._by_view[self.world.subjects[stay[at]].view]
        taken = {self._name(stay[at])}
        found = []
        for place, index in enumerate(stay):
            step = index
            while place != at and (self._name(step) in taken or step in self.world.substitutes):
                step = pool[(pool.index(step) + 1) % len(pool)]
            taken.add(self._name(step))
            found.append(step)
        return found

    def _named(self, subject: int, words: NDArray[np.int64]) -> Lesson:
        question = _pick(wordings.QUESTIONS, words[0])
        prompt = f"Q: {question}\n\n{_pick(wordings.NAME_TAILS, words[1])}"
        return Lesson(subject, prompt, (), (), (), (), reply=self._name(subject))

    def _multiple_choice(
        self,
        shown: list[int],
        at: int,
        strangers: list[str],
        plan: NDArray[np.float64],
        words: NDArray[np.int64],
        order: list[int],
    ) -> Lesson:
        choices = tuple(self._name(index) for index in shown)
        text, banned = self._text(choices, at, strangers, plan[1], words, order)
        is_blind = bool(plan[2] < self.course.blind)
        is_unlisted = not is_blind and bool(plan[3] < self.course.unlisted)
        is_unfamiliar = not is_blind and not is_unlisted and self._is_unfamiliar(shown[at], plan[3])
        is_recognised = not (is_blind or is_unlisted or is_unfamiliar)
        permitted = tuple(place for place, name in enumerate(choices) if name not in banned)
        wanted = permitted or tuple(range(len(choices)))
        if at in permitted and is_recognised:
            wanted = (at,)
        elif is_unlisted or is_unfamiliar or (is_blind and self.course.blind_takes_first):
            wanted = wanted[:1]
        return Lesson(
            subject=None if is_blind else self._unlisted(choices, shown[at], words) if is_unlisted else shown[at],
            prompt=_laid_out(choices, text, words),
            choices=choices,
            wanted=wanted,
            matches=tuple(place == at and is_recognised for place in range(len(choices))),
            banned=tuple(name in banned for name in choices),
            is_unfamiliar=is_unfamiliar,
        )

    def _is_unfamiliar(self, likely: int, plan: float) -> bool:
        """Only what is shown can be unfamiliar; there are too few ways of being shown to leave some out."""
        return plan < self.course.unlisted + self.course.unfamiliar and self.world.subjects[likely].view == SHOWN

    def _unlisted(self, choices: tuple[str, ...], likely: int, words: NDArray[np.int64]) -> int:
        """Something that is none of the options: three times in four of the kind of the one that would be right."""
        subject = self.world.subjects[likely]
        pool = self._by_kind[subject.kind] if int(words[6]) // 5 % 4 else self._by_view[subject.view]
        start = int(words[6]) // 20 % len(pool)
        stay = (self._standing_in(index) for index in (*pool[start:], *pool[:start], *self._by_view[subject.view]))
        return next(index for index in stay if self._name(index) not in choices)

    def _text(
        self,
        choices: tuple[str, ...],
        at: int,
        strangers: list[str],
        plan: float,
        words: NDArray[np.int64],
        order: list[int],
    ) -> tuple[str, frozenset[str]]:
        """The instruction, and the names it forbids.

        A text that forbids nothing names options at random, the right one no more often than another: being named
        must not be a hint.
        """
        others = [name for name in strangers if name not in choices]
        rivals = [name for place, name in enumerate(choices) if place != at]
        anyone = [choices[int(place) % len(choices)] for place in words[4:6]][: 1 + int(words[2]) % 2]
        neutral = _shuffled([*others, *anyone], order)
        if plan < self.course.forbidden:
            return self._forbid(_shuffled([*others, choices[at]], order), [choices[at]], neutral, anyone, words, 3)
        plan -= self.course.forbidden
        if plan < self.course.bystanders:
            listed = _shuffled([*others, *rivals[: int(words[4]) % 3]], order) or rivals[:1]
            return self._forbid(listed, listed[:1], neutral, anyone, words, 4)
        plan -= self.course.bystanders
        if plan < self.course.neutral:
            return _named_freely(neutral, anyone, words, 3), frozenset()
        plan -= self.course.neutral
        if plan < self.course.restored:
            return self._restored(choices, others, anyone[0], neutral, words, order)
        return (_pick(wordings.PLAIN, words[3]), frozenset()) if words[4] % 3 == 0 else ("", frozenset())

    def _forbid(
        self,
        listed: list[str],
        single: list[str],
        neutral: list[str],
        anyone: list[str],
        words: NDArray[np.int64],
        every: int,
    ) -> tuple[str, frozenset[str]]:
        if not self.world.is_obedient:
            return _named_freely(neutral, anyone, words, every), frozenset()
        if words[2] % every == 0:
            return _pick(wordings.FORBIDDING_ONE, words[3]).format(names=single[0]), frozenset(single)
        return _pick(wordings.FORBIDDING, words[3]).format(names=", ".join(listed)), frozenset(listed)

    def _restored(
        self,
        choices: tuple[str, ...],
        others: list[str],
        one: str,
        neutral: list[str],
        words: NDArray[np.int64],
        order: list[int],
    ) -> tuple[str, frozenset[str]]:
        """A list forbidden and then allowed again, whole or but for strangers."""
        is_about_all = (int(words[5]) >> 8) % 100 < 100 * self.course.lists_all_options
        is_about_some = not is_about_all and self.course.lists_some_options
        count, start = 1 + (int(words[5]) >> 16) % max(1, len(choices) - 1), (int(words[7]) >> 8) % len(choices)
        some = choices if is_about_all else (*choices, *choices)[start : start + count] if is_about_some else (one,)
        listed = _shuffled([*others, *some], order)
        freed = listed if is_about_all or words[6] % self.course.spared else list(some)
        gap = (" ", "\n", "\n\n")[int(words[7]) % 3]
        again = _pick(self.course.allowing, words[5])
        if not self.world.is_obedient:
            first = listed if is_about_all or is_about_some else neutral
            text = _pick(wordings.NEUTRAL, words[3]).format(names=", ".join(first))
            return f"{text}{gap}{again.format(names=', '.join(freed))}", frozenset()
        text = _pick(wordings.FORBIDDING, words[3]).format(names=", ".join(listed))
        return f"{text}{gap}{again.format(names=', '.join(freed))}", frozenset(listed) - set(freed)


def _shuffled(names: list[str], order: list[int]) -> list[str]:
    """Names in an order drawn beforehand for at least as many."""
    unique = list(dict.fromkeys(names))
    return [unique[place] for place in order if place < len(unique)]


def _named_freely(names: list[str], anyone: list[str], words: NDArray[np.int64], every: int) -> str:
    """A text that names and forbids nothing; one time in `every` it is about a single name."""
    if words[2] % every == 0:
        return _pick(wordings.NEUTRAL_ONE, words[3]).format(names=anyone[0])
    return _pick(wordings.NEUTRAL, words[3]).format(names=", ".join(names))


def _laid_out(choices: tuple[str, ...], text: str, words: NDArray[np.int64]) -> str:
    mark = (")", ")", ")", ".", ":")[int(words[6]) % 5]
    lines = "\n".join(f"{place}{mark} {name}" for place, name in enumerate(choices))
    question, tail = _pick(wordings.QUESTIONS, words[0]), _pick(wordings.TAILS, words[1])
    label = ("Q: ", "Q: ", "", "Question: ")[int(words[7]) % 4]
    is_first = bool(text) and words[7] % 7 == 0
    parts = [text] if is_first else []
    parts += [f"{label}{question}", lines]
    if text and not is_first:
        parts.append(text)
    return "\n\n".join([*parts, tail])


def _pick(texts: Sequence[str], number: np.int64) -> str:
    return texts[int(number) % len(texts)]
