"""`forgetscope build in-context` as a user types it: the plan first, yields at the end, one line for a mistake."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from forgetscope.cli import main
from tests.benchmarks.in_context.construction.building import json_lines
from tests.benchmarks.in_context.construction.scripted import Scripted, babbling, write_source

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The real entry point, run in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["forgetscope", "build", "in-context", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capfd.readouterr()
        return int(stopped.value.code or 0), out, err

    return call


@pytest.fixture
def built_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Scripted], None]:
    """Let a script answer for whatever builder the command names."""
    from forgetscope.running import building

    def use(scripted: Scripted) -> None:
        monkeypatch.setattr(building, "build_model", lambda *_: scripted.model())

    return use


def _options(tmp_path: Path, *more: str, **rows: int) -> tuple[str, ...]:
    source = write_source(tmp_path / "source", **rows)
    return ("--source", str(source), "--builder", "scripted/model", "--out", str(tmp_path / "out"), *more)


def _complaints(err: str) -> list[str]:
    """The lines of the error stream that are not progress."""
    return [line for line in err.splitlines() if not line.startswith("building: ")]


def test_the_plan_is_printed_first_and_the_yields_last(
    tmp_path: Path, command: Command, built_by: Callable[[Scripted], None]
) -> None:
    built_by(Scripted())
    code, out, err = command(*_options(tmp_path, dialogues=2, instructions=2, preferences=3))
    assert (code, _complaints(err)) == (0, [])
    told = " ".join(out.split())
    assert "7 rows, at most 28 calls if every row comes through" in told
    assert "instructional_forgetting: 2 items of 2 rows, 2 of them scored by rule." in told
    assert "subtask_revision: 2 items of 2 rows, 0 of them scored by rule." in told
    assert "dynamic_preference: 3 items of 3 rows, 3 of them scored by rule." in told
    assert out.index("Plan") < out.index("Yields of instructional_forgetting") < out.index("28 calls, 280 prompt")
    assert json_lines(tmp_path / "out" / "subtask_revision.jsonl")


def test_what_was_built_can_be_planned_and_run(
    tmp_path: Path, command: Command, built_by: Callable[[Scripted], None]
) -> None:
    from forgetscope.benchmarks import get_benchmark

    built_by(Scripted())
    assert command(*_options(tmp_path, dialogues=2, preferences=3))[0] == 0
    chosen = get_benchmark("in-context")
    plan = chosen.plan(
        chosen.settings.model_validate({"data": str(tmp_path / "out"), "lengths": "1000", "arms": "none"})
    )
    assert plan.samples == 2 * 2 * 2 + 3 * 2, "query and neighbour question in both forms, options in both forms"


def test_a_plan_alone_asks_nobody_and_writes_nothing(tmp_path: Path, command: Command) -> None:
    code, out, _ = command(*_options(tmp_path, "--plan-only", "--json", "--limit", "1", dialogues=2))
    assert code == 0
    plan = json.loads(out)
    assert (plan["rows"], plan["calls"]) == (1, 5)
    assert [step["step"] for step in plan["steps"]] == ["request", "facts", "recall", "target", "closed_book"]
    assert plan["max_reply_tokens"] == 5 * 1024
    assert not (tmp_path / "out").exists()


def test_a_yield_of_zero_is_a_result_and_says_so(
    tmp_path: Path, command: Command, built_by: Callable[[Scripted], None]
) -> None:
    built_by(Scripted(babbling))
    code, out, _ = command(*_options(tmp_path, "--json", instructions=2))
    assert code == 0
    yields = json.loads(out)
    assert yields["items"] == {"subtask_revision": 0}
    assert yields["stages"][0]["rejected"] == {"unreadable reply": 2}


def test_lost_rows_exit_one_and_the_same_command_brings_them(
    tmp_path: Path, command: Command, built_by: Callable[[Scripted], None]
) -> None:
    options = _options(tmp_path, instructions=2)
    built_by(Scripted(fail_after=1))
    code, _, err = command(*options)
    assert code == 1
    (said,) = _complaints(err)
    assert said.startswith("forgetscope: 2 rows are lost because a model could not be reached")
    built_by(Scripted())
    code, out, err = command(*options)
    assert (code, _complaints(err)) == (0, [])
    assert "1 kept from before" in out


def test_two_sources_fill_one_folder(
    tmp_path: Path, command: Command, built_by: Callable[[Scripted], None], real_data: Path
) -> None:
    built_by(Scripted())
    assert command(*_options(tmp_path, dialogues=2))[0] == 0
    built_by(Scripted(babbling))
    options = ("--source", "prefeval", "--data", str(real_data / "prefeval"), "--limit", "2", "--builder", "x/y")
    code, out, _ = command(*options, "--out", str(tmp_path / "out"))
    assert code == 0
    assert "PrefEval is CC BY-NC 4.0" in " ".join(out.split())
    card = json.loads((tmp_path / "out" / "data_card.json").read_text(encoding="utf-8"))
    assert [build["source"] for build in card["builds"]] == ["source", "prefeval"]


MISTAKES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "source": (("--source", "sharegpt"), ("--source: no such source", "followbench")),
    "local copy": (("--source", "followbench", "--data", "nowhere"), ("no file of FollowBench here",)),
    "commit": (("--source", "chatalpaca", "--data", "x", "--revision", "main"), ("--revision", "a local copy")),
    "direction": (("--source", "prefeval", "--direction", "up"), ("--direction", "forward, reversed")),
    "pairing": (("--source", "prefeval", "--source-pairing", "free"), ("--source-pairing", "coherent, paper")),
    "expressions": (("--source", "prefeval", "--expressions", "song"), ("--expressions", "multiple_choice")),
    "limit": (("--source", "prefeval", "--limit", "0"), ("--limit", "greater than or equal to 1")),
    "filler copy": (("--source", "prefeval", "--filler-data", "x"), ("--filler-data",)),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line_and_nothing_is_written(tmp_path: Path, command: Command, name: str) -> None:
    options, words = MISTAKES[name]
    code, out, err = command(*options, "--builder", "forgetscope/smollm2", "--out", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("forgetscope: ")
    for word in words:
        assert word in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (("--builder", "forgetscope/nosuch"), "unknown model"),
        (("-M", "novalue"), "it takes key=value"),
        (("-G", "a=1"), "--gate-model"),
    ],
)
def test_a_builder_that_cannot_be_made_is_one_line_after_the_plan(
    tmp_path: Path, command: Command, more: tuple[str, ...], word: str
) -> None:
    options = _options(tmp_path, instructions=1)
    named = ("--builder", "forgetscope/reference/refuser") if "--builder" not in more else ()
    given = (*options[:2], *options[4:], *named, *more)
    code, _, err = command(*given)
    assert code == 2
    assert err.count("\n") == 1
    assert word in err
    assert not (tmp_path / "out").exists()


def test_another_seed_does_not_go_on_with_a_build(
    tmp_path: Path, command: Command, built_by: Callable[[Scripted], None]
) -> None:
    built_by(Scripted())
    options = _options(tmp_path, instructions=1)
    assert command(*options)[0] == 0
    code, _, err = command(*options, "--seed", "7")
    assert code == 2
    assert "another seed" in err
    assert "choose another folder with --out" in err
