"""Triplets and questions that a language model made for a corpus beforehand: the folder of `build unlearning`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from forgetscope.benchmarks.build_manifest import read_manifest
from forgetscope.benchmarks.unlearning.data.records import Chunk, Question, Triplet, TripletsByChunk
from forgetscope.core.errors import DataError
from forgetscope.io.files import make_folder, write_lines
from forgetscope.io.records import read_records, rows_sha256

TRIPLETS_NAME, QUESTIONS_NAME = "triplets.jsonl", "questions.jsonl"
BUILD_COMMAND = "forgetscope build unlearning --config GRID --builder MODEL --out FOLDER"


@dataclass(frozen=True)
class BuiltData:
    """What a build gave.

    Attributes:
        triplets: By chunk id; chunks without any are left out.
        questions: Placed in chunks, paraphrases included.
        builder: Who wrote them.
    """

    triplets: TripletsByChunk
    questions: tuple[Question, ...]
    builder: str

    def summary(self) -> dict[str, JsonValue]:
        """Counts, for people."""
        count = sum(map(len, self.triplets.values()))
        asked = sum(not question.is_paraphrase for question in self.questions)
        return {"builder": self.builder, "triplets": count, "questions": asked}


def chunks_sha256(chunks: Sequence[Chunk]) -> str:
    """What a build and a grid must have in common: the very same chunks."""
    return rows_sha256([[chunk.id, chunk.side.value, chunk.text] for chunk in chunks])


def read_built(folder: Path, chunks: Sequence[Chunk]) -> BuiltData:
    """The triplets and questions in the folder of a build.

    Args:
        folder: Of `forgetscope build unlearning`.
        chunks: Of forget and retain, as the grid cuts them.

    Raises:
        DataError: there is no finished build, or it is of other chunks.
        RunFolderError: its manifest cannot be read.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise DataError("no build here", where="data.built", found=str(folder), next_step=BUILD_COMMAND)
    if manifest.status != "complete":
        raise DataError(
            f"the build is {manifest.status}",
            where="data.built",
            found=str(folder),
            next_step="the build's command again",
        )
    if manifest.data_sha256 != chunks_sha256(chunks):
        raise DataError(
            "built from other chunks: another corpus, chunk_tokens or tokenizer of the target, or a --limit",
            where="data.built",
            found=str(folder),
            next_step=f"{BUILD_COMMAND}, with this grid",
        )
    triplets, questions = folder / TRIPLETS_NAME, folder / QUESTIONS_NAME
    return BuiltData(
        read_triplets(triplets) if _has_rows(triplets) else {},
        tuple(read_records(questions, Question)) if _has_rows(questions) else (),
        str(manifest.models.get("builder", {}).get("name", "")),
    )


class _TripletRow(Triplet):
    chunk: str


def write_triplets(path: Path, triplets: TripletsByChunk) -> None:
    """Write triplets as JSON Lines: `chunk`, `head`, `relation`, `tail`. Chunks without triplets are not in the file.

    Raises:
        RunFolderError: the file cannot be written.
    """
    rows = [{"chunk": name, **triplet.model_dump()} for name, found in triplets.items() for triplet in found]
    make_folder(path.parent)
    write_lines(path, rows)


def read_triplets(path: Path) -> dict[str, tuple[Triplet, ...]]:
    """Triplets by chunk id from a file of `write_triplets`.

    Raises:
        DataError: the file is missing or empty, or a line does not fit.
    """
    found: dict[str, list[Triplet]] = {}
    for row in read_records(path, _TripletRow):
        found.setdefault(row.chunk, []).append(Triplet(head=row.head, relation=row.relation, tail=row.tail))
    return {name: tuple(triplets) for name, triplets in found.items()}


def _has_rows(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0
