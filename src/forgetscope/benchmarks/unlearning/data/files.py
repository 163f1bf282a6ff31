"""Prepared data as files, for a person to look at."""

import json
from pathlib import Path

from forgetscope.benchmarks.unlearning.data.built import write_triplets
from forgetscope.benchmarks.unlearning.data.preparation import PreparedData
from forgetscope.io.files import make_folder, write_lines, write_text


def write_prepared(data: PreparedData, folder: Path) -> None:
    """Write everything for a person to look at: one JSON Lines file a kind, and `summary.json`.

    Raises:
        RunFolderError: the folder cannot be written.
    """
    make_folder(folder)
    write_lines(folder / "chunks.jsonl", (one.model_dump(mode="json") for one in (*data.forget, *data.retain)))
    for name, texts in data.texts.items():
        write_lines(folder / f"forget-{name}.jsonl", (one.model_dump(mode="json") for one in texts))
    for name, formatted in data.formatted.items():
        write_lines(folder / f"chunks-{name}.jsonl", (one.model_dump(mode="json") for one in formatted))
    write_triplets(folder / "triplets.jsonl", data.triplets)
    subsets = dict.fromkeys(data.plan.low, "low") | dict.fromkeys(data.plan.high, "high")
    write_lines(
        folder / "entanglement.jsonl",
        (
            {"chunk": name, "score": score, "subset": subsets.get(name), "held_back": name in data.plan.held_back}
            for name, score in data.entanglement.scores.items()
        ),
    )
    asked = (*data.questions, *data.corpus.world)
    write_lines(folder / "questions.jsonl", (one.model_dump(mode="json", exclude_none=True) for one in asked))
    write_text(folder / "summary.json", json.dumps(data.summary(), indent=2) + "\n")
