"""Parts by name: ours, plug-ins of installed packages, and what goes wrong with them."""

import warnings
from importlib.metadata import EntryPoint

import pytest

from forgetscope.core import registry as module
from forgetscope.core.errors import PlugInError, UnknownNameError
from forgetscope.core.registry import PlugInWarning, Registry

GROUP = "forgetscope.numbers"


def numbers(monkeypatch: pytest.MonkeyPatch, *plug_ins: tuple[str, str]) -> Registry[float]:
    entries = [EntryPoint(name, value, GROUP) for name, value in plug_ins]
    monkeypatch.setattr(module, "entry_points", lambda *, group: [one for one in entries if one.group == group])
    return Registry("number", GROUP, {"one": 1.0, "tau": "math:tau"}, float)


def test_ours_come_first_and_plug_ins_after_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = numbers(monkeypatch, ("pi", "math:pi"))
    assert list(found) == ["one", "tau", "pi"]
    assert len(found) == 3
    assert [round(value, 2) for value in found.values()] == [1.0, 6.28, 3.14]
    assert found.origin("one") == "forgetscope"
    assert found.origin("pi") == "math:pi"


def test_names_are_told_without_importing_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "gone" in numbers(monkeypatch, ("gone", "no_such_module:thing"))


def test_a_name_met_twice_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlugInError, match=r"two numbers of one name; found 'one'; allowed: a name of its own"):
        list(numbers(monkeypatch, ("one", "math:pi")))
    with pytest.raises(PlugInError, match="plug-in of math:e: two numbers"):
        list(numbers(monkeypatch, ("pi", "math:pi"), ("pi", "math:e")))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no_such_module:thing", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("math:nothing", "AttributeError"),
        ("math:sqrt", "not a number: builtin_function_or_method where float is asked for"),
    ],
)
def test_a_plug_in_that_fails_is_named_and_left_out(monkeypatch: pytest.MonkeyPatch, value: str, why: str) -> None:
    found = numbers(monkeypatch, ("bad", value), ("pi", "math:pi"))
    with pytest.warns(PlugInWarning, match=f"left out: plug-in of {value}"):
        assert [name for name, _ in found.items()] == ["one", "tau", "pi"]
    with pytest.raises(PlugInError, match=why):
        _ = found["bad"]


def test_what_nobody_registered_is_refused_with_what_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        UnknownNameError, match=r"no such number; found 'onee' \(did you mean one\?\); allowed: one, tau"
    ):
        _ = numbers(monkeypatch)["onee"]


def test_ours_failing_is_a_bug_and_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers(monkeypatch)
    broken = Registry[float]("number", GROUP, {"bad": "no_such_module:thing"}, float)
    with pytest.raises(ModuleNotFoundError), warnings.catch_warnings():
        broken.values()
