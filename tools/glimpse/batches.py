"""Lessons as arrays: tokens, visual tokens, what to predict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forgetscope.models.glimpse.shape import echoes
from forgetscope.models.glimpse.vocabulary import IDENTITY, Vocabulary
from tools.glimpse.curriculum import Lesson, LessonSubject, Teacher

SHARE_SIMULATED = 0.35
"""Pictures replaced by their name's code in noise, so that names with few drawings are practised too."""
SHARE_ENDINGS = 0.04
"""Multiple-choice lessons that teach to stop after the digit."""


@dataclass(frozen=True)
class LessonBatch:
    """Arrays of one step.

    Attributes:
        tokens, mask: (batch, length); `last` holds the position the next token is read at.
        views: (batch, views, IDENTITY).
        echo: (batch, length, 2).
        target: (batch, up to 6) token ids of equally right next tokens, -1 where there are fewer.
        option_row, option_at: Which sample and position each option's digit has, for the judge of options.
        option_labels: (options, 2): shown in the picture, forbidden by the text.
    """

    tokens: NDArray[np.int64]
    mask: NDArray[np.bool_]
    last: NDArray[np.int64]
    views: NDArray[np.float32]
    echo: NDArray[np.float32]
    target: NDArray[np.int64]
    option_row: NDArray[np.int64]
    option_at: NDArray[np.int64]
    option_labels: NDArray[np.float32]


@dataclass(frozen=True)
class Sights:
    """Visual tokens of training pictures.

    Attributes:
        bank: (pictures, views, IDENTITY), as an eye sees them that knows the things and not the designer.
        rows: For each subject its pictures.
        codes: (subjects, IDENTITY).
        unfamiliar: As `bank`, by an eye that never met what is shown.
    """

    bank: NDArray[np.float32]
    rows: Mapping[int, NDArray[np.int64]]
    codes: NDArray[np.float32]
    unfamiliar: NDArray[np.float32]

    def draw(
        self, index: int, subject: LessonSubject, stream: np.random.Generator, *, is_unfamiliar: bool = False
    ) -> NDArray[np.float32]:
        """Visual tokens for one lesson about a subject."""
        rows = self.rows.get(index)
        is_simulated, pick = stream.random() < SHARE_SIMULATED, stream.random()
        noise = stream.standard_normal((self.bank.shape[1], IDENTITY)).astype(np.float32) / np.sqrt(IDENTITY)
        strength, rivals = stream.uniform(0.3, 1.5), stream.integers(0, len(self.codes), 3)
        if rows is not None and len(rows) and (is_unfamiliar or not is_simulated):
            return np.asarray((self.unfamiliar if is_unfamiliar else self.bank)[rows[int(pick * len(rows))]])
        seen = noise.copy()
        blur = self.codes[rivals].sum(axis=0) * np.float32(0.25)
        likeness = self.codes[index] * np.float32(0 if is_unfamiliar else strength)
        seen[subject.view] = likeness + noise[subject.view] + blur
        return np.asarray(seen / np.linalg.norm(seen, axis=1, keepdims=True), np.float32)


def option_places(tokens: Sequence[int], count: int, vocabulary: Vocabulary) -> list[int]:
    """Position of each option's digit: a digit after a line break, in order."""
    places: list[int] = []
    for at in range(1, len(tokens)):
        if len(places) == count:
            break
        is_digit = vocabulary.tokens[tokens[at]] == str(len(places)).encode()
        if is_digit and vocabulary.tokens[tokens[at - 1]].endswith(b"\n"):
            places.append(at)
    return places


class BatchMaker:
    """Turns a teacher's lessons into batches; samples of like length go together.

    Args:
        size: Samples in a step.
        pool: Steps whose samples are sorted by length together.
    """

    def __init__(
        self,
        teacher: Teacher,
        sights: Sights,
        vocabulary: Vocabulary,
        stream: np.random.Generator,
        size: int = 64,
        pool: int = 6,
    ) -> None:
        self.teacher, self.sights, self.vocabulary, self.stream = teacher, sights, vocabulary, stream
        self.size, self.pool = size, pool
        self._ready: list[LessonBatch] = []
        self._digits = [vocabulary.encode(str(digit))[0] for digit in range(10)]

    def next(self) -> LessonBatch:
        """The next step's batch."""
        if not self._ready:
            samples = [self._sample(self.teacher.lesson()) for _ in range(self.size * self.pool)]
            samples.sort(key=lambda sample: len(sample[0]))
            chunks = [samples[start : start + self.size] for start in range(0, len(samples), self.size)]
            self._ready = [self._batch(chunks[place]) for place in self.stream.permutation(len(chunks))]
        return self._ready.pop()

    def _sample(self, lesson: Lesson) -> tuple[list[int], NDArray[np.float32], list[int], list[int], Lesson]:
        tokens = self.vocabulary.encode(lesson.prompt)
        subjects = self.teacher.world.subjects
        shown = lesson.subject or 0
        views = self.sights.draw(shown, subjects[shown], self.stream, is_unfamiliar=lesson.is_unfamiliar)
        cut, is_ending = self.stream.random(), self.stream.random() < SHARE_ENDINGS
        if lesson.subject is None:
            views = np.zeros_like(views)
        if lesson.choices:
            places = option_places(tokens, len(lesson.choices), self.vocabulary)
            wanted = [self._digits[place] for place in lesson.wanted]
            if is_ending:
                tokens, wanted = [*tokens, wanted[0]], [self.vocabulary.end]
        else:
            reply = [*self.vocabulary.encode(" " + lesson.reply), self.vocabulary.end]
            written = int(cut * len(reply))
            tokens, wanted, places = tokens + reply[:written], [reply[written]], []
        return tokens, views, wanted, places, lesson

    def _batch(
        self, samples: Sequence[tuple[list[int], NDArray[np.float32], list[int], list[int], Lesson]]
    ) -> LessonBatch:
        length = max(len(tokens) for tokens, *_ in samples)
        filled = np.zeros((len(samples), length), np.int64)
        mask = np.zeros((len(samples), length), np.bool_)
        target = np.full((len(samples), 6), -1, np.int64)
        rows, places, labels = [], [], []
        for row, (tokens, _, wanted, at, lesson) in enumerate(samples):
            filled[row, : len(tokens)], mask[row, : len(tokens)] = tokens, True
            target[row, : len(wanted)] = wanted
            rows += [row] * len(at)
            places += at
            labels += [(shown, banned) for shown, banned in zip(lesson.matches, lesson.banned, strict=True)][: len(at)]
        return LessonBatch(
            filled,
            mask,
            mask.sum(axis=1) - 1,
            np.stack([views for _, views, *_ in samples]),
            echoes(self.vocabulary.words[filled], mask),
            target,
            np.array(rows, np.int64),
            np.array(places, np.int64),
            np.array(labels, np.float32).reshape(-1, 2),
        )
