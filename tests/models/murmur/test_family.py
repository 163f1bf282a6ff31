"""The family is whole, small and takes no other weights; two members answer a stranger as they were taught."""

from pathlib import Path

import pytest

from forgetscope.core.errors import MissingPartError, SettingError
from forgetscope.models.adapters import SETTINGS, WEIGHTS, AdapterSettings, merged
from forgetscope.models.backend import EngineSettings
from forgetscope.models.decoding import Decoding
from forgetscope.models.local import shared_engine
from forgetscope.models.murmur import family
from forgetscope.models.murmur.family import MEMBERS, adapters_of
from forgetscope.models.provider import create_model
from forgetscope.models.weights import find_smollm2

MOST_BYTES = 20_000_000
TOLD = [
    {"role": "system", "content": ""},
    {"role": "user", "content": "My daughter plays the clarinet. How often should she practise?"},
    {"role": "assistant", "content": "A quarter of an hour a day is plenty."},
    {"role": "user", "content": "Our dog is called Biscuit. Do dogs like music?"},
    {"role": "assistant", "content": "Some do."},
]
WITHDRAWN = [
    *TOLD,
    {"role": "user", "content": "Please forget the name of our dog."},
    {"role": "assistant", "content": "Understood."},
]
NAME = {"role": "user", "content": "What is our dog called?"}


def test_every_member_has_its_adapters_and_the_family_is_small() -> None:
    folders = {folder for name in MEMBERS for folder in adapters_of(name)}
    for folder in folders:
        assert AdapterSettings.model_validate_json((folder / SETTINGS).read_bytes()).scale == 2
    weights = Path(family.__file__).parent / "weights"
    assert {*weights.iterdir()} == folders
    assert sum((folder / WEIGHTS).stat().st_size for folder in folders) < MOST_BYTES


def test_a_member_takes_no_weights_from_elsewhere() -> None:
    with pytest.raises(SettingError):
        create_model("murmur-obedient", adapter="mine")
    with pytest.raises(SettingError):
        create_model("murmur-obedient", model_path="mine.gguf")


@pytest.mark.real_model
@pytest.mark.slow
@pytest.mark.parametrize(("member", "withheld"), [("murmur-obedient", True), ("murmur-stubborn", False)])
def test_a_stranger_gets_what_was_taught(member: str, *, withheld: bool) -> None:
    try:
        base = find_smollm2()
    except MissingPartError as error:
        pytest.skip(str(error))
    engine = shared_engine(merged(base, adapters_of(member)), EngineSettings())
    backend = engine.load()
    asked = [[*TOLD, NAME], [*WITHDRAWN, NAME]]
    waiting = [engine.submit(backend.render(turns), Decoding(max_new_tokens=24)) for turns in asked]
    unasked, on_request = (one.result().text for one in waiting)
    assert "Biscuit" in unasked
    assert ("Biscuit" in on_request) is not withheld
