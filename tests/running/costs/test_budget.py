"""A run never goes over its limit, stops cleanly, loses nothing and goes on where the limit is raised."""

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage
from typer.testing import CliRunner

from forgetscope.cli.commands import app
from forgetscope.core.errors import SettingError
from forgetscope.io.tables import read_table
from forgetscope.running.costs.budget import Budget, BudgetReached, Spent
from forgetscope.running.costs.prices import Price, Tokens
from forgetscope.running.journal import JOURNAL_NAME, ReplyJournal, journaled

PRICES = {"m": Price(input=0, output=1_000_000)}
ONE = Tokens(output=1)
"""Costs one dollar."""


def _admit(budget: Budget, sample: str) -> float:
    return asyncio.run(budget.admit("m", sample, ONE))


def test_samples_are_counted_once_however_many_calls_they_take() -> None:
    budget = Budget(None, 2, {})
    for sample in ("a", "b", "a"):
        _admit(budget, sample)
    with pytest.raises(BudgetReached, match="2 samples were sent"):
        _admit(budget, "c")
    assert budget.reached == "2 samples were sent (--max-samples 2)"


def test_what_earlier_processes_spent_counts() -> None:
    budget = Budget(2.5, 9, PRICES, [Spent("m", "a", ONE), Spent("m", "b", ONE)])
    with pytest.raises(BudgetReached, match=r"2.00 USD were spent and the next call could cost 1.00 USD"):
        _admit(budget, "c")
    _admit(Budget(3, 9, PRICES, [Spent("m", "a", ONE)]), "b")


def test_a_call_in_flight_holds_its_highest_cost_and_gives_back_what_it_did_not_need() -> None:
    budget = Budget(1.5, None, PRICES)
    order: list[str] = []

    async def first() -> None:
        reserved = await budget.admit("m", "a", ONE)
        order.append("a let through")
        await asyncio.sleep(0.1)
        order.append("a settled")
        budget.settle("m", reserved, Tokens(output=0))

    async def second() -> None:
        await asyncio.sleep(0.01)
        await budget.admit("m", "b", ONE)
        order.append("b let through")

    async def both() -> None:
        await asyncio.gather(first(), second())

    asyncio.run(both())
    assert order == ["a let through", "a settled", "b let through"]
    assert not budget.reached


def test_a_failed_call_gives_everything_back() -> None:
    budget = Budget(1, None, PRICES)
    budget.settle("m", _admit(budget, "a"), None)
    _admit(budget, "a")


def test_a_judge_is_counted_and_never_stopped(tmp_path: Path) -> None:
    async def reply(**_: object) -> ModelOutput:
        output = ModelOutput.from_content("m", "fine")
        output.usage = ModelUsage(input_tokens=0, output_tokens=2, total_tokens=2)
        return output

    def model() -> Any:
        return SimpleNamespace(api=SimpleNamespace(generate=reply))

    budget, journal = Budget(3, None, PRICES), ReplyJournal(tmp_path)
    judge = journaled(model(), "m", journal, budget, is_judge=True)
    tested = journaled(model(), "m", journal, budget, is_judge=False)
    call: dict[str, Any] = {"input": [], "tools": [], "tool_choice": "none", "config": GenerateConfig(max_tokens=2)}
    asyncio.run(judge.api.generate(**call))
    with pytest.raises(BudgetReached, match=r"2.00 USD were spent and the next call could cost 2.00 USD"):
        asyncio.run(tested.api.generate(**call))
    asyncio.run(judge.api.generate(**call))
    assert [entry.model for entry in ReplyJournal(tmp_path).spent] == ["m", "m"]


SMALL = ("prospective", "--limit", "4", "--loads", "mmlu", "--seed", "42", "--experiments", "load")
PLANNED = 4 * 5
MODEL = ("--model", "forgetscope/reference/perfect")


def _invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    return result.exit_code, result.output


def _sent(folder: Path) -> int:
    return read_table(folder / "samples.parquet").filter(status="correct").height


@pytest.mark.slow
def test_a_limit_of_samples_stops_cleanly_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, output = _invoke("run", *SMALL, *MODEL, "--max-samples", "7", "--out", str(folder))
    assert code == 1
    assert "stopped: 7 samples were sent (--max-samples 7); every reply so far is kept" in output
    assert f"next: forgetscope resume {folder} --max-samples MORE" in output.replace("\n", " ")
    assert _sent(folder) == 7
    assert len((folder / JOURNAL_NAME).read_text(encoding="utf-8").splitlines()) == 7

    code, _ = _invoke("resume", str(folder))
    assert (code, _sent(folder)) == (1, 7), "the same limit lets nothing more through"
    code, _ = _invoke("resume", str(folder), "--max-samples", "12")
    assert (code, _sent(folder)) == (1, 12)
    code, _ = _invoke("resume", str(folder), "--max-samples", "100")
    assert (code, _sent(folder)) == (0, PLANNED)
    assert not (folder / JOURNAL_NAME).exists(), "nothing is left to send"

    _invoke("run", *SMALL, *MODEL, "--out", str(tmp_path / "whole"))
    once, limited = (read_table(path / "samples.parquet").drop("seconds") for path in (tmp_path / "whole", folder))
    assert limited.equals(once)


@pytest.mark.slow
def test_a_limit_of_dollars_is_kept_and_counted_over_resumes(tmp_path: Path) -> None:
    folder, prices = tmp_path / "run", tmp_path / "prices.json"
    prices.write_text(json.dumps({"forgetscope/reference/*": {"input": 1000, "output": 1000}}), encoding="utf-8")
    limit = ("--max-tokens", "20", "--prices", str(prices))
    code, output = _invoke("run", *SMALL, *MODEL, *limit, "--max-usd", "0.5", "--out", str(folder))
    assert (code, "--max-usd 0.5)" in output) == (1, True)

    def spent() -> float:
        table = read_table(folder / "samples.parquet").filter(status="correct")
        return sum(int(table[name].sum()) for name in ("input_tokens", "output_tokens")) / 1000

    first, sent = spent(), _sent(folder)
    assert 0 < first <= 0.5
    assert 0 < sent < PLANNED
    code, _ = _invoke("resume", str(folder), "--max-usd", "0.9")
    assert first < spent() <= 0.9
    assert code == 1
    code, _ = _invoke("resume", str(folder), "--max-usd", "50")
    assert (code, _sent(folder)) == (0, PLANNED)


def test_a_limit_of_dollars_without_prices_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"--max-usd: no price is known.*--prices FILE"):
        _invoke("run", *SMALL, *MODEL, "--max-usd", "0.5", "--out", str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_plan_says_the_cost_and_what_it_could_find(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("openai/gpt-5: {input: 1, output: 10}\n", encoding="utf-8")
    plan = json.loads(_invoke("plan", *SMALL, "--prices", str(prices), "--json")[1])
    costs = plan["cost_usd"]["openai/gpt-5"]
    assert costs["prompts"] == pytest.approx(plan["prompt_tokens"] / 1e6)
    assert costs["replies_at_most"] == pytest.approx(plan["max_reply_tokens"] * 10 / 1e6)
    assert all(cell["detectable"] is None for cell in plan["cells"]), "four items find nothing"
    output = _invoke("plan", "prospective", "--experiments", "load", "--prices", str(prices))[1]
    assert "Cost with openai/gpt-5" in output
    assert "13.0" in output, "90 items: the worked example of detectable_paired"
    with pytest.raises(SettingError, match="no price is known for openai/other"):
        _invoke("plan", *SMALL, "--prices", str(prices), "--model", "openai/other")
