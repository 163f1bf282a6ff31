"""Unrelated dialogues for the items of a build: filler for controlled lengths, and sessions inside an item.

What a dialogue is for is decided by the hash of its first message, so that builds into one folder, in any order, never
take the same one for two things: a fifth is for sessions, and where items come from the same source, half is for items
and never read for anything else. What is drawn depends on the seed and on these settings, not on the items.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    FillerDialogue,
    InstructionalForgettingItem,
    Turn,
    opening,
    states_a_fact,
)
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.data.sources import SOURCES, load_source
from forgetscope.core.errors import DataError, SettingError
from forgetscope.io.records import Provenance
from forgetscope.io.tokens import count_cl100k
from forgetscope.mentions.same_wording import folded
from forgetscope.stats import named_stream

EMBEDDED = "embedded"
NONE = "none"
FILLERS = (EMBEDDED, "mt_bench_101", "lmsys", "chatalpaca", NONE)

SESSIONS_ONE_IN = 5
"""Every fifth dialogue, by its hash, is for sessions."""
SESSION_TOKENS = 800
"""A longer session is not put into an item."""


@dataclass(frozen=True)
class FillerSettings:
    """What decides the filler.

    Attributes:
        source: `embedded`, `none`, a source of dialogues, or a folder of one's own.
        data: A local copy of that source.
        tokens: Of the filler dialogues, at most.
        sessions: Unrelated sessions inside an item, at most; 0 for none.
        exchanges: Of a session, at most; 0 for none.
    """

    source: str
    data: Path | None
    tokens: int
    sessions: int
    exchanges: int
    seed: int


def is_for_items(dialogue: FillerDialogue) -> bool:
    """Whether a dialogue is for items where filler comes from the same source."""
    return _number(dialogue) // SESSIONS_ONE_IN % 2 == 0


def _number(dialogue: FillerDialogue) -> int:
    return int(sha256(opening(dialogue.turns).encode()).hexdigest()[:8], 16)


@dataclass(frozen=True)
class TakenDialogues:
    """Dialogues by their opening.

    Attributes:
        for_items: What items are made of; also the ids of all rows that were built from.
        for_filler: Filler, and sessions inside items.
    """

    for_items: frozenset[str] = frozenset()
    for_filler: frozenset[str] = frozenset()


NOTHING_TAKEN = TakenDialogues()


@dataclass(frozen=True)
class DrawnSessions:
    """The unrelated sessions drawn for one item, by where they stand.

    Attributes:
        before: Between M and F.
        after: Between F and Q.
    """

    before: tuple[Turn, ...] = ()
    after: tuple[Turn, ...] = ()


@dataclass(frozen=True)
class FillerStock:
    """Filler dialogues to write beside the items, and dialogues whose beginnings are put into them as sessions."""

    dialogues: tuple[FillerDialogue, ...] = ()
    sessions: tuple[FillerDialogue, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    terms: str = ""

    def sessions_of(self, item: AnyItem, settings: FillerSettings) -> DrawnSessions:
        """The sessions of an item: how many, which, how long and where is drawn for it from the seed.

        No two are about one topic, none about the item's, none says what the item asks to forget. In instructional
        forgetting each stands before or after F; in dynamic preference after it, as the paper says (section 3.2.1);
        in subtask revision there is one place.
        """
        if not (self.sessions and settings.sessions and settings.exchanges):
            return DrawnSessions()
        stream = named_stream(settings.seed, f"in_context construction sessions {item.id}")
        wanted = int(stream.integers(1, settings.sessions + 1))
        topics, placed = {item.domain} - {""}, ([], [])  # type: tuple[set[str], tuple[list[Turn], list[Turn]]]
        for index in stream.permutation(len(self.sessions)):
            entry = self.sessions[index]
            turns = entry.turns[: 2 * int(stream.integers(1, settings.exchanges + 1))]
            is_before = bool(stream.integers(2)) and isinstance(item, InstructionalForgettingItem)
            said = folded("\n".join(turn.content for turn in turns))
            if entry.topic in topics or _tokens(turns) > SESSION_TOKENS or states_a_fact(said, item):
                continue
            placed[not is_before].extend(turns)
            topics |= {entry.topic} - {""}
            wanted -= 1
            if not wanted:
                break
        return DrawnSessions(tuple(placed[0]), tuple(placed[1]))


def choose_filler(settings: FillerSettings, taken: Collection[str], *, reserved: bool = False) -> FillerStock:
    """Draw filler and sessions.

    Args:
        settings: Of the build.
        taken: Openings and ids of dialogues that items are built from; they are no filler.
        reserved: Whether items may come from the same source: then only the half that is not theirs.

    Raises:
        SettingError: the source has no dialogues.
        UserError: it cannot be had.
    """
    if settings.source == NONE:
        return FillerStock()
    if settings.source == EMBEDDED:
        embedded = load_data(EMBEDDED)
        entries = tuple(entry for entry in embedded.provenance if entry.role == "filler")
        dialogues, terms = embedded.fillers, ""
    else:
        known = settings.source in SOURCES
        if known and SOURCES[settings.source].gives != "dialogues":
            raise SettingError("no dialogues in this source", where="--filler", found=settings.source, allowed=FILLERS)
        rows = load_source(settings.source, settings.data)
        dialogues, entries, terms = rows.dialogues, rows.provenance, rows.terms
    order = named_stream(settings.seed, "in_context construction filler").permutation(len(dialogues))
    shuffled = [dialogues[index] for index in order]
    free = [entry for entry in shuffled if not reserved or not is_for_items(entry)]
    free = [entry for entry in free if entry.id not in taken and opening(entry.turns) not in taken]
    return _dealt(free, settings, entries, terms)


def _dealt(
    dialogues: Sequence[FillerDialogue], settings: FillerSettings, provenance: tuple[Provenance, ...], terms: str
) -> FillerStock:
    if not dialogues:
        raise DataError(
            "every dialogue is taken by an item, none is left for filler",
            where=f"--filler {settings.source}",
            next_step="build from fewer rows with --limit, or name another --filler",
        )
    has_sessions = bool(settings.sessions and settings.exchanges)
    sessions = [entry for entry in dialogues if has_sessions and _number(entry) % SESSIONS_ONE_IN == 0]
    kept: list[FillerDialogue] = []
    tokens = 0
    for entry in (entry for entry in dialogues if not has_sessions or _number(entry) % SESSIONS_ONE_IN):
        tokens += _tokens(entry.turns)
        if tokens > settings.tokens:
            break
        kept.append(entry)
    return FillerStock(
        tuple(kept),
        tuple(sessions),
        tuple(Provenance("filler", e.name, e.revision, e.sha256, e.rows, e.licence) for e in provenance),
        terms,
    )


def _tokens(turns: Sequence[Turn]) -> int:
    return sum(count_cl100k(turn.content) for turn in turns)
