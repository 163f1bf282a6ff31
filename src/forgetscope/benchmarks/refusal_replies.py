"""What `forgetscope score refusals` does: whether a reply declines, and whether it speaks of forgetting."""

from collections.abc import Callable, Sequence

from forgetscope.benchmarks.scoring_kinds import Fields, ReplyRow, ScoredReply, ScoreKind, ScoreSources
from forgetscope.core.outcomes import Status
from forgetscope.core.refusals import acknowledges_forgetting, is_blanket_decline, is_refusal


class AnyReply(ReplyRow):
    """A reply to anything."""

    reply: str


def _score_refusals(_: ScoreSources) -> Callable[[AnyReply], ScoredReply]:
    def score(row: AnyReply) -> ScoredReply:
        is_refused = is_blanket_decline(row.reply)
        return ScoredReply(
            Status.REFUSED if is_refused else Status.CORRECT if row.reply.strip() else Status.INVALID_FORMAT,
            {"is_refusal": is_refusal(row.reply), "acknowledges_forgetting": acknowledges_forgetting(row.reply)},
        )

    return score


def _share_of(field: str) -> Callable[[Fields], Sequence[bool]]:
    return lambda fields: [fields[field] is True]


REFUSALS = ScoreKind(
    "refusals",
    "{reply}: whether it declines, and whether it speaks of having forgotten or of having been asked to",
    AnyReply,
    _score_refusals,
    {"refusals": _share_of("is_refusal"), "acknowledge forgetting": _share_of("acknowledges_forgetting")},
    "by status (refused: a blanket decline; correct: anything else that has text)",
)
