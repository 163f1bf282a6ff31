"""The methods of a report: every benchmark's differences, calibration and audit, from its own folder."""

from pathlib import Path

import pytest

from forgetscope.benchmarks import BENCHMARK_NAMES, get_benchmark
from forgetscope.benchmarks.methods import Certificate, CertifiedCheck, methods_of
from forgetscope.findings.figures import Figure
from forgetscope.report.methods import calibration_words, inline, judge_words, view_methods
from forgetscope.report.page import render_page
from forgetscope.report.summary import SummaryFacts
from tests.report.synthetic import make_chapter, make_table


def facts(folder: Path, **changes: object) -> SummaryFacts:
    return make_chapter(folder, make_table(6)).summary.run.model_copy(update=changes)


@pytest.mark.parametrize("name", [name for name in (*BENCHMARK_NAMES, "unlearning") if methods_of(name)])
def test_every_benchmark_of_a_paper_says_where_it_differs_and_audits_its_paper(name: str) -> None:
    methods = methods_of(name)
    assert methods is not None
    assert methods.differences
    assert methods.audit


def test_an_invented_benchmark_has_no_methods() -> None:
    assert methods_of("invented") is None
    assert methods_of("../prospective") is None


def test_a_benchmark_stands_once_however_many_runs_it_has(tmp_path: Path) -> None:
    run = facts(tmp_path, benchmark="prospective", title="Prospective memory: a comparison")
    page = view_methods([run, run, facts(tmp_path / "b", benchmark="visual"), run])
    assert [entry.id for entry in page.benchmarks] == ["methods-prospective", "methods-visual"]
    assert page.benchmarks[0].title == "Prospective memory"
    agreeing = [entry.agrees for entry in page.benchmarks[0].audit]
    assert agreeing == sorted(agreeing)


def test_a_certificate_of_other_prompts_says_so(tmp_path: Path) -> None:
    check = CertifiedCheck(model="perfect", figure="rate", expected="1", found="1", holds=True)
    run = facts(tmp_path)
    made = Certificate(
        benchmark="x",
        made="2026-01-01",
        forgetscope=run.forgetscope,
        prompts_version=run.prompts_version,
        data_sha256="0",
        checks=(check, check.model_copy(update={"holds": False})),
    )
    assert "1 of 2 figures" in calibration_words(made, run)
    assert "validate again" not in calibration_words(made, run)
    assert "This run used prompts 99: validate again." in calibration_words(
        made, run.model_copy(update={"prompts_version": "99"})
    )


def test_foreign_text_in_a_point_is_no_markup() -> None:
    assert str(inline("**<b>** `<i>` [<u>](javascript:x) <s>")) == (
        "<strong>&lt;b&gt;</strong> <code>&lt;i&gt;</code> &lt;u&gt; &lt;s&gt;"
    )


def test_the_judge_is_named_with_its_measured_error() -> None:
    agreement = Figure("judge.agreement", {"scenario": "subtask_revision"}, 0.8, 5, low=0.4, high=0.9)
    assert judge_words("", []).startswith("none")
    assert "subtask revision 80.0% of 5 (40.0 to 90.0)" in judge_words("lab/judge", [agreement])
    assert "not known" in judge_words("lab/judge", [])


def test_every_report_ends_with_its_methods(tmp_path: Path) -> None:
    page = render_page((make_chapter(tmp_path, make_table(6)),))
    assert page.index('id="c1"') < page.index('id="methods"')
    assert 'href="#methods"' in page


@pytest.mark.parametrize("name", [name for name in BENCHMARK_NAMES if methods_of(name)])
def test_a_certificate_is_of_all_responders_and_of_the_present_prompts_and_holds(name: str) -> None:
    methods, benchmark = methods_of(name), get_benchmark(name)
    assert methods is not None
    if methods.calibration is None:
        pytest.skip(f"no certificate: python tools/write_certificates.py {name}")
    certificate = methods.calibration
    judged = {run.name for run in benchmark.judged_references}
    assert {*benchmark.reference_models, *judged} <= set(certificate.models)
    assert certificate.held == len(certificate.checks)
    assert certificate.prompts_version == benchmark.prompts_version, "python tools/write_certificates.py"


def test_without_a_certificate_the_command_that_makes_one_is_named(tmp_path: Path) -> None:
    assert "'forgetscope validate prospective'" in calibration_words(None, facts(tmp_path, benchmark="prospective"))
