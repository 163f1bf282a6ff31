"""The Inspect task for a model that was unlearned elsewhere, beside the target and a model that never knew."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from forgetscope.benchmarks.unlearning.settings import QuestionSettings
from forgetscope.benchmarks.unlearning.task import (
    ask_arms,
    corpus_of,
    inspect_sample,
    knowledge,
    read_reply,
    unlearning,
)
from forgetscope.core.outcomes import Status
from forgetscope.io.completions import completion_of

CORPUS = corpus_of(QuestionSettings())[0]
ANSWERS = {question.question: question.answers[0] for question in (*CORPUS.questions, *CORPUS.world)}
FORGOTTEN = {question.question for question in CORPUS.questions if question.set == "forget"}


def answering(knows_forget_side: bool) -> Model:
    def reply(messages: object, *_: object) -> ModelOutput:
        assert isinstance(messages, list)
        question = messages[-1].text.removeprefix("Question: ").removesuffix("\nAnswer:")
        known = knows_forget_side or question not in FORGOTTEN
        answer = f" {ANSWERS[question]}\n\nQuestion: What" if known else " Nothing like it"
        output = ModelOutput.from_content("mock", answer)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=reply, memoize=False)


def evaluated(tmp_path: Path, under_test: Model, roles: dict[str, Model], limit: int = 8) -> EvalLog:
    (log,) = inspect_eval(
        unlearning(limit=limit), model=under_test, model_roles=roles, log_dir=str(tmp_path), display="none"
    )
    assert log.status == "success", log.error and log.error.message
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: float(found.value) for name, found in log.results.scores[0].metrics.items()}


@pytest.mark.parametrize(("forgot", "residue"), [(True, 0.0), (False, 1.0)])
def test_what_is_left_lies_between_the_other_two_models(tmp_path: Path, forgot: bool, residue: float) -> None:
    roles = {"target": answering(True), "retain_only": answering(False)}
    found = metrics(evaluated(tmp_path, answering(not forgot), roles))
    assert found["value"] == residue
    assert found["low"] <= residue <= found["high"]
    assert found["questions"] == 8
    assert found["forget"] == (0.0 if forgot else 1.0)
    assert found["retain"] == found["world"] == found["retain_paraphrased"] == 1.0


def test_without_the_other_models_there_is_no_residue(tmp_path: Path) -> None:
    found = metrics(evaluated(tmp_path, answering(True), {}, limit=1))
    assert found["forget"] == 1.0
    assert "value" not in found


def test_a_limit_takes_questions_of_each_set_with_their_paraphrases() -> None:
    ids = [str(sample.id) for sample in unlearning(limit=2).dataset]
    assert len(ids) == len(set(ids)) == 12
    assert sum(name.endswith("/paraphrased") for name in ids) == 6


def test_a_question_is_a_sample_with_its_answers() -> None:
    sample = inspect_sample(CORPUS.questions[0], "Question: Who?\nAnswer:")
    assert sample.id == f"unlearning/{CORPUS.questions[0].id}/knowledge"
    assert sample.target == list(CORPUS.questions[0].answers)


def test_an_answer_ends_before_the_next_question_and_babble_is_no_answer() -> None:
    output = ModelOutput.from_content("m", " 553 million\n\nQuestion: What", stop_reason="max_tokens")
    assert completion_of(output).reply
    assert read_reply(output, ("553 million",)) == (1.0, Status.CORRECT, "553 million")
    babble = ModelOutput.from_content("m", "hy hy hy hy hy hy")
    assert read_reply(babble, ("553 million",))[1] is Status.INVALID_FORMAT


def test_solver_and_scorer_can_be_made() -> None:
    assert ask_arms(32)
    assert knowledge()
