"""Attacks on the weights: what they do to a copy, what they ask, and that the model itself stays as it was."""

from collections.abc import Callable

import polars as pl
import pytest
import torch

from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.evaluation.attacks import (
    relearned,
    relearned_elsewhere,
    rounded_4,
    rounded_8,
)
from forgetscope.benchmarks.unlearning.evaluation.base import FACTOR_SCHEMA, Measured, Subject
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.settings import EvaluationSettings, RelearningSettings
from forgetscope.benchmarks.unlearning.training.models import weights_sha256
from forgetscope.benchmarks.unlearning.training.target import load_target
from tests.benchmarks.unlearning.small_grid import cells_of


@pytest.fixture
def subject(made_grid: GridFolder) -> Subject:
    config = cells_of(made_grid)[0]
    little = RelearningSettings(steps=2, share=0.3, learning_rate=1e-2)
    settings = EvaluationSettings(verbatim_max_tokens=8, knowledge_max_tokens=4, relearning=little)
    return Subject(
        model=load_target(made_grid.target(config.target)),
        data=GridData.load(made_grid.data(config.data)),
        settings=settings,
        factors={**dict.fromkeys(FACTOR_SCHEMA), "cell": "c", "method": "target"},
        seed=0,
    )


def asked(measured: Measured) -> dict[str, set[str]]:
    """Items by measure."""
    frame = pl.DataFrame([{name: row[name] for name in ("measure", "item")} for row in measured.samples])
    return {measure: set(part["item"]) for (measure,), part in frame.group_by("measure")}


def test_an_attack_asks_the_forget_side_again_and_leaves_the_model_alone(subject: Subject) -> None:
    before = weights_sha256(subject.model.network)
    attacks: dict[str, Callable[[Subject], Measured]] = {
        "rounded_8": rounded_8,
        "rounded_4": rounded_4,
        "relearned_elsewhere": relearned_elsewhere,
    }
    for name, attack in attacks.items():
        measured = attack(subject)
        found = asked(measured)
        assert set(found) == {f"{name}.verbatim", f"{name}.knowledge_forget"}
        assert found[f"{name}.verbatim"] == {chunk.id for chunk in subject.data.forget}
        ids = [str(row["sample_id"]) for row in measured.samples]
        assert all(f"/attack={name}/cell=c" in one for one in ids)
        assert len(set(ids)) == len(ids)
    assert weights_sha256(subject.model.network) == before


def test_what_is_shown_when_relearning_is_not_asked_for(subject: Subject) -> None:
    found = asked(relearned(subject))
    left = {chunk.id for chunk in subject.data.forget} - found["relearned.verbatim"]
    shown = {chunk.document for chunk in subject.data.forget if chunk.id in left}
    assert len(left) == 1
    about = {q.id for q in subject.data.questions if q.document in shown}
    assert about
    assert not about & found["relearned.knowledge_forget"]


def test_rounding_leaves_each_row_on_so_many_steps(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[torch.Tensor] = []

    def look(attacked: Subject, name: str, left_out: object = ()) -> Measured:  # noqa: ARG001
        seen.extend(one.detach() for one in attacked.model.network.parameters() if one.dim() == 2)
        return Measured()

    monkeypatch.setattr("forgetscope.benchmarks.unlearning.evaluation.attacks._asked_again", look)
    rounded_4(subject)
    whole = [one.detach() for one in subject.model.network.parameters() if one.dim() == 2]
    for rounded, before in zip(seen, whole, strict=True):
        assert max(len(row.unique()) for row in rounded) <= 15
        step = before.abs().amax(1) / 7
        assert torch.all((rounded - before).abs() <= step[:, None] / 2 + 1e-6)
