import pytest

from forgetscope.core.errors import (
    DataError,
    MissingPartError,
    RunFolderError,
    SettingError,
    UnknownNameError,
    UserError,
)


@pytest.mark.parametrize(
    ("error", "standard"),
    [
        (DataError, ValueError),
        (UnknownNameError, LookupError),
        (SettingError, ValueError),
        (MissingPartError, ImportError),
        (RunFolderError, OSError),
    ],
)
def test_each_error_is_a_user_error_and_the_standard_type(error: type[UserError], standard: type[Exception]) -> None:
    raised = error("no such thing", where="here", found=3, allowed=("a", "b"), next_step="look")
    assert isinstance(raised, UserError)
    assert isinstance(raised, standard)
    assert str(raised) == "here: no such thing; found 3; allowed: a, b; next: look"


def test_a_message_cuts_a_place_without_end_in_its_middle() -> None:
    said = str(UserError("wrong", where=f"/{'d/' * 2000}file.json", found=1))
    assert len(said) < 1300
    assert said.startswith("/d/d/")
    assert "..." in said
    assert said.endswith("/file.json: wrong; found 1")


def test_a_message_lists_as_many_names_as_can_be_read_and_counts_the_others() -> None:
    few, many = (str(UserError("no", allowed=[f"name-{number:04}" for number in range(count)])) for count in (50, 500))
    assert "name-0049" in few
    assert "more" not in few
    assert len(many) < 1_100
    assert many.endswith("and 410 more")


def test_a_message_is_one_line_and_cuts_long_values() -> None:
    message = str(DataError("broken\nline", found="x" * 1000))
    assert "\n" not in message
    assert len(message) < 200
