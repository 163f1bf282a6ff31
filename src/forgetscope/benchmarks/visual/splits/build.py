"""Bring your own concepts: a folder of pictures and a table of labels become items, a split, its controls, a sheet.

The labels are a CSV file (UTF-8, a header, one picture a line):

* `image`: path of the picture below the folder; `label`: the concept it shows, as a choice should read;
* `supercategory` (optional): concepts with the same one are hard distractors for each other;
* `aliases` (optional): other names, separated by `|`; `clue` (optional): what the concept is known for, without naming
  it: both once a concept are enough;
* `subject` (optional, attribute axes): what has the attribute; `question` (optional): asked instead of the axis's;
* `group` (optional): pictures that must not be divided (frames of one film, shots of one product).

Nothing is copied: items name pictures below the folder. Unreadable pictures, the same picture under two labels and a
second copy of a picture are rejected, each with its reason.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.concepts import Concept
from forgetscope.benchmarks.visual.data.conditions import (
    CORRECTIONS,
    GROUNDING_CONTROLS,
    PAPER_CONDITIONS,
    Control,
    VisualProbe,
)
from forgetscope.benchmarks.visual.data.forms import Design
from forgetscope.benchmarks.visual.data.pictures import PictureError, open_picture
from forgetscope.benchmarks.visual.data.records import (
    SPLIT_SEED,
    Item,
    Picture,
    RejectedItem,
    Split,
    SplitRequest,
    SplitSizes,
    VisualRecord,
)
from forgetscope.benchmarks.visual.data.samples import interleaved, split_samples
from forgetscope.benchmarks.visual.sources.listing import ClassListing
from forgetscope.benchmarks.visual.splits.contact_sheet import write_contact_sheet
from forgetscope.benchmarks.visual.splits.item_files import REJECTED_FILE, write_records, write_split
from forgetscope.benchmarks.visual.splits.items import build_items
from forgetscope.benchmarks.visual.splits.making_splits import relative_root
from forgetscope.benchmarks.visual.splits.split import make_split
from forgetscope.core.errors import DataError, SettingError
from forgetscope.io.files import make_folder, require_apart
from forgetscope.io.records import validate_record
from forgetscope.io.spreadsheets import read_table_rows

SOURCE = "own"
ITEMS_FILE, CONTROLS_FILE, SHEET_FILE, SPLIT_FOLDER = "all.jsonl", "controls.jsonl", "contact_sheet.png", "split"


class LabelRow(VisualRecord):
    """One line of the labels."""

    image: str
    label: str
    supercategory: str = ""
    aliases: str = ""
    clue: str = ""
    subject: str = ""
    question: str = ""
    group: str = ""


@dataclass(frozen=True)
class BuildOptions:
    """What the user may choose; what is left open follows from the pictures.

    Attributes:
        forget: The forget concepts by name; without them `k` are drawn, from different supercategories where there are.
        k: Concepts to forget; a third of all by default.
        test_per_concept, train_per_concept: By default half each of what the smallest forget concept has; where
            concepts are drawn, of what at least half of the concepts have.
    """

    axis: Axis = axes.IDENTITY
    forget: tuple[str, ...] = ()
    k: int | None = None
    test_per_concept: int | None = None
    train_per_concept: int | None = None
    seed: int = SPLIT_SEED
    balance_positions: bool = True


@dataclass(frozen=True)
class OwnBenchmark:
    """What was built, and where.

    Attributes:
        controls: Samples of controls and corrections in `controls.jsonl`.
        on_sheet: Items on the contact sheet.
    """

    folder: Path
    items: tuple[Item, ...]
    rejected: tuple[RejectedItem, ...]
    split: Split
    controls: int
    on_sheet: int


def build_own(images: Path, labels: Path, out: Path, options: BuildOptions | None = None) -> OwnBenchmark:
    """Build items, split, controls and contact sheet from a folder of pictures and their labels.

    Raises:
        DataError: the labels cannot be read, or do not fit together.
        SettingError: too few concepts or pictures for a split, or `out` is the folder of pictures or that of a run.
        RunFolderError: the folder cannot be written.
    """
    require_apart(out, [images])
    chosen = options or BuildOptions()
    if not images.is_dir():
        raise DataError("no such folder of pictures", where=str(images), next_step="name it with --images")
    rows = read_labels(labels, chosen.axis)
    pictures, unread = _usable_pictures(rows, images)
    built = build_items(ClassListing(SOURCE, chosen.axis, tuple(pictures), _concepts(rows, labels)))
    rejected = (*unread, *built.rejected)
    split = make_split(
        built.items,
        _request(built.items, chosen, labels, rejected),
        rejected=rejected,
        images_root=relative_root(images, out / SPLIT_FOLDER),
        balance_positions=chosen.balance_positions,
        allow_short=True,
    )
    return _write(out, images, built.items, rejected, split)


def read_labels(path: Path, axis: Axis = axes.IDENTITY) -> list[LabelRow]:
    """The rows of a labels file.

    Raises:
        DataError: missing, not UTF-8, a column nobody knows, a field missing, a picture named twice.
    """
    rows = [_label_row(row, axis, where) for where, row in read_table_rows(path)]
    twice = [image for image, count in Counter(row.image for row in rows).items() if count > 1]
    if twice or not rows:
        raise DataError(
            "a picture is named twice" if twice else "no labels", where=str(path), found=twice[0] if twice else None
        )
    return rows


def _label_row(row: Mapping[str, str], axis: Axis, where: str) -> LabelRow:
    filled = {
        column: value.strip() if column == "image" else " ".join(value.split())
        for column, value in row.items()
        if value.strip()
    }
    found = validate_record(filled, LabelRow, where=where)
    if not axis.question and not found.question:
        raise DataError(f"the axis {axis.name} asks what the column 'question' says", where=where)
    if axis.level.forgets_answer_value and not (found.subject or found.question):
        raise DataError(f"the axis {axis.name} asks about the column 'subject'", where=where)
    return found


def _usable_pictures(rows: Sequence[LabelRow], images: Path) -> tuple[list[Picture], list[RejectedItem]]:
    """The pictures that can be opened and show one thing, and the others with the reason."""
    rejected: list[RejectedItem] = []
    copies: defaultdict[str, list[LabelRow]] = defaultdict(list)
    for row in rows:
        try:
            copies[open_picture(images, row.image).sha256].append(row)
        except PictureError as error:
            rejected.append(_rejected(row, f"picture: {error.reason}"))
    pictures = []
    for same in copies.values():
        if len({row.label for row in same}) > 1:
            rejected += [_rejected(row, "the same picture has another label") for row in same]
            continue
        first, *others = same
        rejected += [_rejected(row, f"the same picture as {first.image}") for row in others]
        pictures.append(
            Picture(
                source=SOURCE,
                image=first.image,
                class_name=first.label,
                supercategory=first.supercategory,
                group=f"{SOURCE}:{first.group}" if first.group else "",
                subject=first.subject,
                question=first.question,
            )
        )
    return sorted(pictures, key=lambda picture: picture.image), rejected


def _rejected(row: LabelRow, reason: str) -> RejectedItem:
    return RejectedItem(source=SOURCE, image=row.image, class_name=row.label, reasons=(reason,))


def _concepts(rows: Sequence[LabelRow], labels: Path) -> tuple[Concept, ...]:
    """Each label once, with the aliases and the clue any of its rows gives.

    Raises:
        DataError: a label has two supercategories or two clues.
    """
    by_label: defaultdict[str, list[LabelRow]] = defaultdict(list)
    for row in rows:
        by_label[row.label].append(row)
    concepts = []
    for label, own in sorted(by_label.items()):
        groups, clues = {row.supercategory for row in own}, {row.clue for row in own if row.clue}
        if len(groups) > 1 or len(clues) > 1:
            raise DataError(
                f"the label {label!r} has two {'supercategories' if len(groups) > 1 else 'clues'}",
                where=str(labels),
                found=sorted(groups if len(groups) > 1 else clues),
            )
        aliases = dict.fromkeys(alias.strip() for row in own for alias in row.aliases.split("|") if alias.strip())
        concepts.append(Concept(label, groups.pop(), tuple(aliases), clues.pop() if clues else ""))
    return tuple(concepts)


def _request(
    items: Sequence[Item], options: BuildOptions, labels: Path, rejected: Sequence[RejectedItem]
) -> SplitRequest:
    """The split that fits the pictures there are, where the user does not say otherwise."""
    counts = Counter(item.forget_concept for item in items)
    if len(counts) < 4:
        why = Counter(reason for item in rejected for reason in item.reasons)
        raise SettingError(
            "a question has four choices, so four concepts with usable pictures are needed",
            where=str(labels),
            found=", ".join(
                (
                    f"{len(counts)} concepts, {len(items)} items",
                    *(f"{n} x {reason}" for reason, n in why.most_common(4)),
                )
            ),
            next_step="mend the pictures that were left out, or add concepts",
        )
    k = len(set(options.forget)) or options.k or max(1, len(counts) // 3)
    if options.forget:
        room = min((counts[name] for name in options.forget if name in counts), default=0)
        left = sum(count for name, count in counts.items() if name not in options.forget)
    else:
        largest = sorted(counts.values(), reverse=True)
        room = largest[min(len(largest), max(k, -(-len(largest) // 2))) - 1]
        left = len(items) - sum(largest[:k])
    test = options.test_per_concept or max(1, -(-room // 2))
    train = options.train_per_concept if options.train_per_concept is not None else max(1, room - test)
    has_groups = len({item.supercategory for item in items}) > 1
    return SplitRequest(
        name="own",
        source=SOURCE,
        axis=options.axis.name,
        mode="listed" if options.forget else "superclass_balanced_k" if has_groups else "random_k",
        sizes=SplitSizes(
            test_per_concept=test,
            train_per_concept=train,
            retain_test=max(1, -(-left // 2)),
            retain_train=max(0, left // 2),
        ),
        k=k,
        concepts=options.forget,
        seed=options.seed,
    )


FULL_DESIGN = Design(
    conditions=(*PAPER_CONDITIONS, *CORRECTIONS),
    controls=GROUNDING_CONTROLS,
    vision_free=True,
    probes=tuple(VisualProbe),
)


def _write(
    out: Path, images: Path, items: tuple[Item, ...], rejected: tuple[RejectedItem, ...], split: Split
) -> OwnBenchmark:
    make_folder(out)
    controls = [
        sample
        for sample in split_samples(split, FULL_DESIGN)
        if sample.control is not Control.NONE
        or sample.condition in CORRECTIONS
        or sample.probe is not VisualProbe.CHOICE
    ]
    write_records(out / ITEMS_FILE, items)
    write_records(out / REJECTED_FILE, rejected)
    write_split(split, out / SPLIT_FOLDER)
    write_records(out / CONTROLS_FILE, controls)
    measured = interleaved([item for item in split.items if item.part == "test"])
    on_sheet = write_contact_sheet(measured, images, out / SHEET_FILE)
    return OwnBenchmark(out, items, rejected, split, len(controls), on_sheet)
