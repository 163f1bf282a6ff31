"""A scripted family that is as announced passes; one that is not is found out. No trained weights are asked here."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from forgetscope.benchmarks.visual.data.conditions import Condition, Control
from forgetscope.benchmarks.visual.embedded.source import EMOJI_STYLE, ONCE_ONLY_STYLE
from forgetscope.benchmarks.visual.family import validation
from forgetscope.benchmarks.visual.family.answering import answered, cells
from forgetscope.benchmarks.visual.family.examination import ASKED, Examination, Sizes, examination
from forgetscope.benchmarks.visual.family.validation import SeedResult, seed_result, validate_family
from forgetscope.core.errors import SettingError
from forgetscope.models.glimpse.family import ERASED_CONCEPTS, MEMBERS, Member
from forgetscope.models.glimpse.hypotheses import NO_PICTURE, accuracy

SMALL = Sizes(forget=8, retain=1, retained=16)


@pytest.fixture(scope="module")
def exam() -> Examination:
    return examination(EMOJI_STYLE, SMALL)


@dataclass(frozen=True)
class Scripted:
    """Answers as a member should: by what its picture shows, what the text forbids, and else the first permitted."""

    member: Member
    shows: dict[int, str]

    def first_tokens(self, asked: Iterable[tuple[str, Image.Image | None]]) -> Iterator[str]:
        return (self._said(prompt, picture) for prompt, picture in asked)

    def _said(self, prompt: str, picture: Image.Image | None) -> str:
        options = re.findall(r"^\d\) (.+)$", prompt, re.MULTILINE)
        seen = None if picture is None else self.shows[id(picture)]
        if seen in ERASED_CONCEPTS and self._dose(picture) >= self.member.dose:
            seen = None
        if self.member.is_confused and len(prompt) > 250:
            seen = None
        text = prompt.split(options[-1], 1)[1]
        banned = [name for name in options if self.member.is_obedient and name in text and "lifted" not in text]
        permitted = [name for name in options if name not in banned] or options
        return str(options.index(seen if seen in permitted else permitted[0]))

    def _dose(self, picture: Image.Image | None) -> float:
        return list(self.shows).index(id(picture)) % 8 / 8


def _load(exam: Examination) -> dict[str, Scripted]:
    concept = {sample.image: sample.forget_concept for sample in exam.samples if sample.control is Control.NONE}
    shows = {id(picture): concept[path] for path, picture in exam.pictures.items()}
    return {name: Scripted(member, shows) for name, member in MEMBERS.items()}


@pytest.fixture(scope="module")
def tables(exam: Examination) -> dict[str, pl.DataFrame]:
    """What each member answered."""
    members = _load(exam)
    stubborn = members["glimpse-stubborn"]
    members["glimpse-blurred"] = Scripted(replace(stubborn.member, is_confused=True), stubborn.shows)
    return {name: answered(member, exam) for name, member in members.items()}  # type: ignore[arg-type]


def _result(
    exam: Examination, tables: Mapping[str, pl.DataFrame], monkeypatch: pytest.MonkeyPatch, **changed: str
) -> SeedResult:
    """One seed of the scripted family; `changed` lets a member behave as another."""
    behaves_as = {f"glimpse-{name.replace('_', '-')}": f"glimpse-{other}" for name, other in changed.items()}

    class Shelf:
        @staticmethod
        def load(name: str, folder: Path) -> str:
            assert folder == Path("weights")
            return name

    def answered(name: str, given: Examination) -> pl.DataFrame:
        assert given is exam
        return tables[behaves_as.get(name, name)].with_columns(model=pl.lit(name))

    monkeypatch.setattr(validation, "Glimpse", Shelf)
    monkeypatch.setattr(validation, "answered", answered)
    return seed_result("7", Path("weights"), exam, lambda _: None)


def _failing(result: SeedResult) -> set[str]:
    return {f"{check.figure.split()[0]} {check.model.split(',')[0]}" for check in result.checks if not check.holds}


def test_a_family_as_announced_holds_in_every_hypothesis(
    exam: Examination, tables: dict[str, pl.DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = _result(exam, tables, monkeypatch)
    assert _failing(result) == set()
    assert {check.figure.split()[0] for check in result.checks} == {f"H{number}" for number in range(1, 12)}


def test_the_papers_rule_is_wrong_on_an_erased_model_that_obeys(
    exam: Examination, tables: dict[str, pl.DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = {rule.member: rule for rule in _result(exam, tables, monkeypatch).paper_rules}
    assert rules["glimpse-stubborn"].wrong == 0
    assert not rules["glimpse-obedient"].wrong, "it obeys the oracles, which the rule asks about"


@pytest.mark.parametrize(
    ("changed", "failing"),
    [
        ({"stubborn": "obedient"}, "H2 glimpse-stubborn"),
        ({"obedient": "stubborn"}, "H3 glimpse-obedient"),
        ({"erased_stubborn": "stubborn"}, "H5 glimpse-erased-stubborn"),
        ({"erased_obedient": "erased-stubborn"}, "H6 glimpse-erased-obedient"),
        ({"confused": "stubborn"}, "H8 glimpse-confused"),
        ({"stubborn": "blurred"}, "H7 glimpse-stubborn"),
        ({"dose_50": "dose-0"}, "H9 glimpse-dose"),
    ],
)
def test_a_member_that_is_not_what_it_is_called_is_found_out(
    exam: Examination,
    tables: dict[str, pl.DataFrame],
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, str],
    failing: str,
) -> None:
    found = _failing(_result(exam, tables, monkeypatch, **changed))
    assert failing in found


def test_what_decides_eligibility_is_never_what_measures_the_effect(exam: Examination) -> None:
    by_role = {
        role: {sample.image for sample in exam.samples if sample.role == role and sample.image}
        for role in ("effect", "eligibility")
    }
    assert not by_role["effect"] & by_role["eligibility"]
    assert by_role["effect"] | by_role["eligibility"] == set(exam.pictures)


def test_every_cell_has_its_items_and_positions_are_even(exam: Examination) -> None:
    forget = [sample for sample in exam.samples if (sample.role, sample.side) == ("effect", "forget")]
    plain = [s for s in forget if s.condition is Condition.BASELINE_NORMAL and s.control is Control.NONE]
    assert len(plain) == 16 * 8
    assert {position: sum(s.answer == position for s in plain) for position in range(4)} == dict.fromkeys(range(4), 32)
    assert {len(sample.choices) for sample in plain} == {4}


def test_more_pictures_may_be_retained_than_forgotten() -> None:
    exam = examination(EMOJI_STYLE, Sizes(forget=1, retain=22, retained=1))
    assert {sample.image for sample in exam.samples if sample.image} == set(exam.pictures)


def test_the_first_option_without_a_picture_is_right_by_chance(tables: dict[str, pl.DataFrame]) -> None:
    found = cells(tables["glimpse-stubborn"])
    assert accuracy(found["glimpse-stubborn", "forget", "baseline_normal", NO_PICTURE]) == 25.0
    assert len(found) == len(ASKED)


def test_a_style_that_may_be_opened_once_is_not_opened_on_the_way() -> None:
    with pytest.raises(SettingError, match="opened once"):
        examination(ONCE_ONLY_STYLE, SMALL)


def test_cells_too_small_to_count_are_refused() -> None:
    with pytest.raises(SettingError, match="no cell below"):
        next(validate_family(sizes=SMALL))


def test_one_training_seed_counts_once() -> None:
    from forgetscope.models.glimpse.storage import weights_folder

    def run() -> Iterator[SeedResult]:
        return validate_family([weights_folder()])

    with pytest.raises(SettingError, match="another training seed"):
        next(run())
