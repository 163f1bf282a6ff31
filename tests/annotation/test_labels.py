"""Labels by people and by a rule, against values worked out by hand."""

from pathlib import Path

import polars as pl
import pytest

from forgetscope.annotation.answers import MAJORITY
from forgetscope.annotation.compared import compare_with_people
from forgetscope.annotation.design import Brief, LabelDesign
from forgetscope.annotation.files import Annotation, GivenJudgement
from forgetscope.annotation.labels import ALL, LabelledReply, LabelStudy, label_figures, label_findings
from forgetscope.annotation.sampling import Drawn, draw_sample
from forgetscope.findings.measures import FigureIndex

DESIGN = LabelDesign(
    population=lambda table: table,
    brief=lambda _: Brief("Which colour?", "As it looks."),
    cell="place",
    stratum="label",
    label="label",
    answers=("red", "blue", "none"),
    asked="all of them",
)
LETTERS = {"r": "red", "b": "blue", "n": "none", "-": None}


def study_of(*groups: tuple[int, str, str], weight: float = 1.0) -> LabelStudy:
    """So many replies, the rule's label, what each annotator says."""
    replies = [
        LabelledReply("here", tuple(LETTERS[letter] for letter in people), LETTERS[rule] or "", weight)
        for count, rule, people in groups
        for _ in range(count)
    ]
    annotators = tuple(range(1, len(groups[0][2]) + 1))
    by_rule = {("here", name): sum(reply.rule == name for reply in replies) for name in DESIGN.answers}
    return LabelStudy(DESIGN, annotators, tuple(replies), by_rule)


def value(study: LabelStudy, name: str, **factors: str) -> float | None:
    return FigureIndex(label_figures(study)).value(name, place="here", **factors)


def test_agreement_kappa_and_each_label_by_hand() -> None:
    # Rule and majority: 6 red-red, 2 red-blue, 4 blue-blue, 3 none-none, 5 none-blue: 13 of 20 alike; by chance
    # 8*6 + 4*11 + 8*3 = 116 of 400, so kappa = (260 - 116) / (400 - 116).
    study = study_of((6, "r", "rrr"), (2, "r", "bbr"), (4, "b", "bbb"), (3, "n", "nnn"), (5, "n", "bbn"))
    assert value(study, "agreement", **{"with": MAJORITY}) == pytest.approx(13 / 20)
    assert value(study, "agreement.kappa", **{"with": MAJORITY}) == pytest.approx(144 / 284)
    assert value(study, "agreement", **{"with": "annotator 3"}) == pytest.approx(1)
    assert value(study, "people.label", label="blue", by=MAJORITY) == pytest.approx(11 / 20)
    assert value(study, "rule.right", label="none") == pytest.approx(3 / 8)
    assert value(study, "rule.found", label="blue") == pytest.approx(4 / 11)
    assert value(study, "rule.count", label="red") == 8
    # Pairs of annotators agree in all of 13 replies and in a third of those of 7.
    observed, shares = (13 + 7 / 3) / 20, [20 / 60, 26 / 60, 14 / 60]
    chance = sum(share**2 for share in shares)
    assert value(study, "people.fleiss") == pytest.approx((observed - chance) / (1 - chance))


def test_a_reply_without_a_majority_or_an_answer_is_left_out_and_said() -> None:
    study = study_of((4, "r", "rrr"), (2, "r", "rbn"), (1, "b", "b--"))
    entry = FigureIndex(label_figures(study)).get("agreement", place="here", **{"with": MAJORITY})
    assert entry is not None
    assert (entry.n, entry.excluded) == (4, 3)
    said = [finding.text for finding in label_findings(study)]
    assert said[0] == "Annotator 2 has not judged 1 of 7 replies."
    assert said[-1] == "3 replies have no label that most annotators gave."


def test_one_annotator_alone_is_gold_and_has_no_fleiss_kappa() -> None:
    study = study_of((7, "r", "r"), (3, "b", "n"))
    assert FigureIndex(label_figures(study)).named("people.fleiss") == ()
    assert value(study, "agreement", **{"with": MAJORITY}) == pytest.approx(0.7)
    assert "One annotator alone" in next(iter(label_findings(study))).text


def run_table() -> pl.DataFrame:
    """40 replies the rule calls red, 8 blue, at two places; a dialogue of one turn."""
    rows = [
        {
            "sample_id": f"s{number}",
            "place": ("here", "there")[number % 2],
            "label": "blue" if number % 6 == 5 else "red",
        }
        for number in range(48)
    ]
    return pl.DataFrame(rows).with_columns(messages=pl.lit('[{"role": "user", "content": "?"}]'), reply=pl.lit("."))


def answered(drawn: Drawn, annotator: int, said: str) -> Annotation:
    judged = tuple(GivenJudgement(key=key, judgement=said) for key in drawn.rows["key"])
    return Annotation(study=drawn.study, seed=drawn.seed, annotator=annotator, judgements=judged)


def test_replies_are_drawn_alone_and_stand_for_their_stratum(tmp_path: Path) -> None:
    drawn = draw_sample(run_table(), DESIGN, per_cell=6, seed=3)
    assert {(stratum.cell, stratum.name): (stratum.items, stratum.drawn) for stratum in drawn.strata} == {
        ("here", "red"): (24, 6),
        ("there", "red"): (16, 4),
        ("there", "blue"): (8, 2),
    }
    index, tables, findings = compare_with_people(run_table(), DESIGN, [answered(drawn, 1, "red")], tmp_path)
    assert index.value("rule.count", place=ALL, label="blue") == 8
    # Of 24 + 16 + 8 replies the rule calls 40 red; people call all red.
    assert index.value("rule.found", place=ALL, label="red") == pytest.approx(40 / 48)
    assert index.value("people.label", place=ALL, label="red", by=MAJORITY) == 1
    assert [found.slug for found in tables] == ["labels-here", "labels-there", "labels-all", "rule-agreement"]
    assert len(findings) == 1
