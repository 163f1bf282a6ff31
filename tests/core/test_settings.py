"""A setting is declared once: how it is read, what it is called, and what is said of what cannot be meant."""

from typing import Annotated

import pytest

from forgetscope.core.errors import SettingError, UnknownNameError, UserError
from forgetscope.core.settings import Setting, Settings, checked, declarations, option_name, settings_table


class TeaSettings(Settings):
    leaves: Annotated[
        str,
        Setting(
            "Leaves:", any_of=("green", "black", "red_bush"), sets={"true": ("green", "black")}, wrong="no such leaf"
        ),
    ] = "true"
    extras: Annotated[str, Setting("Extras:", any_of=("milk", "lemon"), may_be_none=True, wrong="no such extra")] = (
        "none"
    )
    vessel: Annotated[str, Setting("Vessel.", one_of=("cup", "pot"), wrong="no such vessel", option="poured-into")] = (
        "cup"
    )
    minutes: Annotated[int, Setting("Minutes.", least=1, most=9, wrong="not drinkable")] = 3
    batches: Annotated[tuple[int, ...], Setting("Batches.", least=0, wrong="batches must differ")] = (1, 2)


def tea(**values: object) -> TeaSettings:
    return checked(TeaSettings, values)


def test_names_are_read_in_the_order_of_the_declaration_and_sets_are_opened() -> None:
    assert TeaSettings().leaves == "green,black"
    assert tea(leaves="red-bush, GREEN").leaves == "green,red_bush"
    assert tea(leaves="all").leaves == "green,black,red_bush"
    assert tea(leaves=["black", "green"]).leaves == tea(leaves="true").leaves
    assert tea(extras="none").extras == "none"


@pytest.mark.parametrize("given", ["4,5", [4, 5], ["4", "5"], (4, 5)])
def test_numbers_may_be_a_text_a_list_or_a_tuple(given: object) -> None:
    assert tea(batches=given).batches == (4, 5)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("leaves", "gren", r"no such leaf; found 'gren' \(did you mean green\?\); allowed: true, all, green, black"),
        ("leaves", " , ", "no such leaf: none is named"),
        ("extras", "none,milk", "no such extra; found 'none'"),
        ("vessel", "jug", "no such vessel; found 'jug'; allowed: cup, pot"),
        ("minutes", 10, "not drinkable; found 10; allowed: 1 to 9"),
        ("limit", 0, "the limit leaves nothing to run; found 0; allowed: 1 or more"),
        ("limit", 10**30, "too large a number; found 1000000000000000000000000000000; allowed: up to 2147483647"),
        ("batches", (1, 1), "batches must differ"),
        ("batches", (), "batches must differ"),
        ("batches", "one", "whole numbers separated by commas"),
        ("minutes", "long", "valid integer"),
        ("minutes", [1, 2], "takes one minutes; found '1, 2'"),
    ],
)
def test_what_cannot_be_meant_is_said_in_the_words_of_the_declaration(name: str, value: object, says: str) -> None:
    with pytest.raises(UserError, match=f"^{name}: .*{says}"):
        tea(**{name: value})
    with pytest.raises(UserError, match=f"^--{name}: "):
        checked(TeaSettings, {name: value}, lambda setting: f"--{setting}")


def test_a_setting_nobody_declared_is_refused() -> None:
    with pytest.raises(SettingError, match="no such setting; found 'sugar'"):
        tea(sugar=2)


def test_choices_may_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    leaves: dict[str, int] = {}
    declared = Setting("Leaves:", any_of=leaves, wrong="no such leaf")
    monkeypatch.setitem(leaves, "mint", 1)
    assert declared.read("mint", "leaves") == "mint"
    with pytest.raises(UnknownNameError):
        declared.read("sage", "leaves")


def test_an_option_has_the_name_of_its_field_unless_another_is_declared() -> None:
    assert (option_name(TeaSettings, "max_tokens"), option_name(TeaSettings, "vessel")) == (
        "--max-tokens",
        "--poured-into",
    )


def test_the_table_has_every_setting_with_its_default_and_choices() -> None:
    lines = list(settings_table(TeaSettings))
    assert len(lines) == 2 + len(declarations(TeaSettings))
    assert "| `--poured-into` | `vessel` | `cup` | Vessel. One of cup, pot. |" in lines
    assert "| `--batches` | `batches` | `1,2` | Batches. |" in lines
