"""ChatAlpaca (Bian et al., 2023): 20,000 dialogues, the source of instructional forgetting.

Conversations that end with the user's "Goodbye." lose that turn: it has no answer.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from forgetscope.benchmarks.in_context.data.sources.dialogues import data_files, read_dialogues
from forgetscope.benchmarks.in_context.data.sources.records import SourceRows
from forgetscope.io.hub import PinnedFiles
from forgetscope.io.records import file_provenance, read_rows

LICENCE = "Apache-2.0"
NAME = "chatalpaca-20k.json"
FILES = PinnedFiles(
    "icip-cas/ChatAlpaca",
    "b83c44a2fefd4e69759c4c196abeaf02d38fd041",
    "data",
    {NAME: ""},
)
"""The authors' repository, at the commit whose README names this file. Its hash is not known: there was no copy to take
it from, so the commit alone vouches for it."""


def read_local(place: Path) -> SourceRows:
    """A file of dialogues in ChatAlpaca's format, or a folder with such files.

    Raises:
        DataError: nothing is there, or a row holds no dialogue.
    """
    return _read(dict.fromkeys(data_files(place, called="ChatAlpaca"), ""), "")


def read_official(revision: str | None) -> SourceRows:
    """The authors' file at the pinned commit, or another.

    Raises:
        UserError: it cannot be had.
        DataError: a row holds no dialogue.
    """
    name = f"{FILES.repository} {FILES.root}/{NAME}"
    return _read({FILES.fetch(revision)[NAME]: name}, revision or FILES.commit)


def _read(paths: Mapping[Path, str], revision: str) -> SourceRows:
    """The dialogues of files, each with what it is called; without a name, as the folder does."""
    left_out: Counter[str] = Counter()
    dialogues, entries = [], []
    for path, name in paths.items():
        rows = list(read_rows(path))
        dialogues += read_dialogues(rows, "chatalpaca", left_out)
        entries.append(file_provenance("chatalpaca", path, len(rows), LICENCE, name=name, revision=revision))
    return SourceRows("chatalpaca", tuple(entries), dialogues=tuple(dialogues), left_out=left_out)
