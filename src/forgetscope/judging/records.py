"""What a judge said of one reply, kept whole: the verdict as read, every reply it gave, and what was noticed."""

from pydantic import BaseModel, ConfigDict, JsonValue

JUDGEMENTS_KEY = "judgements"
"""Where a score's metadata holds the judgements it was made from."""

REASON = "reason"
"""The field of a verdict that explains it: two verdicts that differ in it alone are one."""


class JudgeVerdict(BaseModel):
    """A judge's structured reply; a rubric's own form adds what is decided, and `reason` last."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Judgement(BaseModel):
    """One judge's work on one question about one sample.

    Attributes:
        aspect: What was judged, unique within a sample: `answer`, `reask`.
        rubric: Name and version of the rubric: `in_context/forgetting/forget-1`.
        judge: The judge model's name.
        verdict: The structured reply as validated; None when no reply could be read.
        replies: The judge's raw replies, the retry last.
        flags: What was noticed in the text under judgement: attempts to talk the judge round, imitations of the fence.
        problem: Why the last reply could not be read; empty where it could, or where there was none.
        error: The last error when the judge could not be reached; empty otherwise.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    aspect: str
    rubric: str
    judge: str
    verdict: dict[str, JsonValue] | None
    replies: tuple[str, ...]
    flags: tuple[str, ...] = ()
    problem: str = ""
    error: str = ""
