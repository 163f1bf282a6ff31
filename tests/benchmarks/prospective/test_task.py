"""The Inspect task, as `inspect eval forgetscope/prospective -T ...` builds it."""

import pytest

from forgetscope.benchmarks.prospective.task import logged_sample, prospective


def test_options_with_commas_arrive_as_lists_from_inspects_command_line() -> None:
    as_text = prospective(experiments="load", loads="triviaqa,mmlu", seeds="42,137", limit=2)
    as_lists = prospective(experiments=["load"], loads=["triviaqa", "mmlu"], seeds=["42", "137"], limit=2)
    assert [sample.id for sample in as_lists.dataset] == [sample.id for sample in as_text.dataset]
    assert len(as_text.dataset) == 2 * (2 + 2 * 2 * 3)


def test_one_seed_arrives_as_a_number() -> None:
    (first, *_) = prospective(experiments="load", conditions="natural", loads="mmlu", seeds=42, limit=1).dataset
    assert str(first.id).endswith("/natural/load=mmlu/seed=42")


def test_changed_data_are_refused() -> None:
    with pytest.raises(ValueError, match="not what the run was planned with"):
        prospective(limit=1, data_sha256="0" * 64)


def test_metadata_of_another_benchmark_are_refused() -> None:
    with pytest.raises(ValueError, match="not a sample of the prospective benchmark"):
        logged_sample({"item": "a"})
