"""What people are asked about a benchmark's replies, in terms of its sample table's columns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import polars as pl


class AnnotatorVerdict(StrEnum):
    """What an annotator may say of a reply: whether it is right in its form."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Brief:
    """What an annotator is asked about one reply.

    Attributes:
        question: Answered with yes, no or cannot tell.
        guidance: When it is yes and when no, in a few sentences.
        points: What has to be checked, by group: a heading with its lines.
    """

    question: str
    guidance: str
    points: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class AnnotationDesign:
    """How a benchmark's replies are drawn and put to people.

    Every item has one sample in each of two forms, and people judge both, so that figures of pairs can be corrected
    too. Table columns used beside these: the core ones.

    Attributes:
        population: From the sample table to the samples that figures are of: one row per item and form.
        brief: From a row of the table to what is asked about its reply. Verdicts are not to be told.
        cell: The column whose values get figures of their own, with each form: the scenario.
        stratum: The column within a cell whose values are drawn in proportion.
        forms: The values of `form`, the one without interference first.
        raters: Who is compared with people, and the columns of their verdicts.
        kept: What P(second form right | first form right) is called.
        gained: What P(only the second form right) is called.
    """

    population: Callable[[pl.DataFrame], pl.DataFrame]
    brief: Callable[[Mapping[str, object]], Brief]
    cell: str
    stratum: str
    forms: tuple[str, str]
    raters: Mapping[str, str]
    kept: str
    gained: str
