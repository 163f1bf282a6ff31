"""Contexts reach their length from below, half on each side of the interference, and are nested over lengths."""

from itertools import islice, pairwise

import pytest

from forgetscope.benchmarks.in_context.data.context import LENGTHS, FillerDialogues, native_context, native_tokens
from forgetscope.benchmarks.in_context.data.forms import NO_FILLER, Form
from forgetscope.benchmarks.in_context.data.items import AnyItem
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.io.tokens import count_cl100k
from tests.benchmarks.in_context.small_items import FILLER, FORGETTING, PREFERENCE, REVISION

DATA = load_data("embedded")
STOCK = FillerDialogues(DATA.fillers, 42)
SOME = DATA.items[::12]


@pytest.mark.parametrize("item", SOME, ids=[item.id for item in SOME])
def test_a_context_is_as_long_as_it_can_be_and_not_longer(item: AnyItem) -> None:
    for length, found in zip(LENGTHS, STOCK.contexts(item, LENGTHS), strict=True):
        assert found is not None
        context, filler = found
        counted = sum(count_cl100k(turn.content) for turn in (*filler.before, *filler.after))
        assert context.filler_tokens == counted
        assert context.tokens == native_tokens(item) + counted
        assert 0.9 * length < context.tokens <= length


@pytest.mark.parametrize("item", SOME, ids=[item.id for item in SOME])
def test_each_half_only_grows_with_the_length(item: AnyItem) -> None:
    fillers = [found[1] for found in STOCK.contexts(item, LENGTHS) if found]
    for shorter, longer in pairwise(fillers):
        assert longer.before[: len(shorter.before)] == shorter.before
        assert longer.after[: len(shorter.after)] == shorter.after


def test_about_half_of_the_filler_stands_on_each_side() -> None:
    for item in SOME:
        (found,) = STOCK.contexts(item, [6000])
        assert found is not None
        before = sum(count_cl100k(turn.content) for turn in found[1].before)
        assert 0.4 < before / found[0].filler_tokens < 0.6


def test_lengths_close_to_each_other_stay_nested_and_below() -> None:
    lengths = range(400, 800, 7)
    before = 0
    for length, found in zip(lengths, STOCK.contexts(FORGETTING, lengths), strict=True):
        assert found is not None
        assert before <= found[0].tokens <= length
        before = found[0].tokens


def test_what_stands_at_a_published_length_does_not_depend_on_the_others() -> None:
    alone = [next(STOCK.contexts(PREFERENCE, [length])) for length in LENGTHS]
    assert alone == list(STOCK.contexts(PREFERENCE, LENGTHS))
    assert STOCK.filler(PREFERENCE, 3000) == alone[2][1]  # type: ignore[index]


def test_an_item_longer_than_the_length_is_left_out_there() -> None:
    own = native_tokens(FORGETTING)
    assert [found is None for found in STOCK.contexts(FORGETTING, [own - 1, own])] == [True, False]
    with pytest.raises(ValueError, match=f"if-small is longer than {own - 1} tokens"):
        STOCK.filler(FORGETTING, own - 1)


def test_turns_are_whole_exchanges_and_each_is_used_once() -> None:
    for item in SOME:
        (found,) = STOCK.contexts(item, [10_000])
        assert found is not None
        turns = (*found[1].before, *found[1].after)
        assert [turn.role for turn in turns] == ["user", "assistant"] * (len(turns) // 2)
        assert len({turn.content for turn in turns}) == len(turns)


def test_items_and_filler_of_one_topic_are_kept_apart() -> None:
    stock = FillerDialogues([entry.model_copy(update={"topic": "bees"}) for entry in FILLER[:5]], 42)
    bees = FORGETTING.model_copy(update={"domain": "bees"})
    (of_bees,), (of_travel,) = stock.contexts(bees, [3000]), stock.contexts(FORGETTING, [3000])
    assert of_bees is not None
    assert of_bees[0].filler_tokens == 0
    assert of_travel is not None
    assert of_travel[0].filler_tokens > 0


def test_no_filler_says_what_the_item_asks_to_forget() -> None:
    """In any writing; a word that only holds the fact in it says nothing."""
    for said, is_left in (
        ("Is LISBON's weather mild?", False),
        ("the capital of Portugal?", False),
        ("Lisbonites", True),
    ):
        telling = FILLER[0].turns[0].model_copy(update={"content": said})
        stock = FillerDialogues([FILLER[0].model_copy(update={"turns": (telling, *FILLER[0].turns[1:])})], 42)
        assert bool(stock.filler(FORGETTING, 3000) != NO_FILLER) is is_left, said
        assert stock.filler(PREFERENCE, 3000) != NO_FILLER


def test_seeds_and_items_get_fillers_of_their_own() -> None:
    stocks = FillerDialogues(FILLER, 42), FillerDialogues(FILLER, 43)
    other = FORGETTING.model_copy(update={"id": "if-other"})
    first = stocks[0].filler(FORGETTING, 500)
    assert first == FillerDialogues(FILLER, 42).filler(FORGETTING, 500)
    assert len({first, stocks[1].filler(FORGETTING, 500), stocks[0].filler(other, 500)}) == 3


def test_a_stock_that_runs_out_gives_what_it_has_and_is_marked() -> None:
    stock = FillerDialogues(FILLER[:3], 42)
    (found,) = stock.contexts(FORGETTING, [30_000])
    assert found is not None
    assert found[0].filler_tokens == stock.tokens
    assert found[0].low_diversity


def test_embedded_contexts_are_diverse_up_to_six_thousand_tokens() -> None:
    marked = [found[0].low_diversity for found in STOCK.contexts(FORGETTING, LENGTHS) if found]
    assert marked == [False] * 4 + [True] * 3


def test_the_native_context_is_the_item_alone() -> None:
    context = native_context(PREFERENCE)
    assert (context.length, context.filler_tokens, context.low_diversity) == (None, 0, False)
    assert context.tokens == native_tokens(PREFERENCE) > native_tokens(PREFERENCE, Form.NOFORGET)
    assert STOCK.filler(PREFERENCE, None) == NO_FILLER
    assert native_tokens(REVISION) == count_cl100k(REVISION.original), "live answers do not count"


def test_contexts_come_one_by_one() -> None:
    assert [found is not None for found in islice(STOCK.contexts(FORGETTING, LENGTHS), 2)] == [True, True]
