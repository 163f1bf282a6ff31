"""ChatAlpaca (Bian et al., 2023): 20,000 dialogues, the source of instructional forgetting.

Conversations that end with the user's "Goodbye." lose that turn: it has no answer.
"""

from collections import Counter
from pathlib import Path

from forgetscope.benchmarks.in_context.data.sources.dialogues import read_dialogues
from forgetscope.benchmarks.in_context.data.sources.reading import data_files, provenance, read_rows
from forgetscope.benchmarks.in_context.data.sources.records import SourceRows
from forgetscope.benchmarks.in_context.data.sources.remote import HubRows, RowLoader, load_hub_rows, placed_hub_rows
from forgetscope.io.records import Provenance, rows_sha256

LICENCE = "Apache-2.0"
HUB = HubRows("robinsmits/ChatAlpaca-20K", "original", None)
"""A copy on the hub; the authors' own repository is icip-cas/ChatAlpaca, `data/chatalpaca-20k.json`."""


def read_local(place: Path) -> SourceRows:
    """A file of dialogues in ChatAlpaca's format, or a folder with such files.

    Raises:
        DataError: nothing is there, or a row holds no dialogue.
    """
    left_out: Counter[str] = Counter()
    dialogues, entries = [], []
    for path in data_files(place, called="ChatAlpaca"):
        rows = list(read_rows(path))
        dialogues += read_dialogues(rows, "chatalpaca", left_out)
        entries.append(provenance("chatalpaca", path, len(rows), LICENCE))
    return SourceRows("chatalpaca", tuple(entries), dialogues=tuple(dialogues), left_out=left_out)


def read_official(revision: str | None, load: RowLoader = load_hub_rows) -> SourceRows:
    """The hub's copy at a commit the user names.

    Raises:
        SettingError: no commit is named.
        UserError: the hub cannot be reached.
    """
    rows, at = placed_hub_rows(HUB, revision, None, load)
    left_out: Counter[str] = Counter()
    dialogues = read_dialogues(rows, "chatalpaca", left_out)
    entry = Provenance(
        "chatalpaca", f"{HUB.path} {HUB.split}", at, rows_sha256(row for _, row in rows), len(rows), LICENCE
    )
    return SourceRows("chatalpaca", (entry,), dialogues=tuple(dialogues), left_out=left_out)
