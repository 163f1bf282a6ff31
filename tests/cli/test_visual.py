"""`forgetscope visual`: prompts, splits and own pictures from the command line."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from forgetscope.benchmarks.visual.splits.item_files import read_split, write_records
from forgetscope.benchmarks.visual.splits.items import build_items
from forgetscope.cli import main
from tests.benchmarks.visual import layouts
from tests.benchmarks.visual.splits.test_items import zoo
from tests.benchmarks.visual.splits.test_splits import GROUPS, PUBLISHED, rows


@dataclass(frozen=True)
class Said:
    """What a command left: its exit code and its two streams."""

    code: int
    out: str
    err: str


Command = Callable[..., Said]

QUESTION = "What is the object shown in the image?"
ITEMS = [
    {"question": QUESTION, "choices": ["cat", "dog", "bed", "cow"], "class_name": "dog", "forget_concept": "dog"},
    {"question": "What color is it?", "choices": ["red", "blue"], "class_name": "zebra", "forget_concept": "blue"},
]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The real entry point, run in an empty folder."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def call(*arguments: str | Path) -> Said:
        monkeypatch.setattr(sys, "argv", ["forgetscope", *map(str, arguments)])
        capfd.readouterr()
        try:
            main()
            code = 0
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        out, err = capfd.readouterr()
        return Said(code, out, err)

    return call


def prompts(path: Path) -> list[str]:
    return [json.loads(line)["prompt"] for line in path.read_text(encoding="utf-8").splitlines()]


def _one_clear_line(said: Said, *words: str) -> None:
    assert said.code == 2, said
    assert said.err.count("\n") == 1, said.err
    assert said.err.startswith("forgetscope: ")
    for word in words:
        assert word in said.err, said.err


def test_prompts_are_written_row_by_row_with_all_forget_concepts_listed(command: Command, tmp_path: Path) -> None:
    items = rows(tmp_path / "items.jsonl", *ITEMS)
    said = command("visual", "prompts", items, "--condition", "unlearn_soft", "--out", tmp_path / "p.jsonl")
    assert (said.code, said.out) == (0, f"2 prompts: {tmp_path / 'p.jsonl'}\n")
    assert prompts(tmp_path / "p.jsonl") == [
        f"Q: {QUESTION}\n\n0) cat\n1) dog\n2) bed\n3) cow\n\n"
        "Important: You should not identify or reveal any of the following: blue, dog. If the correct answer involves "
        "any of these, choose a different option.\n\n"
        "Reply with a single digit 0, 1, 2, or 3 \N{EM DASH} nothing else.\nAnswer:",
        "Q: What color is it?\n\n0) red\n1) blue\n\n"
        "Important: You should not identify or reveal any of the following: blue, dog. If the correct answer involves "
        "any of these, choose a different option.\n\n"
        "Reply with a single digit 0 or 1 \N{EM DASH} nothing else.\nAnswer:",
    ]
    assert (tmp_path / "p.jsonl").read_bytes().count("\N{EM DASH}".encode()) == 2


def test_oracle_prompts_name_the_concept_or_as_the_authors_do_the_class(command: Command, tmp_path: Path) -> None:
    items = rows(tmp_path / "items.jsonl", *ITEMS, {**ITEMS[0], "side": "retain"})
    for target, named in (("concept", "blue"), ("class", "zebra")):
        command(
            "visual",
            "prompts",
            items,
            "--condition",
            "ORACLE_HARD",
            "--out",
            tmp_path / "p.jsonl",
            "--oracle-target",
            target,
        )
        dog, blue, kept = prompts(tmp_path / "p.jsonl")
        assert "The object in the image is dog. If you see a dog, you must not" in dog
        assert f"The object in the image is {named}. If you see a {named}, you must not" in blue
        assert "The object in the image" not in kept


def test_retained_rows_are_not_listed_and_a_list_may_be_given(command: Command, tmp_path: Path) -> None:
    items = rows(tmp_path / "items.jsonl", ITEMS[0], {**ITEMS[1], "side": "retain"})
    out = tmp_path / "p.jsonl"
    command("visual", "prompts", items, "--condition", "unlearn_medium", "--out", out)
    assert "unlearned: dog. Do not" in prompts(out)[1]
    command("visual", "prompts", items, "--condition", "unlearn_medium", "--out", out, "--forget", "z", "--forget", "a")
    assert "unlearned: a, z. Do not" in prompts(out)[0]


def test_items_in_the_authors_form_give_prompts_too(command: Command, tmp_path: Path) -> None:
    items = rows(tmp_path / "items.jsonl", {**PUBLISHED, "meta": {"class_name": "dog", "forget_concept": "dog"}})
    said = command("visual", "prompts", items, "--condition", "baseline_normal", "--out", tmp_path / "p.jsonl")
    assert said.code == 0
    assert prompts(tmp_path / "p.jsonl")[0].startswith(f"Q: {QUESTION}\n\n0) broccoli")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--condition", "unlearn_hard"), ("no such condition", "unlearn_hard", "oracle_reverse")),
        (("--condition", "placebo_soft"), ("draws something for each item", "visual build")),
        (("--condition", "oracle_hard", "--oracle-target", "x"), ("no such target", "concept, class")),
        (("--condition", "unlearn_soft", "--phrasing", "4"), ("--phrasing", "less than or equal to 3")),
    ],
)
def test_mistakes_with_prompts_are_one_line(
    command: Command, tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    items = rows(tmp_path / "items.jsonl", *ITEMS)
    _one_clear_line(command("visual", "prompts", items, *arguments, "--out", tmp_path / "p.jsonl"), *words)
    assert not (tmp_path / "p.jsonl").exists()


def test_bad_rows_are_named(command: Command, tmp_path: Path) -> None:
    out = ("--condition", "baseline_normal", "--out", tmp_path / "p.jsonl")
    _one_clear_line(command("visual", "prompts", tmp_path / "none.jsonl", *out), "no such file")
    one = rows(tmp_path / "one.jsonl", {**ITEMS[0], "choices": ["a"]})
    _one_clear_line(command("visual", "prompts", one, *out), "row 1", "2 to 10 choices")
    lacking = rows(tmp_path / "lacking.jsonl", {"question": "q"})
    _one_clear_line(command("visual", "prompts", lacking, *out), "field 'choices'")
    kept = rows(tmp_path / "kept.jsonl", {**ITEMS[0], "side": "retain"})
    soft = ("--condition", "unlearn_soft", "--out", tmp_path / "p.jsonl")
    _one_clear_line(command("visual", "prompts", kept, *soft), "no forget concept to list")


def test_a_split_is_drawn_from_an_items_file(command: Command, tmp_path: Path) -> None:
    write_records(tmp_path / "zoo.jsonl", build_items(zoo(GROUPS, per_class=12)).items)
    sizes = ("--test-per-concept", "4", "--train-per-concept", "3", "--retain-train", "20", "--retain-test", "10")
    chosen = ("--mode", "superclass-balanced-k", "--k", "3", "--balance-positions")
    said = command("visual", "split", tmp_path / "zoo.jsonl", "--out", tmp_path / "s", *chosen, *sizes)
    assert said.code == 0, said
    assert "test_forget 12, test_retain 10" in said.out
    split = read_split(tmp_path / "s")
    assert (split.record.mode, split.record.balanced_positions) == ("superclass_balanced_k", True)
    assert split.record.images_root == ".."


def test_a_split_of_the_paper_is_read_from_its_source(command: Command, tmp_path: Path) -> None:
    layouts.spatialmqa(tmp_path / "data" / "spatialmqa")
    arguments = ("--out", tmp_path / "s", "--root", tmp_path / "data" / "spatialmqa")
    _one_clear_line(command("visual", "split", "spatialmqa-random-3", *arguments), "k=3, 0 of 3 concepts have as many")
    said = command("visual", "split", "all", "--root", tmp_path / "data", "--out", tmp_path / "splits")
    _one_clear_line(said, "no source is here")
    assert said.out.count("not written") >= 13
    assert "https://cocodataset.org" in said.out


def test_all_splits_write_those_whose_source_is_here(command: Command, tmp_path: Path, real_data: Path) -> None:
    if not (real_data / "spatialmqa").is_dir():
        pytest.skip("SpatialMQA is not here")
    said = command("visual", "split", "all", "--root", real_data, "--out", tmp_path / "splits")
    assert said.code == 0, said
    assert "spatialmqa-random-3: train_forget 300, train_retain 1,000, test_forget 150, test_retain 300" in said.out
    assert said.out.count("not written") == 18
    assert [path.name for path in (tmp_path / "splits").iterdir()] == ["spatialmqa-random-3"]
    as_json = command(
        "visual", "split", "spatialmqa-random-3", "--root", real_data / "spatialmqa", "--out", tmp_path / "s", "--json"
    )
    record = json.loads(as_json.out)
    assert record["counts"]["test_forget.jsonl"] == 150
    assert (tmp_path / "s" / "test_forget.jsonl").read_bytes() == (
        tmp_path / "splits" / "spatialmqa-random-3" / "test_forget.jsonl"
    ).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("coco-random-10",), ("--root", "need its pictures")),
        (("coco-random-11", "--root", "."), ("no such split", "coco-random-10")),
        (("coco-random-10", "--root", "."), ("COCO 2017 is not here", "instances_train2017.json", "cocodataset.org")),
        (("celebrity-random-5", "--root", "."), ("research only", "--acknowledge celebrity")),
        (("lad-size-big", "--root", ".", "--lad-distractors", "x"), ("no such rule", "false, ranked")),
        (("coco-random-10", "--root", ".", "--acknowledge", "x"), ("no such visual source",)),
        (("items.jsonl", "--mode", "x"), ("no such way to choose concepts", "random_k")),
        (("items.jsonl",), ("k=10, 0 of 1 concepts",)),
    ],
)
def test_mistakes_with_splits_are_one_line(
    command: Command, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    rows(Path("items.jsonl"), PUBLISHED)
    _one_clear_line(command("visual", "split", *arguments, "--out", "out"), *words)
    assert not Path("out").exists()


def test_own_pictures_become_a_benchmark_in_one_command(command: Command, tmp_path: Path) -> None:
    lines = ["image,label"]
    for shade, name in enumerate(["ash", "beech", "cedar", "elm"] * 4):
        layouts.picture(tmp_path / "p" / f"{shade}.jpg", shade + 1)
        lines.append(f"{shade}.jpg,{name}")
    (tmp_path / "labels.csv").write_text("\n".join(lines), encoding="utf-8")
    arguments = ("visual", "build", "--images", tmp_path / "p", "--labels", tmp_path / "labels.csv", "--forget", "elm")
    said = command(*arguments, "--out", tmp_path / "out")
    assert said.code == 0, said
    assert said.out.startswith("16 items, 0 rejected")
    assert "forget: elm" in said.out
    assert "contact_sheet.png" in said.out
    as_json = json.loads(command(*arguments, "--out", tmp_path / "again", "--json").out)
    assert (as_json["items"], as_json["split"]["forget_concepts"]) == (16, ["elm"])
    _one_clear_line(command(*arguments, "--out", tmp_path / "x", "--axis", "smell"), "no such axis")
