"""The data card: counts one can check by hand, over all builds of a folder, without the machine it was built on."""

from pathlib import Path

from forgetscope.benchmarks.in_context.construction.card import data_card, markdown
from forgetscope.benchmarks.in_context.data.items import InstructionalForgettingItem
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.io.tokens import count_cl100k
from tests.benchmarks.in_context.construction.building import plan_of, run_plan
from tests.benchmarks.in_context.construction.scripted import Scripted, write_source


def test_turns_and_tokens_are_those_of_the_dialogues(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", dialogues=1, instructions=1)
    run_plan(plan_of(source, unrelated=0), Scripted(), tmp_path / "out")
    card = data_card(tmp_path / "out")
    forms = {(entry.scenario, entry.form): entry for entry in card.forms}
    item = load_data(str(tmp_path / "out")).items[0]
    assert isinstance(item, InstructionalForgettingItem)
    memory = sum(count_cl100k(turn.content) for turn in item.memory)
    query = count_cl100k("Which city did I tell you earlier I had moved to?")
    request = count_cl100k("Please forget which city I moved to.")
    without, with_request = forms["instructional_forgetting", "noforget"], forms["instructional_forgetting", "forget"]
    assert (without.turns.mean, without.tokens.mean) == (5, memory + query)
    assert (with_request.turns.mean, with_request.tokens.mean) == (6, memory + query + request)
    assert forms["subtask_revision", "noforget"].turns.mean == 1
    assert forms["subtask_revision", "forget"].turns.mean == 3, "original, live answer, revised instruction"
    assert all(entry.samples == 1 for entry in card.forms)


def test_the_card_covers_every_build_of_the_folder(tmp_path: Path, real_data: Path) -> None:
    out = tmp_path / "out"
    run_plan(plan_of(write_source(tmp_path / "source", dialogues=2), filler="embedded"), Scripted(), out)
    plan = plan_of(Path("followbench"), data=str(real_data / "followbench"), limit=1)
    run_plan(plan, Scripted(lambda step, text: "nothing"), out)  # noqa: ARG005
    card = data_card(out)
    assert {build.source for build in card.builds} == {"source", "followbench"}
    assert [entry.scenario for entry in card.scenarios] == ["instructional_forgetting"]
    assert card.scenarios[0].kinds == {"context": 2}
    text = markdown(card)
    assert "followbench/format_constraints.json at 6278f4c1377b4eafab737267b8b21acd52ea0e52, Apache-2.0" in text
    assert "106 dialogues" in text


def test_no_path_of_the_machine_stands_in_the_card(tmp_path: Path) -> None:
    run_plan(plan_of(write_source(tmp_path / "source", dialogues=1)), Scripted(), tmp_path / "out")
    for name in ("data_card.json", "data_card.md"):
        assert str(tmp_path) not in (tmp_path / "out" / name).read_text(encoding="utf-8")
