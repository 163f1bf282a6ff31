"""What annotators send back is read, checked against its study, and named when it does not fit."""

import csv
import io
import json
from pathlib import Path

import pytest

from forgetscope.annotation.files import read_annotation, read_annotations
from forgetscope.annotation.handout import write_handout
from forgetscope.core.errors import DataError
from tests.annotation.invented import DESIGN, NO, YES, annotation, drawn


def saved(folder: Path, annotator: int = 1, seed: int = 7) -> Path:
    of = drawn(seed=seed)
    said = {sample_id: (YES, NO)[place % 2] for place, sample_id in enumerate(of.rows["sample_id"])}
    path = folder / f"annotator-{annotator}-{seed}.json"
    path.write_text(annotation(of, annotator, said).model_dump_json(indent=2), encoding="utf-8")
    return path


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_the_pages_json_and_the_spreadsheet_say_the_same(tmp_path: Path, delimiter: str) -> None:
    of = drawn()
    write_handout(of, DESIGN, 1, tmp_path / "out")
    given = read_annotation(saved(tmp_path), DESIGN.answers)
    by_key = {entry.key: entry.judgement for entry in given.judgements}
    filled = tmp_path / "filled.csv"
    with (tmp_path / "out" / "annotator-1.csv").open(encoding="utf-8-sig", newline="") as source:
        reader = csv.DictReader(source)
        rows = list(reader)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    for entry in rows:
        judgement = by_key[entry["key"]]
        assert judgement is not None
        writer.writerow(entry | {"judgement": f" {judgement.upper()} "})
    filled.write_text(out.getvalue(), encoding="utf-8")
    read = read_annotation(filled, DESIGN.answers)
    assert {entry.key: entry.judgement for entry in read.judgements} == by_key
    assert (read.study, read.seed, read.annotator) == (given.study, given.seed, given.annotator)


def test_an_untouched_spreadsheet_is_an_annotation_without_judgements(tmp_path: Path) -> None:
    write_handout(drawn(), DESIGN, 1, tmp_path / "out")
    read = read_annotation(tmp_path / "out" / "annotator-1.csv", DESIGN.answers)
    assert {entry.judgement for entry in read.judgements} == {None}
    assert len(read.judgements) == 20


def test_files_are_sorted_by_annotator(tmp_path: Path) -> None:
    found = read_annotations([saved(tmp_path, 3), saved(tmp_path, 1)], DESIGN.answers)
    assert [entry.annotator for entry in found] == [1, 3]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"judgements": []}, "added to the study or taken from it"),
        ({"study": "0" * 12}, "added to the study or taken from it"),
        ({"seed": 8}, "added to the study or taken from it"),
        ({"annotator": 0}, "greater than or equal to 1"),
        ({"version": "2"}, "Input should be '1'|input should be '1'"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, change: dict[str, object], said: str) -> None:
    path = saved(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(DataError, match=said):
        read_annotation(path, DESIGN.answers)


def test_a_judgement_nobody_offered_is_refused_with_its_row(tmp_path: Path) -> None:
    write_handout(drawn(), DESIGN, 1, tmp_path / "out")
    path = tmp_path / "out" / "annotator-1.csv"
    lines = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    lines[3][9] = "maybe"
    out = io.StringIO(newline="")
    csv.writer(out).writerows(lines)
    path.write_text(out.getvalue(), encoding="utf-8")
    with pytest.raises(DataError, match=r"row 4: not a judgement; found 'maybe'; allowed: yes, no, cannot tell"):
        read_annotation(path, DESIGN.answers)


def test_two_rows_of_one_reply_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["judgements"].append(content["judgements"][0])
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(DataError, match="a reply occurs twice"):
        read_annotation(path, DESIGN.answers)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"{", "not JSON"),
        ("a.json", b"[]", "annotation|Annotation"),
        ("a.csv", b"key,judgement\n1,yes\n", "columns are missing"),
        ("a.csv", b"study,seed,annotator,key,judgement\n", "empty"),
        ("a.csv", b"study,seed,annotator,key,judgement\na,1,1,k,yes\na,1,2,l,no\n", "'annotator' holds several values"),
        ("a.csv", b"", "empty"),
        ("a.csv", b"\xff\xfe\x00", "not UTF-8"),
        ("a.xlsx", b"PK", "allowed: .json from the page, or .csv"),
    ],
)
def test_what_is_no_annotation_is_refused(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=said):
        read_annotation(path, DESIGN.answers)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_annotation(tmp_path / "none.json", DESIGN.answers)


def test_two_files_of_one_annotator_and_two_studies_are_refused(tmp_path: Path) -> None:
    first = saved(tmp_path)
    second = tmp_path / "copy.json"
    second.write_bytes(first.read_bytes())
    with pytest.raises(DataError, match="two files are by annotator 1"):
        read_annotations([first, second], DESIGN.answers)
    with pytest.raises(DataError, match="different studies"):
        read_annotations([first, saved(tmp_path, 2, seed=8)], DESIGN.answers)
