"""The judgements of a run folder that came after its logs: `judgements.jsonl`, a line each as it arrives.

They come in rounds: one `forgetscope rejudge` is a round, and so is the same one continued after it was killed. The
table takes, for each sample and aspect, the last round in which every judge of the round has answered, and the
judgements of the log where there was none.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.io.journal import Journal
from forgetscope.judging.records import Judgement

JUDGEMENTS_NAME = "judgements.jsonl"


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    round: str
    """When the round began."""


class Opened(_Line):
    """The first line of a round.

    Attributes:
        judges: Their names.
        specifications: What they were, precisely: only the same ones continue a round.
    """

    line: Literal["opened"] = "opened"
    judges: tuple[str, ...]
    specifications: tuple[str, ...]


class Judged(_Line):
    """A judgement in a round."""

    line: Literal["judged"] = "judged"
    sample: str
    judgement: Judgement


class Closed(_Line):
    """The last line of a round: every question was put and every judge could be reached."""

    line: Literal["closed"] = "closed"


_ByJudge = dict[str, Judgement]


class JudgementFile:
    """The judgements of a run folder that came after its logs.

    Raises:
        RunFolderError: the file cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._journal: Journal[Opened | Judged | Closed] = Journal(
            folder / JUDGEMENTS_NAME, Annotated[Opened | Judged | Closed, Field(discriminator="line")], "judgements"
        )
        self._rounds: dict[str, Opened] = {}
        self._closed: set[str] = set()
        self._held: dict[str, dict[str, dict[str, _ByJudge]]] = {}  # sample, aspect, round, judge
        for _, line in self._journal.earlier():
            if (
                isinstance(line, Opened) or line.round in self._rounds
            ):  # else its opening is damaged, and with it who judged
                self._take(line)

    def instead_of(self, sample: str, logged: tuple[Judgement, ...]) -> tuple[Judgement, ...]:
        """The judgements that count for a sample: per aspect those of its last whole round, else the logged ones."""
        later = {aspect: self._last_whole(rounds) for aspect, rounds in self._held.get(sample, {}).items()}
        kept = [entry for entry in logged if not later.get(entry.aspect)]
        return (*kept, *(entry for judgements in later.values() for entry in judgements))

    def open_round(self, judges: Sequence[str], specifications: Sequence[str], now: str) -> str:
        """The round to judge in: the last one where it was left unfinished by the same judges, else a new one.

        Args:
            judges: Names.
            specifications: What they are, precisely.
            now: What a new round is called; made unique.
        """
        last = next(reversed(self._rounds.values()), None)
        if last is not None and last.round not in self._closed and last.specifications == tuple(specifications):
            return last.round
        name = now if now not in self._rounds else f"{now} ({len(self._rounds) + 1})"
        self._append(Opened(round=name, judges=tuple(judges), specifications=tuple(specifications)))
        return name

    def has(self, round_: str, sample: str, aspect: str, judge: str) -> bool:
        """Whether a judge was reached about a sample in this round."""
        found = self._held.get(sample, {}).get(aspect, {}).get(round_, {}).get(judge)
        return found is not None and not found.error

    def keep(self, round_: str, sample: str, judgement: Judgement) -> None:
        """Append a judgement; it outlives the process from here on.

        Raises:
            RunFolderError: the file cannot be written.
        """
        self._append(Judged(round=round_, sample=sample, judgement=judgement))

    def take_over(self, other: "JudgementFile", origin: str) -> None:
        """Append all rounds of another folder, their names marked with where they come from.

        Raises:
            RunFolderError: the file cannot be written.
        """
        for name, opened in other._rounds.items():
            round_ = f"{name} ({origin})"
            self._append(opened.model_copy(update={"round": round_}))
            for sample, aspects in other._held.items():
                for rounds in aspects.values():
                    for judgement in rounds.get(name, {}).values():
                        self.keep(round_, sample, judgement)
            if name in other._closed:
                self.close_round(round_)

    def close_round(self, round_: str) -> None:
        """Say that nothing is left to ask in a round."""
        self._append(Closed(round=round_))

    def _last_whole(self, rounds: dict[str, _ByJudge]) -> tuple[Judgement, ...]:
        for name in reversed(rounds):
            wanted = self._rounds[name].judges
            if all(judge in rounds[name] for judge in wanted):
                return tuple(rounds[name][judge] for judge in wanted)
        return ()

    def _take(self, line: Opened | Judged | Closed) -> None:
        match line:
            case Opened():
                self._rounds[line.round] = line
            case Closed():
                self._closed.add(line.round)
            case Judged():
                aspects = self._held.setdefault(line.sample, {})
                rounds = aspects.setdefault(line.judgement.aspect, {})
                rounds.setdefault(line.round, {})[line.judgement.judge] = line.judgement

    def _append(self, line: Opened | Judged | Closed) -> None:
        self._journal.append(line)
        self._take(line)
