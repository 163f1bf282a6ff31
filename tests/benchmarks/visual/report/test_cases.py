"""Cases: one picture in all conditions, the evidence of a verdict, and the small pictures beside them."""

import base64
import io
import json
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.visual.plan import build_samples, settings_data
from forgetscope.benchmarks.visual.report import thumbnails as module
from forgetscope.benchmarks.visual.report.cases import case_of, told
from forgetscope.benchmarks.visual.report.results import results
from forgetscope.benchmarks.visual.report.thumbnails import EDGE, thumbnails
from forgetscope.benchmarks.visual.scoring.row import SCHEMA, score_sample
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import Completion, build_table
from forgetscope.findings.figures import Gallery, Results
from tests.benchmarks.visual.data.test_data import own

__all__ = ["own"]


def settings(own: Path) -> VisualSettings:
    return VisualSettings(data=str(own), limit=2, eligibility=1)


def run(own: Path) -> pl.DataFrame:
    """A run in which every reply is `1`."""
    chosen = settings(own)
    completion = Completion("1", finish_reason=FinishReason.STOP)
    made = [score_sample(sample, completion, model="one") for sample in build_samples(chosen, settings_data(chosen))]
    return build_table(made, SCHEMA)


def found(own: Path, table: pl.DataFrame, sha256: str | None = None) -> Results:
    chosen = settings(own)
    known = settings_data(chosen).sha256 if sha256 is None else sha256
    return results(table, FigureFacts(chosen, {}, 0.98, data_sha256=known))


def galleries(results: Results) -> list[Gallery]:
    return [block for section in results.sections for block in section.blocks if isinstance(block, Gallery)]


def test_a_case_has_a_row_a_condition_with_what_was_told_and_answered(own: Path) -> None:
    table = run(own)
    item = table.filter((pl.col("side") == "forget") & (pl.col("role") == "effect"))["item"][0]
    case = case_of("a case", "", list(table.filter(pl.col("item") == item).sort("sample_id").iter_rows(named=True)))
    assert [row.label for row in case.rows][:3] == ["baseline", "soft suppression", "medium suppression"]
    assert len(case.rows) == 11
    baseline, soft = case.rows[:2]
    assert baseline.told == ""
    assert soft.told.startswith("Important: You should not identify or reveal")
    with_picture, without, otherwise = baseline.answers
    assert [answer.said for answer in (*with_picture, *without)] == [case.options[1]] * 2
    assert {"another's picture", "options alone", "in own words"} <= {answer.asked for answer in otherwise}
    assert next(answer.picture for answer in otherwise if answer.asked == "another's picture") not in ("", case.picture)


def test_a_long_list_is_shortened_to_how_many_and_which_are_options() -> None:
    text = "Q: What?\n\n0) fox\n1) owl\n\nDo not: ant, bee, cod, fox, gnu. Choose.\n\nReply.\nAnswer:"
    content = [{"type": "text", "text": text}]
    row = {"messages": json.dumps([{"role": "user", "content": content}]), "probe": "choice", "labels": ["fox", "owl"]}
    assert told(row) == "Do not: [5 concepts, among them fox]. Choose."


def test_every_concept_has_a_case_whose_findings_name_samples_of_the_table(own: Path) -> None:
    table = run(own)
    opened, trail = galleries(found(own, table))
    assert [case.title.split(" (")[0] for case in trail.cases] == table.filter(pl.col("side") == "forget")[
        "forget_concept"
    ].unique().sort().to_list()
    assert trail.folded
    assert not opened.folded
    ids = set(table["sample_id"])
    shown = [point.answer.sample_id for case in trail.cases for point in case.points if point.answer is not None]
    assert shown
    assert set(shown) <= ids


def test_pictures_are_drawn_anew_small_and_once(own: Path) -> None:
    table = run(own)
    pictures = found(own, table).pictures
    shown = table.filter(pl.col("image") != "").select("split", "image").unique()
    assert sorted(pictures) == sorted(f"{split}/{image}" for split, image in shown.iter_rows())
    data = settings_data(settings(own))
    for name, uri in pictures.items():
        split, _, image = name.partition("/")
        written = base64.b64decode(uri.split(",")[1])
        assert written != data.open(split, image).data
        with Image.open(io.BytesIO(written)) as picture:
            assert (picture.format, max(picture.size) <= EDGE, picture.info.get("exif")) == ("WEBP", True, None)


def test_a_page_carries_pictures_up_to_a_limit_and_counts_the_others(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, data = run(own), settings_data(settings(own))
    everything, none_over = thumbnails(table, data)
    monkeypatch.setattr(module, "PICTURE_BUDGET", 1)
    one, over = thumbnails(table, data)
    assert (len(one), over, none_over) == (1, len(everything) - 1, 0)


def test_pictures_of_changed_data_are_not_shown_and_the_report_says_so(own: Path) -> None:
    results = found(own, run(own), sha256="another")
    assert results.pictures == {}
    assert "the data have changed since the run" in results.sections[-1].intro
