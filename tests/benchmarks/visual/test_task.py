"""The plan and the Inspect task: what is planned is what is sent, and what cannot be read is not sent."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    ContentImage,
    ContentText,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelOutput,
    ModelUsage,
    TopLogprob,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import ValidationError

from forgetscope.benchmarks.base import LoggedSample
from forgetscope.benchmarks.tasks import task_of
from forgetscope.benchmarks.visual.benchmark import BENCHMARK
from forgetscope.benchmarks.visual.plan import build_samples, cell_label, make_plan, settings_data
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.benchmarks.visual.task import logged_sample, visual
from forgetscope.cli import users_mistake
from forgetscope.core.errors import DataError, UserError
from forgetscope.core.results import build_table
from forgetscope.io.completions import completion_of_sample
from tests.benchmarks.visual.data.test_data import own

__all__ = ["own"]

SENT: list[tuple[list[ChatMessage], GenerateConfig]] = []


def settings(own: Path, **changes: Any) -> VisualSettings:
    return VisualSettings.model_validate(
        {
            "data": str(own),
            "conditions": "paper",
            "controls": "all",
            "vision_free": True,
            "eligibility": 50,
            "limit": 1,
            **changes,
        }
    )


def seeing(
    input: list[ChatMessage],
    tools: list[ToolInfo],  # noqa: ARG001
    tool_choice: ToolChoice,  # noqa: ARG001
    config: GenerateConfig,
) -> ModelOutput:
    """Answers 1 with a picture, 0 without; with log-probabilities where asked for."""
    SENT.append((input, config))
    content = input[-1].content
    sees = isinstance(content, list) and any(isinstance(part, ContentImage) for part in content)
    output = ModelOutput.from_content("mockllm/model", "1" if sees else "0")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    if config.logprobs:
        likely = {" 2": -0.2, "1": -2.0}
        candidates = [TopLogprob(token=text, logprob=value) for text, value in likely.items()]
        output.choices[0].logprobs = Logprobs(
            content=[Logprob(token=candidates[0].token, logprob=-0.2, top_logprobs=candidates)]
        )
    return output


def run(chosen: VisualSettings, tmp_path: Path) -> EvalLog:
    SENT.clear()
    (log,) = inspect_eval(
        task_of(visual, chosen),
        model=get_model("mockllm/model", custom_outputs=seeing, memoize=False),
        log_dir=str(tmp_path / "logs"),
        display="none",
        log_images=False,
        log_realtime=False,
    )
    assert log.status == "success", log.error
    return log


def table(log: EvalLog) -> Any:
    assert log.samples is not None
    return build_table(
        [BENCHMARK.row(LoggedSample(sample.metadata, completion_of_sample(sample), "m")) for sample in log.samples],
        BENCHMARK.schema,
    )


def test_the_plan_counts_what_is_sent(own: Path) -> None:
    chosen = settings(own)
    plan = make_plan(chosen)
    samples = list(build_samples(chosen, settings_data(chosen)))
    assert plan.samples == len(samples)
    assert {cell.label: cell.samples for cell in plan.cells} == Counter(map(cell_label, samples))
    assert plan.sha256 == make_plan(chosen).sha256 != make_plan(settings(own, limit=2)).sha256
    assert any("fewer than 50 pictures" in note for note in plan.notes)


def test_the_default_run_asks_everything_the_protocol_names(own: Path) -> None:
    plan = make_plan(VisualSettings(data=str(own)))
    labels = {cell.label for cell in plan.cells}
    assert len(plan.cells) == 36
    assert {
        "forget placebo_soft",
        "forget wrong_oracle_reverse",
        "forget restored_medium",
        "forget unlearn_soft no_image",
        "forget unlearn_soft rephrased",
        "forget baseline_normal no_image short_answer",
        "retain unlearn_medium",
        "retain baseline_normal option_only",
        "eligibility baseline_normal shuffled_image",
    } <= labels


def test_a_run_sends_picture_then_text_in_one_turn_and_scores_what_comes_back(own: Path, tmp_path: Path) -> None:
    chosen = settings(own, modes="generate,first_token")
    log = run(chosen, tmp_path)
    frame = table(log)
    assert frame.height == make_plan(chosen).samples == len(SENT)
    for input_, config in SENT:
        (message,) = input_
        assert message.role == "user"
        assert isinstance(message.content, list)
        kinds = [part.type for part in message.content]
        assert kinds in (["image", "text"], ["text"])
        assert isinstance(message.content[-1], ContentText)
        if kinds[0] == "image":
            assert isinstance(message.content[0], ContentImage)
            assert message.content[0].image.startswith("data:image/jpeg;base64,")
        assert config.temperature == 0
    first = frame.filter(frame["mode"] == "first_token")
    assert set(first["predicted"]) == {2}
    assert set(first["read_by"]) == {"first_token"}
    assert set(frame.filter((frame["mode"] == "generate") & (frame["image"] != ""))["predicted"]) == {1}
    assert set(frame.filter((frame["mode"] == "generate") & (frame["image"] == ""))["predicted"]) == {0}


def test_a_picture_that_cannot_be_read_is_not_sent(own: Path, tmp_path: Path) -> None:
    for path in (own / "pictures").iterdir():
        path.write_bytes(path.read_bytes()[:100])
    chosen = settings(own, controls="no_image")
    frame = table(run(chosen, tmp_path))
    shown = frame.filter(frame["image"] != "")
    assert set(shown["status"]) == {"input_error"}
    assert set(shown["error"]) == {"truncated"}
    assert len(SENT) == frame.filter(frame["image"] == "").height > 0


def test_a_run_without_its_pictures_is_refused_before_anything_is_sent(own: Path) -> None:
    for path in (own / "pictures").iterdir():
        path.unlink()
    with pytest.raises(DataError, match=r"the pictures of \d+ of \d+ samples cannot be opened.*--images"):
        make_plan(settings(own))


def test_logs_hold_no_picture(own: Path, tmp_path: Path) -> None:
    log = run(settings(own), tmp_path)
    size = sum(path.stat().st_size for path in (tmp_path / "logs").iterdir())
    assert log.samples is not None
    assert size < 6000 * len(log.samples)
    assert "base64," not in log.model_dump_json()


def test_options_with_commas_arrive_as_lists_from_inspects_command_line(own: Path) -> None:
    as_text = visual(data=str(own), conditions="baseline_normal,unlearn_soft", probes="choice", limit=1)
    as_lists = visual(data=str(own), conditions=["baseline_normal", "unlearn_soft"], probes=["choice"], limit=1)
    assert [sample.id for sample in as_lists.dataset] == [sample.id for sample in as_text.dataset]


def test_changed_data_are_refused(own: Path) -> None:
    with pytest.raises(ValueError, match="not what the run was planned with"):
        visual(data=str(own), limit=1, data_sha256="0" * 64)


def test_metadata_of_another_benchmark_are_refused() -> None:
    with pytest.raises(ValueError, match="not a sample of the visual benchmark"):
        logged_sample({"item": "a"})


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"conditions": "unlearn_soft"}, "compared with the baseline"),
        ({"conditions": "hard"}, "no such condition"),
        ({"controls": "blind"}, "no such control"),
        ({"probes": "oral"}, "no such probe"),
        ({"modes": "guess"}, "no such mode"),
        ({"phrasings": 9}, "so many are not written"),
        ({"limit": 0}, "leaves nothing to run"),
        ({"orders": 0}, "orders: nothing is left to ask"),
        ({"oracle_target": "x"}, "no such target"),
        ({"seed": -1}, "no such seed"),
    ],
)
def test_settings_that_cannot_be_meant_are_the_users_mistake(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises((ValidationError, UserError)) as caught:
        VisualSettings.model_validate(change)
    error = caught.value
    mistake = users_mistake(error) if isinstance(error, ValidationError) else error
    assert complaint in str(mistake)


def test_controls_may_be_none_and_choice_is_always_asked() -> None:
    design = VisualSettings(controls="none", probes="short_answer").design
    assert design.controls == ()
    assert [probe.value for probe in design.probes] == ["choice", "short_answer"]
    assert design.eligibility == 20
    assert VisualSettings(data="x").design.eligibility == 50


def test_a_limit_takes_as_many_items_of_each_side_of_every_split() -> None:
    chosen = VisualSettings(limit=2, conditions="baseline_normal", controls="none", probes="choice")
    found = Counter((sample.split, sample.role, sample.side) for sample in build_samples(chosen, settings_data(chosen)))
    splits = {split for split, *_ in found}
    assert len(splits) == 11
    assert {found[split, "effect", side] for split in splits for side in ("forget", "retain")} == {2}
    assert {found[split, "eligibility", "forget"] for split in splits} == {4}
