"""Which language a text is in, by langdetect, made reproducible."""

from dataclasses import dataclass
from functools import lru_cache

from langdetect.detector import Detector
from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory
from langdetect.lang_detect_exception import LangDetectException

SEED = 0
"""langdetect draws at random and the reference does not seed it, so that its verdict on a borderline text changes from
run to run. We seed every detection with 0, in both behaviours."""


@dataclass(frozen=True, slots=True)
class Detected:
    """The likeliest language of a text, as langdetect's code (ISO 639-1, `zh-cn`), and its probability 0-1."""

    code: str
    probability: float


class _Detector(Detector):  # type: ignore[misc]  # langdetect ships no types
    """langdetect's detector with its two inner loops written as list expressions: the same numbers, twice as fast."""

    def _update_lang_prob(self, prob: list[float], word: str, alpha: float) -> bool:
        weight = alpha / self.BASE_FREQ
        prob[:] = [p * (weight + q) for p, q in zip(prob, self.word_lang_prob_map[word], strict=True)]
        return True

    @staticmethod
    def _normalize_prob(prob: list[float]) -> float:
        total = sum(prob)
        prob[:] = [p / total for p in prob]
        return max(prob)


class _Factory(DetectorFactory):  # type: ignore[misc]
    def _create_detector(self) -> _Detector:
        return _Detector(self)


@lru_cache(maxsize=1)
def _factory() -> DetectorFactory:
    factory = _Factory()
    factory.load_profile(PROFILES_DIRECTORY)
    factory.set_seed(SEED)  # on our own instance: langdetect's global one stays as it is
    return factory


def known_languages() -> tuple[str, ...]:
    """The codes langdetect can answer, sorted."""
    return tuple(sorted(_factory().get_lang_list()))


@lru_cache(maxsize=16)
def detect_language(text: str, among: tuple[str, ...] = ()) -> Detected | None:
    """The likeliest language of `text`, of all or among some.

    `None` where langdetect finds nothing to go by (digits, addresses only).

    langdetect reads the first 10,000 characters, after removing addresses. Words in capitals contribute their first
    letter only, which makes it guess wildly on text in capitals.
    """
    detector = _factory().create()
    if among:
        detector.set_prior_map(dict.fromkeys(among, 1 / len(among)))
    detector.append(text)
    try:
        ranked = detector.get_probabilities()
    except LangDetectException:
        return None
    if not ranked:
        return Detected("unknown", 0.0)
    return Detected(ranked[0].lang, float(ranked[0].prob))
