import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetscope.models.glimpse.storage import weights_folder
from forgetscope.models.glimpse.vocabulary import IDENTITY, Vocabulary

SHIPPED = Vocabulary.load(weights_folder() / "vocabulary.safetensors")


@pytest.fixture
def vocabulary() -> Vocabulary:
    return SHIPPED


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_comes_back_from_its_tokens(text: str) -> None:
    encodable = text.encode("utf-8", "replace").decode("utf-8")
    assert SHIPPED.decode(SHIPPED.encode(encodable)) == encodable


def test_digits_are_tokens_of_their_own(vocabulary: Vocabulary) -> None:
    assert [vocabulary.decode([token]) for token in vocabulary.encode("0123")] == ["0", "1", "2", "3"]


def test_case_and_the_space_before_do_not_change_who_a_word_is(vocabulary: Vocabulary) -> None:
    lower, upper = (vocabulary.encode(text)[0] for text in (" the", "The"))
    assert vocabulary.words[lower] == vocabulary.words[upper]
    assert np.array_equal(vocabulary.codes[lower], vocabulary.codes[upper])


def test_identity_codes_have_length_one_and_say_nothing_of_one_another(vocabulary: Vocabulary) -> None:
    codes = vocabulary.codes[:2000:7]
    assert np.allclose(np.linalg.norm(codes, axis=1), 1, atol=1e-5)
    likeness = codes @ codes.T
    np.fill_diagonal(likeness, 0)
    different = np.abs(likeness[likeness < 0.999])
    assert different.mean() < 1.2 * np.sqrt(2 / np.pi / IDENTITY)


def test_a_name_of_two_words_resembles_both(vocabulary: Vocabulary) -> None:
    code = vocabulary.name_code("polar bear")
    assert np.isclose(np.linalg.norm(code), 1, atol=1e-5)
    assert min(float(code @ vocabulary.name_code(word)) for word in ("polar", "bear")) > 0.5


def test_meanings_put_like_words_together(vocabulary: Vocabulary) -> None:
    def meaning(word: str) -> np.ndarray:
        row = vocabulary.meanings[vocabulary.encode(f" {word}")[0]]
        return np.asarray(row / np.linalg.norm(row))

    assert meaning("choose") @ meaning("pick") > meaning("choose") @ meaning("river")
