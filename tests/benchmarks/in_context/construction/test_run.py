"""Builds from the first prompt to a folder that loads: with a perfect, a sloppy and a babbling builder."""

import inspect
import json
import re
from collections import Counter
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path

import pytest

from forgetscope.benchmarks.in_context.construction.plan import make_plan, settings_from
from forgetscope.benchmarks.in_context.construction.stages import forgetting, gates, preference, revision
from forgetscope.benchmarks.in_context.construction.taken import taken_in
from forgetscope.benchmarks.in_context.data.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Scenario,
    SubtaskRevisionItem,
    dialogues_of,
    opening,
)
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.core.errors import RunFolderError, UserError
from tests.benchmarks.in_context.construction.building import build_with, json_lines, plan_of, run_plan
from tests.benchmarks.in_context.construction.scripted import (
    FOODS,
    Scripted,
    babbling,
    dialogue,
    instead,
    on_real_rows,
    perfect,
    write_source,
)

BOOKS = Path("out/construction/own")
EMBEDDED: dict[str, object] = {"filler": "embedded"}


def test_a_perfect_builder_makes_an_item_of_every_row(tmp_path: Path) -> None:
    finished = build_with(tmp_path, perfect, EMBEDDED, dialogues=4, instructions=3, preferences=3)
    assert finished.yields.rows == finished.yields.items
    assert finished.yields.verified == {
        "instructional_forgetting": 4,
        "subtask_revision": 0,
        "dynamic_preference": 3,
    }
    assert not any(finished.yields.warnings.values())
    assert finished.manifest.status == "complete"
    data = load_data(str(tmp_path / "out"))
    assert len(data.items) == 10
    assert data.fillers
    assert json_lines(tmp_path / BOOKS / "rejects.jsonl") == []


def test_an_instructional_item_holds_what_the_builder_wrote(tmp_path: Path) -> None:
    build_with(tmp_path, dialogues=1)
    (item,) = load_data(str(tmp_path / "out")).items
    assert isinstance(item, InstructionalForgettingItem)
    assert item.request == "Please forget which city I moved to."
    assert [fact.value for fact in item.facts] == ["Lisbon"]
    assert item.neighbour is not None
    assert item.neighbour.answers == ("Bruno",)
    assert (item.said_by, item.memory_cue, item.domain) == ("user", True, "moving")
    assert item.source == "own home-lisbon"
    assert (item.unrelated, item.unrelated_before) == ((), ())


def test_a_revision_item_has_no_invented_checks_and_a_session_of_its_own(tmp_path: Path) -> None:
    build_with(tmp_path, perfect, EMBEDDED, instructions=1)
    (item,) = load_data(str(tmp_path / "out")).items
    assert isinstance(item, SubtaskRevisionItem)
    assert [subtask.text for subtask in item.revised_only] == ["End with a proverb"]
    assert (item.change, item.is_verified) == ("altered", False)
    assert item.unrelated
    assert item.unrelated_before == ()
    (kept,) = json_lines(tmp_path / BOOKS / "kept.jsonl")
    assert kept["reasons"] == ["The note closes otherwise."]


@pytest.mark.parametrize("pairing", preference.PAIRINGS)
@pytest.mark.parametrize("direction", preference.DIRECTIONS)
def test_every_expression_comes_through_in_either_pairing_and_direction(
    tmp_path: Path, pairing: str, direction: str
) -> None:
    settings: dict[str, object] = {"source_pairing": pairing, "direction": direction}
    build_with(tmp_path, settings=settings, preferences=3)
    items = load_data(str(tmp_path / "out")).items
    assert {item.expression for item in items if isinstance(item, DynamicPreferenceItem)} == {*preference.EXPRESSIONS}
    for item in items:
        assert isinstance(item, DynamicPreferenceItem)
        own = item.new if direction == "forward" else item.old
        written = item.old if direction == "forward" else item.new
        food = item.id.removeprefix("dp-food-")
        assert own.text == f"I avoid {food} in all my meals."
        assert own.option.endswith(food)
        assert own.option == item.options[0]
        assert written.option.split()[-1] in written.text
        assert item.options[0].startswith("A dish" if pairing == "paper" else "The place")
        assert item.question == "Where should I eat tonight?"


def test_the_drawn_option_depends_on_the_seed_and_never_follows_the_preference(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", preferences=3)
    drawn = {
        tuple(row.material.written_option for row in sorted(plan_of(source, seed=seed).rows, key=lambda row: row.name))  # type: ignore[union-attr]
        for seed in range(8)
    }
    assert len(drawn) > 1
    assert not any(option.split()[-1] in {foods[0] for foods in FOODS} for options in drawn for option in options)


SLOPPY: dict[str, tuple[dict[str, int], Mapping[str, str | Mapping[str, object]], str, str]] = {
    "the request is the query": (
        {"dialogues": 1},
        {"request": {"forget_instruction": "Which city did I tell you earlier I had moved to?"}},
        "request",
        "request and query are the same",
    ),
    "nothing is asked to be forgotten": (
        {"dialogues": 1},
        {"request": {"forget_instruction": "Tell me more about parks."}},
        "request",
        "does not ask to forget",
    ),
    "the query speaks of the request": (
        {"dialogues": 1},
        {"request": {"test_question": "Which city did I ask you to forget?"}},
        "request",
        "the query speaks of forgetting",
    ),
    "the annotation has no form": (
        {"dialogues": 1},
        {"facts": {"forgotten": "everything"}},
        "facts",
        "unreadable reply",
    ),
    "the dialogue does not answer": (
        {"dialogues": 1},
        {"recall": {"answerable": False}},
        "recall",
        "not answerable from the dialogue",
    ),
    "a reader answers otherwise": ({"dialogues": 1}, {"recall": {"answer": "Madrid"}}, "recall", "answered otherwise"),
    "evidence is invented": (
        {"dialogues": 1},
        {"facts": {"facts": [{"value": "Madrid"}]}, "recall": {"evidence": "I live in Madrid"}},
        "recall",
        "the evidence is not in the dialogue",
    ),
    "the request names nothing": (
        {"dialogues": 1},
        {"target": {"named": False}},
        "target",
        "does not say what to forget",
    ),
    "the request names something else": (
        {"dialogues": 1},
        {"target": {"piece": "Register at the town hall"}},
        "target",
        "names another piece",
    ),
    "the piece is invented": (
        {"dialogues": 1},
        {"facts": {"facts": [{"value": "Madrid"}]}, "target": {"piece": "I live in Madrid"}},
        "target",
        "the piece is not in the dialogue",
    ),
    "anybody knows the answer": (
        {"dialogues": 1},
        {"closed_book": {"answer": "That must be Lisbon."}},
        "closed_book",
        "answerable without the dialogue",
    ),
    "the revision is the original": (
        {"instructions": 1},
        {
            "revise": {
                "modified_instruction": "Write a note to Amal about the leaking tap. Stay under 100 words and end with "
                "a question."
            }
        },
        "revise",
        "unchanged",
    ),
    "the revision speaks of its original": (
        {"instructions": 1},
        {"revise": {"modified_instruction": "Do as in the original instruction, but end the note with a proverb."}},
        "revise",
        "speaks of another version",
    ),
    "the revision is in another script": (
        {"instructions": 1},
        {"revise": {"modified_instruction": "Напиши записку о кране и закончи пословицей."}},
        "revise",
        "in another script",
    ),
    "the revision is about something else": (
        {"instructions": 1},
        {"revise": {"modified_instruction": "Sing."}},
        "revise",
        "keeps too little of the original",
    ),
    "no subtask differs": (
        {"instructions": 1},
        {"decompose": {"original_special_subtasks": [], "modified_special_subtasks": []}},
        "decompose",
        "no subtask differs",
    ),
    "nothing is left to do": (
        {"instructions": 1},
        {"decompose": {"common_subtasks": [], "modified_special_subtasks": []}},
        "decompose",
        "the revised instruction has no subtask",
    ),
    "a subtask is everywhere": (
        {"instructions": 1},
        {"decompose": {"modified_special_subtasks": ["stay under 100 words"]}},
        "decompose",
        "a subtask in two groups",
    ),
    "a reader sees a subtask elsewhere": (
        {"instructions": 1},
        {"attribute": '{"a": [true, true, true, true], "b": [true, true, true, true]}'},
        "attribute",
        "a revised subtask is not seen there",
    ),
    "the statement stays the same": (
        {"preferences": 1},
        {"restate": "I avoid  PEANUTS in all my meals."},
        "restate",
        "the same preference",
    ),
    "the statement has several lines": (
        {"preferences": 1},
        {"restate": "Here it is:\nI avoid pears."},
        "restate",
        "unreadable reply",
    ),
    "no option follows": (
        {"preferences": 1},
        {"choose": '{"option": "none"}'},
        "own_option",
        "no option follows from what is said",
    ),
}


@pytest.mark.parametrize("name", SLOPPY)
def test_a_sloppy_builder_is_stopped_where_it_is_sloppy(tmp_path: Path, name: str) -> None:
    rows, replies, stage, reason = SLOPPY[name]
    settings: dict[str, object] = {"expressions": ("direct",)}
    finished = build_with(tmp_path, instead(replies), settings, **rows)
    (reject,) = json_lines(tmp_path / BOOKS / "rejects.jsonl")
    assert (reject["stage"], reject["reason"]) == (stage, reason)
    counted = {entry.stage: entry for entry in finished.yields.stages}
    assert counted[stage].rejected == {reason: 1}
    assert sum(finished.yields.items.values()) == 0
    for entry in finished.yields.stages:
        assert entry.entered == entry.passed + sum(entry.rejected.values()) + entry.lost


def test_every_reason_a_gate_can_give_is_reached_by_a_test() -> None:
    modules = (forgetting, gates, preference, revision)
    source = "".join(inspect.getsource(module) for module in modules)
    given = set(re.findall(r'Finding\(\s*"([^"]+)"', source))
    reached = {reason for _, _, _, reason in SLOPPY.values()}
    in_tests_of_their_own = {
        "the options do not answer the question",
        "another option follows from what is said",
        "says an option of the question",
        "not verified",
        "neighbour question left out",
        "re-ask left out",
        "lists its subtasks",
        "of another length",
    }
    assert given - reached == in_tests_of_their_own


def test_the_papers_pairing_asks_whether_options_answer_the_question(tmp_path: Path) -> None:
    script = instead({"relevance": '{"relevant": false}'})
    finished = build_with(tmp_path, script, {"source_pairing": "paper"}, preferences=1)
    assert finished.yields.stages[0].rejected == {"the options do not answer the question": 1}


def test_a_written_preference_that_leads_elsewhere_is_rejected(tmp_path: Path) -> None:
    settings: dict[str, object] = {"expressions": ("direct",)}
    finished = build_with(
        tmp_path, instead({"restate": "I avoid peanuts and dust in all my meals."}), settings, preferences=1
    )
    counted = {entry.stage: entry for entry in finished.yields.stages}
    assert counted["written_option"].rejected == {"another option follows from what is said": 1}


@pytest.mark.parametrize(("expression", "step"), [("dialogue", "dialogue"), ("multiple_choice", "stage")])
def test_a_written_conversation_must_not_say_an_option(tmp_path: Path, expression: str, step: str) -> None:
    said = "The place that never cooks with pork"
    turns = [{"role": role, "content": said} for role in ("user", "assistant") * 2]
    replies: dict[str, Mapping[str, object]] = {"dialogue": {"turns": turns}, "stage": {"user_selection": said}}
    script = instead({step: replies[step]})
    finished = build_with(tmp_path, script, {"expressions": (expression,)}, preferences=1)
    counted = {entry.stage: entry for entry in finished.yields.stages}
    assert counted["express"].rejected == {"says an option of the question": 1}


def test_facts_that_do_not_hold_leave_an_item_for_a_judge(tmp_path: Path) -> None:
    replies = {"facts": {"facts": [{"value": "Madrid"}]}}
    finished = build_with(tmp_path, instead(replies), dialogues=1)
    (item,) = load_data(str(tmp_path / "out")).items
    assert isinstance(item, InstructionalForgettingItem)
    assert (item.facts, item.is_verified) == ((), False)
    assert finished.yields.verified["instructional_forgetting"] == 0
    assert finished.yields.warnings["instructional_forgetting"] == {"not verified": 1}


def test_a_neighbour_question_about_the_forgotten_piece_is_left_out(tmp_path: Path) -> None:
    replies = {"facts": {"neighbour": {"query": "Where do I live?", "answers": ["Lisbon"]}, "reask": "Lisbon, was it?"}}
    build_with(tmp_path, instead(replies), dialogues=1)
    (item,) = load_data(str(tmp_path / "out")).items
    assert isinstance(item, InstructionalForgettingItem)
    assert (item.neighbour, item.reask) == (None, None)
    (kept,) = json_lines(tmp_path / BOOKS / "kept.jsonl")
    assert [entry["reason"] for entry in kept["warnings"]] == ["neighbour question left out", "re-ask left out"]  # type: ignore[attr-defined]


def test_breaches_of_style_and_length_are_warnings(tmp_path: Path) -> None:
    script = instead(
        {"restate": "Perhaps pears are avoided, because no pears suit, in each and every single meal of the week."}
    )
    settings: dict[str, object] = {"expressions": ("direct",)}
    finished = build_with(tmp_path, script, settings, preferences=1)
    (reject,) = json_lines(tmp_path / BOOKS / "rejects.jsonl") or [{"warnings": []}]
    (kept,) = json_lines(tmp_path / BOOKS / "kept.jsonl") or [{"warnings": []}]
    noted = {entry["reason"] for entry in [*reject["warnings"], *kept["warnings"]]}  # type: ignore[misc]
    assert noted == {
        "not in the first person",
        "another opening",
        "gives a reason",
        "hedges",
        "not within 5 characters",
    }
    assert finished.yields.stages[0].passed == 1


def test_a_babbling_builder_gives_nothing_and_says_so(tmp_path: Path) -> None:
    finished = build_with(tmp_path, babbling, dialogues=2, instructions=2, preferences=2)
    assert set(finished.yields.items.values()) == {0}
    firsts = [entry for entry in finished.yields.stages if entry.entered]
    assert [entry.stage for entry in firsts] == ["request", "revise", "restate"]
    for entry in firsts:
        assert (entry.entered, entry.passed, entry.rejected) == (2, 0, {"unreadable reply": 2})
        assert (entry.calls, entry.retries) == (4, 2)
    assert not list((tmp_path / "out").glob("*_*.jsonl"))
    assert (tmp_path / "out" / "data_card.md").exists()
    assert all(reject["reply"] for reject in json_lines(tmp_path / BOOKS / "rejects.jsonl"))


def test_a_reply_that_cannot_be_read_is_asked_for_again_with_the_reason(tmp_path: Path) -> None:
    replies = iter(["Let me think.", perfect("revise", "the leaking tap")])

    def stutter(step: str, text: str) -> str:
        return next(replies) if step == "revise" else perfect(step, text)

    source = write_source(tmp_path / "source", instructions=1)
    scripted = Scripted(stutter)
    finished = run_plan(plan_of(source), scripted, tmp_path / "out")
    assert finished.yields.items["subtask_revision"] == 1
    again = scripted.asked[1][1]
    assert again.startswith("Your last message could not be used: it holds no JSON object.")
    assert [entry["attempt"] for entry in json_lines(tmp_path / BOOKS / "calls.jsonl")] == [1, 2, 1, 1]


def test_rows_whose_model_is_gone_are_lost_and_asked_for_when_it_is_back(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", dialogues=4)
    plan = plan_of(source)
    gone = run_plan(plan, Scripted(fail_after=7), tmp_path / "out", at_once=1)
    assert gone.manifest.status == "incomplete"
    assert (gone.yields.items["instructional_forgetting"], gone.yields.lost) == (1, 3)
    lost = [entry for entry in json_lines(tmp_path / BOOKS / "rejects.jsonl") if entry["is_lost"]]
    assert {entry["detail"] for entry in lost} == {"ConnectionError: nobody there"}

    back = Scripted()
    finished = run_plan(plan, back, tmp_path / "out")
    assert finished.manifest.status == "complete"
    assert finished.yields.items["instructional_forgetting"] == 4
    assert len(back.asked) == 4 * 5 - 7


def test_a_finished_build_asks_nothing_when_it_is_run_again(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", dialogues=2, instructions=2, preferences=3)
    plan, out = plan_of(source), tmp_path / "out"
    run_plan(plan, Scripted(), out)
    before = {path.name: path.read_bytes() for path in out.rglob("*") if path.is_file() and path.name != "build.json"}
    again = Scripted(fail_after=0)
    finished = run_plan(plan, again, out)
    assert again.asked == []
    assert sum(finished.usage.given_back.values()) == len(json_lines(tmp_path / BOOKS / "calls.jsonl"))
    after = {path.name: path.read_bytes() for path in out.rglob("*") if path.is_file() and path.name != "build.json"}
    assert after == before


def test_a_build_with_other_settings_does_not_go_on_with_this_one(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", instructions=2)
    run_plan(plan_of(source), Scripted(), tmp_path / "out")
    with pytest.raises(RunFolderError, match="another seed"):
        run_plan(plan_of(source, seed=7), Scripted(), tmp_path / "out")


def test_items_from_elsewhere_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "subtask_revision.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(RunFolderError, match="from elsewhere"):
        build_with(tmp_path, instructions=1)
    assert (tmp_path / "out" / "subtask_revision.jsonl").read_text(encoding="utf-8") == "{}\n"


def test_a_folder_with_other_filler_is_not_mixed(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    other = json.dumps(dialogue("Lima", "Inti")) + "\n"
    (tmp_path / "out" / "filler.jsonl").write_text(other, encoding="utf-8")
    with pytest.raises(RunFolderError, match="other filler"):
        build_with(tmp_path, perfect, EMBEDDED, instructions=1)
    finished = build_with(tmp_path, instructions=1)
    assert (tmp_path / "out" / "filler.jsonl").read_text(encoding="utf-8") == other
    assert finished.card.filler is not None
    assert finished.card.filler.exchanges == 2


@pytest.mark.parametrize(
    "order",
    list(permutations(("mt_bench_101", "followbench", "prefeval"))),
    ids=lambda order: order[0][:2] + order[1][:2],
)
def test_three_builds_into_one_folder_in_any_order_share_filler_that_is_no_items(
    tmp_path: Path, real_data: Path, order: tuple[str, ...]
) -> None:
    for place, source in enumerate(order):
        filler: dict[str, object] = {"filler": "none"}
        if source != "mt_bench_101" or place != 2:
            filler = {"filler": "mt_bench_101", "filler_data": str(real_data / "mt_bench_101")}
        settings = {"source": source, "data": str(real_data / source), "limit": 4, **filler}
        plan = make_plan(settings_from(settings), taken_in(tmp_path / "out"))
        finished = run_plan(plan, Scripted(on_real_rows(real_data / "prefeval")), tmp_path / "out")
    assert finished.card.filler is not None
    assert finished.card.filler.of_items == 0
    data = load_data(str(tmp_path / "out"))
    assert Counter(item.scenario for item in data.items) == dict.fromkeys(Scenario, 4)
    assert data.not_filler == 0
    inside = {opening(item.unrelated or item.unrelated_before) for item in data.items if item.unrelated}
    sources = {opening(turns) for item in data.items for turns in dialogues_of(item)}
    filled = {opening(entry.turns) for entry in data.fillers}
    for one, other in ((inside, sources), (inside, filled), (sources, filled)):
        assert not one & other


def test_dialogues_of_items_built_without_filler_are_not_taken_for_it_later(tmp_path: Path, real_data: Path) -> None:
    """Formerly 35 of 40 memories became filler of others."""
    where = {"data": str(real_data / "mt_bench_101"), "limit": 40}
    out, script = tmp_path / "out", on_real_rows(real_data / "prefeval")
    run_plan(make_plan(settings_from({"source": "mt_bench_101", "filler": "none", **where})), Scripted(script), out)
    filler = {"filler": "mt_bench_101", "filler_data": str(real_data / "mt_bench_101"), "limit": 1}
    later = settings_from({"source": "followbench", "data": str(real_data / "followbench"), **filler})
    finished = run_plan(make_plan(later, taken_in(out)), Scripted(script), out)
    assert finished.card.filler is not None
    assert (finished.card.filler.of_items, load_data(str(out)).not_filler) == (0, 0)
    again = make_plan(settings_from({"source": "mt_bench_101", "filler": "none", **where}), taken_in(out))
    assert len(again.rows) == 40


def test_a_model_that_refuses_how_it_is_asked_ends_the_build_in_one_line(tmp_path: Path) -> None:
    from inspect_ai.model import get_model

    from forgetscope.benchmarks.building import BuildModels
    from forgetscope.benchmarks.in_context.construction.run import build

    source = write_source(tmp_path / "source", instructions=1)
    model = get_model("forgetscope/reference/perfect-forgetter", memoize=False)
    with pytest.raises(UserError, match="reference models know only the items"):
        build(
            plan_of(source), BuildModels(model, model, {}), tmp_path / "out", at_once=2, progress=lambda _: lambda: None
        )


def test_gates_can_be_answered_by_another_model(tmp_path: Path) -> None:
    from forgetscope.benchmarks.building import BuildModels
    from forgetscope.benchmarks.in_context.construction.run import build

    source = write_source(tmp_path / "source", dialogues=1)
    writer, reader = Scripted(), Scripted()
    models = BuildModels(writer.model(), reader.model(), {})
    build(plan_of(source), models, tmp_path / "out", at_once=2, progress=lambda _: lambda: None)
    assert [step for step, _ in writer.asked] == ["request", "facts"]
    assert [step for step, _ in reader.asked] == ["recall", "target", "closed_book"]


def test_each_call_is_greedy_seeded_limited_and_carries_its_form(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", preferences=1)
    scripted = Scripted()
    run_plan(plan_of(source, expressions=("direct",), seed=5), scripted, tmp_path / "out")
    assert [(c.temperature, c.seed, c.max_tokens) for c in scripted.configs] == [(0.0, 5, 64)] * 3
    assert scripted.configs[0].response_schema is None
    schema = scripted.configs[1].response_schema
    assert schema is not None
    assert json.loads(schema.json_schema.model_dump_json(exclude_none=True))["required"] == ["option"]
    first = json_lines(tmp_path / BOOKS / "calls.jsonl")[0]
    assert (first["step"], first["model"]) == ("restate", "mockllm/scripted")
    assert first["prompts"] == "in_context-construction-1"


def test_the_stages_of_each_scenario_are_all_counted(tmp_path: Path) -> None:
    finished = build_with(tmp_path, dialogues=1, instructions=1, preferences=1)
    stages = {
        Scenario.INSTRUCTIONAL_FORGETTING: forgetting.STAGES,
        Scenario.SUBTASK_REVISION: revision.STAGES,
        Scenario.DYNAMIC_PREFERENCE: preference.stages("coherent"),
    }
    assert [(entry.scenario, entry.stage) for entry in finished.yields.stages] == [
        (scenario.value, stage) for scenario, known in stages.items() for stage in known
    ]
    assert sum(entry.calls for entry in finished.yields.stages) == sum(finished.usage.asked.values())
