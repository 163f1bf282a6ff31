"""The data sets of this benchmark, one record each."""

from functools import partial
from pathlib import Path

from forgetscope.benchmarks.prospective.data.loading import HUB_SETS, PROMPT_SETS, find_file, load_data, read_official
from forgetscope.benchmarks.prospective.loads.registry import pools
from forgetscope.checkers import PromptSpec, read_prompts
from forgetscope.checkers.multi_if import read_dialogues
from forgetscope.io.records import file_provenance, read_records
from forgetscope.io.sources import DataSource, Inventory

_RECORDS = dict.fromkeys(PROMPT_SETS, PromptSpec) | {name: pool.item for name, pool in pools().items()}


def _whole(source: str) -> Inventory:
    """All sets as a run takes them."""
    data = load_data(source)
    return Inventory(data.provenance, data.left_out)


def _local(name: str, place: Path) -> Inventory:
    path = place if place.is_file() else find_file(place, name)
    rows = read_prompts(path) if name in PROMPT_SETS else read_records(path, _RECORDS[name])
    return Inventory((file_provenance(name, path, len(rows), HUB_SETS[name].licence),))


def _multi_if(path: Path) -> Inventory:
    found = read_dialogues(path)
    return Inventory((file_provenance("multi_if", path, len(found.kept), "CC-BY-NC-2.0"),), found.notes)


def _official(name: str) -> Inventory:
    return Inventory((read_official(name, HUB_SETS[name], _RECORDS[name])[1],))


SOURCES = (
    DataSource(
        "embedded",
        "written for this project; the arithmetic problems are made by a program of ours",
        "Apache-2.0",
        embedded=partial(_whole, "embedded"),
    ),
    *(
        DataSource(
            name,
            "prompts with constraints" if name in PROMPT_SETS else "items of a load",
            hub.licence,
            hub,
            local=partial(_local, name),
            official=partial(_official, name),
        )
        for name, hub in HUB_SETS.items()
    ),
    DataSource(
        "multi_if",
        "dialogues whose turns add constraints: for forgetscope score constraints",
        "CC-BY-NC-2.0",
        "https://huggingface.co/datasets/facebook/Multi-IF",
        local=_multi_if,
    ),
    DataSource(
        "folder",
        "your own copies: --data PATH",
        "",
        "a folder with one folder a set",
        local=lambda path: _whole(str(path)),
    ),
)
