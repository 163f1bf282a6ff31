"""The two forms of an item differ by the interference alone."""

import itertools
from collections.abc import Sequence

import pytest

from forgetscope.benchmarks.in_context.data.forms import (
    NO_FILLER,
    Filler,
    Form,
    InContextSample,
    Part,
    PlacedTurn,
    dialogue,
)
from forgetscope.benchmarks.in_context.data.items import AnyItem
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.prompts import ACKNOWLEDGED, REQUEST_ACKNOWLEDGEMENT
from tests.benchmarks.in_context.small_items import FORGETTING, PREFERENCE, REVISION, assistant, sample, user

FILLER = Filler(before=(user("b?"), assistant("b.")), after=(user("a?"), assistant("a.")))
ITEMS = load_data("embedded").items


def shape(turns: Sequence[PlacedTurn]) -> str:
    """Parts and roles in a line: `M:u M:a Q:u`, a live answer with a star."""
    return " ".join(f"{turn.part.value}:{turn.role[0]}{'*' if turn.live else ''}" for turn in turns)


def test_sessions_of_an_item_stand_on_their_side_of_the_request() -> None:
    item = FORGETTING.model_copy(
        update={"unrelated_before": (user("s?"), assistant("s.")), "unrelated": (user("t?"), assistant("t."))}
    )
    said = [turn.content for turn in dialogue(item, Form.FORGET, item.query, FILLER) if turn.part is Part.UNRELATED]
    assert said == ["s?", "s.", "b?", "b.", "t?", "t.", "a?", "a."]
    assert shape(dialogue(item, Form.FORGET, item.query)) == "M:u M:a MC:u MC:a F:u MC:u MC:a Q:u"


@pytest.mark.parametrize(
    ("item", "form", "expected"),
    [
        (FORGETTING, Form.NOFORGET, "M:u M:a MC:u MC:a MC:u MC:a Q:u"),
        (FORGETTING, Form.FORGET, "M:u M:a MC:u MC:a F:u MC:u MC:a Q:u"),
        (PREFERENCE, Form.NOFORGET, "M:u M:a MC:u MC:a MC:u MC:a MC:u MC:a Q:u"),
        (PREFERENCE, Form.FORGET, "M:u M:a MC:u MC:a F:u F:a MC:u MC:a MC:u MC:a Q:u"),
        (REVISION, Form.NOFORGET, "MC:u MC:a MC:u MC:a Q:u"),
        (REVISION, Form.FORGET, "M:u M:a* MC:u MC:a MC:u MC:a Q:u"),
    ],
)
def test_each_scenario_has_its_turns_in_order(item: AnyItem, form: Form, expected: str) -> None:
    assert shape(dialogue(item, form, "?", FILLER)) == expected


def test_an_acknowledged_request_is_two_turns() -> None:
    item = FORGETTING.model_copy(update={"request_reply": "Forgotten."})
    assert shape(dialogue(item, Form.FORGET, "?")) == "M:u M:a F:u F:a Q:u"


@pytest.mark.parametrize("filler", [NO_FILLER, FILLER])
def test_no_two_user_turns_follow_each_other_where_they_are_acknowledged(filler: Filler) -> None:
    for item in (FORGETTING, REVISION, PREFERENCE, *ITEMS):
        for form in Form:
            roles = [turn.role for turn in dialogue(item, form, "?", filler, ACKNOWLEDGED)]
            assert all(pair != ("user", "user") for pair in itertools.pairwise(roles))
    spoken = dialogue(FORGETTING, Form.FORGET, "?", consecutive=ACKNOWLEDGED)
    assert shape(spoken) == "M:u M:a F:u F:a Q:u"
    assert spoken[3].content == REQUEST_ACKNOWLEDGEMENT


def test_a_reply_of_the_items_own_is_never_replaced_and_old_logs_are_as_they_were_sent() -> None:
    item = FORGETTING.model_copy(update={"request_reply": "Forgotten."})
    assert dialogue(item, Form.FORGET, "?", consecutive=ACKNOWLEDGED) == dialogue(item, Form.FORGET, "?")
    logged = sample(FORGETTING).model_dump(mode="json")
    del logged["consecutive"]
    assert shape(InContextSample.model_validate(logged).turns(NO_FILLER)) == "M:u M:a F:u Q:u"


@pytest.mark.parametrize("item", ITEMS, ids=[item.id for item in ITEMS])
def test_without_the_interference_nothing_else_is_missing(item: AnyItem) -> None:
    with_it = dialogue(item, Form.FORGET, "?", FILLER)
    interference = {Part.INTERFERENCE, Part.MEMORY} if item.scenario == "subtask_revision" else {Part.INTERFERENCE}
    assert tuple(turn for turn in with_it if turn.part not in interference) == dialogue(
        item, Form.NOFORGET, "?", FILLER
    )


@pytest.mark.parametrize("form", list(Form))
def test_the_query_comes_last_and_nothing_but_revision_is_answered_live(form: Form) -> None:
    for item in (FORGETTING, REVISION, PREFERENCE):
        turns = dialogue(item, form, "what now?", FILLER)
        assert turns[-1] == PlacedTurn(Part.QUERY, "user", "what now?")
        assert [turn.live for turn in turns].count(True) == (item is REVISION and form is Form.FORGET)
