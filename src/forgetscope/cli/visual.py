"""`forgetscope visual`: the prompts alone, the splits alone, and a benchmark from pictures of one's own."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.cli.app import JsonOption, WholeSentences, app
from forgetscope.core.bounds import LARGEST

if TYPE_CHECKING:
    from forgetscope.benchmarks.visual.data.records import Split

visual_app = typer.Typer(
    cls=WholeSentences, help="Visual concept suppression: prompts, splits, own pictures.", no_args_is_help=True
)
app.add_typer(visual_app, name="visual")

AxisOption = Annotated[
    str, typer.Option("--axis", help="What is asked: identity, color, ...; a wrong name lists all there are.")
]
BalanceOption = Annotated[
    bool, typer.Option("--balance-positions/--random-positions", help="Right choice equally often in each position.")
]


@visual_app.command("prompts")
def prompts(
    items: Annotated[Path, typer.Argument(help="Rows of {question, choices, class_name, forget_concept}, JSON Lines.")],
    condition: Annotated[
        str,
        typer.Option(
            "--condition",
            help="baseline_normal, unlearn_soft, unlearn_medium, oracle_hard, oracle_reverse, restored_soft or "
            "restored_medium.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Where to write rows of {prompt}, JSON Lines.")],
    oracle_target: Annotated[
        str, typer.Option("--oracle-target", help="concept, or class as in the authors' runner.")
    ] = "concept",
    phrasing: Annotated[
        int, typer.Option("--phrasing", min=0, max=3, help="0 for the paper's words, 1 to 3 for ours.")
    ] = 0,
    forget: Annotated[
        list[str] | None, typer.Option("--forget", help="A forget concept; repeat. By default all in the file.")
    ] = None,
) -> None:
    """Write the prompt of every item under a condition. The forget list is all forget concepts of the file, sorted."""
    from forgetscope.benchmarks.visual.splits.prompt_file import write_prompts

    count = write_prompts(
        items, out, condition=condition, oracle_target=oracle_target, phrasing=phrasing, forget=forget
    )
    print(f"{count:,} prompts: {out}")


@visual_app.command("split")
def split(
    what: Annotated[str, typer.Argument(help="A split of a source (coco-random-10, ...), all, or an items file.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the split; with all, of the splits' folders.")],
    root: Annotated[
        Path | None, typer.Option("--root", help="The source's folder; with all, one folder a source below it.")
    ] = None,
    mode: Annotated[
        str, typer.Option("--mode", help="Items file: random_k, superclass_balanced_k, single_target or listed.")
    ] = "random_k",
    k: Annotated[int, typer.Option("--k", min=1, max=LARGEST, help="Items file: forget concepts to draw.")] = 10,
    concept: Annotated[
        list[str] | None, typer.Option("--concept", help="Items file: a forget concept, for single_target and listed.")
    ] = None,
    test_per_concept: Annotated[int, typer.Option("--test-per-concept", min=1, max=LARGEST, help="Items file.")] = 100,
    train_per_concept: Annotated[
        int, typer.Option("--train-per-concept", min=0, max=LARGEST, help="Items file.")
    ] = 100,
    retain_train: Annotated[int, typer.Option("--retain-train", min=0, max=LARGEST, help="Items file.")] = 2000,
    retain_test: Annotated[int, typer.Option("--retain-test", min=1, max=LARGEST, help="Items file.")] = 500,
    seed: Annotated[int, typer.Option("--seed", min=0, max=LARGEST, help="Items file: seed of every draw.")] = 42,
    images: Annotated[
        Path | None, typer.Option("--images", help="Items file: the folder its pictures' paths start from.")
    ] = None,
    balance_positions: BalanceOption = False,
    allow_short: Annotated[bool, typer.Option("--allow-short", help="Take fewer items where there are fewer.")] = False,
    acknowledge: Annotated[
        list[str] | None, typer.Option("--acknowledge", help="A source whose terms you acknowledge, by its name.")
    ] = None,
    ontology: Annotated[
        Path | None, typer.Option("--ontology", help="Names and supercategories of class folders, JSON.")
    ] = None,
    lad_distractors: Annotated[
        str, typer.Option("--lad-distractors", help="false, or ranked as in the authors' code.")
    ] = "false",
    pad: Annotated[
        str, typer.Option("--pad", help="none, or relations: two-option questions padded to four with our own.")
    ] = "none",
    as_json: JsonOption = False,
) -> None:
    """Write splits: four files of items, and split.json with what they are."""
    from forgetscope.benchmarks.visual.data.records import SplitSizes
    from forgetscope.benchmarks.visual.splits.making_splits import split_items_file, split_options, write_source_splits
    from forgetscope.core.errors import SettingError

    options = split_options(
        lad_distractors=lad_distractors,
        pad=pad,
        acknowledged=acknowledge or (),
        ontology=ontology,
        balance_positions=balance_positions,
        allow_short=allow_short,
    )
    if Path(what).is_file():
        sizes = SplitSizes(
            test_per_concept=test_per_concept,
            train_per_concept=train_per_concept,
            retain_train=retain_train,
            retain_test=retain_test,
        )
        made = split_items_file(
            Path(what), out, options, mode=mode, k=k, concepts=concept or (), sizes=sizes, seed=seed, images=images
        )
        _print_split(made, as_json=as_json)
        return
    if root is None:
        raise SettingError("splits of a source need its pictures", where="--root", next_step="name the source's folder")
    written = 0
    for outcome in write_source_splits(what, root, out, options):
        if outcome.split is not None:
            written += 1
            _print_split(outcome.split, as_json=as_json)
        elif outcome.error is not None and not as_json:
            print(f"{outcome.name}: not written. {outcome.error}")
    if not written:
        raise SettingError("no source is here", where="--root", found=str(root))


def _print_split(split: "Split", *, as_json: bool) -> None:
    record = split.record
    if as_json:
        print(record.model_dump_json())
        return
    counts = ", ".join(f"{name.removesuffix('.jsonl')} {count:,}" for name, count in record.counts.items())
    print(f"{record.name}: {counts}")
    print(f"  forget: {', '.join(record.forget_concepts)}")
    print(
        f"  drawn from {record.items_available:,} items; {len(split.rejected):,} rejected; "
        f"{record.divided_groups:,} pictures with answers on both sides left out"
    )
    for what, count in record.short.items():
        print(f"  short: {what}: {count:,}")
    for note in record.notes:
        print(f"  {note}")


@visual_app.command("build")
def build(
    images: Annotated[Path, typer.Option("--images", help="Folder of your pictures.")],
    labels: Annotated[Path, typer.Option("--labels", help="CSV: image, label, and optional columns (see the README).")],
    out: Annotated[Path, typer.Option("--out", help="Where to write items, split, controls and contact sheet.")],
    axis: AxisOption = "identity",
    forget: Annotated[
        list[str] | None, typer.Option("--forget", help="A concept to forget; repeat. By default some are drawn.")
    ] = None,
    k: Annotated[int | None, typer.Option("--k", min=1, max=LARGEST, help="How many concepts to draw.")] = None,
    test_per_concept: Annotated[int | None, typer.Option("--test-per-concept", min=1, max=LARGEST)] = None,
    train_per_concept: Annotated[int | None, typer.Option("--train-per-concept", min=0, max=LARGEST)] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, max=LARGEST, help="Seed of every draw.")] = 42,
    balance_positions: BalanceOption = True,
    as_json: JsonOption = False,
) -> None:
    """Make a benchmark of your own pictures: items, a split, its controls and a contact sheet."""
    from forgetscope.benchmarks.visual.sources import get_axis
    from forgetscope.benchmarks.visual.splits.build import BuildOptions, build_own

    options = BuildOptions(
        axis=get_axis(axis),
        forget=tuple(forget or ()),
        k=k,
        test_per_concept=test_per_concept,
        train_per_concept=train_per_concept,
        seed=seed,
        balance_positions=balance_positions,
    )
    built = build_own(images, labels, out, options)
    if as_json:
        summary = {
            "items": len(built.items),
            "rejected": len(built.rejected),
            "controls": built.controls,
            "split": built.split.record.model_dump(mode="json"),
        }
        print(json.dumps(summary))
        return
    print(f"{len(built.items):,} items, {len(built.rejected):,} rejected (reasons in {out / 'rejected.jsonl'})")
    _print_split(built.split, as_json=False)
    print(f"  {built.controls:,} control and correction samples")
    print(f"Look at {built.on_sheet} of the items first: {out / 'contact_sheet.png'}")
