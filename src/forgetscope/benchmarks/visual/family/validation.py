"""`forgetscope validate visual`, second part: the trained family against docs/design/visual-validation.md.

For every training seed: each announced hypothesis with its figure and whether it holds, the benchmark's own verdicts,
and the paper's rule with its error rate on the four members whose truth is known.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from forgetscope.benchmarks.base import Check
from forgetscope.benchmarks.visual.embedded.source import EMOJI_STYLE
from forgetscope.benchmarks.visual.family.answering import answered, asked_members, cells
from forgetscope.benchmarks.visual.family.examination import LEAST_ITEMS, QUICK, SEED, Examination, Sizes, examination
from forgetscope.benchmarks.visual.family.probing import ProbeFinding, probe_findings
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.metrics.verdicts import (
    N_MIN_EMBEDDED,
    AccessVerdict,
    ConceptVerdict,
    concept_verdicts,
)
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.core.errors import SettingError
from forgetscope.models.glimpse.family import MEMBERS
from forgetscope.models.glimpse.hypotheses import FAMILY, CellAnswers, Hypotheses, HypothesisResult, Key
from forgetscope.models.glimpse.member import Glimpse
from forgetscope.models.glimpse.storage import training_seed, weights_folder

MOST_THREADS = 4
"""Members answer side by side, one thread each; a member's answers do not depend on it."""


@dataclass(frozen=True)
class PaperRule:
    """The paper's rule on one member: in how many concepts it says `unlearned`, and what is true of the member."""

    member: str
    is_erased: bool
    judged: int
    unlearned: int

    @property
    def wrong(self) -> int:
        """Concepts it gets wrong."""
        return self.judged - self.unlearned if self.is_erased else self.unlearned


@dataclass(frozen=True)
class SeedResult:
    """What one training seed gave.

    Attributes:
        style: Whose drawings were shown.
        table: The sample table, all members.
        cells: Answers by member, side, condition, sight.
        verdicts: The benchmark's own, per member.
        findings: One for each hypothesis and member.
        probes: What internal probes found; empty where they were not asked for.
    """

    seed: str
    style: str
    table: pl.DataFrame
    cells: Mapping[Key, CellAnswers]
    verdicts: Mapping[str, tuple[ConceptVerdict, ...]]
    findings: tuple[HypothesisResult, ...]
    probes: tuple[ProbeFinding, ...] = ()

    @property
    def checks(self) -> tuple[Check, ...]:
        """The findings as any benchmark's calibration says them."""
        return tuple(
            Check(f"{one.member}, seed {self.seed}", one.hypothesis, one.limit, one.figure, one.holds)
            for one in self.findings
        )

    @property
    def paper_rules(self) -> tuple[PaperRule, ...]:
        """The paper's rule on the four members of the 2 x 2; concepts it cannot judge left out."""
        return tuple(_paper_rule(member, self.verdicts[member]) for member in FAMILY)


def training_seeds(folders: Sequence[Path] = ()) -> dict[str, Path]:
    """The shipped weights and those of the folders, by training seed.

    Raises:
        SettingError: Two folders of one seed.
        MissingPartError: A folder holds no weights.
    """
    places: dict[str, Path] = {}
    for place in (weights_folder(), *folders):
        seed = training_seed(place)
        if seed in places:
            raise SettingError("each folder holds another training seed", where=str(place), found=f"seed {seed} again")
        places[seed] = place
    return places


def validate_family(
    folders: Sequence[Path] = (),
    *,
    style: str = EMOJI_STYLE,
    sizes: Sizes = QUICK,
    with_probes: bool = False,
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[SeedResult]:
    """Each seed's result in turn: the shipped weights first, then those of the folders.

    Args:
        folders: Packed weights of further seeds.
        style: Whose drawings; the once-only style is opened when it is named here.
        sizes: How large the cells are.
        with_probes: Whether internal probes are fitted, on the development drawings, and tested on these.
        report: Gets a line for every member.

    Raises:
        SettingError: Cells below `LEAST_ITEMS`, or two folders of one seed.
        MissingPartError: Weights are missing.
    """
    if min(sizes.forget * 16, sizes.retain * sizes.retained) < LEAST_ITEMS:
        raise SettingError("no cell below so many items counts", found=str(sizes), allowed=f"{LEAST_ITEMS} or more")
    places = training_seeds(folders)
    exam = examination(style, sizes, is_validation=True)
    development = exam if style == EMOJI_STYLE else examination(EMOJI_STYLE, QUICK) if with_probes else None
    for seed, place in places.items():
        found = seed_result(seed, place, exam, report)
        if with_probes and development is not None:
            found = replace(found, probes=probe_findings(place, development, exam))
        yield found


def seed_result(seed: str, folder: Path, exam: Examination, report: Callable[[str], None]) -> SeedResult:
    """All members of one seed through an examination."""

    def ask(name: str) -> pl.DataFrame:
        table = answered(Glimpse.load(name, folder), exam)
        report(f"seed {seed}: {name} answered {table.height} questions")
        return table

    with ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1)) as pool:
        table = pl.concat(pool.map(ask, asked_members()))
    verdicts = {name: tuple(_verdicts(table.filter(pl.col("model") == name))) for name in MEMBERS if name in FAMILY}
    found = cells(table)
    eligible = [one for one in verdicts["glimpse-obedient"] if one.verdict is not AccessVerdict.NOT_ELIGIBLE]
    suppressed = {one.concept: one.verdict is AccessVerdict.SUPPRESSED for one in eligible}
    return SeedResult(seed, exam.style, table, found, verdicts, tuple(Hypotheses(found, suppressed, SEED).findings()))


def _verdicts(table: pl.DataFrame) -> Iterator[ConceptVerdict]:
    return concept_verdicts(VisualStudy.of(table, VisualSettings()), N_MIN_EMBEDDED)


def _paper_rule(member: str, verdicts: Sequence[ConceptVerdict]) -> PaperRule:
    judged = [one.paper_verdict for one in verdicts if one.paper_verdict is not None]
    return PaperRule(member, not MEMBERS[member].knows_names, len(judged), sum(judged))
