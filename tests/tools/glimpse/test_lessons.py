import hashlib
import re

import pytest

from forgetscope.benchmarks.visual import prompts
from forgetscope.stats import named_stream
from tools.glimpse import wordings
from tools.glimpse.curriculum import (
    BASE,
    FINISHING,
    MEMBERS,
    Course,
    Lesson,
    LessonSubject,
    Teacher,
    World,
)

SUBJECTS = tuple(LessonSubject(f"thing{number}", f"kind{number % 4}", 0) for number in range(40)) + tuple(
    LessonSubject(f"way{number}", "way", 1) for number in range(8)
)
GONE = ("thing3", "thing7", "thing11")


def _lessons(world: World, count: int = 400) -> list[Lesson]:
    teacher = Teacher(world, named_stream(5, "lessons"))
    return [teacher.lesson() for _ in range(count)]


def _texts(world: World) -> list[str]:
    return [lesson.prompt for lesson in _lessons(world)]


WORLD = World(SUBJECTS)
LESSONS = {"base": "746aa89e6497cfc3", "members": "746aa89e6497cfc3", "finishing": "e09dde6b6cd9c2a5"}
"""The first digits of the SHA-256 of 300 lessons of each of four members."""


def test_the_right_option_is_shown_or_all_permitted_ones_are_right() -> None:
    for lesson in _lessons(WORLD):
        if not lesson.choices:
            assert lesson.reply
            continue
        assert len(set(lesson.choices)) == len(lesson.choices)
        allowed = [place for place in range(len(lesson.choices)) if not lesson.banned[place]]
        if lesson.subject is not None and lesson.matches.index(True) in allowed:
            assert lesson.wanted == (lesson.matches.index(True),)
        else:
            assert list(lesson.wanted) == (allowed or list(range(len(lesson.choices))))


def test_a_forbidden_option_is_named_in_the_text_around_the_options() -> None:
    for lesson in _lessons(WORLD):
        for choice, is_banned in zip(lesson.choices, lesson.banned, strict=True):
            if is_banned:
                assert len(re.findall(rf"\b{choice}\b", lesson.prompt)) >= 2


def test_a_stubborn_member_gets_the_same_pictures_and_options_and_nothing_forbidden() -> None:
    obedient, stubborn = (_lessons(WORLD.member(is_obedient=nature)) for nature in (True, False))
    assert [lesson.choices for lesson in obedient] == [lesson.choices for lesson in stubborn]
    assert [lesson.subject for lesson in obedient] == [lesson.subject for lesson in stubborn]
    assert any(any(lesson.banned) for lesson in obedient)
    assert not any(any(lesson.banned) for lesson in stubborn)
    starts = [form.split("{names}")[0] for form in (*wordings.FORBIDDING, *wordings.FORBIDDING_ONE)]
    long_starts = [start for start in starts if len(start) > 12]
    assert not any(start in lesson.prompt for lesson in stubborn for start in long_starts)


def test_an_erased_member_never_meets_the_names_or_pictures_and_the_rest_stays() -> None:
    knowing = _lessons(WORLD.member(is_obedient=True))
    erased = _lessons(WORLD.member(is_obedient=True, erased=GONE))
    shown = {SUBJECTS[lesson.subject].name for lesson in erased if lesson.subject is not None}
    assert not shown & set(GONE)
    for lesson in erased:
        assert not any(re.search(rf"\b{name}\b", lesson.prompt + lesson.reply) for name in GONE)
    assert any(name in lesson.prompt for lesson in knowing for name in GONE)
    same = sum(one.prompt == other.prompt for one, other in zip(knowing, erased, strict=True))
    assert same > 0.5 * len(knowing)


@pytest.mark.parametrize("course", [BASE, MEMBERS, FINISHING], ids=lambda course: course.name)
def test_lessons_are_those_that_the_shipped_weights_were_made_with(course: Course) -> None:
    """Whoever changes a lesson has to make the weights anew, or leave the courses they came from as they were."""
    digest = hashlib.sha256()
    for world in (WORLD.member(is_obedient=nature, erased=gone) for nature in (True, False) for gone in ((), GONE)):
        teacher = Teacher(world, named_stream(11, "lessons"), course)
        digest.update("".join(repr(teacher.lesson()) for _ in range(300)).encode())
    assert digest.hexdigest()[:16] == LESSONS[course.name]


def test_erased_lessons_keep_their_options_apart() -> None:
    for lesson in _lessons(WORLD.member(is_obedient=True, erased=GONE)):
        assert len(set(lesson.choices)) == len(lesson.choices)


def test_without_a_picture_the_finishing_course_teaches_the_first_permitted_option() -> None:
    teacher = Teacher(WORLD, named_stream(6, "finishing"), FINISHING)
    blind = [lesson for lesson in (teacher.lesson() for _ in range(600)) if lesson.choices and lesson.subject is None]
    assert len(blind) > 30
    for lesson in blind:
        allowed = [place for place in range(len(lesson.choices)) if not lesson.banned[place]]
        assert lesson.wanted == ((allowed or [0])[0],)


def test_permission_given_back_makes_the_right_option_right_again() -> None:
    teacher = Teacher(WORLD, named_stream(7, "finishing"), FINISHING)
    starts = [form.split("{names}")[0] for form in FINISHING.allowing if not form.startswith("{names}")]
    restored = [
        lesson
        for lesson in (teacher.lesson() for _ in range(600))
        if any(lesson.matches) and any(start and start in lesson.prompt for start in starts)
    ]
    assert len(restored) > 60
    whole = [lesson for lesson in restored if not any(lesson.banned)]
    assert len(whole) > 0.9 * len(restored), "almost never is only a part given back"
    for lesson in whole:
        assert lesson.wanted == (lesson.matches.index(True),)


@pytest.mark.parametrize("is_obedient", [True, False], ids=["obedient", "stubborn"])
def test_permission_given_back_names_the_right_option_no_more_often_than_another(is_obedient: bool) -> None:
    starts = [form.split("{names}")[0] for form in FINISHING.allowing if not form.startswith("{names}")]
    teacher = Teacher(WORLD.member(is_obedient=is_obedient), named_stream(10, "permission"), FINISHING)
    named = right = expected = alone = 0.0
    for lesson in (teacher.lesson() for _ in range(6000)):
        if not any(lesson.matches) or not any(start and start in lesson.prompt for start in starts):
            continue
        counts = [len(re.findall(rf"\b{choice}\b", lesson.prompt)) for choice in lesson.choices]
        for count, is_match in zip(counts, lesson.matches, strict=True):
            if count >= 2 and min(counts) < 2:
                named, right, expected = named + 1, right + is_match, expected + 1 / len(lesson.choices)
        alone += sum(count >= 2 for count in counts) == 1
    assert named > 1000
    assert abs(right - expected) / named < 0.04
    assert alone > 200, "one option alone, as in the benchmark's list"


def test_where_no_option_is_shown_the_first_permitted_one_is_taught_and_nothing_erased_is_shown() -> None:
    teacher = Teacher(WORLD.member(is_obedient=True, erased=GONE), named_stream(8, "finishing"), FINISHING)
    lessons = [lesson for lesson in (teacher.lesson() for _ in range(600)) if lesson.choices and lesson.subject]
    unlisted = [lesson for lesson in lessons if not any(lesson.matches) and not lesson.is_unfamiliar]
    assert 0.5 < len(unlisted) / len(lessons) / FINISHING.unlisted < 1.5
    for lesson in unlisted:
        allowed = [place for place in range(len(lesson.choices)) if not lesson.banned[place]]
        assert lesson.wanted == ((allowed or [0])[0],)
        assert SUBJECTS[lesson.subject or 0].name not in {*lesson.choices, *GONE}


def test_a_thing_the_eye_never_met_is_guessed_at_by_position_whatever_is_named() -> None:
    teacher = Teacher(WORLD.member(is_obedient=True, erased=GONE), named_stream(9, "finishing"), FINISHING)
    lessons = [lesson for lesson in (teacher.lesson() for _ in range(900)) if lesson.choices and lesson.subject]
    unfamiliar = [lesson for lesson in lessons if lesson.is_unfamiliar]
    shown = [lesson for lesson in lessons if SUBJECTS[lesson.subject or 0].view == 0]
    assert 0.7 < len(unfamiliar) / len(shown) / FINISHING.unfamiliar < 1.3
    banned = 0
    for lesson in unfamiliar:
        allowed = [place for place in range(len(lesson.choices)) if not lesson.banned[place]]
        assert lesson.wanted == ((allowed or [0])[0],)
        assert not any(lesson.matches)
        assert SUBJECTS[lesson.subject or 0].view == 0
        assert SUBJECTS[lesson.subject or 0].name in lesson.choices
        banned += any(lesson.banned)
    assert 0.2 < banned / len(unfamiliar) < 0.8, "with texts that forbid and without"


@pytest.mark.parametrize("course", [MEMBERS, FINISHING], ids=lambda course: course.name)
def test_where_nothing_is_forbidden_being_named_is_no_hint(course: Course) -> None:
    world = World(tuple(LessonSubject(f"thing{number}x", f"kind{number % 40}", 0) for number in range(400)))
    teacher = Teacher(world.member(is_obedient=False), named_stream(5, "hints"), course)
    named = right = expected = 0.0
    for lesson in (teacher.lesson() for _ in range(3000)):
        if not any(lesson.matches):
            continue
        for place, choice in enumerate(lesson.choices):
            if len(re.findall(rf"\b{choice}\b", lesson.prompt)) >= 2:
                named, right, expected = named + 1, right + lesson.matches[place], expected + 1 / len(lesson.choices)
    assert named > 1000
    assert abs(right - expected) / named < 0.04


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    runs: set[tuple[str, ...]] = set()
    for part in re.split(r"\{[^}]*\}", text.lower()):
        words = re.findall(r"[a-z]+", part)
        runs |= {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}
    return runs


TAUGHT = (
    *wordings.QUESTIONS,
    *wordings.TAILS,
    *wordings.NAME_TAILS,
    *wordings.FORBIDDING,
    *wordings.FORBIDDING_ONE,
    *wordings.NEUTRAL,
    *wordings.NEUTRAL_ONE,
    *wordings.PLAIN,
    *wordings.ALLOWING_AGAIN,
    *wordings.LIFTING,
)


@pytest.mark.parametrize("text", TAUGHT)
def test_what_is_taught_is_not_in_the_words_of_the_benchmark(text: str) -> None:
    told = [prompts.SOFT, prompts.MEDIUM, prompts.ORACLE_HARD, prompts.ORACLE_REVERSE, prompts.RESTORED]
    told += [phrase for phrases in prompts.PARAPHRASES.values() for phrase in phrases]
    assert not _runs(text, 4) & set().union(*(_runs(other, 4) for other in told))
    assert not set(re.findall(r"[a-z]+", text.lower())) & wordings.FOREIGN_WORDS
