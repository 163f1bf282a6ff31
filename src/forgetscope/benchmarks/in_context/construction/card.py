"""The data card of a folder of items: turns, tokens and counts as in ICF-Bench's figure 3, and where it comes from."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean, median

from pydantic import BaseModel, ConfigDict, JsonValue

from forgetscope.benchmarks.build_manifest import BOOKS, BuildManifest, read_manifest
from forgetscope.benchmarks.in_context.data.forms import Form, dialogue
from forgetscope.benchmarks.in_context.data.items import (
    RECORDS,
    AnyItem,
    DynamicPreferenceItem,
    FillerDialogue,
    InstructionalForgettingItem,
    Scenario,
    SubtaskRevisionItem,
    dialogues_of,
    opening,
)
from forgetscope.benchmarks.in_context.data.loading import FILLER_FILE, item_kind
from forgetscope.benchmarks.in_context.prompts import question_with_options
from forgetscope.io.records import read_records
from forgetscope.io.tokens import count_cl100k

CARD_NAMES = ("data_card.json", "data_card.md")

_PLACES = ("source", "data", "filler", "filler_data")
"""Settings that can be paths of the machine it was built on; `data` of the card says what lay there."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Spread(_Record):
    """How a count is spread over samples."""

    mean: float
    median: float
    lowest: int
    highest: int


class FormCard(_Record):
    """One scenario in one form (figure 3).

    Attributes:
        turns: Messages of the whole dialogue, with the query and, where there is one, the live answer.
        tokens: cl100k tokens of these messages, without the live answer.
    """

    scenario: str
    form: str
    samples: int
    turns: Spread
    tokens: Spread


class ScenarioCard(_Record):
    """The items of one scenario.

    Attributes:
        kinds: By what is forgotten, what the revision did, or how the preference is expressed.
        verified: Items that a rule can score.
    """

    scenario: str
    items: int
    verified: int
    kinds: dict[str, int]
    domains: dict[str, int]


class FillerCard(_Record):
    """The filler dialogues.

    Attributes:
        of_items: How many of them an item is made of; a run leaves those out.
    """

    dialogues: int
    exchanges: int
    tokens: int
    of_items: int = 0


class BuildCard(_Record):
    """One build that brought items into the folder."""

    source: str
    prompts_version: str
    models: dict[str, str]
    settings: dict[str, JsonValue]
    rows: dict[str, int]
    left_out: dict[str, int]
    status: str
    data: list[dict[str, JsonValue]]


class DataCard(_Record):
    """What a data folder holds, and how it came about."""

    scenarios: list[ScenarioCard]
    forms: list[FormCard]
    filler: FillerCard | None
    builds: list[BuildCard]
    terms: list[str]


def data_card(folder: Path) -> DataCard:
    """The card of the items, the filler and the builds' books that lie in a folder.

    Raises:
        DataError: a file does not fit the format.
    """
    present = {
        scenario: read_records(path, record)
        for scenario, record in RECORDS.items()
        if (path := folder / f"{scenario.value}.jsonl").exists()
    }
    fillers = read_records(folder / FILLER_FILE, FillerDialogue) if (folder / FILLER_FILE).exists() else []
    manifests = [entry for books in sorted((folder / BOOKS).glob("*")) if (entry := read_manifest(books)) is not None]
    return DataCard(
        scenarios=[_scenario(scenario, items) for scenario, items in present.items()],
        forms=[_form(scenario, form, items) for scenario, items in present.items() for form in Form],
        filler=_filler(fillers, [item for items in present.values() for item in items]) if fillers else None,
        builds=[_build(manifest) for manifest in manifests],
        terms=sorted({term for manifest in manifests for term in manifest.terms}),
    )


def _scenario(scenario: Scenario, items: Sequence[AnyItem]) -> ScenarioCard:
    return ScenarioCard(
        scenario=scenario.value,
        items=len(items),
        verified=sum(item.is_verified for item in items),
        kinds=_counts(item_kind(item) for item in items),
        domains=_counts(item.domain or "(none)" for item in items),
    )


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _form(scenario: Scenario, form: Form, items: Sequence[AnyItem]) -> FormCard:
    dialogues = [dialogue(item, form, _query(item)) for item in items]
    return FormCard(
        scenario=scenario.value,
        form=form.value,
        samples=len(items),
        turns=_spread([len(turns) for turns in dialogues]),
        tokens=_spread([sum(count_cl100k(turn.content) for turn in turns) for turns in dialogues]),
    )


def _query(item: AnyItem) -> str:
    match item:
        case InstructionalForgettingItem():
            return item.query
        case SubtaskRevisionItem():
            return item.revised
        case DynamicPreferenceItem():
            return question_with_options(item.question, item.options)


def _spread(counts: Sequence[int]) -> Spread:
    return Spread(mean=round(fmean(counts), 1), median=median(counts), lowest=min(counts), highest=max(counts))


def _filler(fillers: Sequence[FillerDialogue], items: Sequence[AnyItem]) -> FillerCard:
    sources = {opening(turns) for item in items for turns in dialogues_of(item)}
    return FillerCard(
        dialogues=len(fillers),
        exchanges=sum(len(entry.turns) // 2 for entry in fillers),
        tokens=sum(count_cl100k(turn.content) for entry in fillers for turn in entry.turns),
        of_items=sum(opening(entry.turns) in sources for entry in fillers),
    )


def _build(manifest: BuildManifest) -> BuildCard:
    return BuildCard(
        source=Path(str(manifest.settings["source"])).name,
        prompts_version=manifest.prompts_version,
        models={role: str(spec.get("name", "")) for role, spec in manifest.models.items()},
        settings={name: value for name, value in manifest.settings.items() if name not in _PLACES},
        rows=manifest.rows,
        left_out=manifest.left_out,
        status=manifest.status,
        data=manifest.data,
    )


def markdown(card: DataCard) -> str:
    """The card as a page."""
    parts = [
        "# Data card",
        _table(
            ("scenario", "items", "verified", "kinds"),
            [
                (entry.scenario, f"{entry.items:,}", f"{entry.verified:,}", _listed(entry.kinds))
                for entry in card.scenarios
            ],
        ),
    ]
    if card.forms:
        header = ("scenario", "form", "samples", "turns, mean (range)", "tokens, mean (range)")
        rows = [
            (entry.scenario, entry.form, f"{entry.samples:,}", _shown(entry.turns), _shown(entry.tokens))
            for entry in card.forms
        ]
        note = "Turns are messages, query and live answer included; tokens are cl100k, live answers not included."
        parts += ["## Turns and tokens", _table(header, rows), note]
    if card.filler is not None:
        filler = card.filler
        parts += [
            "## Filler",
            f"{filler.dialogues:,} dialogues, {filler.exchanges:,} exchanges, {filler.tokens:,} tokens; "
            f"{filler.of_items:,} of them are what an item is made of.",
        ]
    for build in card.builds:
        parts += [f"## Built from {build.source}", _build_text(build)]
    if card.terms:
        parts += ["## Terms", "\n".join(f"- {term}." for term in card.terms)]
    return "\n\n".join(parts) + "\n"


def _build_text(build: BuildCard) -> str:
    models = build.models.get("builder", ""), build.models.get("gates", "")
    by = models[0] if models[0] == models[1] else f"{models[0]}, gates answered by {models[1]}"
    lines = [
        f"- By {by}; prompts {build.prompts_version}; seed {build.settings.get('seed')}; {build.status}.",
        f"- Rows taken: {_listed(build.rows)}. Left out: {_listed(build.left_out) or 'none'}.",
    ]
    for entry in build.data:
        revision = f" at {entry['revision']}" if entry["revision"] else ""
        licence = f", {entry['licence']}" if entry["licence"] else ""
        lines.append(f"- {entry['role']}: {entry['name']}{revision}{licence}, sha256 {entry['sha256']}")
    return "\n".join(lines)


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _shown(spread: Spread) -> str:
    return f"{spread.mean:,.1f} ({spread.lowest:,} to {spread.highest:,})"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
