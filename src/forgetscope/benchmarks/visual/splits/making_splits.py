"""Splits written where the user wants them: the paper's from their sources, any other from a file of items."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from forgetscope.benchmarks.visual.data.records import Split, SplitMode, SplitRequest, SplitSizes
from forgetscope.benchmarks.visual.sources import SOURCES, get_split, known_splits, read_source
from forgetscope.benchmarks.visual.sources.listing import ReadOptions
from forgetscope.benchmarks.visual.splits.item_files import read_items, write_split
from forgetscope.benchmarks.visual.splits.items import BuiltItems, ItemRules, LadRule, PadRule, build_items
from forgetscope.benchmarks.visual.splits.split import make_split
from forgetscope.core.errors import DataError, UnknownNameError, UserError
from forgetscope.io.files import real_path

ALL = "all"
PICTURES = "pictures"


@dataclass(frozen=True)
class SplitOptions:
    """How splits are read, built and drawn, where there is a choice."""

    rules: ItemRules = field(default_factory=ItemRules)
    reading: ReadOptions = field(default_factory=ReadOptions)
    balance_positions: bool = False
    allow_short: bool = False


@dataclass(frozen=True)
class SplitOutcome:
    """A split that was written, or why it was not."""

    name: str
    split: Split | None = None
    error: UserError | None = None


def write_source_splits(
    which: str, root: Path, out: Path, options: SplitOptions | None = None
) -> Iterator[SplitOutcome]:
    """Write one of the sources' splits, or all whose source is here, each into its folder below `out`.

    Args:
        which: A split's name, or `all`.
        root: The source's folder; for `all` the folder with one folder a source, by the sources' names.
        out: For one split its folder; for `all` the folder of the splits' folders. Pictures that lie inside a source's
            tables are written once to `pictures/` in it.
        options: Rules, terms, balancing.

    Yields:
        For each split, in Table 1's order, what became of it. With `all`, a source that is not here is an outcome, not
        an error; a single split raises.

    Raises:
        UserError: the one split asked for cannot be made.
    """
    chosen = options or SplitOptions()
    if which != ALL:
        request = get_split(which)
        built = _built(request, root, out, chosen)
        yield SplitOutcome(which, _write(request, built, _images(request, root, out), out, chosen))
        return
    last: tuple[str, str, str] | None = None
    built = BuiltItems((), ())
    for request in known_splits().values():
        folder = root / request.source
        try:
            listing = (request.source, request.axis, request.name if request.mode == "published" else "")
            if last != listing:
                built, last = _built(request, folder, out, chosen), listing
            images = _images(request, folder, out)
            yield SplitOutcome(request.name, _write(request, built, images, out / request.name, chosen))
        except UserError as error:
            last = None
            yield SplitOutcome(request.name, error=error)


def _images(request: SplitRequest, root: Path, out: Path) -> Path:
    """Where a split's pictures are: in the source's folder, or written out of its tables."""
    return out / PICTURES if request.mode == "published" else root


def _built(request: SplitRequest, root: Path, out: Path, options: SplitOptions) -> BuiltItems:
    reading = replace(options.reading, split=request.name, pictures=out / PICTURES)
    return build_items(read_source(request.source, root, request.axis, reading), options.rules)


def _write(request: SplitRequest, built: BuiltItems, images: Path, out: Path, options: SplitOptions) -> Split:
    split = make_split(
        built.items,
        request,
        rejected=built.rejected,
        images_root=relative_root(images, out),
        balance_positions=options.balance_positions,
        allow_short=options.allow_short,
        notes=_notes(request, built, options.rules),
    )
    write_split(split, out)
    return split


def relative_root(images: Path, folder: Path) -> str:
    """The pictures' folder as seen from the split's, which both may be moved together."""
    return Path(os.path.relpath(real_path(images), real_path(folder))).as_posix()


def _notes(request: SplitRequest, built: BuiltItems, rules: ItemRules) -> Sequence[str]:
    notes = [f"passed over, {reason}: {count}" for reason, count in built.skipped.items()]
    notes += [note] if (note := SOURCES[request.source].note) else []
    if rules.lad_distractors == "ranked":
        notes.append("wrong answers by the authors' rule: some are true of the class")
    if rules.pad == "relations":
        notes.append("two-option questions padded to four with relations of our choice")
    return notes


def split_items_file(
    path: Path,
    out: Path,
    options: SplitOptions,
    *,
    mode: str,
    k: int,
    concepts: Sequence[str],
    sizes: SplitSizes,
    seed: int,
    images: Path | None,
) -> Split:
    """Write a split of the items of a file, ours or in the authors' form, which are of one source and axis.

    Args:
        path: The items.
        out: The split's folder.
        options: Balancing, shortfalls; the items are taken as they are.
        mode: How forget concepts are chosen.
        k: How many to draw, for the drawing modes.
        concepts: The forget concepts, for `single_target` and `listed`.
        sizes: Of the four files.
        seed: Of every draw.
        images: Folder the pictures' paths start from; the items' own folder by default.

    Raises:
        DataError: the items are of several sources or axes, or cannot be read.
        UnknownNameError: no such mode.
        SettingError: too few items.
    """
    written = mode.replace("-", "_")
    modes: tuple[SplitMode, ...] = get_args(SplitMode)
    found = next((name for name in modes if name == written), None)
    if found is None:
        raise UnknownNameError("no such way to choose concepts", where="--mode", found=mode, allowed=modes)
    items = read_items(path)
    kinds = sorted({f"{item.source} {item.axis}" for item in items})
    if len(kinds) > 1:
        raise DataError("a split is drawn from items of one source and axis", where=str(path), found=", ".join(kinds))
    request = SplitRequest(
        name=path.stem,
        source=items[0].source,
        axis=items[0].axis,
        mode=found,
        sizes=sizes,
        k=k,
        concepts=tuple(concepts),
        seed=seed,
    )
    split = make_split(
        items,
        request,
        images_root=relative_root(images or path.parent, out),
        balance_positions=options.balance_positions,
        allow_short=options.allow_short,
    )
    write_split(split, out)
    return split


def split_options(
    *,
    lad_distractors: str = "false",
    pad: str = "none",
    acknowledged: Iterable[str] = (),
    ontology: Path | None = None,
    balance_positions: bool = False,
    allow_short: bool = False,
) -> SplitOptions:
    """Options of a split from the words of a command line.

    Raises:
        UnknownNameError: no such rule or source.
    """
    terms = frozenset(SOURCES[name].name for name in acknowledged)
    return SplitOptions(
        ItemRules(_lad_rule(lad_distractors), _pad_rule(pad)),
        ReadOptions(terms, ontology),
        balance_positions,
        allow_short,
    )


def _lad_rule(name: str) -> LadRule:
    match name:
        case "false" | "ranked":
            return name
        case _:
            raise UnknownNameError("no such rule", where="--lad-distractors", found=name, allowed=get_args(LadRule))


def _pad_rule(name: str) -> PadRule:
    match name:
        case "none" | "relations":
            return name
        case _:
            raise UnknownNameError("no such rule", where="--pad", found=name, allowed=get_args(PadRule))
