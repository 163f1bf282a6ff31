"""Interventions: what each changes, that eligibility is never touched, and that a lacking access is on record."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ChatMessageSystem, GenerateConfig, Logprob, Logprobs, ModelOutput, TopLogprob, get_model

from forgetscope.benchmarks.tasks import task_of
from forgetscope.benchmarks.visual.data.conditions import VisualProbe
from forgetscope.benchmarks.visual.interventions import INTERVENTIONS, parse_intervention
from forgetscope.benchmarks.visual.interventions.applying import access_of, mask, unsupported, with_weights
from forgetscope.benchmarks.visual.interventions.intervention import Access, Intervention
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.plan import make_plan
from forgetscope.benchmarks.visual.report.outcomes import unsupported_samples
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.benchmarks.visual.task import visual
from forgetscope.core.errors import SettingError, UnknownNameError
from forgetscope.models.glimpse.storage import weights_folder
from tests.benchmarks.visual.data.test_data import own
from tests.benchmarks.visual.scoring.test_scoring import sample
from tests.benchmarks.visual.test_task import SENT, run, settings, table

__all__ = ["own"]


def the(text: str) -> Intervention:
    found = parse_intervention(text)
    assert found is not None
    return found


def test_no_text_is_no_intervention_and_an_unknown_name_lists_those_there_are() -> None:
    assert parse_intervention("") is None
    with pytest.raises(UnknownNameError, match="system_prompt"):
        parse_intervention("prayer")
    assert {the("logit_mask").access, the("system_prompt").access} == {Access.LOGITS, Access.PROMPT}
    assert set(INTERVENTIONS) == {"system_prompt", "output_filter", "logit_mask", "weights"}


def test_a_system_prompt_names_the_concepts_in_the_given_words() -> None:
    assert the("system_prompt=Never: {class_list}!").system_text(["owl", "fox"]) == "Never: fox, owl!"
    assert "fox, owl" in the("system_prompt").system_text(["owl", "fox"])


@pytest.mark.parametrize(
    ("reply", "left"),
    [("1", "[removed]"), ("0", "0"), ("It is a dog.", "[removed]"), ("horse", "horse"), ("Answer: 1", "[removed]")],
)
def test_an_output_filter_lets_nothing_through_that_names_or_chooses_a_concept(reply: str, left: str) -> None:
    assert the("output_filter").filtered(reply, sample(), ["dog"]) == left


def test_an_output_filter_can_be_given_its_names() -> None:
    assert the("output_filter=horse, cat").filtered("0", sample(), ["dog"]) == "[removed]"
    assert the("output_filter=horse, cat").filtered("1", sample(), ["dog"]) == "1"


def test_a_mask_takes_the_digits_of_concepts_and_leaves_the_likeliest_of_the_others() -> None:
    assert the("logit_mask").masked(sample(), ["dog", "fox"]) == frozenset({1})
    assert the("logit_mask").masked(sample(probe=VisualProbe.SHORT_ANSWER), ["dog"]) == frozenset()
    output = ModelOutput.from_content("m", "1")
    likely = [TopLogprob(token=token, logprob=value) for token, value in (("1", -0.1), (" 1", -3.0), ("3", -4.0))]
    output.choices[0].logprobs = Logprobs(content=[Logprob(**likely[0].model_dump(), top_logprobs=likely)])
    mask(output, frozenset({1}), 4)
    assert output.completion == "3"
    with pytest.raises(SettingError, match="takes no argument"):
        the("logit_mask=3")


def test_access_is_what_a_model_gives_and_what_it_lacks_is_said() -> None:
    mock, glimpse = get_model("mockllm/model").api, get_model("forgetscope/glimpse-obedient").api
    assert access_of(mock) == {Access.PROMPT, Access.OUTPUT}
    assert (
        unsupported(the("logit_mask"), mock) == "unsupported: needs access to logits, this model gives output, prompt"
    )
    assert unsupported(the("logit_mask"), glimpse) == ""
    assert unsupported(the(f"weights={weights_folder()}"), mock).startswith("unsupported: needs access to weights")


def test_other_weights_make_another_model_and_a_missing_folder_is_the_users_mistake() -> None:
    model = get_model("forgetscope/glimpse-obedient", config=GenerateConfig(temperature=0.0))
    other = with_weights(model, the(f"weights={weights_folder()}"))
    assert other is not model
    assert getattr(other.api, "args").weights == weights_folder()  # noqa: B009 - of the provider
    with pytest.raises(SettingError, match="no folder of weights"):
        the("weights=/nowhere")


def test_a_system_message_goes_before_measured_samples_and_never_before_eligibility(own: Path, tmp_path: Path) -> None:
    chosen = settings(own, intervention="system_prompt=Forget: {class_list}")
    frame = table(run(chosen, tmp_path))
    systems = [message.text for input_, _ in SENT for message in input_ if isinstance(message, ChatMessageSystem)]
    assert set(systems) == {"Forget: elm, fir"}
    assert len(systems) == frame.filter(frame["role"] == "effect").height < frame.height
    told = frame.filter(frame["messages"].str.contains("Forget: elm, fir", literal=True))
    assert set(told["role"]) == {"effect"}
    assert make_plan(chosen).sha256 != make_plan(settings(own)).sha256


def test_what_a_model_gives_no_access_for_is_not_sent_and_is_no_wrong_answer(own: Path, tmp_path: Path) -> None:
    frame = table(run(settings(own, intervention="logit_mask"), tmp_path))
    by_role = dict(frame.group_by("role").agg("status").iter_rows())
    assert set(by_role["effect"]) == {"not_sent"}
    assert "not_sent" not in by_role["eligibility"]
    (finding,) = unsupported_samples(VisualStudy.of(frame, VisualSettings()))
    assert "needs access to logits" in finding.text
    assert finding.verdict == "warning"


def test_a_mask_over_a_real_models_digits_leaves_no_forget_concept_chosen(own: Path, tmp_path: Path) -> None:
    chosen = settings(own, intervention="logit_mask", modes="generate,first_token", limit=1, eligibility=1)
    (log,) = inspect_eval(
        task_of(visual, chosen),
        model=get_model("forgetscope/glimpse-stubborn", memoize=False),
        log_dir=str(tmp_path / "logs"),
        display="none",
        log_images=False,
    )
    frame: Any = table(log)
    measured = frame.filter(frame["role"] == "effect")
    assert set(measured["mode"]) == {"generate", "first_token"}
    assert not set(measured["predicted_label"].drop_nulls()) & {"elm", "fir"}
    assert measured["predicted_label"].drop_nulls().len() > 0
