"""Small copies of the published layouts, made on the spot: names and structure as downloaded, one colour a picture."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from PIL import Image


def picture(path: Path, shade: int = 0) -> None:
    """A small real JPEG; the shade makes its bytes differ."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (32, 24), ((37 * shade) % 256, (91 * shade) % 256, (151 * shade) % 256)).save(path)


COCO_CATEGORIES = [
    {"id": 1, "name": "person", "supercategory": "person"},
    {"id": 17, "name": "cat", "supercategory": "animal"},
    {"id": 18, "name": "dog", "supercategory": "animal"},
    {"id": 19, "name": "horse", "supercategory": "animal"},
    {"id": 21, "name": "cow", "supercategory": "animal"},
    {"id": 23, "name": "bear", "supercategory": "animal"},
    {"id": 58, "name": "hot dog", "supercategory": "food"},
    {"id": 59, "name": "pizza", "supercategory": "food"},
    {"id": 88, "name": "teddy bear", "supercategory": "indoor"},
]


def coco(root: Path, part: str = "val2017") -> Path:
    """Pictures 1 to 8: a dog, a cat, dog and cat, a small dog, a crowd, nothing, a missing file, two bears."""
    objects: dict[int, list[tuple[int, float, int]]] = {
        1: [(18, 9000.0, 0)],
        2: [(17, 9000.0, 0)],
        3: [(18, 9000.0, 0), (17, 9000.0, 0)],
        4: [(18, 100.0, 0)],
        5: [(1, 9000.0, 1), (1, 5000.0, 0)],
        6: [],
        7: [(17, 9000.0, 0)],
        8: [(23, 500.0, 0), (23, 1000.0, 0)],
    }
    annotations = [
        {
            "id": 100 * image + n,
            "image_id": image,
            "category_id": category,
            "area": area,
            "iscrowd": crowd,
            "bbox": [0.0, 0.0, 10.0, 10.0],
            "segmentation": {"counts": [1, 2], "size": [200, 200]} if crowd else [[0.5, 1.5, 2.5, 3.5]],
        }
        for image, found in objects.items()
        for n, (category, area, crowd) in enumerate(found)
    ]
    images = [{"id": n, "file_name": f"{n:012d}.jpg", "width": 200, "height": 200, "license": 1} for n in objects]
    write_coco(root, part, images, annotations)
    for n in objects:
        if n != 7:
            picture(root / part / f"{n:012d}.jpg", n)
    return root


def write_coco(root: Path, part: str, images: list[dict[str, Any]], annotations: list[dict[str, Any]]) -> None:
    """An annotation file in the published order: info, licences, pictures, objects, categories."""
    (root / "annotations").mkdir(parents=True, exist_ok=True)
    content = {"info": {}, "licenses": [], "images": images, "annotations": annotations, "categories": COCO_CATEGORIES}
    (root / "annotations" / f"instances_{part}.json").write_text(json.dumps(content), encoding="utf-8")


def indoor67(root: Path) -> Path:
    """Three classes of two pictures, one in each list; a picture in no list; a listed one that is not there."""
    for folder in ("bakery", "deli", "airport_inside"):
        for n in (1, 2, 3):
            picture(root / "Images" / folder / f"{folder}_{n}.jpg", n)
    lists = {
        "TrainImages.txt": ["bakery/bakery_1.jpg", "deli/deli_1.jpg", "airport_inside/airport_inside_1.jpg"],
        "TestImages.txt": ["bakery/bakery_2.jpg", "deli/deli_2.jpg", "deli/deli_9.jpg", "attic/attic_1.jpg"],
    }
    for name, lines in lists.items():
        (root / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


def aid(root: Path) -> Path:
    """Two of the thirty classes, a folder that is none, and a file that is no picture."""
    for folder in ("Beach", "StorageTanks", "Spaceport"):
        for n in (1, 2):
            picture(root / folder / f"{folder.lower()}_{n}.jpg", n)
    (root / "Beach" / "Thumbs.db").write_bytes(b"\0")
    return root


LAD_ATTRIBUTES = [
    ("Attr_A_001", "color: is black", "x"),
    ("Attr_A_002", "color: is white", "x"),
    ("Attr_A_003", "color: is light brown", "x"),
    ("Attr_A_004", "color: is brown", "x"),
    ("Attr_A_005", "size: is big (compared to pigs)", "x"),
    ("Attr_A_006", "size: is small (compared to pigs)", "x"),
    ("Attr_A_007", "habitat: lives in the ocean", "x"),
    ("Attr_A_008", "habitat: lives on the ground", "x"),
    ("Attr_A_009", "behaviour: can swim", "x"),
    ("Attr_F_001", "color: is red", "x"),
    ("Attr_F_002", "color: is black", "x"),
    ("Attr_F_003", "size: is middle", "x"),
]
LAD_SCORES = {
    "Label_A_01": [0.9, 0.6, 0.0, 0.1, 0.8, 0.0, 0.0, 0.9, 0.2, 0, 0, 0],
    "Label_A_02": [0.0, 0.0, 0.1, 0.95, 0.1, 0.7, 0.9, 0.0, 0.9, 0, 0, 0],
    "Label_F_01": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2, 0.1, 0.9],
}
LAD_LABELS = {"Label_A_01": "zebra", "Label_A_02": "sea_otter", "Label_F_01": "apple"}


def lad(root: Path) -> Path:
    """Two animals and a fruit; the fruit's colours are all below the threshold."""
    root.mkdir(parents=True, exist_ok=True)
    files = {
        "attribute_list.txt": [", ".join(row) for row in LAD_ATTRIBUTES],
        "label_list.txt": [f"{label}, {name}, x" for label, name in LAD_LABELS.items()],
        "attributes_per_class.txt": [
            f"{label}, [ {'  '.join(f'{score:.2f}' for score in scores)} ]" for label, scores in LAD_SCORES.items()
        ],
        "images.txt": [
            f"Img_{n:06d}, {label}, [1, 2, 3, 4], images/{name}/{name}_{n}.jpg"
            for label, name in LAD_LABELS.items()
            for n in (1, 2)
        ],
    }
    for name, lines in files.items():
        (root / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in LAD_LABELS.values():
        for n in (1, 2):
            picture(root / "images" / name / f"{name}_{n}.jpg", n)
    return root


SPATIAL_ROWS = [
    ("1.jpg", "Where is the cup?", ["on/above", "below", "in front of", "behind", "left of", "right of"], "left of"),
    ("1.jpg", "Where is the cat?", ["in front of", "behind", "left of", "right of"], "behind"),
    ("2.jpg", "On which side is the sea?", ["left of", "right of"], "right of"),
    ("3.jpg", "Where is the fork?", ["left of", "right of"], "below"),
]


def spatialmqa(root: Path) -> Path:
    """Questions of six, four and two options; one whose answer is no option."""
    root.mkdir(parents=True, exist_ok=True)
    rows = [
        json.dumps({"image": image, "question": question, "options": options, "answer": answer})
        for image, question, options, answer in SPATIAL_ROWS
    ]
    (root / "train.jsonl").write_text("\n".join(rows[:2]) + "\n", encoding="utf-8")
    (root / "test.jsonl").write_text("\n".join(rows[2:]) + "\n", encoding="utf-8")
    for n in (1, 2, 3):
        picture(root / "test2017" / f"{n}.jpg", n)
    return root


def celebrity(root: Path) -> Path:
    """Two of the seventeen persons, in the folder the download unpacks to."""
    for person in ("Tom Hanks", "Megan Fox"):
        for n in (1, 2):
            picture(root / "Celebrity Faces Dataset" / person / f"{n:03d}_abc.jpg", n)
    return root


def logo2k(root: Path) -> Path:
    """Two root categories with brands; one brand in both."""
    for category, brands in {
        "Food": ["Star_Bucks", "Burger King", "Nestle", "Apple"],
        "Electronic": ["Apple", "Sony", "LG Electronics", "3 Com"],
    }.items():
        for brand in brands:
            for n in (1, 2):
                picture(root / category / brand / f"{n}.jpg", n)
    return root


def inside(shade: int) -> dict[str, Any]:
    """A picture as the hub keeps it in a table."""
    written = io.BytesIO()
    Image.new("RGB", (32, 24), ((37 * shade) % 256, (91 * shade) % 256, shade % 256)).save(written, "PNG")
    return {"bytes": written.getvalue(), "path": f"../{shade}.png"}


def table(folder: Path, rows: list[dict[str, Any]], part: str = "00000-of-00001") -> None:
    """A Parquet file of a folder, as the hub names it."""
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / f"train-{part}.parquet")


MLLMU_PEOPLE = {
    **{"forget_5": ["Ada Moor", "Ben Holt"], "retain_95": ["Cleo Fenn", "Dirk Lund", "Eve Marsh", "Finn Oake"]},
    "Retain_Set": ["Grace Real"],
}
MLLMU_FACTS = {
    "What is the occupation of this person?": ["baker", "nurse", "pilot", "tailor"],
    "Where does this person live?": ["Bremen", "Lyon", "Porto", "Turku"],
    "What does this person like to play?": ["cello", "chess", "darts", "tennis"],
}


def mllmu_row(name: str, number: int, **changes: Any) -> dict[str, Any]:
    """A row of MLLMU-Bench; the n-th person's answers are their n-th options."""
    asked = [
        {"Question": question, "Options": dict(zip("ABCD", options, strict=True)), "Correct_Answer": "ABCD"[number % 4]}
        for question, options in MLLMU_FACTS.items()
    ]
    return {
        "image": inside(10 * number),
        "ID": f"{number:03d}",
        "biography": json.dumps({"Name": name, "Born": "Bremen"}),
        "question": "Tell me about this person.",
        "answer": "A person.",
        "Classification_Task": {"Image_Textual_Questions": asked, "Pure_Text_Questions": asked[:1]},
        "Generation_Task": [{"Question": "Who?", "Ground_Truth": name, "Type": "Image_Textual"}],
        "Mask_Task": [{"Question": "[Blank]", "Ground_Truth": name, "Type": "Pure_Text"}],
        **changes,
    }


def mllmu(root: Path, people: Mapping[str, list[str]] = MLLMU_PEOPLE) -> Path:
    """Two people to forget, four to keep, one real; two more pictures of each made-up one, in a test set of two files.

    The real set has 25 and 475 of 500, and 153 real ones.
    """
    number = 0
    test: list[dict[str, Any]] = []
    for folder, names in people.items():
        rows = []
        for name in names:
            number += 1
            rows.append(mllmu_row(name, number))
            if folder != "Retain_Set":
                kept = {key: value for key, value in rows[-1].items() if key in ("ID", "Classification_Task")}
                test.append({**kept, "images": [inside(10 * number + 1), inside(10 * number + 2)]})
        table(root / folder, rows)
    for part, half in enumerate((test[::2], test[1::2])):
        table(root / "Test_Set", half, f"{part:05d}-of-00002")
    return root


CLEAR_NAMES = ["Hana Brook", "Ivo Sand", "Jun Tarn", "Kaya Wold", "Lars Dell", "Mina Ford"]


def clear(root: Path) -> Path:
    """Two people to forget and four to keep, four pictures each, with five other names a picture."""
    for folder, names in (("forget01_perturbed", CLEAR_NAMES[:2]), ("retain_perturbed", CLEAR_NAMES[2:])):
        rows = [
            {
                "image": inside(10 * CLEAR_NAMES.index(name) + number),
                "caption": f"{name} at a desk.",
                "name": name,
                "paraphrased_caption": f"At a desk, {name}.",
                "perturbed_captions": ["Somebody at a desk."],
                "perturbed_names": ["Nils Cove", "Olga Peak", "Pia Ridge", "Quin Shaw", "Rosa Vale"],
            }
            for name in names
            for number in range(4)
        ]
        table(root / folder, rows)
    return root


def coco_from_sample(sample: Path, root: Path) -> Path:
    """COCO's own layout from the sample of real pictures with boxes: boxes become objects, pictures are linked."""
    from forgetscope.benchmarks.visual.data.concepts import load_vocabulary

    numbers = {name: number for number, name in enumerate(load_vocabulary("coco"), start=1)}
    rows = [json.loads(line) for line in (sample / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    (root / "annotations").mkdir(parents=True, exist_ok=True)
    for part in ("train2017", "val2017"):
        own = [row for row in rows if row["split"] == part]
        (root / part).mkdir(exist_ok=True)
        for row in own:
            (root / part / Path(row["file"]).name).write_bytes((sample / row["file"]).read_bytes())
        content = {
            "images": [
                {
                    "id": row["coco_id"],
                    "file_name": Path(row["file"]).name,
                    "width": row["width"],
                    "height": row["height"],
                }
                for row in own
            ],
            "annotations": [
                {
                    "image_id": row["coco_id"],
                    "category_id": numbers[box["class"]],
                    "area": box["cxcywh_norm"][2] * box["cxcywh_norm"][3] * row["width"] * row["height"],
                    "iscrowd": 0,
                }
                for row in own
                for box in row["boxes"]
            ],
            "categories": [
                {"id": number, "name": name, "supercategory": load_vocabulary("coco")[name].supercategory}
                for name, number in numbers.items()
            ],
        }
        (root / "annotations" / f"instances_{part}.json").write_text(json.dumps(content), encoding="utf-8")
    return root
