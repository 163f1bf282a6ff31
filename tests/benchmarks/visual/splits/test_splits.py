"""Splits: concepts on one side, pictures in one part, sizes as asked, and what happens when there is too little."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.records import Item, Split, SplitMode, SplitRequest, SplitSizes
from forgetscope.benchmarks.visual.sources import get_split, known_splits, read_source
from forgetscope.benchmarks.visual.splits.item_files import (
    read_items,
    read_prompt_rows,
    read_split,
    write_records,
    write_split,
)
from forgetscope.benchmarks.visual.splits.items import build_items
from forgetscope.benchmarks.visual.splits.prompt_file import write_prompts
from forgetscope.benchmarks.visual.splits.split import balanced, make_split, with_answer_at
from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from tests.benchmarks.visual.splits.test_items import zoo

GROUPS = {
    "animal": ["ape", "bee", "cow", "dog"],
    "fruit": ["fig", "kiwi", "lime", "pear"],
    "tool": ["axe", "hoe", "rake", "saw"],
}
SMALL = SplitSizes(test_per_concept=4, train_per_concept=3, retain_train=20, retain_test=10)


def request(mode: SplitMode = "random_k", **changes: object) -> SplitRequest:
    values: dict[str, object] = {"k": 3, "concepts": (), "sizes": SMALL, "seed": 42, **changes}
    return SplitRequest("s", "zoo", "identity", mode, **values)  # type: ignore[arg-type]


def zoo_items(per_class: int = 12) -> tuple[Item, ...]:
    return build_items(zoo(GROUPS, per_class=per_class)).items


def question(number: int, image: str, concept: str, *, group: str = "") -> Item:
    return Item(
        id=f"q{number}",
        level=axes.SPATIAL.level,
        axis=axes.SPATIAL.name,
        source="zoo",
        image=image,
        question=f"Where is thing {number}?",
        choices=("a", "b", "c", "d"),
        answer="abcd".index(concept),
        class_name="spatial",
        forget_concept=concept,
        group=group,
    )


@pytest.mark.parametrize("mode", ["random_k", "superclass_balanced_k"])
def test_a_split_has_its_sizes_and_shares_neither_concepts_nor_pictures(mode: SplitMode) -> None:
    split = make_split(zoo_items(), request(mode))
    forget = set(split.record.forget_concepts)
    assert len(forget) == 3
    assert split.record.counts == {
        "train_forget.jsonl": 9,
        "train_retain.jsonl": 20,
        "test_forget.jsonl": 12,
        "test_retain.jsonl": 10,
    }
    for part in ("train", "test"):
        assert {item.forget_concept for item in split.of(part, "forget")} == forget
        assert not forget & {item.forget_concept for item in split.of(part, "retain")}
    assert set(Counter(item.forget_concept for item in split.of("test", "forget")).values()) == {4}
    assert len({item.picture_group for item in split.items}) == len(split.items) == 51


def test_the_same_items_in_any_order_give_the_same_split() -> None:
    items = zoo_items()
    once, again = make_split(items, request()), make_split(items[::-1], request())
    assert once.items == again.items
    assert once.record == again.record


def test_another_seed_gives_another_split() -> None:
    assert make_split(zoo_items(), request()).items != make_split(zoo_items(), request(seed=43)).items


def test_balanced_concepts_take_turns_over_supercategories() -> None:
    for seed in range(20):
        split = make_split(zoo_items(), request("superclass_balanced_k", seed=seed))
        group_of = {name: group for group, names in GROUPS.items() for name in names}
        assert {group_of[name] for name in split.record.forget_concepts} == set(GROUPS)


def test_random_concepts_need_not_be_balanced() -> None:
    group_of = {name: group for group, names in GROUPS.items() for name in names}
    spans = {
        len({group_of[name] for name in make_split(zoo_items(), request(seed=seed)).record.forget_concepts})
        for seed in range(20)
    }
    assert spans > {3} or len(spans) > 1


def test_single_target_forgets_the_concept_it_names() -> None:
    assert make_split(zoo_items(), request("single_target", concepts=("dog",))).record.forget_concepts == ("dog",)


def test_concepts_with_too_few_pictures_are_not_drawn() -> None:
    items = [item for item in zoo_items() if item.forget_concept not in ("ape", "bee") or item.image.endswith("/0.jpg")]
    for seed in range(10):
        assert not {"ape", "bee"} & set(make_split(items, request(seed=seed)).record.forget_concepts)


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        (request(k=13), "k=13, 12 of 12 concepts"),
        (request(k=12), "others kept"),
        (request("single_target", concepts=("unicorn",)), "no item has this forget concept; found 'unicorn'"),
        (request("single_target", concepts=("ape", "bee")), "single_target forgets one"),
        (request("listed"), "no concept named"),
        (request("listed", concepts=tuple(name for own in GROUPS.values() for name in own)), "nothing would be kept"),
        (
            request(sizes=SplitSizes(test_per_concept=4, train_per_concept=3, retain_train=500, retain_test=10)),
            "found 'train_retain: 98'",
        ),
    ],
)
def test_what_cannot_be_drawn_is_said_with_what_there_is(asked: SplitRequest, complaint: str) -> None:
    with pytest.raises(SettingError, match=complaint):
        make_split(zoo_items(), asked)


def test_a_shortfall_is_recorded_where_it_was_allowed() -> None:
    sizes = SplitSizes(test_per_concept=8, train_per_concept=8, retain_train=500, retain_test=10)
    record = make_split(zoo_items(), request(sizes=sizes), allow_short=True).record
    assert {what.split(":")[0] for what in record.short} == {"train_forget", "train_retain"}
    assert set(record.short.values()) == {4, 98}


def test_a_picture_with_answers_on_both_sides_is_on_neither_and_counted() -> None:
    items = [question(n, f"{n}.jpg", "abcd"[n % 4]) for n in range(200)]
    items += [question(1000 + n, f"{n}.jpg", "abcd"[(n + 1) % 4]) for n in range(40)]
    sizes = SplitSizes(test_per_concept=5, train_per_concept=5, retain_train=20, retain_test=10)
    split = make_split(items, request("listed", concepts=("a",), sizes=sizes))
    assert split.record.divided_groups == 20
    both = {f"{n}.jpg" for n in range(40) if "a" in ("abcd"[n % 4], "abcd"[(n + 1) % 4])}
    assert len(both) == 20
    assert not both & {item.image for item in split.items}


def test_a_picture_with_two_questions_is_in_one_part_only() -> None:
    items = [question(n, f"{n // 2}.jpg", "abcd"[n % 2 + 2 * (n % 4 // 2)]) for n in range(400)]
    sizes = SplitSizes(test_per_concept=20, train_per_concept=20, retain_train=60, retain_test=30)
    split = make_split(items, request("listed", concepts=("a", "b"), sizes=sizes))
    places = {item.image: set[tuple[str | None, str | None]]() for item in split.items}
    for item in split.items:
        places[item.image].add((item.part, item.side))
    assert all(len(found) == 1 for found in places.values())


def test_pictures_of_one_group_stay_together() -> None:
    items = [question(n, f"{n}.jpg", "abcd"[n % 4], group=f"g{n % 4}-{n // 4 % 12}") for n in range(480)]
    sizes = SplitSizes(test_per_concept=25, train_per_concept=25, retain_train=60, retain_test=30)
    split = make_split(items, request("listed", concepts=("a", "b"), sizes=sizes))
    parts: dict[str, set[str | None]] = {}
    for item in split.items:
        parts.setdefault(item.group, set()).add(item.part)
    assert all(len(found) == 1 for found in parts.values())


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 30), st.sampled_from("abcd")), min_size=40, max_size=120))
def test_whatever_the_pictures_no_group_is_ever_divided(pairs: list[tuple[int, str]]) -> None:
    items = [question(n, f"{image}.jpg", concept) for n, (image, concept) in enumerate(pairs)]
    if "a" not in {item.forget_concept for item in items} or len({item.forget_concept for item in items}) < 2:
        return
    sizes = SplitSizes(test_per_concept=3, train_per_concept=3, retain_train=5, retain_test=5)
    split = make_split(items, request("listed", concepts=("a",), sizes=sizes), allow_short=True)
    places: dict[str, set[tuple[str | None, str | None]]] = {}
    for item in split.items:
        places.setdefault(item.picture_group, set()).add((item.part, item.side))
    assert all(len(found) == 1 for found in places.values())
    assert sum(split.record.counts.values()) == len(split.items)


def test_balanced_positions_are_even_in_each_file_and_within_each_concept() -> None:
    split = make_split(
        zoo_items(40), request(sizes=SMALL.model_copy(update={"test_per_concept": 20})), balance_positions=True
    )
    assert split.record.balanced_positions
    places = Counter(item.answer for item in split.of("test", "forget"))
    assert max(places.values()) - min(places.values()) <= 1
    by_concept = Counter((item.forget_concept, item.answer) for item in split.of("test", "forget"))
    assert max(by_concept.values()) - min(by_concept.values()) <= 2


def test_balancing_moves_the_answer_and_changes_no_item_otherwise() -> None:
    items = zoo_items()
    for before, after in zip(items, balanced(items, 1, "x"), strict=True):
        assert before.id == after.id
        assert before.answer_text == after.answer_text
        assert set(before.choices) == set(after.choices)


def test_an_answer_is_moved_with_its_clue() -> None:
    item = zoo_items()[0].model_copy(update={"clues": ("p", "q", "r", "s")})
    moved = with_answer_at(item, 3)
    assert moved.answer_text == item.answer_text
    assert moved.clues[3] == item.clues[item.answer]
    assert with_answer_at(moved, item.answer) == item


def test_a_split_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    built = build_items(zoo({**GROUPS, "long": ["x" * 41]}, per_class=12))
    split = make_split(built.items, request(), rejected=built.rejected, images_root="pictures")
    assert len(split.rejected) == 12
    write_split(split, tmp_path / "s")
    assert {path.name for path in (tmp_path / "s").iterdir()} == {
        "train_forget.jsonl",
        "train_retain.jsonl",
        "test_forget.jsonl",
        "test_retain.jsonl",
        "rejected.jsonl",
        "split.json",
    }
    assert read_split(tmp_path / "s") == split


def test_a_split_that_was_tampered_with_is_refused(tmp_path: Path) -> None:
    write_split(make_split(zoo_items(), request()), tmp_path)
    forget, retain = tmp_path / "test_forget.jsonl", tmp_path / "test_retain.jsonl"
    text = forget.read_text()
    forget.write_text(retain.read_text())
    with pytest.raises(DataError, match=r"not of this part.*found \('test', 'retain'\)"):
        read_split(tmp_path)
    forget.write_text("\n".join(text.splitlines()[1:]) + "\n")
    with pytest.raises(DataError, match="found 11; allowed: 12"):
        read_split(tmp_path)
    (tmp_path / "split.json").write_text("{}")
    with pytest.raises(DataError, match=r"split\.json: field 'name'"):
        read_split(tmp_path)
    (tmp_path / "split.json").unlink()
    with pytest.raises(DataError, match=r"not a split.*next: forgetscope visual split"):
        read_split(tmp_path)


PUBLISHED = {
    "id": "coco_train2017_dog_76ab5a84",
    "image": "train2017/000000001589.jpg",
    "question": "What is the object shown in the image?",
    "choices": ["broccoli", "dog", "zebra", "cat"],
    "answer_index": 1,
    "forgetting_level": "object",
    "concept_axis": "identity",
    "target_split": "retain",
    "meta": {"synset": "dog", "class_name": "dog", "superclass": "animal", "bbox": [1, 2, 3, 4]},
}


def rows(path: Path, *entries: object) -> Path:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


def test_items_in_the_authors_form_are_read(tmp_path: Path) -> None:
    colour = {
        **PUBLISHED,
        "id": "lad_images/zebra_x",
        "concept_axis": "attribute_color",
        "choices": ["red", "black", "blue", "green"],
        "meta": {"class_name": "zebra", "superclass": "unknown"},
    }
    named = {**colour, "id": "lad_3", "meta": {"class_name": "zebra", "forget_concept": "black and white"}}
    dog, zebra, other = read_items(rows(tmp_path / "all.jsonl", PUBLISHED, colour, named))
    assert (dog.axis, dog.answer_text, dog.forget_concept, dog.supercategory) == ("identity", "dog", "dog", "animal")
    assert (zebra.id, zebra.class_name, zebra.forget_concept, zebra.supercategory) == (
        "lad_images-zebra_x",
        "zebra",
        "black",
        "",
    )
    assert other.forget_concept == "black and white"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"answer_index": 7}, r"row 1: field.*index into the choices"),
        ({"concept_axis": "smell"}, "no such concept axis; found 'smell'"),
        ({"image": "../../x.jpg"}, "below its root"),
    ],
)
def test_rows_of_theirs_that_cannot_be_meant_are_named(
    tmp_path: Path, change: dict[str, object], complaint: str
) -> None:
    with pytest.raises(DataError, match=complaint):
        read_items(rows(tmp_path / "all.jsonl", {**PUBLISHED, **change}))


def test_two_items_with_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="row 2: two items with one id"):
        read_items(rows(tmp_path / "all.jsonl", PUBLISHED, PUBLISHED))


def test_items_are_read_back_as_written(tmp_path: Path) -> None:
    items = zoo_items()
    write_records(tmp_path / "all.jsonl", items)
    assert tuple(read_items(tmp_path / "all.jsonl")) == items


def test_prompt_rows_need_their_fields_wherever_they_stand(tmp_path: Path) -> None:
    flat = {"question": "q", "choices": ["a", "b"], "class_name": "c", "forget_concept": "f", "more": 1}
    nested = {"question": "q", "choices": ["a", "b"], "meta": {"class_name": "c", "forget_concept": "f"}, "side": None}
    one, two = read_prompt_rows(rows(tmp_path / "items.jsonl", flat, nested))
    assert one == two
    with pytest.raises(DataError, match="row 1: field 'class_name'"):
        read_prompt_rows(rows(tmp_path / "bad.jsonl", {"question": "q", "choices": ["a", "b"], "forget_concept": "c"}))


@pytest.mark.parametrize("concept", [{}, {"forget_concept": None}, {"forget_concept": ""}])
def test_a_row_without_a_forget_concept_is_neither_listed_nor_named(concept: dict[str, object], tmp_path: Path) -> None:
    forgotten = {"question": "q", "choices": ["a", "b"], "class_name": "dog", "forget_concept": "dog"}
    kept = {"question": "q", "choices": ["a", "b"], "class_name": "cat", **concept}
    path = rows(tmp_path / "items.jsonl", forgotten, kept)
    for condition, named in (("unlearn_soft", "following: dog. If"), ("oracle_hard", "")):
        write_prompts(path, tmp_path / "prompts.jsonl", condition=condition)
        _, prompt = (json.loads(line)["prompt"] for line in (tmp_path / "prompts.jsonl").read_text().splitlines())
        assert "cat" not in prompt
        assert named in prompt
        assert ("dog" in prompt) == bool(named)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("[1, 2]", "a line is one JSON object, in braces"), ("{", "not JSON")],
)
def test_a_line_that_is_no_row_is_refused_with_the_reason(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text(text)
    with pytest.raises(DataError, match=reason):
        read_prompt_rows(tmp_path / "items.jsonl")


def test_the_thirteen_splits_are_table_1(real_data: Path) -> None:
    table = real_data.parent / "published" / "visual_table1_splits.csv"
    if not table.exists():
        pytest.skip("the paper's tables are not here")
    lines = table.read_text(encoding="utf-8").splitlines()[1:]
    assert len(lines) == 13
    for line, request_ in zip(lines, list(known_splits().values())[:13], strict=True):
        dataset, mode, k, test, retain_train, retain_test = line.split(",")
        sizes = request_.sizes
        assert request_.mode == mode, dataset
        assert len(request_.concepts) or request_.k == int(k)
        assert (sizes.test_per_concept, sizes.retain_train, sizes.retain_test) == (
            int(test),
            int(retain_train),
            int(retain_test),
        )
        if request_.concepts:
            assert f"({request_.concepts[0]})" in dataset.replace("Behaviour (swim)", "(swim)")


def test_forget_train_sizes_are_those_of_the_protocol() -> None:
    own = {name: request_.sizes.train_per_concept for name, request_ in list(known_splits().items())[:13]}
    assert own == {
        "coco-random-10": 100,
        "coco-balanced-10": 100,
        "aid-random-5": 50,
        "indoor67-random-10": 30,
        "celebrity-random-5": 30,
        "logo2k-random-10": 1,
        "lad-color-random-3": 200,
        "lad-color-black": 200,
        "lad-shape-random-3": 200,
        "lad-size-big": 300,
        "lad-habitat-random-3": 100,
        "lad-behaviour-swim": 200,
        "spatialmqa-random-3": 100,
    }


def test_an_unknown_split_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="found 'coco'; allowed: coco-random-10"):
        get_split("coco")


def test_the_spatial_split_is_drawn_from_the_real_questions(real_data: Path) -> None:
    folder = real_data / "spatialmqa"
    if not folder.is_dir():
        pytest.skip("SpatialMQA is not here")
    built = build_items(read_source("spatialmqa", folder, axes.SPATIAL.name))
    split: Split = make_split(built.items, get_split("spatialmqa-random-3"))
    assert split.record.counts == {
        "train_forget.jsonl": 300,
        "train_retain.jsonl": 1000,
        "test_forget.jsonl": 150,
        "test_retain.jsonl": 300,
    }
    assert split.record.divided_groups > 50
    parts: dict[str, set[tuple[str | None, str | None]]] = {}
    for item in split.items:
        parts.setdefault(item.image, set()).add((item.part, item.side))
    assert all(len(found) == 1 for found in parts.values())
