"""The settings of a run and every sample it would send."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from pydantic import ValidationInfo, field_validator

from forgetscope.benchmarks.base import Plan, PlannedCell, Settings
from forgetscope.benchmarks.visual.data.conditions import (
    Condition,
    Control,
    Mode,
    OracleTarget,
    VisualProbe,
    parse_conditions,
    parse_members,
)
from forgetscope.benchmarks.visual.data.forms import Design
from forgetscope.benchmarks.visual.data.loading import EMBEDDED, VisualData, load_data
from forgetscope.benchmarks.visual.data.samples import VisualSample, split_samples
from forgetscope.benchmarks.visual.prompts import PHRASINGS
from forgetscope.benchmarks.visual.sources import SOURCES
from forgetscope.core.errors import SettingError
from forgetscope.io.records import rows_sha256
from forgetscope.io.tokens import count_cl100k

ELIGIBILITY = 50
ELIGIBILITY_EMBEDDED = 20
"""Pictures a forget concept on which it is decided whether the model knows it (protocols.md, section 2)."""

PICTURES_EMBEDDED = 12
"""Pictures a forget concept that measure, of twenty: with fewer, none right of four options is not below guessing."""

GENERATED_TOKENS = 64
"""Of a reply: the paper's runner allows as many."""


class VisualSettings(Settings):
    """Settings of the visual benchmark; the defaults are the paper's conditions with all corrections and controls.

    Attributes:
        data: `embedded`, or a folder of splits.
        splits: `all`, or names separated by commas.
        images: Folder the pictures' paths start from, where the data folder does not hold them.
        conditions: `paper`, `corrections`, `all`, or names; the baseline is always among them.
        controls: Grounding controls under the baseline, or `none`.
        vision_free: Whether the paper's other conditions, and restored permission, are asked without the picture too.
        probes: `choice` and any of `short_answer`, `indirect`.
        modes: `generate`, `first_token`, or both.
        phrasings: Wordings of the suppression texts, the paper's first.
        orders: Orders of the options.
        eligibility: Pictures a concept that decide whether it is known; by default 20 embedded, 50 otherwise.
        pictures: Pictures a forget concept that measure, and at least three times as many items to keep in a split; 0
            for all there are. By default 12 embedded (of 20), all otherwise.
        intervention: Laid over every measured sample: `system_prompt`, `output_filter`, `logit_mask`, `weights=FOLDER`;
            eligibility is asked of the untouched model.
        seed: Of resampling; the splits have their own.
    """

    splits: str = "all"
    images: str = ""
    conditions: str = "all"
    controls: str = "no_image,shuffled_image,option_only"
    vision_free: bool = True
    probes: str = "choice,short_answer,indirect"
    modes: str = "generate"
    phrasings: int = 2
    orders: int = 1
    oracle_target: str = OracleTarget.CONCEPT.value
    eligibility: int | None = None
    pictures: int | None = None
    intervention: str = ""
    seed: int = 42
    max_tokens: int = GENERATED_TOKENS

    @field_validator("phrasings", "orders", "eligibility")
    @classmethod
    def _at_least_one(cls, value: int | None, info: ValidationInfo) -> int | None:
        if value is not None and value < 1:
            raise SettingError("nothing is left to ask", where=f"--{info.field_name}", found=value, allowed="1 or more")
        return value

    @field_validator("intervention")
    @classmethod
    def _known_intervention(cls, text: str) -> str:
        from forgetscope.benchmarks.visual.interventions import parse_intervention

        parse_intervention(text)
        return text

    @field_validator("pictures")
    @classmethod
    def _pictures_are_counted(cls, value: int | None) -> int | None:
        if value is not None and value < 0:
            raise SettingError("no such number of pictures", where="--pictures", found=value, allowed="0 (all) or more")
        return value

    @field_validator("phrasings")
    @classmethod
    def _written_phrasings(cls, value: int) -> int:
        if value > PHRASINGS:
            raise SettingError("so many are not written", where="--phrasings", found=value, allowed=f"1 to {PHRASINGS}")
        return value

    @field_validator("seed")
    @classmethod
    def _seed_is_a_seed(cls, value: int) -> int:
        if value < 0:
            raise SettingError("a seed is zero or positive", where="--seed", found=value)
        return value

    @field_validator("conditions")
    @classmethod
    def _known_conditions(cls, text: str) -> str:
        return ",".join(parse_conditions(text))

    @field_validator("controls")
    @classmethod
    def _known_controls(cls, text: str) -> str:
        return ",".join(parse_members(text, Control, "--controls"))

    @field_validator("probes")
    @classmethod
    def _known_probes(cls, text: str) -> str:
        return ",".join(dict.fromkeys((VisualProbe.CHOICE.value, *parse_members(text, VisualProbe, "--probes"))))

    @field_validator("modes")
    @classmethod
    def _known_modes(cls, text: str) -> str:
        return ",".join(parse_members(text, Mode, "--modes"))

    @field_validator("oracle_target")
    @classmethod
    def _known_target(cls, text: str) -> str:
        if text not in [*OracleTarget]:
            raise SettingError("no such target", where="--oracle-target", found=text, allowed=[*OracleTarget])
        return text

    @property
    def design(self) -> Design:
        """What is asked of each item."""
        default = ELIGIBILITY_EMBEDDED if self.data == EMBEDDED else ELIGIBILITY
        measured = PICTURES_EMBEDDED if self.data == EMBEDDED else 0
        return Design(
            conditions=tuple(Condition(name) for name in self.conditions.split(",")),
            controls=tuple(Control(name) for name in self.controls.split(",") if name != Control.NONE.value),
            vision_free=self.vision_free,
            probes=tuple(VisualProbe(name) for name in self.probes.split(",")),
            phrasings=self.phrasings,
            orders=self.orders,
            modes=tuple(Mode(name) for name in self.modes.split(",")),
            oracle_target=OracleTarget(self.oracle_target),
            eligibility=self.eligibility if self.eligibility is not None else default,
            pictures=self.pictures if self.pictures is not None else measured,
        )


def settings_data(settings: VisualSettings) -> VisualData:
    """The data of these settings."""
    return load_data(settings.data, settings.splits, settings.images)


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


def make_plan(settings: VisualSettings) -> Plan:
    """What a run with these settings would send."""
    data = settings_data(settings)
    counts: Counter[str] = Counter()
    tokens: defaultdict[str, int] = defaultdict(int)
    rows = []
    for sample in build_samples(settings, data):
        label = cell_label(sample)
        counts[label] += 1
        tokens[label] += count_cl100k(sample.prompt) + (count_cl100k(sample.system) if sample.system else 0)
        rows.append([sample.sample_id, sample.prompt, sample.image, *([sample.system] if sample.system else [])])
    return Plan(
        tuple(PlannedCell(label, count, tokens[label] / count) for label, count in counts.items()),
        data.provenance,
        data.sha256,
        rows_sha256(rows),
        settings.max_tokens,
        tuple(_notes(settings, data)),
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
        if record.source in SOURCES and (note := SOURCES[record.source].note):
            yield f"{record.name}: {note}"
        yield from (f"{record.name}: {what} has only {count}" for what, count in record.short.items())
