"""Language detection is langdetect's own, seeded, without touching langdetect's global state."""

import langdetect
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetscope.checkers.detection import SEED, detect_language, known_languages
from forgetscope.checkers.filler import ENGLISH, FOREIGN

TEXTS = [*ENGLISH, *FOREIGN.values(), *(text.upper() for text in ENGLISH), ENGLISH[0] + " " + FOREIGN["de"], "A", "42"]


def theirs(text: str) -> tuple[str, float] | None:
    try:
        first = langdetect.detect_langs(text)[0]
    except langdetect.LangDetectException:
        return None
    return first.lang, first.prob


@pytest.fixture(autouse=True)
def seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    langdetect.detector_factory.init_factory()
    monkeypatch.setattr(langdetect.DetectorFactory, "seed", SEED)


@pytest.mark.parametrize("text", TEXTS)
def test_it_answers_as_langdetect_does_with_the_same_seed(text: str) -> None:
    ours = detect_language(text)
    assert (None if ours is None else (ours.code, ours.probability)) == theirs(text)


@settings(max_examples=40)
@given(st.text(max_size=60))
def test_it_answers_as_langdetect_does_on_any_text(text: str) -> None:
    ours = detect_language(text)
    assert (None if ours is None else (ours.code, ours.probability)) == theirs(text)


def test_langdetects_own_seed_stays_as_it_was() -> None:
    langdetect.DetectorFactory.seed = 7
    detect_language("one text, two detectors")
    assert langdetect.DetectorFactory.seed == 7


def test_the_filler_of_every_language_reads_as_that_language() -> None:
    assert set(FOREIGN) <= set(known_languages())
    for code, text in FOREIGN.items():
        detected = detect_language(text)
        assert detected is not None
        assert detected.code == code
