"""The label of a decoding is what a reader of results sees."""

import pytest

from forgetscope.core.errors import SettingError
from forgetscope.models.decoding import Decoding


@pytest.mark.parametrize(
    ("decoding", "label"),
    [
        (Decoding(), "greedy"),
        (Decoding(max_new_tokens=9, stop=("x",), seed=4), "greedy"),
        (Decoding(temperature=0.7, top_p=0.9, top_k=40), "sampling at temperature 0.7, top_p 0.9, top_k 40"),
        (Decoding(repetition_penalty=1.1), "greedy + repetition_penalty 1.1 (not the paper's)"),
        (
            Decoding(frequency_penalty=0.5, presence_penalty=-1),
            "greedy + frequency_penalty 0.5 + presence_penalty -1 (not the paper's)",
        ),
    ],
)
def test_the_label_names_what_differs_from_the_paper(decoding: Decoding, label: str) -> None:
    assert decoding.label() == label
    assert decoding.is_as_published == ("not the paper's" not in label)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_new_tokens", 0),
        ("temperature", -1.0),
        ("temperature", float("nan")),
        ("top_p", 0.0),
        ("top_k", 0),
        ("repetition_penalty", 0.0),
        ("frequency_penalty", 3.0),
        ("stop", ("",)),
    ],
)
def test_a_setting_that_cannot_be_meant_is_refused(name: str, value: object) -> None:
    with pytest.raises(SettingError, match="cannot be meant; found"):
        Decoding(**{name: value})  # type: ignore[arg-type]  # the point of the test
