"""ChatAlpaca (Bian et al., 2023): 20,000 dialogues, the source of instructional forgetting.

Conversations that end with the user's "Goodbye." lose that turn: it has no answer.
"""

from collections import Counter
from pathlib import Path

from forgetscope.benchmarks.in_context.data.sources.dialogues import data_files, placed_rows, read_dialogues
from forgetscope.benchmarks.in_context.data.sources.records import SourceRows
from forgetscope.io.hub import HubSet, RowLoader, load_hub_rows, read_hub_rows
from forgetscope.io.records import Provenance, file_provenance, read_rows, rows_sha256

LICENCE = "Apache-2.0"
HUB = HubSet("robinsmits/ChatAlpaca-20K", None, "original", "")
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
        entries.append(file_provenance("chatalpaca", path, len(rows), LICENCE))
    return SourceRows("chatalpaca", tuple(entries), dialogues=tuple(dialogues), left_out=left_out)


def read_official(revision: str | None, load: RowLoader = load_hub_rows) -> SourceRows:
    """The hub's copy at a commit the user names.

    Raises:
        SettingError: no commit is named.
        UserError: the hub cannot be reached.
    """
    hub = HUB.at(revision)
    rows = read_hub_rows(hub, load)
    left_out: Counter[str] = Counter()
    dialogues = read_dialogues(placed_rows(hub, rows), "chatalpaca", left_out)
    entry = Provenance("chatalpaca", f"{HUB.path} {HUB.split}", hub.revision, rows_sha256(rows), len(rows), LICENCE)
    return SourceRows("chatalpaca", (entry,), dialogues=tuple(dialogues), left_out=left_out)
