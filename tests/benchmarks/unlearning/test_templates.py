"""What the READMEs and the template show of adding a format, a measure, a method works as it stands there."""

import importlib.util
import re
import textwrap
from pathlib import Path
from types import ModuleType

import pytest
import torch

import forgetscope.benchmarks.unlearning as unlearning
from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.evaluation.base import FACTOR_SCHEMA, Subject
from forgetscope.benchmarks.unlearning.formats import FormatParts
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.methods.template import SummedAscent
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms
from forgetscope.benchmarks.unlearning.settings import EvaluationSettings
from forgetscope.benchmarks.unlearning.training.target import load_target
from tests.benchmarks.unlearning.small_grid import cells_of

ROOM = Path(str(unlearning.__file__)).parent


def shown(readme: str, folder: Path) -> ModuleType:
    """The code block of a README as a module."""
    text = (ROOM / readme).read_text(encoding="utf-8")
    found = re.search(r"^ *```python\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    path = folder / "shown.py"
    path.write_text(textwrap.dedent(found.group(1)), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("shown", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def subject(made_grid: GridFolder) -> Subject:
    target, _, _ = cells_of(made_grid)
    return Subject(
        model=load_target(made_grid.target(target.target)),
        data=GridData.load(made_grid.data(target.data)),
        settings=EvaluationSettings(),
        factors={**dict.fromkeys(FACTOR_SCHEMA), "cell": "c", "method": "target"},
        seed=0,
    )


def test_the_format_in_the_readme_gives_first_sentences(subject: Subject, tmp_path: Path) -> None:
    settings = shown("formats/README.md", tmp_path).OpeningsSettings()
    chunks = subject.data.forget
    made = settings.apply(chunks, FormatParts(subject.model.tokenizer))
    assert len(made) == len(chunks)
    for one, chunk in zip(made, chunks, strict=True):
        assert one.text
        assert chunk.text.startswith(one.text)
        assert 0 < one.kept_share < 0.5


def test_the_measure_in_the_readme_scores_the_answers_about_the_world(subject: Subject, tmp_path: Path) -> None:
    found = shown("evaluation/README.md", tmp_path).world_likelihood(subject)
    assert 3 < found.figures["nll.world"] < 8, "an all but untrained model: about log(400)"


def test_the_template_of_a_method_sums_over_a_sequence() -> None:
    log_probabilities, mask = torch.tensor([[-1.0, -2.0], [-3.0, -9.0]]), torch.tensor([[1.0, 1.0], [1.0, 0.0]])
    unused = torch.zeros(0)
    terms = LossTerms(log_probabilities, mask, 3.0, 2, labels=unused, logits=unused, attended=unused)
    assert float(SummedAscent().forget_loss(terms)) == -3.0
