"""Low, high and original: the split, what KL sees, and which questions are about what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.data.records import Chunk, Question, QuestionSet, RetainSubset, Side
from forgetscope.benchmarks.unlearning.entanglement import (
    Entanglement,
    RetainPlan,
    RetainSettings,
    assign_questions,
    match_retain_tokens,
    plan_retain,
)
from forgetscope.core.errors import SettingError


def chunks(*tokens: int) -> list[Chunk]:
    return [
        Chunk(id=f"r{n}#0", document=f"r{n}", side=Side.RETAIN, text="x", tokens=size) for n, size in enumerate(tokens)
    ]


def plan(scores: list[float | None], tokens: list[int] | None = None, **settings: object) -> RetainPlan:
    found = chunks(*(tokens or [10] * len(scores)))
    named = {chunk.id: score for chunk, score in zip(found, scores, strict=True)}
    return plan_retain(found, Entanglement("entities", named), RetainSettings.model_validate(settings))


def test_low_is_at_or_below_the_median_and_original_is_all() -> None:
    found = plan([0.0, 0.2, 0.2, 0.8, None], held_back=0)
    assert (found.threshold, found.low, found.high) == (0.2, ("r0#0", "r1#0", "r2#0"), ("r3#0",))
    assert found.undefined == ("r4#0",)
    assert found.kl[RetainSubset.ORIGINAL] == ("r0#0", "r1#0", "r2#0", "r3#0", "r4#0")
    assert found.tokens == {RetainSubset.LOW: 30, RetainSubset.HIGH: 10, RetainSubset.ORIGINAL: 50}
    assert found.held_back == ()


def test_a_value_can_be_the_threshold() -> None:
    assert plan([0.1, 0.2, 0.9], threshold=0.1, held_back=0).low == ("r0#0",)


def test_scores_that_are_all_equal_are_an_error() -> None:
    with pytest.raises(SettingError, match="all 2 retain chunks are equally entangled"):
        plan([0.5, 0.5, None])


def test_no_score_at_all_is_an_error() -> None:
    with pytest.raises(SettingError, match="no retain chunk has an entanglement score"):
        plan([None, None])


def test_a_threshold_that_leaves_a_subset_empty_names_what_would_do() -> None:
    with pytest.raises(SettingError, match=r"no retain chunk is of high entanglement.*0\.100 to below 0\.900"):
        plan([0.1, 0.9], threshold=0.95)


def test_held_back_chunks_are_in_no_kl_term() -> None:
    found = plan([number / 20 for number in range(20)], held_back=0.3)
    assert len(found.held_back) == 6
    for names in found.kl.values():
        assert not set(names) & set(found.held_back)
    assert set(found.low) & set(found.held_back)
    assert set(found.high) & set(found.held_back)
    assert plan([0.1, 0.9], held_back=0.9).held_back == ()


def test_matched_subsets_have_about_the_tokens_of_the_smallest() -> None:
    tokens = [10, 20, 30, 40, 50, 60]
    found = plan([0.0, 0.1, 0.2, 0.7, 0.8, 0.9], tokens, held_back=0, match_tokens=True)
    assert found.tokens[RetainSubset.LOW] == 60
    assert 0 < found.tokens[RetainSubset.HIGH] <= 60
    assert 0 < found.tokens[RetainSubset.ORIGINAL] <= 60


@given(st.lists(st.integers(1, 100), min_size=2, max_size=30), st.integers(0, 5))
def test_matching_never_adds_and_repeats_with_its_seed(sizes: list[int], seed: int) -> None:
    tokens = {f"c{n}": size for n, size in enumerate(sizes)}
    half = len(sizes) // 2
    names = list(tokens)
    subsets = {RetainSubset.LOW: names[:half], RetainSubset.HIGH: names[half:], RetainSubset.ORIGINAL: names}
    first = match_retain_tokens(subsets, tokens, seed=seed)
    assert first == match_retain_tokens(subsets, tokens, seed=seed)
    target = min(sum(tokens[name] for name in found) for found in subsets.values())
    for subset, chosen in first.items():
        assert chosen
        assert set(chosen) <= set(subsets[subset])
        assert len(chosen) == 1 or sum(tokens[name] for name in chosen) <= target


def test_questions_follow_their_chunk() -> None:
    found = plan([0.0, 0.1, 0.8, 0.9, None], held_back=0.5)

    def question(chunk: str | None, kind: QuestionSet = QuestionSet.RETAIN) -> Question:
        return Question(id=f"{chunk}-{kind}", set=kind, question="What?", answers=("x",), chunk=chunk)

    asked = [question(f"r{n}#0") for n in range(5)] + [question(None), question("f#0", QuestionSet.FORGET)]
    sets = [(one.set, one.used_for_kl) for one in assign_questions(asked, found)]
    assert [kind for kind, _ in sets] == ["low", "low", "high", "high", "retain", "retain", "forget"]
    assert [used for _, used in sets[:4]].count(True) == 2
    assert [used for _, used in sets[4:]] == [True, False, False]
