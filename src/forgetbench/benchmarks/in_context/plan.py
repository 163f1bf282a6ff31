"""The settings of a run and every sample it would send, in the order in which they are sent."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from pydantic import field_validator

from forgetbench.benchmarks.base import Plan, PlannedCell, Settings
from forgetbench.benchmarks.in_context.context import LENGTHS, Context, FillerStock, native_context
from forgetbench.benchmarks.in_context.data import InContextData, load_data
from forgetbench.benchmarks.in_context.forms import NO_FILLER, Filler, Form
from forgetbench.benchmarks.in_context.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Scenario,
    SubtaskRevisionItem,
)
from forgetbench.benchmarks.in_context.prompts import STRATEGIES, system_message
from forgetbench.benchmarks.in_context.samples import InContextSample, Probe, Question
from forgetbench.data.records import rows_sha256
from forgetbench.data.tokens import count_cl100k
from forgetbench.errors import SettingError

NATIVE = "native"
SCENARIOS = tuple(scenario.value for scenario in Scenario)
QUESTIONS = tuple(question.value for question in Question)
PROBES = ("reask", "neighbour")
DIRECTIONS = ("forward", "reversed")
JUDGED = ("none", "needed", "all")


class InContextSettings(Settings):
    """Settings of the in-context benchmark.

    Attributes:
        scenarios: `all`, or any of the three, separated by commas.
        lengths: `native`, `all` (the paper's seven), or numbers of tokens.
        strategies: System messages: any of noforget, forget, none.
        questions: How preference is asked for: options, open, or both. The open form needs a judge.
        probes: Beyond the paper: the re-ask and the neighbour question of instructional forgetting; or `none`.
        direction: `forward` goes from the item's old preference to its new one.
        judged: What a judge is asked about: `none` (then samples that only a judge can score are not planned),
            `needed` (those samples alone), or `all` (verified ones too, so that judge and rule can be compared).
        judge_max_tokens: Of a judge's reply; None is 400 for models in this process and 2048 for others.
        allow_self_judge: Whether the model under test may judge its own replies.
        seed: Of filler and option order.
    """

    max_tokens: int = 1024
    scenarios: str = "all"
    lengths: str = NATIVE
    strategies: str = "noforget"
    questions: str = "options"
    probes: str = "reask,neighbour"
    direction: str = "forward"
    judged: str = "none"
    judge_max_tokens: int | None = None
    allow_self_judge: bool = False
    seed: int = 42

    @field_validator("limit")
    @classmethod
    def _limit_sends_something(cls, limit: int | None) -> int | None:
        if limit is not None and limit < 1:
            raise SettingError("the limit leaves nothing to run", where="--limit", found=limit, allowed="1 or more")
        return limit

    @field_validator("max_tokens")
    @classmethod
    def _replies_have_room(cls, max_tokens: int) -> int:
        if max_tokens < 1:
            raise SettingError("no room for a reply", where="--max-tokens", found=max_tokens, allowed="1 or more")
        return max_tokens

    @field_validator("judge_max_tokens")
    @classmethod
    def _verdicts_have_room(cls, limit: int | None) -> int | None:
        if limit is not None and limit < 1:
            raise SettingError("no room for a verdict", where="--judge-max-tokens", found=limit, allowed="1 or more")
        return limit

    @field_validator("scenarios")
    @classmethod
    def _known_scenarios(cls, text: str) -> str:
        return chosen(text, SCENARIOS, "--scenarios")

    @field_validator("strategies")
    @classmethod
    def _known_strategies(cls, text: str) -> str:
        return chosen(text, STRATEGIES, "--strategies")

    @field_validator("questions")
    @classmethod
    def _known_questions(cls, text: str) -> str:
        return chosen(text, QUESTIONS, "--questions")

    @field_validator("probes")
    @classmethod
    def _known_probes(cls, text: str) -> str:
        return "none" if text.strip() == "none" else chosen(text, PROBES, "--probes")

    @field_validator("direction")
    @classmethod
    def _known_direction(cls, text: str) -> str:
        if text not in DIRECTIONS:
            raise SettingError("no such direction", where="--direction", found=text, allowed=DIRECTIONS)
        return text

    @field_validator("judged")
    @classmethod
    def _known_judging(cls, text: str) -> str:
        if text not in JUDGED:
            raise SettingError("no such choice", where="--judge-what", found=text, allowed=JUDGED)
        return text

    @field_validator("lengths")
    @classmethod
    def _known_lengths(cls, text: str) -> str:
        if text.strip() == "all":
            return ",".join(map(str, LENGTHS))
        names = [part.strip() for part in text.split(",") if part.strip()]
        numbers = sorted({int(name) for name in names if name.isdecimal()})
        if not names or any(not name.isdecimal() and name != NATIVE for name in names) or 0 in numbers:
            raise SettingError("not lengths", where="--lengths", found=text, allowed="native, all, or tokens: 500,3000")
        return ",".join(([NATIVE] if NATIVE in names else []) + [str(number) for number in numbers])

    @property
    def controlled_lengths(self) -> tuple[int, ...]:
        """The lengths in tokens, without `native`, ascending."""
        return tuple(int(name) for name in self.lengths.split(",") if name != NATIVE)


def chosen(text: str, allowed: Sequence[str], option: str) -> str:
    """Names separated by commas, in the order of `allowed`; `all` is all of them.

    Raises:
        SettingError: a name is unknown, or there is none.
    """
    names = list(allowed) if text.strip() == "all" else [name.strip() for name in text.split(",") if name.strip()]
    if not names or any(name not in allowed for name in names):
        raise SettingError("unknown name", where=option, found=text, allowed=(*allowed, "all"))
    return ",".join(name for name in allowed if name in names)


def chosen_items(settings: InContextSettings, data: InContextData) -> list[AnyItem]:
    """The items of a run: of its scenarios, in the data's interleaved order, the first `limit`."""
    scenarios = settings.scenarios.split(",")
    items = [item for item in data.items if item.scenario.value in scenarios]
    if settings.direction == "reversed":
        items = [_reversed(item) for item in items]
    if not items:
        raise SettingError("the data hold no item of these scenarios", where="--scenarios", found=settings.scenarios)
    return items[: settings.limit]


def _reversed(item: AnyItem) -> AnyItem:
    if isinstance(item, DynamicPreferenceItem):
        return item.model_copy(update={"old": item.new, "new": item.old})
    return item


def iter_samples(settings: InContextSettings, data: InContextData) -> Iterator[tuple[InContextSample, Filler]]:
    """Every sample of a run with its filler, one item after the other: its lengths, within them its forms.

    Streams: one item's samples exist at a time.
    """
    stock = FillerStock(data.fillers, settings.seed)
    for number, item in enumerate(chosen_items(settings, data)):
        for placed in _contexts(item, settings, stock):
            if placed is not None:
                for sample in _samples_at(item, number, placed[0], settings):
                    yield sample, placed[1]


def _contexts(
    item: AnyItem, settings: InContextSettings, stock: FillerStock
) -> Iterator[tuple[Context, Filler] | None]:
    if NATIVE in settings.lengths:
        yield native_context(item), NO_FILLER
    yield from stock.contexts(item, settings.controlled_lengths)


def _samples_at(item: AnyItem, number: int, context: Context, settings: InContextSettings) -> Iterator[InContextSample]:
    for strategy in settings.strategies.split(","):
        for question, probe in _asked(item, settings):
            for form in Form:
                yield InContextSample(
                    item=item,
                    form=form,
                    strategy=strategy,
                    question=question,
                    probe=probe,
                    reask=probe is Probe.QUERY and form is Form.FORGET and _is_asked_again(item, settings),
                    rotation=number % 4,
                    context=context,
                    direction=settings.direction,
                    seed=settings.seed,
                )


def _asked(item: AnyItem, settings: InContextSettings) -> Iterator[tuple[Question | None, Probe]]:
    """The questions put to an item; those that only a judge can score are left out when there is none."""
    match item:
        case DynamicPreferenceItem():
            for name in settings.questions.split(","):
                if settings.judged != "none" or name == Question.OPTIONS.value:
                    yield Question(name), Probe.QUERY
        case InstructionalForgettingItem():
            if item.is_verified or settings.judged != "none":
                yield None, Probe.QUERY
                if item.neighbour is not None and "neighbour" in settings.probes:
                    yield None, Probe.NEIGHBOUR
        case SubtaskRevisionItem():
            if item.is_verified or settings.judged != "none":
                yield None, Probe.QUERY


def _is_asked_again(item: AnyItem, settings: InContextSettings) -> bool:
    return isinstance(item, InstructionalForgettingItem) and item.reask is not None and "reask" in settings.probes


def make_plan(settings: InContextSettings) -> Plan:
    """What a run with these settings would send. Live answers count as their token limit in later calls."""
    data = load_data(settings.data)
    counts: Counter[str] = Counter()
    tokens: defaultdict[str, int] = defaultdict(int)
    planned: list[list[object]] = []
    calls = 0
    for sample, filler in iter_samples(settings, data):
        label = cell_label(sample)
        counts[label] += 1
        tokens[label] += prompt_tokens(sample)
        calls += sample.calls
        planned.append([sample.sample_id, rows_sha256([[turn.role, turn.content] for turn in sample.turns(filler)])])
    if not counts:
        raise SettingError(
            "nothing here can be scored without a judge",
            where=settings.data,
            next_step="name one with --judge, or use verified items and '--questions options'",
        )
    return Plan(
        tuple(PlannedCell(label, count, tokens[label] / count) for label, count in counts.items()),
        data.provenance,
        data.sha256,
        rows_sha256(planned),
        settings.max_tokens,
        tuple(_notes(settings, data, sum(counts.values()), calls)),
    )


def prompt_tokens(sample: InContextSample) -> int:
    """Input tokens of the sample's last call, without live answers."""
    system = system_message(sample.item.scenario, sample.strategy)
    return sample.context.tokens + count_cl100k(sample.query) + count_cl100k(system)


def cell_label(sample: InContextSample) -> str:
    """A sample's cell in words: `subtask_revision forget 3000`."""
    length = NATIVE if sample.context.length is None else str(sample.context.length)
    parts = [sample.item.scenario.value, sample.form.value, length, sample.strategy]
    if sample.question is Question.OPEN:
        parts.append("open")
    if sample.probe is Probe.NEIGHBOUR:
        parts.append("neighbour")
    return " ".join(parts)


def _notes(settings: InContextSettings, data: InContextData, samples: int, calls: int) -> Iterator[str]:
    if data.source == "embedded":
        yield "embedded data, written for this project: figures are not comparable with the paper's"
    if calls > samples:
        yield f"{calls} calls for {samples} samples: live answers to original instructions, and questions asked again"
    items = chosen_items(settings, data)
    if settings.judged == "none":
        unverified = sum(not item.is_verified for item in items)
        if unverified:
            yield f"{unverified} items can only be scored by a judge and are left out; name one with --judge"
        if "open" in settings.questions:
            yield "open preference questions can only be scored by a judge and are left out; name one with --judge"
    stock = FillerStock(data.fillers, settings.seed)
    for length in settings.controlled_lengths:
        made = [placed[0] if placed else None for item in items for placed in stock.contexts(item, [length])]
        longer = sum(context is None for context in made)
        short = sum(context is not None and context.tokens < 0.8 * length for context in made)
        if longer:
            yield f"{longer} of {len(items)} items are longer than {length} tokens and left out there"
        if short:
            yield f"{short} items stay under 80% of {length} tokens: the next unrelated exchange would not fit"
        if any(context is not None and context.low_diversity for context in made):
            yield f"low diversity at {length} tokens: items share most of the {stock.tokens} tokens of filler there are"
