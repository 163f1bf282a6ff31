"""What `forgetscope score visual` does: the option a reply chooses, by the paper's rule and by the repaired reading."""

from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import Field

from forgetscope.benchmarks.scoring_kinds import Fields, ReplyRow, ScoredReply, ScoreKind, ScoreSources
from forgetscope.benchmarks.visual.data.records import MOST_CHOICES
from forgetscope.benchmarks.visual.scoring.parsing import choice_status, paper_choice, stated_choice
from forgetscope.core.errors import DataError


class OptionReply(ReplyRow):
    """A reply to a question with options; `right` is the index of the right one, from 0."""

    choices: Annotated[list[str], Field(min_length=2, max_length=MOST_CHOICES)]
    right: Annotated[int, Field(ge=0)]
    reply: str


def _score_option(_: ScoreSources) -> Callable[[OptionReply], ScoredReply]:
    def score(row: OptionReply) -> ScoredReply:
        if row.right >= len(row.choices):
            raise DataError("right is no index of choices", found=row.right, allowed=f"0 to {len(row.choices) - 1}")
        paper, repaired = paper_choice(row.reply, len(row.choices)), stated_choice(row.reply, row.choices)
        status = choice_status(row.reply, repaired, row.right)
        fields: Fields = {"right": row.right, "paper": paper, "repaired": repaired, "status": status.value}
        return ScoredReply(status, fields)

    return score


def _right_by_the_paper(fields: Fields) -> Sequence[bool]:
    return [fields["paper"] == fields["right"]]


def _right(fields: Fields) -> Sequence[bool]:
    return [fields["repaired"] == fields["right"]] if fields["repaired"] is not None else []


VISUAL = ScoreKind(
    "visual",
    "{choices, right, reply}: numbered options; right is an index from 0",
    OptionReply,
    _score_option,
    {
        "right, paper's reading": _right_by_the_paper,
        "right, repaired reading, of those that choose": _right,
        "choose an option": lambda fields: [fields["repaired"] is not None],
    },
    "by the repaired reading",
)
