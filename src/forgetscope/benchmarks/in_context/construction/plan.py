"""The settings of a build, the rows it takes, and what it would send: nothing is asked here."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from forgetscope.benchmarks.building import Prompt
from forgetscope.benchmarks.in_context.construction.prompts import SYSTEM
from forgetscope.benchmarks.in_context.construction.stages import forgetting, preference, revision
from forgetscope.benchmarks.in_context.construction.stages.filler import (
    NOTHING_TAKEN,
    FillerSettings,
    FillerStock,
    TakenDialogues,
    choose_filler,
    is_for_items,
)
from forgetscope.benchmarks.in_context.construction.stages.preference import (
    DIRECTIONS,
    EXPRESSIONS,
    PAIRINGS,
    Expression,
    PreferenceRow,
    preference_row,
)
from forgetscope.benchmarks.in_context.data.items import FillerDialogue, Scenario, opening
from forgetscope.benchmarks.in_context.data.loading import interleaved
from forgetscope.benchmarks.in_context.data.sources import SOURCES, load_source
from forgetscope.benchmarks.in_context.data.sources.records import SourceInstruction, SourcePreference, SourceRows
from forgetscope.core.bounds import LARGEST, MOST_PARTS, MOST_TOKENS
from forgetscope.core.errors import DataError, SettingError, refused_value
from forgetscope.io.records import Provenance, rows_sha256
from forgetscope.io.tokens import count_cl100k
from forgetscope.stats import named_stream

T = TypeVar("T")
Material = FillerDialogue | SourceInstruction | PreferenceRow

COUNTED_ROWS = 200
"""Prompt tokens are counted on so many rows of a scenario and scaled up."""


class BuildSettings(BaseModel):
    """What decides which items a build can give, beside the models' replies.

    Attributes:
        source: A name in `SOURCES`, or a folder of one's own.
        data: A local copy of the source.
        revision: A commit of the source other than the pinned one.
        limit: Rows per scenario; None takes all.
        max_tokens: Of a reply.
        temperature: 0 is greedy.
        send_schema: The form of each reply goes with the request, for providers that enforce it.
        max_source_tokens: Dialogues and instructions longer than so many cl100k tokens are left out.
        direction: `forward`: NEW is the source's own preference (protocols.md, section 1).
        source_pairing: `coherent` options, or the `paper`'s.
        expressions: How preferences are expressed; rows get them in turn.
        filler: Where unrelated turns come from: `embedded`, a source of dialogues, a folder of one's own, or `none`.
        filler_data: A local copy of that source.
        filler_tokens: Of the filler dialogues written out, at most.
        sessions: Unrelated sessions inside each item, at most; how many is drawn for each, one at least. 0 for none.
        unrelated: Exchanges of such a session, at most; 0 for none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    data: str | None = None
    revision: str | None = None
    limit: int | None = Field(default=None, ge=1, le=LARGEST)
    seed: int = Field(default=42, ge=0, le=LARGEST)
    max_tokens: int = Field(default=1024, ge=1, le=MOST_TOKENS)
    temperature: float = Field(default=0.0, ge=0, le=2)
    send_schema: bool = True
    max_source_tokens: int = Field(default=2000, ge=1, le=MOST_TOKENS)
    direction: preference.Direction = "forward"
    source_pairing: preference.Pairing = "coherent"
    expressions: tuple[Expression, ...] = EXPRESSIONS
    filler: str = "embedded"
    filler_data: str | None = None
    filler_tokens: int = Field(default=200_000, ge=1, le=LARGEST)
    sessions: int = Field(default=3, ge=0, le=MOST_PARTS)
    unrelated: int = Field(default=2, ge=0, le=MOST_PARTS)

    @model_validator(mode="before")
    @classmethod
    def _names_are_known(cls, values: object) -> object:
        if not isinstance(values, dict):
            return values
        for name, allowed in (("direction", DIRECTIONS), ("source_pairing", PAIRINGS)):
            if values.get(name, allowed[0]) not in allowed:
                raise SettingError("not allowed", where=_option(name), found=values[name], allowed=allowed)
        chosen = values.get("expressions", EXPRESSIONS)
        if not chosen or not isinstance(chosen, list | tuple) or any(name not in EXPRESSIONS for name in chosen):
            raise SettingError("not allowed", where="--expressions", found=chosen, allowed=EXPRESSIONS)
        return values

    @model_validator(mode="after")
    def _filler_is_meant(self) -> Self:
        if self.filler_data is not None and self.filler not in SOURCES:
            raise SettingError(
                "only a published set has a local copy", where="--filler-data", found=self.filler, allowed=SOURCES
            )
        return self

    @property
    def filler_settings(self) -> FillerSettings:
        """The part that decides the filler."""
        data, tokens = _path(self.filler_data), self.filler_tokens
        return FillerSettings(self.filler, data, tokens, self.sessions, self.unrelated, self.seed)

    @property
    def shares_source(self) -> bool:
        """Whether items and filler come from the same dialogues."""
        return self.filler == self.source


def settings_from(values: Mapping[str, object]) -> BuildSettings:
    """Settings from options as given, by name.

    Raises:
        SettingError: a value is not allowed; names the option.
    """
    try:
        return BuildSettings.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        raised = first.get("ctx", {}).get("error")
        if isinstance(raised, SettingError):
            raise raised from None
        raise SettingError(
            f"{first['msg'][0].lower()}{first['msg'][1:]}",
            where=_option(str(first["loc"][0])),
            found=refused_value(first),
        ) from None


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


@dataclass(frozen=True)
class BuildRow:
    """One row of the source on its way to one item.

    Attributes:
        name: Its id in the source.
        origin: Source, commit and id, for the item's `source`.
    """

    scenario: Scenario
    name: str
    origin: str
    material: Material

    def rehearsal(self) -> Iterator[Prompt[BaseModel]]:
        """Every prompt the row can need, with stand-ins for what is not written yet."""
        match self.material:
            case FillerDialogue():
                return forgetting.rehearsal(self.material)
            case SourceInstruction():
                return revision.rehearsal(self.material)
            case PreferenceRow():
                return preference.rehearsal(self.material)


@dataclass(frozen=True)
class PlannedStep:
    """The calls of one step if every row gets that far and every first reply can be read."""

    scenario: Scenario
    step: str
    calls: int
    prompt_tokens: int


@dataclass(frozen=True)
class BuildPlan:
    """Everything a build would do.

    Attributes:
        left_out: Rows of the source that are not built from, by reason.
        data_sha256: Over the source's and the filler's files.
    """

    settings: BuildSettings
    rows: tuple[BuildRow, ...]
    steps: tuple[PlannedStep, ...]
    filler: FillerStock
    provenance: tuple[Provenance, ...]
    left_out: dict[str, int]
    terms: tuple[str, ...]
    data_sha256: str

    @property
    def calls(self) -> int:
        """At most, without retries."""
        return sum(step.calls for step in self.steps)

    @property
    def prompt_tokens(self) -> int:
        """Of these calls, cl100k."""
        return sum(step.prompt_tokens for step in self.steps)

    def stages(self) -> dict[Scenario, tuple[str, ...]]:
        """The stages of each scenario that is built, in order."""
        known = {
            Scenario.INSTRUCTIONAL_FORGETTING: forgetting.STAGES,
            Scenario.SUBTASK_REVISION: revision.STAGES,
            Scenario.DYNAMIC_PREFERENCE: preference.stages(self.settings.source_pairing),
        }
        return {
            scenario: stages for scenario, stages in known.items() if any(r.scenario is scenario for r in self.rows)
        }


def make_plan(settings: BuildSettings, beside: TakenDialogues = NOTHING_TAKEN) -> BuildPlan:
    """Load the source and the filler, choose the rows, count the calls.

    Args:
        settings: Of the build.
        beside: What other builds into the same folder have taken.

    Raises:
        UserError: the source or the filler cannot be had or does not fit, or no row can be built from.
    """
    source = load_source(settings.source, _path(settings.data), settings.revision)
    left_out = dict(source.left_out)
    rows = tuple(_rows(source, settings, beside, left_out))
    if not rows:
        raise DataError(
            "no row can be built from",
            where=settings.source,
            found=", ".join(f"{count} {reason}" for reason, count in left_out.items()) or None,
        )
    sources = {opening(row.material.turns) for row in rows if isinstance(row.material, FillerDialogue)}
    filler = choose_filler(
        settings.filler_settings,
        beside.for_items | sources,
        reserved=settings.shares_source or settings.filler in SOURCES,
    )
    provenance = (*source.provenance, *filler.provenance)
    terms = tuple(dict.fromkeys(term for term in (source.terms, filler.terms) if term))
    digest = rows_sha256([entry.role, entry.sha256] for entry in provenance)
    return BuildPlan(settings, rows, tuple(_steps(rows)), filler, provenance, left_out, terms, digest)


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _rows(
    source: SourceRows, settings: BuildSettings, beside: TakenDialogues, left_out: dict[str, int]
) -> Iterator[BuildRow]:
    def leave_out(reason: str, count: int) -> None:
        if count:
            left_out[reason] = left_out.get(reason, 0) + count

    def fits(text: str) -> bool:
        return count_cl100k(text) <= settings.max_source_tokens

    def row(scenario: Scenario, name: str, material: Material) -> BuildRow:
        commits = {entry.revision[:8] for entry in source.provenance if entry.revision}
        at = f"@{commits.pop()}" if len(commits) == 1 else ""
        return BuildRow(scenario, name, f"{source.name}{at} {name}", material)

    several = [dialogue for dialogue in source.dialogues if len(dialogue.turns) >= 4]
    leave_out("one exchange only", len(source.dialogues) - len(several))
    dialogues = [entry for entry in several if fits("\n".join(turn.content for turn in entry.turns))]
    leave_out("longer than --max-source-tokens", len(several) - len(dialogues))
    free = [entry for entry in dialogues if not settings.shares_source or is_for_items(entry)]
    leave_out("kept for filler and sessions", len(dialogues) - len(free))
    dialogues = [entry for entry in free if opening(entry.turns) not in beside.for_filler]
    leave_out("filler or a session of the folder", len(free) - len(dialogues))
    for dialogue in _shuffled(dialogues, settings.seed, "dialogues")[: settings.limit]:
        yield row(Scenario.INSTRUCTIONAL_FORGETTING, dialogue.id, dialogue)

    instructions = [entry for entry in source.instructions if fits(entry.instruction)]
    leave_out("longer than --max-source-tokens", len(source.instructions) - len(instructions))
    for instruction in _one_of_each_group(instructions, settings.seed)[: settings.limit]:
        yield row(Scenario.SUBTASK_REVISION, instruction.id, instruction)

    made = list(_preference_rows(source.preferences, settings))
    leave_out("no conversation with a choice", sum(entry is None for entry in made))
    for entry in [entry for entry in made if entry is not None][: settings.limit]:
        yield row(Scenario.DYNAMIC_PREFERENCE, entry.source.id, entry)


def _preference_rows(
    preferences: Sequence[SourcePreference], settings: BuildSettings
) -> Iterator[PreferenceRow | None]:
    """One row a preference, the expressions in turn."""
    for place, source in enumerate(_shuffled(preferences, settings.seed, "preferences")):
        expression = settings.expressions[place % len(settings.expressions)]
        yield preference_row(source, expression, settings.source_pairing, settings.seed)


def _shuffled(entries: Sequence[T], seed: int, kind: str) -> list[T]:
    order = named_stream(seed, f"in_context construction order {kind}").permutation(len(entries))
    return [entries[index] for index in order]


def _one_of_each_group(instructions: Sequence[SourceInstruction], seed: int) -> list[SourceInstruction]:
    """All instructions, first one of each group, the domains in turn; then a second of each, and so on."""
    groups: defaultdict[str, list[SourceInstruction]] = defaultdict(list)
    for instruction in _shuffled(instructions, seed, "instructions"):
        groups[instruction.group or instruction.id].append(instruction)
    by_domain: defaultdict[str, list[list[SourceInstruction]]] = defaultdict(list)
    for group in groups.values():
        by_domain[group[0].domain].append(group)
    in_turn = list(interleaved(by_domain.values()))
    rounds = max((len(group) for group in in_turn), default=0)
    return [group[place] for place in range(rounds) for group in in_turn if place < len(group)]


def _steps(rows: Iterable[BuildRow]) -> Iterator[PlannedStep]:
    by_scenario: defaultdict[Scenario, list[BuildRow]] = defaultdict(list)
    for row in rows:
        by_scenario[row.scenario].append(row)
    for scenario, placed in by_scenario.items():
        counted = placed[:COUNTED_ROWS]
        calls: defaultdict[str, int] = defaultdict(int)
        tokens: defaultdict[str, int] = defaultdict(int)
        for row in counted:
            for prompt in row.rehearsal():
                calls[prompt.step] += 1
                tokens[prompt.step] += count_cl100k(SYSTEM) + count_cl100k(prompt.text)
        scale = len(placed) / len(counted)
        known = [step for steps in preference.STEPS.values() for step in steps]
        for step, number in sorted(calls.items(), key=lambda entry: known.index(entry[0]) if entry[0] in known else 0):
            yield PlannedStep(scenario, step, round(number * scale), round(tokens[step] * scale))
