"""How long contexts were, an item once, and which items a length left out."""

from tests.benchmarks.in_context.metrics.small_tables import factors, figures_of, pair


def test_tokens_are_of_items_not_of_samples() -> None:
    rows = pair("a", True, True, context_tokens=100) + pair("b", True, None, context_tokens=300)
    index = figures_of(rows)
    found = [index.value(f"context.tokens{end}", **factors()) for end in ("", ".least", ".most")]
    assert found == [200, 100, 300]
    entry = index.get("context.tokens", **factors())
    assert entry is not None
    assert (entry.n, entry.unit) == (2, "tokens")


def test_items_too_long_for_a_length_are_counted_as_left_out_there() -> None:
    rows = pair("a", True, True) + pair("b", True, True)
    rows += pair("a", True, True, length=500, filler_tokens=350, low_diversity=True)
    index = figures_of(rows)
    assert index.value("context.left_out", **factors()) == 0
    assert index.value("context.left_out", **factors(length=500)) == 1
    assert index.value("context.filler", **factors(length=500)) == 350
    assert index.value("context.low_diversity", **factors(length=500)) == 1
