"""The shipped target of the unlearning benchmark can be made again."""

import json
from pathlib import Path

from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.models.weights import sha256_of
from tests.benchmarks.unlearning.small_grid import SMALL
from tools.shipped_target import pack


def test_a_target_is_packed_with_its_provenance(tmp_path: Path) -> None:
    experiment = settings_of(SMALL).experiments[0]
    sha256 = pack(experiment, tmp_path / "work", tmp_path / "out")
    assert sha256_of(tmp_path / "out" / "model.safetensors") == sha256
    provenance = json.loads((tmp_path / "out" / "provenance.json").read_text())
    assert provenance["model_safetensors_sha256"] == sha256
    assert provenance["kind"].startswith("embedded reference")
    assert provenance["made"]["settings"]["seed"] == 0
    assert set(provenance["knows_in_16_bits"]) == set(provenance["made"]["knows"])
    assert str(tmp_path) not in json.dumps(provenance)
    again = pack(experiment, tmp_path / "work", tmp_path / "again")
    assert again == sha256


def test_the_model_that_never_knew_is_packed_from_the_retain_side_alone(tmp_path: Path) -> None:
    one = SMALL["experiments"][0]  # type: ignore[index]
    experiment = settings_of({**SMALL, "experiments": [{**one, "retain_only": "auto"}]}).experiments[0]
    pack(experiment, tmp_path / "work", tmp_path / "out", role="retain_only")
    provenance = json.loads((tmp_path / "out" / "provenance.json").read_text())
    assert provenance["made"]["settings"]["sides"] == "retain"
