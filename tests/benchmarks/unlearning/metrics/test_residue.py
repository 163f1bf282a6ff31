"""Residue of unlearned models, worked out by hand: target, unlearned model and one that never knew, item by item."""

import polars as pl
import pytest

from forgetscope.benchmarks.unlearning.metrics.residue import probe_scores, unlearning_residues
from forgetscope.benchmarks.unlearning.metrics.study import CellKey
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex

KEY = CellKey("news", "proper", "raw", "original", "ga", 1e-3, 1.0, 5.0)
NO_KEY = dict.fromkeys(KEY.factors)
ITEMS = 12


def rows(
    method: str,
    score: float,
    *,
    measure: str = "knowledge_forget",
    reply: str = "a reply",
    status: str = "correct",
    seed: int = 0,
) -> pl.DataFrame:
    """One model's samples of one measure."""
    key = {**KEY.factors, "method": method} if method not in ("target", "retain_only") else {**NO_KEY, "method": method}
    return pl.DataFrame(
        [
            {
                **key,
                "corpus": "news",
                "seed": seed,
                "measure": measure,
                "item": f"q{number}",
                "score": None if status == "model_error" else score,
                "status": status,
                "reply": reply,
                "finish_reason": "stop",
            }
            for number in range(ITEMS)
        ],
        infer_schema_length=None,
        schema_overrides={
            "semantics": pl.String,
            "forget_format": pl.String,
            "retain_subset": pl.String,
            "learning_rate": pl.Float64,
            "lambda_retain": pl.Float64,
            "epochs": pl.Float64,
            "score": pl.Float64,
        },
    )


def found(*parts: pl.DataFrame) -> FigureIndex:
    return FigureIndex(unlearning_residues(probe_scores(pl.concat(parts))))


def residues(index: FigureIndex) -> list[Figure]:
    return list(index.named("residue"))


def test_the_retain_only_models_score_is_taken_off_both() -> None:
    index = found(rows("target", 1.0), rows("ga", 0.4), rows("retain_only", 0.2))
    (figure,) = residues(index)
    assert figure.value == pytest.approx((0.4 - 0.2) / (1.0 - 0.2))
    assert figure.verdict == "still there"
    told_apart_by = {"part": "unlearning", "condition": "ga on raw, original", "probe": "knowledge_forget"}
    assert figure.factors == {**KEY.factors, **told_apart_by}
    arms = [index.value(f"arm.{arm}", **figure.factors) for arm in ("told", "deleted", "never")]
    assert arms == pytest.approx([1.0, 0.4, 0.2])


def test_an_attack_is_set_against_the_other_models_after_the_same_attack() -> None:
    attacked = "rounded_4.knowledge_forget"
    index = found(
        *(rows("target", 1.0), rows("ga", 0.2), rows("retain_only", 0.2)),
        *(rows("target", 0.9, measure=attacked), rows("ga", 0.8, measure=attacked)),
        rows("retain_only", 0.3, measure=attacked),
    )
    values = {str(entry.factors["probe"]): entry.value for entry in residues(index)}
    assert values == pytest.approx({"knowledge_forget": 0.0, attacked: (0.8 - 0.3) / (0.9 - 0.3)})


def test_a_refusal_is_no_forgetting_and_an_invented_name_no_babble() -> None:
    (refused,) = residues(
        found(rows("target", 1.0), rows("ga", 0.0, reply="I can't help with that request."), rows("retain_only", 0.0))
    )
    assert (refused.value, refused.verdict) == (None, "not measurable (refused)")
    (invented,) = residues(
        found(rows("target", 1.0), rows("ga", 0.0, reply="Honeares", status="invalid_format"), rows("retain_only", 0.0))
    )
    assert invented.value == 0
    loop = "the the the the the the the the"
    (babbled,) = residues(found(rows("target", 1.0), rows("ga", 0.0, reply=loop), rows("retain_only", 0.0)))
    assert babbled.verdict == "not measurable (unreadable)"
    parts = [rows(name, score, measure="verbatim") for name, score in (("target", 1.0), ("retain_only", 0.0))]
    (continued,) = residues(found(*parts, rows("ga", 0.0, measure="verbatim", reply=loop)))
    assert continued.value == 0, "greedy decoding of a model that was never told may run in circles"


def test_a_model_that_lost_what_it_should_keep_is_broken() -> None:
    kept = "knowledge_world"
    models = [rows("target", 1.0), rows("ga", 0.0), rows("retain_only", 0.0)]
    (fine,) = residues(found(*models, rows("target", 1.0, measure=kept), rows("ga", 0.9, measure=kept)))
    (broken,) = residues(found(*models, rows("target", 1.0, measure=kept), rows("ga", 0.4, measure=kept)))
    assert fine.verdict != "broken"
    assert broken.verdict == "broken"


def test_seeds_are_averaged_and_one_that_diverged_leaves_no_figure() -> None:
    models = [rows("target", 1.0), rows("retain_only", 0.0), rows("ga", 0.2)]
    (two,) = residues(found(*models, rows("ga", 0.6, seed=1)))
    assert two.value == pytest.approx(0.4)
    assert "2 training seeds" in two.method
    (lost,) = residues(found(*models, rows("ga", 0.0, seed=1, status="model_error")))
    assert (lost.value, lost.excluded) == (None, ITEMS)


def test_without_a_model_that_never_knew_there_is_none() -> None:
    assert residues(found(rows("target", 1.0), rows("ga", 0.4))) == []


def test_extraction_strength_is_a_probe_of_the_forget_texts() -> None:
    texts = [
        rows(name, 0.0)
        .with_columns(kind=pl.lit("forget"), text="item", extraction_strength=pl.lit(value))
        .drop("item", "score", "measure", "status")
        for name, value in (("target", 1.0), ("ga", 0.5), ("retain_only", 0.1))
    ]
    samples = pl.concat([rows("target", 1.0), rows("ga", 0.4), rows("retain_only", 0.2)])
    figures = [
        entry for entry in unlearning_residues(probe_scores(samples, pl.concat(texts))) if entry.name == "residue"
    ]
    assert {str(entry.factors["probe"]): entry.value for entry in figures} == pytest.approx(
        {"knowledge_forget": 0.25, "extraction_strength": (0.5 - 0.1) / 0.9}
    )
