"""Splits: which concepts are to be forgotten, and which items measure it.

A split is drawn over concepts, never over pictures (paper, section 3.2): all pictures of a concept are on one side.
Two rules go beyond the paper's words: a picture (or picture group) with answers on both sides is on neither and is
counted, and train and test of one side share concepts but no picture.

A benchmark may publish its own sides and parts: they are taken as they are, and nothing is drawn.

Draws come from named streams of the split's seed (42 in the paper); the authors' own draws come from another
generator and cannot be repeated.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from forgetscope.benchmarks.visual.data.records import (
    PARTS,
    Item,
    Part,
    RejectedItem,
    Side,
    Split,
    SplitRecord,
    SplitRequest,
    SplitSizes,
    file_name,
)
from forgetscope.core.errors import SettingError
from forgetscope.io.records import rows_sha256
from forgetscope.stats.streams import named_stream


def make_split(
    items: Sequence[Item],
    request: SplitRequest,
    *,
    rejected: Sequence[RejectedItem] = (),
    images_root: str = "",
    balance_positions: bool = False,
    allow_short: bool = False,
    notes: Sequence[str] = (),
) -> Split:
    """Draw a split from a source's items.

    Args:
        items: Of one source and axis.
        request: Mode, sizes, seed.
        rejected: Kept beside the split.
        images_root: Folder the pictures' paths start from.
        balance_positions: Whether the right choice stands in each position equally often in each of the four files.
        allow_short: Whether a part may hold fewer items than asked; each shortfall is recorded.
        notes: Kept in the record.

    Raises:
        SettingError: a forget concept does not exist, or there are too few items; says of what, and how many there are.
    """
    by_concept: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_concept[item.forget_concept].append(item)
    forget = choose_concepts(by_concept, request, allow_short=allow_short)
    kept, divided = _without_divided(items, frozenset(forget))
    published = request.mode == "published"
    drawn, short = (_as_published(kept, request), {}) if published else _draw_parts(kept, forget, request)
    if short and not allow_short:
        raise _too_few(request, short)
    if balance_positions:
        drawn = {place: balanced(chosen, request.seed, file_name(*place)) for place, chosen in drawn.items()}
    chosen = tuple(
        item.model_copy(update={"part": part, "side": side}) for part, side in PARTS for item in drawn[part, side]
    )
    record = SplitRecord(
        name=request.name,
        source=request.source,
        axis=request.axis,
        mode=request.mode,
        seed=request.seed,
        sizes=_sizes_of(drawn) if published else request.sizes,
        images_root=images_root,
        forget_concepts=forget,
        concepts=tuple(sorted(by_concept)),
        counts={file_name(*place): len(drawn[place]) for place in PARTS},
        items_available=len(items),
        divided_groups=divided,
        balanced_positions=balance_positions,
        short=short,
        items_sha256=rows_sha256(item.model_dump(mode="json") for item in chosen),
        notes=tuple(notes),
    )
    return Split(record, chosen, tuple(rejected))


def choose_concepts(
    by_concept: Mapping[str, Sequence[Item]], request: SplitRequest, *, allow_short: bool = False
) -> tuple[str, ...]:
    """The forget concepts of a split, sorted by code point.

    Drawn concepts have at least as many items as the forget parts ask of each; with `allow_short`, where fewer than k
    concepts have as many, at least two.

    Raises:
        SettingError: a named concept does not exist, or fewer concepts than k have enough items.
    """
    if request.mode == "published":
        on_forget = {item.forget_concept for own in by_concept.values() for item in own if item.side == "forget"}
        return _named_concepts(by_concept, replace(request, concepts=tuple(on_forget)))
    if request.mode in ("single_target", "listed"):
        return _named_concepts(by_concept, request)
    need = request.sizes.test_per_concept + request.sizes.train_per_concept
    eligible = _with_at_least(need, by_concept)
    if len(eligible) < request.k and allow_short:
        need, eligible = 2, _with_at_least(2, by_concept)
    if len(eligible) < request.k or request.k >= len(by_concept):
        raise SettingError(
            f"k concepts with {need} items each are to be forgotten, and others kept",
            where=request.name,
            found=f"k={request.k}, {len(eligible)} of {len(by_concept)} concepts have as many",
            next_step="a smaller --k, or smaller sizes",
        )
    stream = named_stream(request.seed, f"visual forget concepts {request.mode}")
    shuffled = [eligible[index] for index in stream.permutation(len(eligible)).tolist()]
    if request.mode == "superclass_balanced_k":
        groups = {concept: by_concept[concept][0].supercategory for concept in eligible}
        shuffled = _round_robin(shuffled, groups)
    return tuple(sorted(shuffled[: request.k]))


def _with_at_least(need: int, by_concept: Mapping[str, Sequence[Item]]) -> list[str]:
    return sorted(concept for concept, own in by_concept.items() if len(own) >= need)


def _named_concepts(by_concept: Mapping[str, Sequence[Item]], request: SplitRequest) -> tuple[str, ...]:
    missing = [concept for concept in request.concepts if concept not in by_concept]
    if missing or not request.concepts:
        raise SettingError(
            "no item has this forget concept",
            where=request.name,
            found=", ".join(missing) or "no concept named",
            allowed=_some(sorted(by_concept)),
        )
    if request.mode == "single_target" and len(request.concepts) != 1:
        raise SettingError("single_target forgets one concept", where=request.name, found=", ".join(request.concepts))
    if len(set(request.concepts)) == len(by_concept):
        raise SettingError("nothing would be kept: every concept is to be forgotten", where=request.name)
    return tuple(sorted(set(request.concepts)))


def _round_robin(concepts: Sequence[str], group_of: Mapping[str, str]) -> list[str]:
    """The concepts in turns over their supercategories, which come in the order of their first concept."""
    queues: dict[str, list[str]] = {}
    for concept in concepts:
        queues.setdefault(group_of[concept], []).append(concept)
    rounds = max(map(len, queues.values()))
    return [queue[turn] for turn in range(rounds) for queue in queues.values() if turn < len(queue)]


def _without_divided(items: Sequence[Item], forget: frozenset[str]) -> tuple[list[Item], int]:
    """The items whose picture group has answers on one side only, and how many groups had them on both."""
    sides: defaultdict[str, set[bool]] = defaultdict(set)
    for item in items:
        sides[item.picture_group].add(item.forget_concept in forget)
    kept = [item for item in items if len(sides[item.picture_group]) == 1]
    return kept, sum(len(found) == 2 for found in sides.values())


_Drawn = dict[tuple[Part, Side], tuple[Item, ...]]


def _draw_parts(items: Sequence[Item], forget: tuple[str, ...], request: SplitRequest) -> tuple[_Drawn, dict[str, int]]:
    """The items of the four files, and what is short of what was asked."""
    sizes = request.sizes
    train: list[Item] = []
    test: list[Item] = []
    short: dict[str, int] = {}
    part_of: dict[str, Part] = {}
    for concept in forget:
        own = [item for item in items if item.forget_concept == concept]
        more = _divide(own, sizes.test_per_concept, sizes.train_per_concept, part_of, request.seed, concept)
        short |= _shortfall(f"test_forget: {concept}", len(more["test"]), sizes.test_per_concept)
        short |= _shortfall(f"train_forget: {concept}", len(more["train"]), sizes.train_per_concept)
        test += more["test"]
        train += more["train"]
    forgotten = frozenset(forget)
    others = [item for item in items if item.forget_concept not in forgotten]
    retain = _divide(others, sizes.retain_test, sizes.retain_train, {}, request.seed, "")
    short |= _shortfall("test_retain", len(retain["test"]), sizes.retain_test)
    short |= _shortfall("train_retain", len(retain["train"]), sizes.retain_train)
    drawn: _Drawn = {
        ("train", "forget"): tuple(train),
        ("train", "retain"): tuple(retain["train"]),
        ("test", "forget"): tuple(test),
        ("test", "retain"): tuple(retain["test"]),
    }
    return drawn, short


def _as_published(items: Sequence[Item], request: SplitRequest) -> _Drawn:
    """The items of the four files where each says its own.

    Raises:
        SettingError: one says none, or a side has nothing that measures.
    """
    drawn = {place: tuple(item for item in items if (item.part, item.side) == place) for place in PARTS}
    homeless = [item.id for item in items if item.part is None or item.side is None]
    if homeless or not (drawn["test", "forget"] and drawn["test", "retain"]):
        raise SettingError(
            "a published split has items to forget and to keep, each with its side and part",
            where=request.name,
            found=homeless[0]
            if homeless
            else ", ".join(f"{file_name(*place)}: {len(drawn[place])}" for place in PARTS),
        )
    return drawn


def _sizes_of(drawn: _Drawn) -> SplitSizes:
    """The sizes of a split that was not drawn: of a forget concept the most there are."""

    def most(part: Part) -> int:
        return max(Counter(item.forget_concept for item in drawn[part, "forget"]).values(), default=0)

    return SplitSizes(
        test_per_concept=most("test"),
        train_per_concept=most("train"),
        retain_train=len(drawn["train", "retain"]),
        retain_test=len(drawn["test", "retain"]),
    )


def _shortfall(what: str, found: int, asked: int) -> dict[str, int]:
    return {what: found} if found < asked else {}


def _divide(
    items: Sequence[Item], test: int, train: int, part_of: dict[str, Part], seed: int, concept: str
) -> dict[Part, list[Item]]:
    """Items for test and train, picture groups in random order and whole on one of the two; test is filled first.

    `part_of` remembers where a group went, for the next concept that has items of it.
    """
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda item: item.id):
        groups[item.picture_group].append(item)
    names = sorted(groups)
    order = named_stream(seed, f"visual items {concept or 'retain'}").permutation(len(names)).tolist()
    wanted: dict[Part, int] = {"test": test, "train": train}
    found: dict[Part, list[Item]] = {"test": [], "train": []}
    for index in order:
        group = names[index]
        if group not in part_of:
            open_parts = [part for part in wanted if len(found[part]) < wanted[part]]
            if not open_parts:
                continue
            part_of[group] = open_parts[0]
        part = part_of[group]
        found[part].extend(groups[group][: wanted[part] - len(found[part])])
    return found


def _too_few(request: SplitRequest, short: Mapping[str, int]) -> SettingError:
    return SettingError(
        "too few items for this split",
        where=request.name,
        found=_some([f"{what}: {count}" for what, count in short.items()]),
        allowed=f"{request.sizes.test_per_concept} test and {request.sizes.train_per_concept} train items a forget "
        f"concept, {request.sizes.retain_test} and {request.sizes.retain_train} of the others",
        next_step="smaller sizes, or --allow-short",
    )


def _some(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def balanced(items: Iterable[Item], seed: int, name: str) -> tuple[Item, ...]:
    """The items with the right choice moved, so that each position is right equally often, also within a concept.

    The option that stood there takes the answer's place; items of another number of choices are balanced apart.
    """
    by_size: defaultdict[int, list[Item]] = defaultdict(list)
    listed = list(items)
    for item in listed:
        by_size[len(item.choices)].append(item)
    moved: dict[str, Item] = {}
    for size, own in sorted(by_size.items()):
        stream = named_stream(seed, f"visual answer positions {name} {size}")
        ordered = sorted(own, key=lambda item: (item.forget_concept, item.id))
        for start in range(0, len(ordered), size):
            for item, position in zip(ordered[start : start + size], stream.permutation(size).tolist(), strict=False):
                moved[item.id] = with_answer_at(item, position)
    return tuple(moved[item.id] for item in listed)


def with_answer_at(item: Item, position: int) -> Item:
    """The item with its answer at this position, exchanged with what stood there."""
    order = list(range(len(item.choices)))
    order[position], order[item.answer] = order[item.answer], order[position]
    return item.model_copy(
        update={
            "choices": tuple(item.choices[index] for index in order),
            "clues": tuple(item.clues[index] for index in order) if item.clues else (),
            "answer": position,
        }
    )
