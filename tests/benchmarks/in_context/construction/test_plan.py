"""The plan: which rows, in which order, what it would send; the filler; and settings that cannot be meant."""

from collections import Counter
from pathlib import Path

import pytest

from forgetscope.benchmarks.in_context.construction.plan import BuildPlan, settings_from
from forgetscope.benchmarks.in_context.construction.stages.filler import (
    DrawnSessions,
    FillerSettings,
    FillerStock,
    choose_filler,
)
from forgetscope.benchmarks.in_context.construction.stages.preference import PreferenceRow
from forgetscope.benchmarks.in_context.data.items import InstructionalForgettingItem, Scenario, opening
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.core.errors import DataError, SettingError
from forgetscope.io.tokens import count_cl100k
from tests.benchmarks.in_context.construction.building import json_lines, plan_of, run_plan
from tests.benchmarks.in_context.construction.scripted import Scripted, write_source


def _names(plan: BuildPlan) -> list[str]:
    return [row.name for row in plan.rows]


def test_the_plan_is_what_a_perfect_builder_is_asked(tmp_path: Path) -> None:
    plan = plan_of(write_source(tmp_path / "source", dialogues=3, instructions=2, preferences=3))
    scripted = Scripted()
    run_plan(plan, scripted, tmp_path / "out")
    assert plan.calls == len(scripted.asked)
    asked = Counter(str(line["step"]) for line in json_lines(tmp_path / "out/construction/own/calls.jsonl"))
    planned: Counter[str] = Counter()
    for step in plan.steps:
        planned[step.step] += step.calls
    assert asked == planned
    sent = sum(count_cl100k(text) for _, text in scripted.asked)
    assert sent < plan.prompt_tokens < 1.5 * sent, "the system message is counted too, and stand-ins are near the truth"


def test_limit_takes_so_many_rows_of_each_scenario_and_more_rows_change_nothing(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", dialogues=4, instructions=3, preferences=3)
    few, all_rows = plan_of(source, limit=2), plan_of(source)
    counts = Counter(row.scenario for row in few.rows)
    assert set(counts.values()) == {2}
    for scenario in Scenario:
        mine = [row for row in few.rows if row.scenario is scenario]
        assert mine == [row for row in all_rows.rows if row.scenario is scenario][:2]


def test_the_order_depends_on_the_seed(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", dialogues=4)
    assert _names(plan_of(source)) == _names(plan_of(source))
    assert len({tuple(_names(plan_of(source, seed=seed))) for seed in range(6)}) > 1


def test_expressions_are_dealt_in_turn(tmp_path: Path) -> None:
    plan = plan_of(write_source(tmp_path / "source", preferences=3))
    assert [row.material.expression for row in plan.rows if isinstance(row.material, PreferenceRow)] == [
        "direct",
        "multiple_choice",
        "dialogue",
    ]


def test_a_group_gives_one_instruction_before_any_gives_a_second(real_data: Path) -> None:
    plan = plan_of(Path("followbench"), data=str(real_data / "followbench"))
    groups = [row.name.rsplit("-", 1)[0] for row in plan.rows]
    firsts = groups[: len(set(groups))]
    assert len(set(firsts)) == len(firsts) > 100
    kinds = [group.split("-")[1] for group in firsts[:30]]
    assert set(Counter(kinds).values()) == {5}, "the six kinds in turn"
    assert plan.left_out["empty instruction"] == 17


def test_dialogues_too_long_or_of_one_exchange_are_left_out_and_counted(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", dialogues=3)
    path = source / "dialogues.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[0] = (
        '{"id": "short", "turns": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}'
    )
    lines[1] = lines[1].replace("Large parks", "Large parks " + "and meadows " * 300)
    path.write_text("\n".join(lines), encoding="utf-8")
    plan = plan_of(source, max_source_tokens=200)
    assert len(plan.rows) == 1
    assert plan.left_out == {"one exchange only": 1, "longer than --max-source-tokens": 1}
    with pytest.raises(DataError, match="no row can be built from"):
        plan_of(source, max_source_tokens=5)


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"direction": "sideways"}, "--direction: not allowed; found 'sideways'; allowed: forward, reversed"),
        ({"source_pairing": "random"}, "--source-pairing: not allowed"),
        ({"expressions": ("direct", "song")}, "--expressions: not allowed"),
        ({"expressions": ()}, "--expressions: not allowed"),
        ({"expressions": ({"a": 1},)}, "--expressions: not allowed"),
        ({"limit": 0}, "--limit: input should be greater than or equal to 1; found 0"),
        ({"seed": -1}, "--seed"),
        ({"max_tokens": 0}, "--max-tokens"),
        ({"temperature": 3.0}, "--temperature"),
        ({"unrelated": -1}, "--unrelated"),
        ({"sessions": -1}, "--sessions"),
        ({"filler": "embedded", "filler_data": "x"}, "--filler-data: only a published set has a local copy"),
    ],
)
def test_settings_that_cannot_be_meant_name_their_option(settings: dict[str, object], match: str) -> None:
    with pytest.raises(SettingError, match=match):
        settings_from({"source": "followbench", **settings})


def _filler(**changes: object) -> FillerSettings:
    values: dict[str, object] = {
        **{"source": "embedded", "data": None, "tokens": 10_000},
        **{"sessions": 3, "exchanges": 2, "seed": 42},
    }
    return FillerSettings(**{**values, **changes})  # type: ignore[arg-type]


def test_sessions_and_filler_share_no_dialogue() -> None:
    filler = choose_filler(_filler(), set())
    openings = {opening(entry.turns) for entry in filler.dialogues}
    assert filler.sessions
    assert not openings & {opening(session.turns) for session in filler.sessions}
    tokens = sum(count_cl100k(turn.content) for entry in filler.dialogues for turn in entry.turns)
    assert 8_000 < tokens <= 10_000


def test_sessions_of_an_item_are_drawn_in_number_length_topic_and_place() -> None:
    items = [item for item in load_data("embedded").items if isinstance(item, InstructionalForgettingItem)]
    stock = choose_filler(_filler(), set())
    drawn = [stock.sessions_of(item, _filler()) for item in items]
    assert {bool(sessions.before) for sessions in drawn} == {True, False}
    assert {bool(sessions.after) for sessions in drawn} == {True, False}
    assert {len(sessions.before) + len(sessions.after) for sessions in drawn} >= {2, 4, 6, 8, 10}
    assert len(set(drawn)) > len(items) / 2
    assert drawn == [stock.sessions_of(item, _filler()) for item in items]
    assert drawn != [stock.sessions_of(item, _filler(seed=7)) for item in items]


def test_a_session_says_nothing_that_is_to_be_forgotten_and_is_of_another_topic() -> None:
    (item,) = [item for item in load_data("embedded").items if item.id == "if-012"]
    stock = choose_filler(_filler(), set())
    said = stock.sessions[0].turns[0].model_copy(update={"content": "Who founded HALVORSEN marine?"})
    telling = stock.sessions[0].model_copy(update={"turns": (said, stock.sessions[0].turns[1])})
    near = stock.sessions[1].model_copy(update={"topic": item.domain})
    assert item.domain
    for entry in (telling, near):
        assert FillerStock(sessions=(entry,)).sessions_of(item, _filler()) == DrawnSessions()
    far = stock.sessions[1].model_copy(update={"topic": "elsewhere"})
    drawn = FillerStock(sessions=(far, far)).sessions_of(item, _filler(sessions=2))
    assert len(drawn.before) + len(drawn.after) in (2, 4)


def test_more_filler_only_adds_to_it() -> None:
    some, more = choose_filler(_filler(), set()), choose_filler(_filler(tokens=20_000), set())
    assert more.dialogues[: len(some.dialogues)] == some.dialogues
    assert more.sessions == some.sessions


def test_without_sessions_all_dialogues_are_filler() -> None:
    filler = choose_filler(_filler(exchanges=0, tokens=10**9), set())
    assert filler.sessions == ()
    assert len(filler.dialogues) == len(load_data("embedded").fillers)


def test_dialogues_that_items_are_built_from_are_no_filler() -> None:
    taken = {entry.id for entry in load_data("embedded").fillers[:100]}
    filler = choose_filler(_filler(tokens=10**9), taken)
    assert not taken & {entry.id for entry in filler.dialogues}


def test_a_source_without_dialogues_is_no_filler() -> None:
    with pytest.raises(SettingError, match="no dialogues in this source"):
        choose_filler(_filler(source="followbench"), set())
    assert choose_filler(_filler(source="none"), set()).dialogues == ()
