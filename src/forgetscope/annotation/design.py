"""What people are asked about a benchmark's replies, in terms of its sample table's columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from forgetscope.findings.beside_paper import PrintedTable


class AnnotatorVerdict(StrEnum):
    """What an annotator may say of a reply: whether it is right in its form."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Brief:
    """What an annotator is asked about one reply.

    Attributes:
        question: Answered with one of the design's answers.
        guidance: When it is which, in a few sentences.
        points: What has to be checked, by group: a heading with its lines.
    """

    question: str
    guidance: str
    points: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class AnnotationDesign:
    """How a benchmark's replies are drawn and put to people. Table columns used beside these: the core ones.

    Attributes:
        population: From the sample table to the samples that figures are of.
        brief: From a row of the table to what is asked about its reply. Verdicts are not to be told.
        cell: The column whose values get figures of their own.
        stratum: The column within a cell whose values are drawn in proportion.
        unit: The column whose values are drawn, each with all its samples.
        answers: What people may say of a reply; the last leaves it open.
        asked: What is drawn, for the organiser.
    """

    population: Callable[[pl.DataFrame], pl.DataFrame]
    brief: Callable[[Mapping[str, object]], Brief]
    cell: str
    stratum: str
    unit: str
    answers: tuple[str, ...]
    asked: str


@dataclass(frozen=True, kw_only=True)
class PairedDesign(AnnotationDesign):
    """Whether replies are right: every item has one sample in each of two forms, and people judge both.

    So that figures of pairs can be corrected too.

    Attributes:
        forms: The values of `form`, the one without interference first.
        raters: Who is compared with people, and the columns of their verdicts.
        kept: What P(second form right | first form right) is called.
        gained: What P(only the second form right) is called.
        printed: The tables of agreement a paper prints, to stand beside.
    """

    forms: tuple[str, str]
    raters: Mapping[str, str]
    kept: str
    gained: str
    unit: str = "item"
    answers: tuple[str, ...] = tuple(AnnotatorVerdict)
    asked: str = "both forms of each item"
    printed: "Callable[[], Sequence[PrintedTable]]" = tuple


@dataclass(frozen=True, kw_only=True)
class LabelDesign(AnnotationDesign):
    """Which of several labels replies have, by people and by a rule.

    Attributes:
        label: The column of the rule's label.
    """

    label: str
    unit: str = "sample_id"
