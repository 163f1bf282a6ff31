"""The paper's experiment: Xiong, Pepe and Chang, Designing Controllable Benchmarks for LLM Unlearning.

The two grids stand in `paper-news.yaml` and `paper-books.yaml`, each setting with its source; what the paper has, in
`paper.toml`. Here the target and the data at hand are put in.
"""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import yaml  # type: ignore[import-untyped]

from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.grid.demonstration import NOT_OURS
from forgetscope.benchmarks.unlearning.settings import GridSettings, MeasureName
from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED
from forgetscope.core.errors import DataError, UnknownNameError

CORPORA = ("news", "books")

SMALL_EPOCHS = {"news": 5, "books": 2}
"""Section 4.2; the one training setting of the paper that suits a small target too."""


def paper_grid(
    corpus: str, target: str | None, data: str, *, built: Path | None = None, is_extended: bool = False
) -> GridSettings:
    """The paper's grid of a corpus: 27 cells, and the target.

    Args:
        corpus: `news` or `books`.
        target: The model to unlearn: a folder or a hub id; on the embedded corpus `shipped` or `embedded`. None: the
            paper's checkpoint, or `shipped`.
        data: `official`: MUSE from the hub; a folder in MUSE's layout, alone or named after the corpus beside `tofu`,
            or in that of a corpus of one's own; `embedded`: the small corpus and its own training settings.
        built: Folder of `build unlearning`, with a language model's triplets and questions.
        is_extended: Add the measures of ours, and hold retain text back from the KL term.

    Raises:
        UnknownNameError: no such corpus.
        DataError: the folder holds neither.
        SettingError: settings that cannot be meant.
    """
    if corpus not in CORPORA:
        raise UnknownNameError("no such corpus in the paper", where="--corpus", found=corpus, allowed=CORPORA)
    row = _embedded(corpus, target or SHIPPED) if data == "embedded" else _of_muse(corpus, target, data)
    (experiment,) = row["experiments"]
    if built is not None:
        experiment["data"]["built"] = str(built)
    if is_extended:
        experiment["data"]["retain"].pop("held_back")
        measures = [name for name in get_args(MeasureName) if name not in NOT_OURS]
        row["evaluation"] = {**row.get("evaluation", {}), "measures": measures}
    return settings_of(row, where=f"the paper's grid of {corpus}")


def _embedded(corpus: str, target: str) -> dict[str, Any]:
    """The same cells where everything is small: of the paper's training settings only the epochs suit it."""
    given: dict[str, object] = {"model": target} if target != SHIPPED else {"model": target, "fit": None}
    formats: list[dict[str, object]] = [
        {"format": "raw"},
        {"format": "pruned", "budget": "words", "scorer": "ngram"},
        {"format": "triplets"},
    ]
    return {
        "preset": "embedded",
        "experiments": [{"data": {"formats": formats, "retain": {"held_back": 0.0}}, "target": given}],
        "training": {"epochs": SMALL_EPOCHS[corpus]},
    }


def _of_muse(corpus: str, target: str | None, data: str) -> dict[str, Any]:
    text = (files(__package__) / f"paper-{corpus}.yaml").read_text(encoding="utf-8")
    row: dict[str, Any] = yaml.safe_load(text)
    (experiment,) = row["experiments"]
    if target is not None:
        experiment["target"]["model"] = target
    if data != "official":
        experiment["data"]["corpus"] = dict(_local(corpus, Path(data), experiment["data"]["corpus"]))
    return row


def _local(corpus: str, folder: Path, official: Mapping[str, object]) -> Mapping[str, object]:
    """The source of a local copy: MUSE's layout, or texts and questions of one's own."""
    for place in (folder / corpus, folder / "muse" / corpus, folder):
        if (place / "raw").is_dir():
            tofu = next((one for one in (folder / "tofu", place / "tofu") if one.is_dir()), None)
            world: dict[str, object] = {"tofu_path": str(tofu)} if tofu else {}
            return {**official, "path": str(place), **world}
    if (folder / "forget").is_dir():
        return {"source": "folder", "path": str(folder)}
    raise DataError(
        "neither MUSE's texts nor a corpus of one's own here",
        where=str(folder),
        allowed=f"{corpus}/raw/forget.json and its neighbours, or forget/, retain/ and questions.jsonl",
    )
