"""MT-Bench-101 (Bai et al., 2024): 1,388 task-shaped dialogues that may be passed on.

It stands in for ChatAlpaca, as a source of dialogues, and for LMSYS-Chat-1M, as a source of unrelated turns.
"""

from collections import Counter
from pathlib import Path

from forgetscope.benchmarks.in_context.data.sources.dialogues import read_dialogues
from forgetscope.benchmarks.in_context.data.sources.records import SourceRows
from forgetscope.core.errors import DataError
from forgetscope.io.hub import PinnedFiles
from forgetscope.io.records import file_provenance, read_rows

LICENCE = "Apache-2.0"
NAME = "mtbench101.jsonl"
FILES = PinnedFiles(
    "mtbench101/mt-bench-101",
    "bc18b3e2c18c99164e11528f1a79c92083db5953",
    "data/subjective",
    {NAME: "1a1e433acf7e2ef013b5001b60fd8e48bc3e4202460727e25b2ea8575aae7d80"},
)


def read_local(place: Path) -> SourceRows:
    """The published file, or a folder with it.

    Raises:
        DataError: it is not there, or a row holds no dialogue.
    """
    path = place if place.is_file() else place / NAME
    if not path.is_file():
        raise DataError("no dialogues of MT-Bench-101 here", where=str(place), allowed=f"{NAME}, or a folder with it")
    return _read(path, FILES.revision_of(NAME, path), "")


def read_official(revision: str | None) -> SourceRows:
    """The file at the pinned commit, or another.

    Raises:
        UserError: it cannot be had.
    """
    return _read(FILES.fetch(revision)[NAME], revision or FILES.commit, f"{FILES.repository} {FILES.root}/{NAME}")


def _read(path: Path, revision: str, name: str) -> SourceRows:
    left_out: Counter[str] = Counter()
    rows = list(read_rows(path))
    dialogues = read_dialogues(rows, "mtbench101", left_out)
    entry = file_provenance("mt_bench_101", path, len(rows), LICENCE, name=name, revision=revision)
    return SourceRows("mt_bench_101", (entry,), dialogues=tuple(dialogues), left_out=left_out)
