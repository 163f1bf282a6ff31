"""What annotators get is blind, harmless and whole."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from forgetscope.annotation.files import COLUMNS, sheet_text
from forgetscope.annotation.handout import LONGEST, SampleRecord, make_sheets, write_handout
from forgetscope.core.errors import RunFolderError, SettingError
from tests.annotation.invented import DESIGN, drawn, row, table

HOSTILE = "</script><script>window.hit=1</script><img src=x onerror='window.hit=1'>\u202e"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_handout(drawn(reply=HOSTILE), DESIGN, 3, tmp_path / "out")
    return tmp_path / "out"


def page_data(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, flags=re.DOTALL)
    assert found is not None
    content: dict[str, object] = json.loads(found[1])
    return content


def test_each_annotator_gets_a_page_and_a_spreadsheet_and_the_organiser_a_record(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names == {f"annotator-{n}.{kind}" for n in (1, 2, 3) for kind in ("html", "csv")} | {"sample.json"}
    record = SampleRecord.model_validate_json((folder / "sample.json").read_text(encoding="utf-8"))
    assert record.study == drawn(reply=HOSTILE).study
    assert set(record.samples.values()) == set(drawn(reply=HOSTILE).rows["sample_id"])


def test_sheets_tell_no_verdict_no_model_and_no_sample(folder: Path) -> None:
    for path in folder.glob("annotator-*"):
        text = path.read_text(encoding="utf-8-sig")
        for told in ("judge_pass", "rule_pass", "correct", "incorrect", "lab/model", "invented/", "sample_id"):
            assert told not in text, (path.name, told)


def test_a_hostile_reply_ends_no_script_and_hides_no_character(folder: Path) -> None:
    page = (folder / "annotator-1.html").read_text(encoding="utf-8")
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert "\u202e" not in page
    replies = page_data(page)["replies"]
    assert isinstance(replies, list)
    assert "[U+202E]" in replies[0]["reply"]
    assert replies[0]["reply"].startswith("</script><script>")


def test_pages_hold_the_same_replies_in_different_orders(folder: Path) -> None:
    orders = []
    for number in (1, 2, 3):
        content = page_data((folder / f"annotator-{number}.html").read_text(encoding="utf-8"))
        assert content["annotator"] == number
        replies = content["replies"]
        assert isinstance(replies, list)
        orders.append([reply["key"] for reply in replies])
    assert len({tuple(order) for order in orders}) == 3
    assert len({frozenset(order) for order in orders}) == 1


def test_the_spreadsheet_holds_what_the_page_holds(folder: Path) -> None:
    text = (folder / "annotator-2.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    content = page_data((folder / "annotator-2.html").read_text(encoding="utf-8"))
    replies = content["replies"]
    assert isinstance(replies, list)
    assert [entry["key"] for entry in rows] == [reply["key"] for reply in replies]
    assert [entry["reply"] for entry in rows] == [reply["reply"] for reply in replies]
    assert {entry["judgement"] for entry in rows} == {""}
    assert rows[0]["guidance"] == "Yes if it is.\nAll of these: one; two"
    assert rows[0]["dialogue"] == "user: Is rain wet?"


def test_no_cell_of_the_spreadsheet_is_a_formula() -> None:
    cells = ["=1+1", "+1", "-1.5e3", "-1+A1", "@A1", "\t=1", "fine", "", "", "", ""]
    (got,) = list(csv.reader(io.StringIO(sheet_text([cells]).removeprefix("\ufeff"))))[1:]
    assert got == ["'=1+1", "+1", "-1.5e3", "'-1+A1", "'@A1", "'\t=1", "fine", "", "", "", ""]
    assert len(COLUMNS) == len(cells)


def test_a_very_long_reply_is_cut_and_says_so() -> None:
    rows = table([row("i1", "with", reply="x" * (LONGEST + 1234))]).with_columns(key=table([row("i1", "with")])["item"])
    (sheet,) = make_sheets(rows, DESIGN)
    assert sheet.reply.startswith("x" * LONGEST)
    assert sheet.reply.endswith("[cut here: 1,234 more characters]")


def test_a_turn_without_a_role_is_a_note() -> None:
    turns = ({"role": "", "content": "unrelated turns"}, {"role": "user", "content": "Hello", "live": True})
    rows = table([row("i1", "with", messages=turns)]).with_columns(key=table([row("i1", "with")])["item"])
    (sheet,) = make_sheets(rows, DESIGN)
    assert sheet.turns == (("note", "unrelated turns"), ("user", "Hello"))


def test_sheets_are_never_replaced(folder: Path) -> None:
    with pytest.raises(RunFolderError, match="not empty"):
        write_handout(drawn(), DESIGN, 3, folder)
    with pytest.raises(SettingError, match="--annotators"):
        write_handout(drawn(), DESIGN, 0, folder.parent / "other")
    with pytest.raises(RunFolderError, match="cannot use this folder"):
        write_handout(drawn(), DESIGN, 1, folder / "sample.json" / "below")


def test_the_same_draw_writes_the_same_sheets(folder: Path, tmp_path: Path) -> None:
    write_handout(drawn(reply=HOSTILE), DESIGN, 3, tmp_path / "again")
    for path in folder.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
