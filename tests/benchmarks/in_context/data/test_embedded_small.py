"""The plain items are whole: each forgetting item has all its arms, and none repeats an embedded one."""

from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem, InstructionalForgettingItem
from forgetscope.benchmarks.in_context.data.loading import load_data


def test_every_item_can_be_asked_in_every_form() -> None:
    items = load_data("embedded-small").items
    forgetting = [item for item in items if isinstance(item, InstructionalForgettingItem)]
    preference = [item for item in items if isinstance(item, DynamicPreferenceItem)]
    assert (len(forgetting), len(preference)) == (48, 24)
    for item in forgetting:
        assert item.never_told
        assert item.placebo
        assert item.neighbour is not None
        assert item.is_verified


def test_no_fact_is_an_embedded_items() -> None:
    def facts(source: str) -> set[str]:
        items = (item for item in load_data(source).items if isinstance(item, InstructionalForgettingItem))
        return {fact.value.casefold() for item in items for fact in item.facts}

    assert not facts("embedded-small") & facts("embedded")
