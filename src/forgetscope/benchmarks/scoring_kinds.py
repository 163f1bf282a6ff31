"""What `forgetscope score KIND` can score: replies one already has, a record a kind of row.

To add one: a file beside the scorers it calls, with a model of its row, a function from a row to its verdict and a
`ScoreKind`; and its name below, or an entry point in the group `forgetscope.score_kinds`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue

from forgetscope.core.outcomes import Status
from forgetscope.core.registry import Registry


class ReplyRow(BaseModel):
    """What a kind needs of a row; its other fields are passed over here, and kept in the verdicts."""

    model_config = ConfigDict(frozen=True, extra="ignore")


@dataclass(frozen=True)
class ScoreSources:
    """What the rows may refer to.

    Attributes:
        data: Where known items come from: `embedded`, `official` or a folder.
        prompts: A file of prompts, for kinds whose rows name a prompt by its text.
    """

    data: str = "embedded"
    prompts: Path | None = None


@dataclass(frozen=True)
class ScoredReply:
    """The verdict on one reply.

    Attributes:
        status: What became of it, for the account.
        fields: The verdict as it is written, beside the row's own fields.
    """

    status: Status
    fields: Mapping[str, JsonValue]


RowT = TypeVar("RowT", bound=ReplyRow)
Fields = Mapping[str, JsonValue]


@dataclass(frozen=True)
class ScoreKind(Generic[RowT]):
    """One kind of replies.

    Attributes:
        name: On the command line: `gsm8k`.
        summary: What a row holds and what it gets, in a phrase for the help.
        row: The model of a row.
        scorer: From the sources to the function that scores a row. The function raises a `UserError` on a row that
            names an item or a prompt that is not there; the row is left out and counted.
        rates: By name, what is counted over the verdicts: the outcomes a verdict adds, usually one, none where it says
            nothing of this.
        account: What the statuses are of: `by the repaired reading`.
        notes: What a person should know of the whole file, from the sources and the rows that were scored.
    """

    name: str
    summary: str
    row: type[RowT]
    scorer: Callable[[ScoreSources], Callable[[RowT], ScoredReply]]
    rates: Mapping[str, Callable[[Fields], Sequence[bool]]] = field(default_factory=dict)
    account: str = "by status"
    notes: Callable[[ScoreSources, Sequence[RowT]], Sequence[str]] = lambda _sources, _rows: ()


_PROSPECTIVE = "forgetscope.benchmarks.prospective.scoring.reply_kinds"
_OURS: dict[str, ScoreKind[Any] | str] = {
    "gsm8k": f"{_PROSPECTIVE}:GSM8K",
    "mmlu": f"{_PROSPECTIVE}:MMLU",
    "triviaqa": f"{_PROSPECTIVE}:TRIVIAQA",
    "constraints": f"{_PROSPECTIVE}:CONSTRAINTS",
    "in-context": "forgetscope.benchmarks.in_context.scoring.reply_kinds:IN_CONTEXT",
    "refusals": "forgetscope.benchmarks.refusal_replies:REFUSALS",
    "visual": "forgetscope.benchmarks.visual.scoring.reply_kinds:VISUAL",
}

KINDS: Registry[ScoreKind[Any]] = Registry("kind of replies", "forgetscope.score_kinds", _OURS, ScoreKind)
"""All kinds by name; a module is imported when its kind is asked for."""
