"""A paper's experiment on one's own models: the ordinary run, with the paper's settings written down."""

from pathlib import Path

import pytest

import forgetscope as fs
from forgetscope.api.reproduction import paper_folders, paper_run
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.findings.beside_paper import OVER_MODELS_SLUG, PUBLISHED_SLUG
from forgetscope.report import write_joint_report
from forgetscope.report.write import chapter_of
from forgetscope.running.finished import collect_run
from forgetscope.running.manifest import read_manifest

PERFECT, FADING = "forgetscope/reference/perfect", "forgetscope/reference/fading"


def test_several_models_get_a_folder_each_and_the_papers_tables_together(tmp_path: Path) -> None:
    runs = fs.reproduce("prospective", PERFECT, FADING, out=tmp_path, data="embedded", limit=1)
    assert [run.folder.name for run in runs] == ["forgetscope-reference-perfect", "forgetscope-reference-fading"]
    assert {read_manifest(run.folder).reproduces for run in runs} == {"paper"}
    again = fs.reproduce("prospective", PERFECT, FADING, out=tmp_path, data="embedded", limit=1)
    assert [run.table.height for run in again] == [run.table.height for run in runs]
    page, _ = write_joint_report([collect_run(run.folder) for run in runs], tmp_path / "report.html")
    assert f'id="c1-{OVER_MODELS_SLUG}"' in page.read_text(encoding="utf-8")
    (head, first, *_) = (tmp_path / "paper-tables" / "prospective" / "table-1.csv").read_text().splitlines()
    assert head == f"Template,Load,{PERFECT},{FADING},o4-mini,DeepSeek-V3.1,Llama-3.3-70B"
    assert first.endswith("0.861,0.893,0.889")


def test_one_models_page_opens_with_the_paper_and_its_folder_takes_no_other_run(tmp_path: Path) -> None:
    fs.reproduce("prospective", PERFECT, out=tmp_path / "run", data="embedded", limit=1)
    chapter = chapter_of(collect_run(tmp_path / "run"))
    assert [section.slug for section in chapter.results.sections][:2] == ["outcomes", PUBLISHED_SLUG]
    with pytest.raises(RunFolderError, match="another run"):
        fs.reproduce("prospective", FADING, out=tmp_path / "run", data="embedded", limit=1)
    with pytest.raises(RunFolderError, match="another run"):
        fs.reproduce("prospective", PERFECT, out=tmp_path / "run", data="embedded", limit=1, extended=True)


def test_extended_sends_what_the_paper_does_and_more() -> None:
    plain, more = (
        {cell.label for cell in paper_run("prospective", data="embedded", limit=1, is_extended=extended).plan.cells}
        for extended in (False, True)
    )
    assert plain < more
    assert not any("constraint_only" in label for label in plain)


def test_without_a_judge_a_rule_scores_what_it_can_and_the_plan_says_so() -> None:
    wanted = paper_run("in-context", data="embedded", limit=1)
    assert wanted.plan.judge_questions == 0
    assert any("GPT-O4mini" in note for note in wanted.notes)
    judged = paper_run("in-context", data="embedded", limit=1, is_judged=True)
    assert judged.plan.judge_questions
    labels = {cell.label for cell in wanted.plan.cells}
    assert "dynamic_preference forget native forget" in labels
    assert "dynamic_preference forget 500 noforget" in labels
    assert "dynamic_preference forget 500 forget" not in labels


def test_a_benchmark_without_a_paper_and_two_models_of_one_folder_are_refused() -> None:
    with pytest.raises(SettingError, match="trains models"):
        paper_run("unlearning")
    with pytest.raises(SettingError, match="one folder"):
        paper_folders("visual", ["a/b", "a-b"], None)
