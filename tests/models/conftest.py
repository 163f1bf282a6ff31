"""One real engine for the whole session: loading SmolLM2 takes longer than any test on it."""

import pytest

from forgetscope.core.errors import MissingPartError
from forgetscope.models.backend import EngineSettings
from forgetscope.models.engine import Engine
from forgetscope.models.local import shared_engine
from forgetscope.models.weights import find_smollm2


@pytest.fixture(scope="session")
def smollm2_engine() -> Engine:
    try:
        path = find_smollm2()
    except MissingPartError as error:
        pytest.skip(str(error))
    engine = shared_engine(path, EngineSettings())
    engine.load()
    return engine
