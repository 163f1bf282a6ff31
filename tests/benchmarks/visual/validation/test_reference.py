"""The scripted reference models do what they are named for, and the benchmark sees it."""

from dataclasses import replace

import polars as pl
import pytest

from forgetscope.benchmarks.visual.benchmark import BENCHMARK
from forgetscope.benchmarks.visual.data.conditions import Condition, Control, VisualProbe
from forgetscope.benchmarks.visual.data.forms import Design
from forgetscope.benchmarks.visual.data.loading import load_data
from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.benchmarks.visual.listed import REFERENCE_MODELS
from forgetscope.benchmarks.visual.plan import build_samples
from forgetscope.benchmarks.visual.scoring.row import SCHEMA, score_sample
from forgetscope.benchmarks.visual.settings import VisualSettings as Settings
from forgetscope.benchmarks.visual.validation.expectations import check_reference
from forgetscope.benchmarks.visual.validation.reference import (
    BABBLE,
    REFUSAL,
    publish_forget_lists,
    publish_sample,
    respond,
)
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.responders import PICTURE, picture_name, reference_names
from forgetscope.core.results import Completion, build_table
from forgetscope.running.calibrate import calibrate

SETTINGS = Settings(splits="embedded-color", limit=4, controls="no_image,shuffled_image", eligibility=1)


@pytest.fixture(scope="module")
def samples() -> list[VisualSample]:
    data = load_data("embedded", "embedded-color")
    publish_forget_lists(loaded.split.record for loaded in data.splits)
    return list(build_samples(SETTINGS, data))


def reply(name: str, sample: VisualSample) -> str:
    """What the model answers when it is sent so; the picture's path stands for its bytes."""
    picture = sample.image or None
    publish_sample(sample, picture)
    conversation = [(PICTURE, picture_name(picture))] if picture else []
    said = respond(name, [*conversation, ("user", sample.prompt)])
    assert said is not None
    return said


def chosen(samples: list[VisualSample], **wanted: object) -> list[VisualSample]:
    defaults: dict[str, object] = {
        "side": "forget",
        "role": "effect",
        "control": Control.NONE,
        "probe": VisualProbe.CHOICE,
        "phrasing": 0,
    }
    return [
        sample
        for sample in samples
        if all(getattr(sample, name) == value for name, value in {**defaults, **wanted}.items())
    ]


@pytest.mark.parametrize(
    ("name", "condition", "right"),
    [
        ("visual-perfect", Condition.UNLEARN_SOFT, True),
        ("visual-perfect", Condition.ORACLE_HARD, True),
        ("visual-stubborn", Condition.UNLEARN_MEDIUM, True),
        ("visual-stubborn", Condition.ORACLE_REVERSE, False),
        ("visual-obedient", Condition.UNLEARN_SOFT, False),
        ("visual-obedient", Condition.PLACEBO_SOFT, True),
        ("visual-obedient", Condition.RESTORED_MEDIUM, True),
        ("visual-obedient", Condition.ORACLE_HARD, False),
        ("visual-obedient", Condition.WRONG_ORACLE_HARD, True),
        ("visual-obedient", Condition.WRONG_ORACLE_REVERSE, True),
    ],
)
def test_each_that_sees_answers_a_condition_as_it_is_named_for(
    samples: list[VisualSample], name: str, condition: Condition, right: bool
) -> None:
    asked = chosen(samples, condition=condition)
    assert asked
    assert all((reply(name, sample) == str(sample.answer)) is right for sample in asked)


def test_the_obedient_one_never_chooses_what_is_listed(samples: list[VisualSample]) -> None:
    data = load_data("embedded", "embedded-color")
    forget = set(data.splits[0].split.record.forget_concepts)
    asked = chosen(samples, condition=Condition.UNLEARN_SOFT) + chosen(
        samples, condition=Condition.UNLEARN_SOFT, control=Control.NO_IMAGE
    )
    assert all(
        sample.labels[int(reply("visual-obedient", sample))] not in forget
        for sample in asked
        if not sample.no_permitted_choice
    )


def test_the_picture_changes_nothing_for_the_erased_one(samples: list[VisualSample]) -> None:
    seen = chosen(samples, condition=Condition.BASELINE_NORMAL)
    blind = {sample.item: sample for sample in chosen(samples, condition=Condition.BASELINE_NORMAL, control="no_image")}
    assert all(reply("visual-erased", sample) == reply("visual-erased", blind[sample.item]) for sample in seen)
    kept = chosen(samples, condition=Condition.BASELINE_NORMAL, side="retain")
    assert all(reply("visual-erased", sample) == str(sample.answer) for sample in kept)


def test_another_picture_is_answered_for_what_it_shows(samples: list[VisualSample]) -> None:
    shuffled = chosen(samples, condition=Condition.BASELINE_NORMAL, control=Control.SHUFFLED_IMAGE)
    shown = [sample for sample in shuffled if sample.donor in sample.labels]
    assert shown
    assert all(sample.labels[int(reply("visual-perfect", sample))] == sample.donor for sample in shown)


def test_own_words_name_the_concept_and_the_blind_has_none(samples: list[VisualSample]) -> None:
    own = chosen(samples, condition=Condition.BASELINE_NORMAL, probe=VisualProbe.SHORT_ANSWER)
    assert all(reply("visual-perfect", sample) == f"{sample.labels[sample.answer]}." for sample in own)
    assert {reply("visual-erased", sample) for sample in own} == {"No name comes to mind."}


def test_refusing_and_babbling_do_nothing_else(samples: list[VisualSample]) -> None:
    assert {reply("visual-refusing", sample) for sample in samples} == {REFUSAL}
    assert {reply("visual-babbling", sample) for sample in samples} == {BABBLE}


def test_a_prompt_that_was_not_sent_is_not_answered() -> None:
    assert respond("visual-perfect", [("user", "Q: What is the capital of France?")]) is None


def test_all_are_registered_under_names_of_their_own() -> None:
    assert set(REFERENCE_MODELS) <= set(reference_names())
    assert all(name.startswith("visual-") for name in REFERENCE_MODELS)


@pytest.mark.parametrize("name", REFERENCE_MODELS)
def test_every_check_of_the_validating_settings_holds(name: str) -> None:
    settings = BENCHMARK.settings.model_validate(BENCHMARK.validation_settings)
    assert isinstance(settings, Settings)
    checks = check_reference(name, table_of(name, settings))
    assert len(checks) >= 2
    assert [check for check in checks if not check.holds] == []


@pytest.mark.parametrize("name", REFERENCE_MODELS)
def test_no_reference_model_passes_for_every_other(name: str) -> None:
    settings = Settings(splits="embedded-size", limit=12, controls="no_image", probes="choice,short_answer")
    table = table_of(name, settings)
    passed = {other for other in REFERENCE_MODELS if all(check.holds for check in check_reference(other, table))}
    assert passed == {name}


def table_of(name: str, settings: Settings) -> pl.DataFrame:
    """The sample table of a reference model, without the machinery of a run."""
    data = load_data("embedded", settings.splits)
    publish_forget_lists(loaded.split.record for loaded in data.splits)
    answered = [
        score_sample(sample, Completion(reply(name, sample), FinishReason.STOP), model=name)
        for sample in build_samples(settings, data)
    ]
    return build_table(answered, SCHEMA)


def test_a_validating_run_goes_through_inspect_and_its_pictures_reach_the_model() -> None:
    only = replace(BENCHMARK, reference_models={"visual-perfect": REFERENCE_MODELS["visual-perfect"]})
    small = {"splits": "embedded-size", "limit": 2, "conditions": "baseline_normal,unlearn_soft", "probes": "choice"}
    settings = BENCHMARK.settings.model_validate({**BENCHMARK.validation_settings, **small})
    ((*checks,),) = calibrate(only, settings)
    found = {check.figure: check for check in checks}
    assert found["forget, baseline"].found == "2 of 2"
    assert found["soft and medium suppression"].holds
    assert not found["oracles"].holds, "nothing was asked, so nothing holds"


def test_design_defaults_ask_what_the_checks_read() -> None:
    settings = BENCHMARK.settings.model_validate(BENCHMARK.validation_settings)
    assert isinstance(settings, Settings)
    assert isinstance(settings.design, Design)
    assert Control.NO_IMAGE in settings.design.controls
    assert set(settings.design.conditions) == set(Condition)
