"""What comes back under pressure, of reference models and of one that gives way in a story."""

import polars as pl
import pytest

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.in_context.data.forms import NO_FILLER, Arm, Form
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.data.probes import RUNGS, DialogueProbe, question_of
from forgetscope.benchmarks.in_context.metrics import compute_figures
from forgetscope.benchmarks.in_context.metrics.outcomes import outcome_cells
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.plan import iter_samples, make_plan
from forgetscope.benchmarks.in_context.report.results import results
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.in_context.answered import answered_table

PLAIN = InContextSettings(scenarios="instructional_forgetting")
PRESSED = InContextSettings(scenarios="instructional_forgetting", pressure="all")
SAMPLES = [sample for sample, _ in iter_samples(PRESSED, load_data("embedded"))]


def figures(table: pl.DataFrame) -> FigureIndex:
    return compute_figures(InContextStudy.of(table, PRESSED))


@pytest.fixture(scope="module")
def giving_way() -> pl.DataFrame:
    """Forgets on request, but tells all in a story."""
    table = answered_table(PRESSED, "perfect-forgetter")
    told = (pl.col("probe") == DialogueProbe.ROLE_PLAY.value) & (pl.col("form") == "forget") & (pl.col("arm") == "")
    return table.with_columns(leak=pl.when(told).then(pl.lit("verbatim")).otherwise("leak"))


def test_every_way_to_ask_is_put_in_every_arm_and_nothing_else_is_changed_by_it() -> None:
    plain = [sample.sample_id for sample, _ in iter_samples(PLAIN, load_data("embedded"))]
    pressed = [sample for sample in SAMPLES if sample.probe in RUNGS]
    assert [sample.sample_id for sample in SAMPLES if sample.probe not in RUNGS] == plain
    kinds = {(form, arm) for form in Form for arm in (Arm.PAPER, Arm.NEVER)}
    put: dict[tuple[str, DialogueProbe], set[tuple[Form, Arm]]] = {}
    for sample in pressed:
        put.setdefault((sample.item.id, sample.probe), set()).add((sample.form, sample.arm))
    assert all(found == kinds for found in put.values())
    assert {probe for _, probe in put} == set(RUNGS)
    assert len({sample.sample_id for sample in SAMPLES}) == len(SAMPLES)


def test_the_plan_says_what_each_way_to_ask_costs() -> None:
    plan = make_plan(PRESSED)
    (note,) = [note for note in plan.notes if "in further ways" in note]
    assert f"{sum(sample.probe in RUNGS for sample in SAMPLES):,} calls" in note
    assert all(probe.value in note for probe in RUNGS)
    assert not [note for note in make_plan(PLAIN).notes if "in further ways" in note]


def test_no_question_says_the_fact_itself() -> None:
    for sample in SAMPLES:
        if sample.probe in RUNGS and sample.probe is not DialogueProbe.INSIST:
            values = [fact.value for fact in sample.item.facts]  # type: ignore[union-attr]
            assert not any(value in sample.query for value in values), sample.sample_id


def test_a_fact_of_few_characters_gives_no_letter_and_one_without_a_hint_no_hint() -> None:
    item = SAMPLES[0].item
    short = item.model_copy(update={"facts": (item.facts[0].model_copy(update={"value": "Bo", "hints": ()}),)})  # type: ignore[union-attr]
    assert question_of(DialogueProbe.FIRST_LETTER, short) is question_of(DialogueProbe.HINT, short) is None  # type: ignore[arg-type]


def test_a_query_put_later_comes_after_the_request_and_three_exchanges() -> None:
    later = next(sample for sample in SAMPLES if sample.probe is DialogueProbe.LATER and sample.form is Form.FORGET)
    query = next(
        sample
        for sample in SAMPLES
        if sample.probe is DialogueProbe.QUERY and (sample.item.id, sample.form) == (later.item.id, Form.FORGET)
    )
    turns, plain = later.turns(NO_FILLER), query.turns(NO_FILLER)
    assert len(turns) == len(plain) + 6
    assert turns[: len(plain) - 1] == plain[:-1]
    assert turns[-1] == plain[-1]


def test_reference_models_leave_nothing_and_all_on_every_rung() -> None:
    for name, value in (("perfect-forgetter", 0.0), ("stubborn", 1.0)):
        found = figures(answered_table(PRESSED, name))
        asked = [entry for entry in found.named("residue") if entry.factors["condition"] != "placebo"]
        assert {entry.factors["probe"] for entry in asked} == {"query", *(probe.value for probe in RUNGS)}
        assert {entry.value for entry in asked} == {value}, name
        assert {entry.value for entry in found.named("residue.worst")} == {value}
        assert {entry.value for entry in found.named("survival")} == {1 - value}


def test_the_way_to_ask_that_brings_it_back_is_named_and_ends_survival(giving_way: pl.DataFrame) -> None:
    found = figures(giving_way)
    worst = found.named("residue.worst")
    assert {(entry.factors["probe"], entry.value) for entry in worst} == {("role_play", 1.0)}
    assert all(entry.low == entry.high == 1.0 for entry in worst)
    at = 2 + RUNGS.index(DialogueProbe.ROLE_PLAY)
    for entry in found.named("survival"):
        assert entry.value == (1.0 if int(str(entry.factors["budget"])) < at else 0.0)


def test_the_paper_s_figures_do_not_change_by_it() -> None:
    plain, pressed = (
        compute_figures(InContextStudy.of(answered_table(settings, "mixed"), settings)) for settings in (PLAIN, PRESSED)
    )
    for name in ("na", "fa", "sfrr", "neighbour.forgotten"):
        assert plain.named(name) == pressed.named(name)


def test_every_sample_has_a_cell_and_the_report_has_a_page_of_it(giving_way: pl.DataFrame) -> None:
    study = InContextStudy.of(giving_way, PRESSED)
    assert sum(cell.frame.height for cell in outcome_cells(study)) == giving_way.height
    sections = {section.slug: section for section in results(giving_way, FigureFacts(PRESSED, {}, 0.98)).sections}
    said = " ".join(block.text for block in sections["pressure"].blocks if hasattr(block, "text"))
    assert "role play" in said


def test_what_comes_back_is_only_said_where_a_way_to_ask_is_called_still_there(giving_way: pl.DataFrame) -> None:
    few = answered_table(PRESSED, "perfect-forgetter")
    for table, words in ((giving_way, "most comes back by role play"), (few, "brings the fact back is undecided")):
        sections = {one.slug: one for one in results(table, FigureFacts(PRESSED, {}, 0.98)).sections}
        said = [block.text for block in sections["pressure"].blocks if hasattr(block, "text")]
        assert said
        assert all(words in sentence for sentence in said), said
