"""The registry of methods: names, order and titles come from it; a plug-in's configuration survives being written."""

from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import ClassVar, Literal

import pytest

from forgetscope.benchmarks.unlearning.grid.cells import CellConfig, Unlearning
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.methods import METHODS, OF_THE_PAPER, method_class, read_method
from forgetscope.benchmarks.unlearning.methods.npo import Npo
from forgetscope.benchmarks.unlearning.methods.rmu import Rmu
from forgetscope.benchmarks.unlearning.report.names import method_name
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.core.errors import PlugInError, UnknownNameError
from forgetscope.core.registry import Registry

Installed = Callable[[str, str], None]


class Steered(Rmu):
    """A method of somebody else's."""

    title: ClassVar[str] = "Steered"
    kind: Literal["steered"] = "steered"  # type: ignore[assignment]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Installed:
    """Makes the registry of methods find an entry point more."""

    def install(name: str, value: str) -> None:
        fresh: Registry[type] = Registry(METHODS.kind, METHODS.group, {one: METHODS[one] for one in METHODS}, type)
        fresh.__dict__["_plug_ins"] = {name: EntryPoint(name, value, METHODS.group)}
        for room in ("methods", "metrics.study", "report.table1", "report.names", "doctor.diagnosis"):
            monkeypatch.setattr(f"forgetscope.benchmarks.unlearning.{room}.METHODS", fresh)

    return install


def test_the_papers_three_come_first_and_the_template_is_none() -> None:
    assert tuple(METHODS)[:3] == OF_THE_PAPER == tuple(one.kind for one in settings_of({}).methods)
    assert "template" not in METHODS
    assert [method_name(name) for name in OF_THE_PAPER] == ["GA", "NPO", "SimNPO"]


def test_every_class_has_the_name_it_is_registered_by() -> None:
    for name in METHODS:
        assert method_class(name).model_fields["kind"].default == name


def test_a_plug_ins_configuration_survives_being_written(installed: Installed) -> None:
    installed("steered", f"{__name__}:Steered")
    settings = settings_of({"methods": ["npo", {"kind": "steered", "steering": 2.0}]})
    assert settings.methods == (Npo(), Steered(steering=2.0))
    assert GridSettings.model_validate_json(settings.model_dump_json()) == settings
    one = Unlearning.model_validate(
        {"method": {"kind": "steered"}, "forget_format": "raw", "retain_subset": "low", "training": {}}
    )
    cell = CellConfig(corpus="c", data="d", target="t", unlearning=one)
    assert CellConfig.model_validate_json(cell.model_dump_json()) == cell
    assert "Steered" in cell.label
    assert method_name("steered (steering 2.0)") == "Steered (steering 2.0)"


def test_a_plug_in_that_is_no_method_of_its_name_is_one_line(installed: Installed) -> None:
    installed("other", f"{Rmu.__module__}:Rmu")
    with pytest.raises(PlugInError, match=r"no unlearning method of its name; found 'other: Rmu'.*kind: Literal"):
        read_method("other")


def test_a_plug_in_that_is_gone_is_an_unknown_name() -> None:
    with pytest.raises(UnknownNameError, match="no such unlearning method"):
        read_method({"kind": "steered"})


def test_the_hash_of_a_cell_is_what_it_was() -> None:
    """Of the demo, as runs of before this registry have them on disk."""
    one = {"method": "npo", "forget_format": "raw", "retain_subset": "low", "training": {}}
    cell = CellConfig.model_validate({"corpus": "c", "data": "d", "target": "t", "unlearning": one})
    assert cell.id == "638dae09fb3734d5"
