"""Every sample a run would send, and what that costs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from forgetscope.benchmarks.base import Plan, planned_cells
from forgetscope.benchmarks.visual.data.conditions import Control, Mode, VisualProbe
from forgetscope.benchmarks.visual.data.loading import EMBEDDED, VisualData, load_data
from forgetscope.benchmarks.visual.data.samples import VisualSample, split_samples
from forgetscope.benchmarks.visual.settings import PICTURES_EMBEDDED, VisualSettings
from forgetscope.benchmarks.visual.sources import SOURCES
from forgetscope.core.errors import DataError
from forgetscope.findings.residue import items_note
from forgetscope.io.records import rows_sha256
from forgetscope.io.tokens import count_cl100k

_counted: ContextVar[tuple[tuple[str, str], ...]] = ContextVar("_counted", default=())


@contextmanager
def as_planned(unreadable: Mapping[str, str]) -> Iterator[None]:
    """Within the block these pictures count in the hash of the data as not to be opened, as when a run was planned."""
    before = _counted.set(tuple(unreadable.items()))
    try:
        yield
    finally:
        _counted.reset(before)


def settings_data(settings: VisualSettings) -> VisualData:
    """The data of these settings."""
    return load_data(settings.data, settings.splits, settings.images, _counted.get())


def build_samples(settings: VisualSettings, data: VisualData) -> Iterator[VisualSample]:
    """Every sample of a run, all forms of an item next to each other."""
    for loaded in data.splits:
        system = _system_text(settings, loaded.split.record.forget_concepts)
        for sample in split_samples(loaded.split, settings.design, limit=settings.limit):
            yield sample.model_copy(update={"system": system}) if system and sample.role == "effect" else sample


def _system_text(settings: VisualSettings, concepts: tuple[str, ...]) -> str:
    """What the intervention says to the model before all else; empty without one, or where it says nothing."""
    from forgetscope.benchmarks.visual.interventions import parse_intervention

    intervention = parse_intervention(settings.intervention)
    return "" if intervention is None else intervention.system_text(concepts)


MOST_UNREADABLE = 0.02
"""Of the samples: as many as a run may lose and still count as complete (`Limits.completeness_floor`)."""


def _require_pictures(samples: Sequence[VisualSample], data: VisualData) -> None:
    """See that a run has its pictures: single damaged ones are its samples' outcome, a mass of them is a wrong folder.

    Raises:
        DataError: too many samples have a picture that cannot be opened.
    """
    faults = data.unreadable
    broken = [sample for sample in samples if f"{sample.split}/{sample.image}" in faults]
    if len(broken) > MOST_UNREADABLE * len(samples):
        first = broken[0]
        raise DataError(
            f"the pictures of {len(broken)} of {len(samples)} samples cannot be opened",
            where=f"{data.source}, split {first.split}",
            found=f"{first.image}: {faults[f'{first.split}/{first.image}']}",
            next_step="name the folder that holds them with --images, or make the split again",
        )


def make_plan(settings: VisualSettings) -> Plan:
    """What a run with these settings would send.

    Raises:
        DataError: a mass of pictures cannot be opened.
    """
    data = settings_data(settings)
    samples = list(build_samples(settings, data))
    _require_pictures(samples, data)
    sizes = [count_cl100k(one.prompt) + (count_cl100k(one.system) if one.system else 0) for one in samples]
    rows = [[one.sample_id, one.prompt, one.image, *([one.system] if one.system else [])] for one in samples]
    return Plan(
        planned_cells((cell_label(one), "", size) for one, size in zip(samples, sizes, strict=True)),
        data.provenance,
        data.sha256,
        rows_sha256(rows),
        settings.max_tokens,
        (*_notes(settings, data), *_notes_of_residue(samples)),
        unreadable=data.unreadable,
    )


def cell_label(sample: VisualSample) -> str:
    """A sample's cell in words, over all splits: `forget unlearn_soft no_image`, `eligibility baseline_normal`."""
    parts = [sample.side if sample.role == "effect" else sample.role, sample.condition.value]
    parts += [sample.control.value] if sample.control is not Control.NONE else []
    parts += [sample.probe.value] if sample.probe is not VisualProbe.CHOICE else []
    parts += ["rephrased"] if sample.phrasing else []
    parts += ["reordered"] if sample.order else []
    parts += [sample.mode.value] if sample.mode is not Mode.GENERATE else []
    return " ".join(parts)


def _notes(settings: VisualSettings, data: VisualData) -> Iterator[str]:
    if data.source == EMBEDDED:
        yield "embedded drawings, made for this project: figures are not comparable with the paper's"
    yield "tokens are of the texts alone; what a picture costs depends on the model"
    needed, pictures = settings.design.eligibility, settings.design.pictures
    if data.source == EMBEDDED and pictures == PICTURES_EMBEDDED:
        yield (
            f"{pictures} of 20 embedded pictures a forget concept measure; --pictures 0 takes all; --phrasings 4, "
            "--orders 4 and --modes generate,first_token ask in more ways"
        )
    for loaded in data.splits:
        record = loaded.split.record
        trained = Counter(item.forget_concept for item in loaded.split.of("train", "forget"))
        few = [name for name in record.forget_concepts if trained[name] < needed]
        if few:
            yield (
                f"{record.name}: {len(few)} of {len(record.forget_concepts)} forget concepts have fewer than {needed} "
                "pictures of their own for eligibility and will get no verdict"
            )
        yield from (f"{record.name}: {what} has only {count}" for what, count in record.short.items())
    for source in dict.fromkeys(loaded.split.record.source for loaded in data.splits):
        if source in SOURCES and (note := SOURCES[source].note):
            yield f"{source}: {note}"


def _notes_of_residue(samples: Sequence[VisualSample]) -> Iterator[str]:
    """What the never-told arm costs, and how many pictures it needs; nothing without it."""
    blind = [one for one in samples if one.control is Control.NO_IMAGE and one.side == "forget"]
    if not blind:
        return
    yield f"{len(blind):,} samples have the picture withheld: what a residue is measured against (--controls)"
    pictures = {(one.split, one.picture_group) for one in blind}
    guessed = sum(1 / len(one.labels) for one in blind) / len(blind)
    yield items_note([("forget side, pictures, guessed from the options alone,", len(pictures), guessed)])
