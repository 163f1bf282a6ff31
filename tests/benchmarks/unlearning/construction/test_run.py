"""Building triplets and questions for a grid: what is kept, what is rejected, and what a grid makes of the folder."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from forgetscope.benchmarks.building import BuildModels
from forgetscope.benchmarks.unlearning.construction import plan
from forgetscope.benchmarks.unlearning.construction.plan import GridDataBuildPlan, GridDataBuildSettings, plan_build
from forgetscope.benchmarks.unlearning.construction.run import FinishedGridDataBuild, build_grid_data
from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings
from forgetscope.benchmarks.unlearning.data.preparation import DataSettings, prepare
from forgetscope.benchmarks.unlearning.data.records import QuestionSet, Side
from forgetscope.core.errors import DataError, RunFolderError
from tests.benchmarks.unlearning.construction.scripted import ScriptedBuilder
from tests.benchmarks.unlearning.formats.words import Words

CORPUS = EmbeddedSettings(forget=4, retain=6)
CHUNKS = 10


def plan_of(**changes: object) -> GridDataBuildPlan:
    settings = GridDataBuildSettings.model_validate({"chunk_tokens": 256, "max_tokens": 512, **changes})
    return plan_build(settings, CORPUS.load(), Words())


def built(out: Path, scripted: ScriptedBuilder | None = None, **changes: object) -> FinishedGridDataBuild:
    model = (scripted or ScriptedBuilder()).model()
    models = BuildModels(model, model, {"builder": {"name": "scripted"}, "gates": {"name": "scripted"}})
    return build_grid_data(plan_of(**changes), models, out, at_once=4, progress=lambda _: lambda: None)


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def data_with(folder: Path, **changes: object) -> DataSettings:
    given: Mapping[str, object] = {"corpus": CORPUS.model_dump(), "built": str(folder), "formats": [{"format": "raw"}]}
    return DataSettings.model_validate({**given, **changes})


def test_the_plan_counts_a_call_a_chunk_and_step() -> None:
    assert plan_of().calls == {"triplets": CHUNKS, "questions": 6, "answers": 0}
    assert plan_of(about=("forget", "retain"), verifies=True).calls == {"triplets": 10, "questions": 10, "answers": 40}
    assert plan_of(questions=0).calls["questions"] == 0
    assert len(plan_of(question_chunks=2).asked_about) == 2


def test_tokens_of_questions_are_estimated_where_the_first_chunks_are_not_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = plan_of().prompt_tokens
    monkeypatch.setattr(plan, "COUNTED_CHUNKS", 2)
    few = plan_of().prompt_tokens
    assert 0.5 * whole["questions"] < few["questions"] < 2 * whole["questions"]
    assert few["answers"] == 0


def test_a_grid_reads_the_triplets_and_questions_of_a_build(tmp_path: Path) -> None:
    finished = built(tmp_path)
    assert (finished.manifest.status, finished.yields.lost) == ("complete", 0)
    assert finished.yields.triplets > CHUNKS
    assert finished.yields.questions > 6
    prepared = prepare(data_with(tmp_path, formats=[{"format": "raw"}, {"format": "triplets"}]), Words())
    assert prepared.extractor == "model"
    assert prepared.texts["triplets"]
    own = {question.id for question in CORPUS.load().questions}
    more = [question for question in prepared.questions if question.id not in own]
    assert {question.set for question in more} <= {QuestionSet.LOW, QuestionSet.HIGH}
    assert len([one for one in more if not one.is_paraphrase]) == finished.yields.questions
    assert prepared.summary()["built"] == {
        "builder": "scripted",
        "triplets": finished.yields.triplets,
        "questions": finished.yields.questions,
    }


def test_agreement_with_gold_triplets_is_in_the_yields(tmp_path: Path) -> None:
    found = {one.match: one for one in built(tmp_path).yields.agreement}
    assert set(found) == {"exact", "entities", "either_entity"}
    recall = found["either_entity"].recall
    assert recall is not None
    assert 0.3 < recall < 1, "the script extracts by rule"


def test_questions_about_the_forget_side_are_asked_on_request(tmp_path: Path) -> None:
    built(tmp_path, about=(Side.FORGET, Side.RETAIN))
    sets = {row["set"] for row in rows(tmp_path / "questions.jsonl")}
    assert sets == {"forget", "retain"}


def test_a_builder_that_babbles_yields_nothing_and_that_is_a_finished_build(tmp_path: Path) -> None:
    scripted = ScriptedBuilder({"triplets": "I would rather not.", "questions": "..."})
    finished = built(tmp_path, scripted)
    assert (finished.manifest.status, finished.yields.triplets, finished.yields.questions) == ("complete", 0, 0)
    assert [(one.step, one.unreadable, one.retries) for one in finished.yields.steps] == [
        ("triplets", 10, 10),
        ("questions", 6, 6),
    ]
    assert {row["reason"] for row in rows(tmp_path / "rejects.jsonl")} == {"unreadable reply"}
    assert "it holds no JSON object" in scripted.asked[-1][1]


def test_a_reader_that_finds_no_answer_rejects_the_question(tmp_path: Path) -> None:
    finished = built(tmp_path, ScriptedBuilder({"answers": "UNANSWERABLE"}), verifies=True)
    assert finished.yields.questions == 0
    answers = finished.yields.steps[-1]
    assert answers.rejected == {"a reader finds no answer in the text": answers.given}
    assert answers.calls == answers.given > 0


def test_lost_replies_alone_are_asked_for_again(tmp_path: Path) -> None:
    first = built(tmp_path, ScriptedBuilder(fail_after=5))
    assert first.manifest.status == "incomplete"
    assert first.yields.lost == 11
    with pytest.raises(DataError, match=r"data\.built: the build is incomplete"):
        prepare(data_with(tmp_path), Words())
    again = ScriptedBuilder()
    finished = built(tmp_path, again)
    assert (finished.manifest.status, len(again.asked)) == ("complete", 11)
    calm = built(tmp_path.parent / "calm")
    for name in ("triplets.jsonl", "questions.jsonl", "rejects.jsonl"):
        assert (tmp_path / name).read_bytes() == (calm.folder / name).read_bytes()


def test_another_build_or_other_files_in_the_folder_are_refused(tmp_path: Path) -> None:
    built(tmp_path / "one")
    with pytest.raises(RunFolderError, match="another questions"):
        built(tmp_path / "one", questions=2)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "triplets.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(RunFolderError, match="from elsewhere"):
        built(tmp_path / "two")


def test_a_build_of_other_chunks_is_refused_by_the_grid(tmp_path: Path) -> None:
    built(tmp_path / "whole")
    with pytest.raises(DataError, match="built from other chunks"):
        prepare(data_with(tmp_path / "whole", chunk_tokens=40), Words())
    built(tmp_path / "few", limit=2)
    with pytest.raises(DataError, match="built from other chunks"):
        prepare(data_with(tmp_path / "few"), Words())
    with pytest.raises(DataError, match=r"data\.built: no build here"):
        prepare(data_with(tmp_path), Words())
