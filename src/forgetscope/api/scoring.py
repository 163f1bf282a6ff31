"""Scores a file of replies one already has: a verdict row for each reply row."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from forgetscope.benchmarks.scoring_kinds import KINDS, ReplyRow, ScoredReply, ScoreKind, ScoreSources
from forgetscope.core.errors import DataError, UserError
from forgetscope.core.json_values import without_half_pairs
from forgetscope.io.files import require_apart, write_lines
from forgetscope.io.records import read_objects, validate_record
from forgetscope.stats.estimate import Estimate
from forgetscope.stats.intervals import clustered_mean, wilson


@dataclass(frozen=True)
class ScoredFile:
    """What became of a file of replies.

    Attributes:
        kind: The kind of its rows.
        scored: Rows with a verdict.
        left_out: A sentence for each row without one, with its line: an unknown item or prompt, a field that does not
            fit.
        account: How many verdicts have each status.
        account_of: What the statuses are of.
        rates: The kind's rates. Several replies to one item count as one unit of an interval.
        notes: What else to know of the file.
        verdicts: The rows as they were written, in the order of the replies.
    """

    kind: str
    scored: int
    left_out: tuple[str, ...]
    account: Mapping[str, int]
    account_of: str
    rates: Mapping[str, Estimate]
    notes: tuple[str, ...]
    verdicts: tuple[Mapping[str, JsonValue], ...]


def score(
    kind: str,
    replies: str | Path,
    out: str | Path | None = None,
    *,
    prompts: str | Path | None = None,
    data: str = "embedded",
    strict: bool = False,
) -> ScoredFile:
    """Score the replies of a JSON Lines file; a row of `out` is a reply's row with its verdict beside its own fields.

    Args:
        kind: One of `forgetscope.benchmarks.scoring_kinds.KINDS`.
        replies: The file; which fields a row has depends on the kind.
        out: Where to write the verdicts, whole or not at all; nowhere if None.
        prompts: The prompts that replies name by their text (constraints).
        data: Where items come from that replies name by their id.
        strict: Refuse the file if a row cannot be scored, instead of leaving the row out.

    Raises:
        UnknownNameError: there is no such kind.
        DataError: the file is no JSON Lines, no row of it can be scored, or, with `strict`, one cannot.
        RunFolderError: `out` cannot be written.
        SettingError: `out` is a file that is read, or lies in the folder of a run.
    """
    chosen: ScoreKind[Any] = KINDS[kind]
    if out is not None:
        require_apart(Path(out), [Path(one) for one in (replies, prompts, data) if one is not None])
    sources = ScoreSources(data, Path(prompts) if prompts is not None else None)
    rows = list(read_objects(Path(replies)))
    scorer = chosen.scorer(sources)
    kept: list[tuple[dict[str, Any], ReplyRow, ScoredReply]] = []
    left_out: list[str] = []
    for where, row in rows:
        try:
            record = validate_record(row, chosen.row, where=where)
            kept.append((row, record, scorer(record)))
        except UserError as error:
            place = f"{where}: "
            left_out.append(place + str(error).removeprefix(place))
    if left_out and (strict or not kept):
        count = f"{len(left_out):,} of {len(rows):,} rows cannot be scored as {kind}"
        raise DataError(f"{count}, the first: {left_out[0]}", next_step=None if strict else "is it the right kind?")
    verdicts = tuple({**row, **scored.fields} for row, _, scored in kept)
    if out is not None:
        write_lines(Path(out), (without_half_pairs(row) for row in verdicts))
    units = [_unit(row, place) for place, (row, _, _) in enumerate(kept)]
    return ScoredFile(
        kind,
        len(kept),
        tuple(left_out),
        Counter(scored.status.value for _, _, scored in kept),
        chosen.account,
        {name: _rate([outcomes(s.fields) for _, _, s in kept], units) for name, outcomes in chosen.rates.items()},
        tuple(chosen.notes(sources, [record for _, record, _ in kept])),
        verdicts,
    )


def _unit(row: Mapping[str, object], place: int) -> str:
    """What a reply's outcomes are a cluster of: its item, prompt or question; alone where it names none."""
    named = next((row[name] for name in ("item", "prompt", "question") if row.get(name)), None)
    return f"row {place}" if named is None else str(named)


def _rate(outcomes: Sequence[Sequence[bool]], units: Sequence[str]) -> Estimate:
    flat = [(outcome, unit) for each, unit in zip(outcomes, units, strict=True) for outcome in each]
    if len({unit for _, unit in flat}) == len(flat):
        return wilson(sum(outcome for outcome, _ in flat), len(flat))
    values, clusters = zip(*flat, strict=True)
    return clustered_mean(values, clusters)
