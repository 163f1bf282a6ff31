"""Unrelated dialogues for the items of a build: filler for controlled lengths, and a session inside an item.

A fifth of the dialogues is set aside for sessions and never becomes filler, so that no context holds one twice. What
is drawn depends on the seed and on these settings, not on the items: builds into one folder share it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from forgetscope.benchmarks.in_context.data.items import FillerDialogue, Turn
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.data.sources import SOURCES, load_source
from forgetscope.core.errors import DataError, SettingError
from forgetscope.io.records import Provenance
from forgetscope.io.tokens import count_cl100k
from forgetscope.stats import named_stream

EMBEDDED = "embedded"
NONE = "none"
FILLERS = (EMBEDDED, "mt_bench_101", "lmsys", "chatalpaca", NONE)

SET_ASIDE = 5
"""Every fifth dialogue is for sessions."""
SESSION_TOKENS = 800
"""A longer session is not put into an item."""


@dataclass(frozen=True)
class FillerSettings:
    """What decides the filler.

    Attributes:
        source: `embedded`, `none`, a source of dialogues, or a folder of one's own.
        data: A local copy of that source.
        tokens: Of the filler dialogues, at most.
        unrelated: Exchanges of a session; 0 for none.
    """

    source: str
    data: Path | None
    tokens: int
    unrelated: int
    seed: int


@dataclass(frozen=True)
class FillerStock:
    """Filler dialogues to write beside the items, and sessions to put into them.

    Attributes:
        sessions: Whole exchanges each; empty where items get none.
    """

    dialogues: tuple[FillerDialogue, ...] = ()
    sessions: tuple[tuple[Turn, ...], ...] = ()
    provenance: tuple[Provenance, ...] = ()
    terms: str = ""

    def session(self, place: int) -> tuple[Turn, ...]:
        """The session of the item at this place in the build; used again where there are more items than sessions."""
        return self.sessions[place % len(self.sessions)] if self.sessions else ()


def choose_filler(settings: FillerSettings, taken: Collection[str]) -> FillerStock:
    """Draw filler and sessions.

    Args:
        settings: Of the build.
        taken: Ids of dialogues that items are built from; they are no filler.

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
    return _draw([entry for entry in dialogues if entry.id not in taken], settings, entries, terms)


def _draw(
    dialogues: Sequence[FillerDialogue], settings: FillerSettings, provenance: tuple[Provenance, ...], terms: str
) -> FillerStock:
    if not dialogues:
        raise DataError(
            "every dialogue is taken by an item, none is left for filler",
            where=f"--filler {settings.source}",
            next_step="build from fewer rows with --limit, or name another --filler",
        )
    order = named_stream(settings.seed, "in_context construction filler").permutation(len(dialogues))
    shuffled = [dialogues[index] for index in order]
    every = SET_ASIDE if settings.unrelated else len(shuffled) + 1
    sessions = [entry.turns[: 2 * settings.unrelated] for entry in shuffled[every - 1 :: every]]
    kept: list[FillerDialogue] = []
    tokens = 0
    for entry in (entry for place, entry in enumerate(shuffled, start=1) if place % every):
        tokens += _tokens(entry.turns)
        if tokens > settings.tokens:
            break
        kept.append(entry)
    return FillerStock(
        tuple(kept),
        tuple(session for session in sessions if _tokens(session) <= SESSION_TOKENS),
        tuple(Provenance("filler", e.name, e.revision, e.sha256, e.rows, e.licence) for e in provenance),
        terms,
    )


def _tokens(turns: Sequence[Turn]) -> int:
    return sum(count_cl100k(turn.content) for turn in turns)
