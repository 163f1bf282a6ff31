"""Every sample a run would send, in the order in which they are sent, and what that costs."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from forgetscope.benchmarks.base import Plan, PlannedCell
from forgetscope.benchmarks.in_context.data.context import FillerDialogues, native_context, native_tokens
from forgetscope.benchmarks.in_context.data.forms import (
    NO_FILLER,
    ROTATIONS,
    Arm,
    Context,
    Filler,
    Form,
    InContextSample,
    later_turns,
)
from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.loading import EMBEDDED_FOLDERS, InContextData, load_data
from forgetscope.benchmarks.in_context.data.probes import RUNGS, DialogueProbe, question_of
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.prompts import REQUEST_ACKNOWLEDGEMENT, system_message
from forgetscope.benchmarks.in_context.settings import NATIVE, InContextSettings
from forgetscope.benchmarks.selection import first_of_each
from forgetscope.core.errors import SettingError
from forgetscope.findings.residue import items_note
from forgetscope.io.records import rows_sha256
from forgetscope.io.tokens import count_cl100k

SHORT_OF = 0.8
"""A context under this share of its length is counted in the plan's notes."""


def chosen_items(settings: InContextSettings, data: InContextData) -> list[AnyItem]:
    """The items of a run: of each of its scenarios the first `limit`, in the data's interleaved order."""
    scenarios = settings.scenarios.split(",")
    items = [item for item in data.items if item.scenario.value in scenarios]
    if settings.direction == "reversed":
        items = [_reversed(item) for item in items]
    if not items:
        raise SettingError("the data hold no item of these scenarios", where="--scenarios", found=settings.scenarios)
    return first_of_each(items, lambda item: item.scenario, settings.limit)


def _reversed(item: AnyItem) -> AnyItem:
    if isinstance(item, DynamicPreferenceItem):
        return item.model_copy(update={"old": item.new, "new": item.old})
    return item


@dataclass(frozen=True)
class PlacedItem:
    """An item at one of the run's lengths.

    Attributes:
        rotation: In which order its options are shown: by its place among the data's preference items, so that it is
            the same whatever else a run asks for.
        length: None for native.
        context, filler: None and nothing where the item is longer than the length.
    """

    item: AnyItem
    rotation: int
    length: int | None
    context: Context | None
    filler: Filler


def iter_placed(settings: InContextSettings, data: InContextData) -> Iterator[PlacedItem]:
    """Every item of a run at every length, one item after the other, lengths ascending. Streams."""
    stock = FillerDialogues(data.fillers, settings.seed)
    preferences = [item.id for item in data.items if isinstance(item, DynamicPreferenceItem)]
    rotations = {name: place % len(ROTATIONS) for place, name in enumerate(preferences)}
    for item in chosen_items(settings, data):
        rotation = rotations.get(item.id, 0)
        if NATIVE in settings.lengths:
            yield PlacedItem(item, rotation, None, native_context(item), NO_FILLER)
        lengths = settings.controlled_lengths
        for length, found in zip(lengths, stock.contexts(item, lengths), strict=True):
            context, filler = found if found is not None else (None, NO_FILLER)
            yield PlacedItem(item, rotation, length, context, filler)


def iter_samples(settings: InContextSettings, data: InContextData) -> Iterator[tuple[InContextSample, Filler]]:
    """Every sample of a run with its filler, one item after the other: its lengths, within them its forms.

    Streams: one item's samples exist at a time.
    """
    for placed in iter_placed(settings, data):
        for sample in samples_at(placed, settings):
            yield sample, placed.filler


def samples_at(placed: PlacedItem, settings: InContextSettings) -> Iterator[InContextSample]:
    """The samples of an item at one length: strategies, questions, and within them the two forms."""
    if placed.context is None:
        return
    for strategy in settings.strategies_at(placed.length):
        for question, probe in _asked(placed.item, settings):
            for form, arm in _arms(placed.item, question, probe, settings):
                asked_again = (
                    probe is DialogueProbe.QUERY
                    and (form, arm) == (Form.FORGET, Arm.PAPER)
                    and _is_asked_again(placed.item, settings)
                )
                yield InContextSample(
                    item=placed.item,
                    form=form,
                    arm=arm,
                    strategy=strategy,
                    question=question,
                    probe=probe,
                    reask=asked_again,
                    rotation=placed.rotation,
                    context=placed.context,
                    direction=settings.direction,
                    consecutive=settings.consecutive,
                    seed=settings.seed,
                )


def _arms(
    item: AnyItem, question: PreferenceQuestion | None, probe: DialogueProbe, settings: InContextSettings
) -> Iterator[tuple[Form, Arm]]:
    """The two forms of a question, then what they are set against where a rule can score it (protocols, section 5)."""
    yield from ((form, Arm.PAPER) for form in Form)
    if probe in RUNGS:
        yield from ((form, Arm.NEVER) for form in Form)
    if probe is not DialogueProbe.QUERY:
        return
    never, placebo = "never" in settings.arms, "placebo" in settings.arms
    match item:
        case InstructionalForgettingItem() if item.is_verified:
            if never and item.never_told:
                yield from ((form, Arm.NEVER) for form in Form)
            if placebo and item.placebo:
                yield Form.FORGET, Arm.PLACEBO
        case SubtaskRevisionItem() if never and item.original_only and item.is_verified:
            yield Form.NOFORGET, Arm.TOLD
        case DynamicPreferenceItem() if never and question is PreferenceQuestion.OPTIONS:
            yield from ((form, Arm.NEVER) for form in Form)


def _asked(item: AnyItem, settings: InContextSettings) -> Iterator[tuple[PreferenceQuestion | None, DialogueProbe]]:
    """The questions put to an item; those that only a judge can score are left out when there is none."""
    match item:
        case DynamicPreferenceItem():
            for name in settings.questions.split(","):
                if settings.judged != "none" or name == PreferenceQuestion.OPTIONS.value:
                    yield PreferenceQuestion(name), DialogueProbe.QUERY
        case InstructionalForgettingItem():
            if item.is_verified or settings.judged != "none":
                yield None, DialogueProbe.QUERY
                if item.neighbour is not None and "neighbour" in settings.probes:
                    yield None, DialogueProbe.NEIGHBOUR
            if item.is_verified and item.never_told:
                for probe in RUNGS:
                    if probe in settings.pressure.split(",") and question_of(probe, item) is not None:
                        yield None, probe
        case SubtaskRevisionItem():
            if item.is_verified or settings.judged != "none":
                yield None, DialogueProbe.QUERY


def _is_asked_again(item: AnyItem, settings: InContextSettings) -> bool:
    return isinstance(item, InstructionalForgettingItem) and item.reask is not None and "reask" in settings.probes


@dataclass
class _Tally:
    """What a plan counts while the samples stream by."""

    samples: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    arms: Counter[Arm] = field(default_factory=Counter)
    pressed: Counter[DialogueProbe] = field(default_factory=Counter)
    judged: int = 0
    longer: Counter[int] = field(default_factory=Counter)
    shorter: Counter[int] = field(default_factory=Counter)
    shared: set[int] = field(default_factory=set)
    native: tuple[str, dict[tuple[Form, Arm], int]] = ("", {})

    def place(self, placed: PlacedItem) -> None:
        """Count how an item met a controlled length."""
        if placed.item.id != self.native[0]:
            self.native = placed.item.id, {}
        if placed.length is None:
            return
        if placed.context is None:
            self.longer[placed.length] += 1
        else:
            self.shorter[placed.length] += placed.context.tokens < SHORT_OF * placed.length
            self.shared |= {placed.length} if placed.context.low_diversity else set()

    def send(self, sample: InContextSample, settings: InContextSettings) -> None:
        """Count what a sample costs."""
        label = cell_label(sample)
        self.samples[label] += 1
        kind = sample.form, sample.arm
        if kind not in self.native[1]:
            self.native[1][kind] = native_tokens(sample.item, *kind)
        self.tokens[label] += prompt_tokens(sample, self.native[1][kind])
        self.calls += sample.calls
        if sample.probe in RUNGS:
            self.pressed[sample.probe] += sample.calls
        else:
            self.arms[sample.arm] += sample.calls
        is_needed = settings.judged == "needed" and not sample.is_verified
        if sample.arm is Arm.PAPER and (settings.judged == "all" or is_needed):
            self.judged += (sample.probe is DialogueProbe.QUERY) + sample.reask


def make_plan(settings: InContextSettings) -> Plan:
    """What a run with these settings would send. Live answers count as nothing in later calls."""
    data = load_data(settings.data)
    tally = _Tally()

    def planned() -> Iterator[list[str]]:
        for placed in iter_placed(settings, data):
            tally.place(placed)
            for sample in samples_at(placed, settings):
                tally.send(sample, settings)
                turns = sample.turns(placed.filler)
                yield [sample.sample_id, rows_sha256([turn.role, turn.content] for turn in turns)]

    sha256 = rows_sha256(planned())
    if not tally.samples:
        raise SettingError(
            "nothing here can be scored without a judge",
            where=settings.data,
            next_step="name one with --judge, or use verified items and '--questions options'",
        )
    return Plan(
        tuple(PlannedCell(label, count, tally.tokens[label] / count) for label, count in tally.samples.items()),
        data.provenance,
        data.sha256,
        sha256,
        settings.max_tokens,
        tuple(_notes(settings, data, tally)),
        extra_calls=tally.calls - tally.samples.total(),
        judge_questions=tally.judged,
    )


def prompt_tokens(sample: InContextSample, native: int) -> int:
    """Input tokens of all calls of a sample, without live answers: a re-ask sends the dialogue once more.

    Args:
        sample: The sample.
        native: Tokens of its item's own turns before the query, in its form.
    """
    system = count_cl100k(system_message(sample.item.scenario, sample.strategy))
    fixed = count_cl100k(REQUEST_ACKNOWLEDGEMENT) if sample.has_fixed_reply else 0
    later = sum(count_cl100k(turn.content) for turn in later_turns()) if sample.probe is DialogueProbe.LATER else 0
    last = system + native + fixed + later + sample.context.filler_tokens + count_cl100k(sample.query)
    if isinstance(sample.item, SubtaskRevisionItem) and sample.form is Form.FORGET:
        return last + system + count_cl100k(sample.item.original)
    if isinstance(sample.item, InstructionalForgettingItem) and sample.reask:
        return last + last + count_cl100k(sample.item.reask or "")
    return last


def cell_label(sample: InContextSample) -> str:
    """A sample's cell in words: `subtask_revision forget 3000`."""
    length = NATIVE if sample.context.length is None else str(sample.context.length)
    parts = [sample.item.scenario.value, sample.form.value, length, sample.strategy]
    if sample.question is PreferenceQuestion.OPEN:
        parts.append("open")
    if sample.probe is not DialogueProbe.QUERY:
        parts.append(sample.probe.value)
    if sample.arm is not Arm.PAPER:
        parts.append(sample.arm.value)
    return " ".join(parts)


def _notes(settings: InContextSettings, data: InContextData, tally: _Tally) -> Iterator[str]:
    if data.source == "embedded-small":
        yield "plain questions in short dialogues, for models of few weights: easier than the paper's"
    if data.source in EMBEDDED_FOLDERS:
        yield "embedded data, written for this project: figures are not comparable with the paper's"
    samples = tally.samples.total()
    if tally.calls > samples:
        yield (
            f"{tally.calls} calls for {samples} samples: live answers to original instructions, "
            "and questions asked again"
        )
    yield from _notes_of_arms(settings, data, tally)
    if tally.judged:
        yield f"{tally.judged} questions to each judge, asked once more where the verdict cannot be read"
    items = chosen_items(settings, data)
    if settings.judged == "none":
        unverified = sum(not item.is_verified for item in items)
        if unverified:
            yield f"{unverified} items can only be scored by a judge and are left out; name one with --judge"
        if "open" in settings.questions:
            yield "open preference questions can only be scored by a judge and are left out; name one with --judge"
    if data.not_filler and settings.controlled_lengths:
        yield f"{data.not_filler} filler dialogues are what items are made of, and are left out"
    stock = sum(count_cl100k(turn.content) for entry in data.fillers for turn in entry.turns)
    for length in settings.controlled_lengths:
        if tally.longer[length]:
            yield f"{tally.longer[length]} of {len(items)} items are longer than {length} tokens and left out there"
        if tally.shorter[length]:
            yield (
                f"{tally.shorter[length]} items stay under {SHORT_OF:.0%} of {length} tokens: "
                "the next unrelated exchange would not fit"
            )
        if length in tally.shared:
            yield f"low diversity at {length} tokens: items share most of the {stock} tokens of filler there are"


def _notes_of_arms(settings: InContextSettings, data: InContextData, tally: _Tally) -> Iterator[str]:
    """What the other arms cost, which items lack them, and for how many items a residue can say what."""
    never = tally.arms[Arm.NEVER] + tally.arms[Arm.TOLD]
    costs = {"the same had nothing been told": never, "a request to forget something else": tally.arms[Arm.PLACEBO]}
    said = [f"{count:,} for {what}" for what, count in costs.items() if count]
    if said:
        yield f"of these calls {' and '.join(said)} (--arms none sends none of them)"
    if tally.pressed:
        asked = ", ".join(f"{name.value} {count:,}" for name, count in tally.pressed.items())
        yield f"{tally.pressed.total():,} calls ask for the fact in further ways, in every arm: {asked}"
    if not never:
        return
    items = chosen_items(settings, data)
    forgetting = [item for item in items if isinstance(item, InstructionalForgettingItem)]
    without = sum(not item.never_told for item in forgetting)
    if without:
        yield f"{without} dialogues are not written as if the fact had never been said, and have no residue"
    unnamed = sum(bool(item.never_told) and not item.request_states_fact for item in forgetting)
    revised = sum(isinstance(item, SubtaskRevisionItem) and bool(item.original_only) for item in items)
    preferred = sum(isinstance(item, DynamicPreferenceItem) for item in items)
    yield items_note([("forgetting", unnamed, 0.0), ("revision", revised, 0.0), ("preference", preferred, 0.0)])
