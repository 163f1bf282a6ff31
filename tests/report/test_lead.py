"""The head of a first page: one picture, a sentence a benchmark, and what must not be relied on."""

from pathlib import Path

from forgetscope.findings.figures import Figure, Lead, LeadStory
from forgetscope.report.lead import LedRun, distrusts, lead_chart, lead_sentences
from forgetscope.report.summary import OWN_DATA, OWN_MODELS
from tests.report.synthetic import make_chapter, make_table


def residue(value: float | None, low: float | None, high: float | None, word: str = "still there") -> Figure:
    return Figure("residue", {"condition": "request"}, value, 40, low=low, high=high, verdict=word)


def run(folder: Path, model: str, *leads: Lead, text: str = "Told to forget a fact", warned: bool = False) -> LedRun:
    summary = make_chapter(folder / model, make_table(6)).summary
    update = {} if warned else {"headlines": ()}
    return LedRun(model, summary.model_copy(update=update), LeadStory(text, "still tells {share} of it", leads))


def test_two_models_whose_intervals_do_not_meet_are_said_to_differ(tmp_path: Path) -> None:
    obedient = run(tmp_path, "obedient", Lead(residue(0.38, 0.2, 0.55)))
    stubborn = run(tmp_path, "stubborn", Lead(residue(1.06, 0.9, 1.2)))
    (sentence,) = lead_sentences([obedient, stubborn])
    assert sentence == (
        "Told to forget a fact, obedient still tells 38% of it, stubborn 100%: the two differ, because their 95% "
        "intervals (the bars) do not meet."
    )
    chart = lead_chart([obedient, stubborn])
    assert chart is not None
    assert chart.categories == ("obedient", "stubborn")
    assert [series.label for series in chart.series] == ["Told to forget a fact"]


def test_two_models_whose_intervals_meet_are_never_said_to_differ(tmp_path: Path) -> None:
    runs = [run(tmp_path, name, Lead(residue(value, 0.2, 0.9))) for name, value in (("one", 0.4), ("two", 0.7))]
    (sentence,) = lead_sentences(runs)
    assert "no difference is shown" in sentence
    assert "differ," not in sentence


def test_a_share_that_is_not_decided_says_so_and_one_that_was_not_measured_is_in_no_sentence(tmp_path: Path) -> None:
    few = run(tmp_path, "few", Lead(residue(0.2, -0.1, 0.5, "undecided")))
    cut = run(tmp_path, "cut", Lead(residue(None, None, None, "not measurable (cut off)")))
    assert lead_sentences([few, cut]) == (
        "Told to forget a fact, few still tells 20% (too few items to be sure) of it.",
    )
    assert lead_sentences([cut]) == ()
    said = distrusts([few, cut])
    assert any("few: undecided" in line for line in said)
    assert any("cut: not measurable, for too many of its replies are cut off" in line for line in said)


def test_what_comes_back_was_withheld_and_only_in_the_model_where_it_does(tmp_path: Path) -> None:
    back = Lead(residue(1.0, 0.9, 1.1), afterwards="allowed again")
    obedient = run(tmp_path, "obedient", Lead(residue(0.1, 0.0, 0.2)), back)
    stubborn = run(tmp_path, "stubborn", Lead(residue(1.0, 0.9, 1.1)), back)
    (sentence,) = lead_sentences([obedient, stubborn])
    assert "Allowed again: obedient 100%, stubborn 100%; what comes back in obedient was withheld" in sentence
    (sentence,) = lead_sentences([stubborn])
    assert "withheld" not in sentence


def test_methods_stand_in_the_place_of_models_and_are_not_compared(tmp_path: Path) -> None:
    grid = run(
        tmp_path,
        "target",
        Lead(residue(0.6, 0.5, 0.7), who="unlearned by GA"),
        Lead(residue(0.98, 0.95, 1.0), who="unlearned by NPO"),
    )
    assert lead_sentences([grid]) == (
        "Told to forget a fact, a model unlearned by GA still tells 60% of it, unlearned by NPO 98%.",
    )


def test_warnings_and_models_and_data_of_ours_are_to_be_distrusted(tmp_path: Path) -> None:
    one = run(tmp_path, "one", Lead(residue(0.6, 0.5, 0.7)), warned=True)
    warnings = sum(finding.verdict == "warning" for finding in one.summary.headlines)
    said = distrusts([one])
    assert bool(warnings) == any("at the head of its chapter" in line for line in said)
    own = one.summary.run.model_copy(update={"data": OWN_DATA[0], "model": f"{OWN_MODELS[0]}obedient"})
    ours = LedRun("one", one.summary.model_copy(update={"run": own}), one.told)
    assert any("one: small models that ship with the program" in line for line in distrusts([ours]))
    assert any("small sets that ship with the program" in line for line in distrusts([ours]))
    assert lead_chart([]) is None
