"""What the README says can be typed can be typed, and its configuration is one."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
import yaml  # type: ignore[import-untyped]

import forgetscope.benchmarks.unlearning
from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.plan import plan_grid
from forgetscope.cli.commands import app

FOLDER = Path(forgetscope.benchmarks.unlearning.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def commands() -> Iterator[str]:
    """Every command of the page: in blocks, and within sentences."""
    blocks = re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line.split("  #")[0].strip() for block in blocks for line in block.splitlines()]
    yield from (line for line in lines if line.startswith("forgetscope "))
    yield from re.findall(r"`(forgetscope [^`]+)`", README)


@pytest.mark.parametrize("line", sorted(set(commands())))
def test_a_command_of_the_page_is_understood(line: str) -> None:
    command, words = typer.main.get_command(app), shlex.split(line)[1:]
    context = command.make_context("forgetscope", list(words), resilient_parsing=False)
    while hasattr(context.command, "resolve_command"):
        name, found, rest = context.command.resolve_command(context, [*context._protected_args, *context.args])
        assert found is not None, name
        context = found.make_context(name, list(rest), parent=context)
    assert not context.args


def test_there_are_commands_on_the_page() -> None:
    assert len(set(commands())) >= 10


def test_the_configurations_of_the_page_are_some() -> None:
    whole, own = re.findall(r"^```yaml\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    settings = settings_of(yaml.safe_load(whole))
    assert settings.experiments[0].data.corpus.model_dump()["repeats"] == 1
    assert settings.seeds == (0, 1, 2)
    assert settings_of(yaml.safe_load(own)).experiments[0].data.corpus.source == "folder"


def test_a_folder_of_ones_own_is_planned_by_the_configuration_of_the_page(tmp_path: Path) -> None:
    """No gold triplets and no setting beyond the page's."""
    corpus = EmbeddedSettings(forget=2, retain=4).load()
    for document in (*corpus.forget, *corpus.retain):
        path = tmp_path / "mine" / document.side / f"{document.id}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document.text, encoding="utf-8")
    row = {"set": "forget", "question": "What?", "answers": ["this"], "document": corpus.forget[0].id}
    (tmp_path / "mine" / "questions.jsonl").write_text(json.dumps(row), encoding="utf-8")
    text = re.findall(r"^```yaml\n(.*?)^```", README, re.MULTILINE | re.DOTALL)[1]
    settings = settings_of(yaml.safe_load(text.replace("my-corpus", str(tmp_path / "mine"))))
    assert len(plan_grid(settings, tmp_path / "grid")) == 29, "27 cells, the target, the retain-only model"


def test_rooms_and_pages_named_on_the_page_exist() -> None:
    root = FOLDER.parents[3]
    named = set(re.findall(r"`([a-z_]+/|[a-z_]+\.py|[a-z_]+/[a-z_]+\.py)`", README))
    assert len(named) > 15
    assert not {name for name in named if not (FOLDER / name).exists()}
    if (root / "docs").is_dir():
        assert not {name for name in re.findall(r"`(docs/[^`]+)`", README) if not (root / name).exists()}
