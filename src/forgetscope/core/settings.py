"""What can be set for a run, each setting declared once, as a field of its benchmark's `Settings`.

::

    class MySettings(Settings):
        forms: Annotated[str, Setting("Forms to ask.", any_of=("plain", "polite"), wrong="no such form")] = "all"
        turns: Annotated[int, Setting("Turns of a dialogue.", least=1, wrong="nothing is said")] = 3

From the declaration follow the option of the command line, the argument of the Inspect task, the keyword of the Python
API, the pages of the reference, how a value is read, and what is said of one that cannot be meant. A validator is
needed for what is really special, and names the setting by `place(info)`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from forgetscope.core.bounds import LARGEST, MOST_PARTS, MOST_TOKENS
from forgetscope.core.errors import SettingError, UnknownNameError, UserError, refused_value

ALL = "all"
NONE = "none"


class Group(StrEnum):
    """Where a setting stands in a benchmark's help, in this order."""

    WHAT = "What to run"
    MODEL = "Model"
    JUDGE = "Judge"
    LIMITS = "Limits"
    OUTPUT = "Output"


@dataclass(frozen=True)
class Setting:
    """What a field of settings means, how its value is read, and what is said of one that cannot be meant.

    Attributes:
        help: What it does, a sentence; what may be chosen and the default are added to it.
        one_of: Names of which it is one.
        any_of: Names of which it holds some, separated by commas, kept in this order; `all` is all of them. It may be
            a registry: its names are asked for when they are needed.
        sets: Names of several of those; `all` may be redefined here.
        may_be_none: Whether `none` may be said for none of them.
        least: The smallest number.
        most: The largest.
        wrong: What is said of any other value.
        option: The name on the command line where it is not the field's: `judge-what`.
        group: Where it stands in the help.
    """

    help: str
    one_of: Iterable[str] = ()
    any_of: Iterable[str] = ()
    sets: Mapping[str, Iterable[str]] = field(default_factory=dict)
    may_be_none: bool = False
    least: float | None = None
    most: float = LARGEST
    wrong: str = "not a value it can have"
    option: str = ""
    group: Group = Group.WHAT

    @property
    def allowed(self) -> str | tuple[str, ...]:
        """What it may be: names to list, or a range in words; empty where anything goes."""
        if names := tuple(self.one_of):
            return names
        if names := tuple(self.any_of):
            return (*dict.fromkeys((*self.sets, ALL)), *((NONE,) if self.may_be_none else ()), *names)
        if self.least is not None:
            return f"{self.least} or more" if self.most == LARGEST else f"{self.least} to {self.most}"
        return ()

    @property
    def full_help(self) -> str:
        """The help with what may be chosen."""
        if names := tuple(self.one_of):
            return f"{self.help} One of {', '.join(names)}."
        if names := tuple(self.any_of):
            whole = [*dict.fromkeys((*self.sets, ALL)), *([NONE] if self.may_be_none else [])]
            return f"{self.help} {', '.join(whole)}, or any of {', '.join(names)}.".replace("  ", " ")
        return self.help

    def read(self, value: object, where: str) -> object:
        """The value as settings hold it: names in their order, separated by commas.

        Raises:
            UnknownNameError: a name that is not among those allowed.
            SettingError: no name, or a number out of range.
        """
        if isinstance(value, str) and (names := tuple(self.one_of)):
            return self._known(value, names, where)
        if isinstance(value, str) and (names := tuple(self.any_of)):
            return ",".join(self._chosen(value, names, where))
        if isinstance(value, tuple) and (not value or len(set(value)) < len(value) or not all(map(self._fits, value))):
            raise SettingError(self.wrong, where=where, found=value)
        if isinstance(value, tuple) and len(value) > MOST_PARTS:
            raise SettingError("too many at once", where=where, found=len(value), allowed=f"{MOST_PARTS} at most")
        if isinstance(value, int) and value > self.most == LARGEST:
            raise SettingError("too large a number", where=where, found=value, allowed=f"up to {LARGEST}")
        if isinstance(value, int | float) and not isinstance(value, bool) and not self._fits(value):
            raise SettingError(self.wrong, where=where, found=value, allowed=self.allowed)
        return value

    def _fits(self, number: float) -> bool:
        return (self.least is None or number >= self.least) and number <= self.most

    def _known(self, written: str, names: tuple[str, ...], where: str) -> str:
        """A name as it stands among the allowed; upper case and hyphens are understood."""
        for name in (written, written.lower().replace("-", "_")):
            if name in names:
                return name
        raise UnknownNameError(self.wrong, where=where, found=written, allowed=self.allowed)

    def _chosen(self, text: str, names: tuple[str, ...], where: str) -> list[str]:
        written = [part.strip() for part in text.split(",") if part.strip()]
        if self.may_be_none and written == [NONE]:
            return [NONE]
        chosen: set[str] = set()
        for name in written:
            if name in self.sets:
                chosen.update(self.sets[name])
            elif name == ALL:
                chosen.update(names)
            else:
                chosen.add(self._known(name, names, where))
        if not chosen:
            raise SettingError(f"{self.wrong}: none is named", where=where, found=text, allowed=self.allowed)
        return [name for name in names if name in chosen]


class Settings(BaseModel):
    """The settings of a run, fixed in its manifest. Each benchmark has its own subclass."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    data: Annotated[str, Setting("embedded, official, or a folder with local copies.")] = "embedded"
    limit: Annotated[
        int | None,
        Setting(
            "The first so many items of each scenario, experiment or split side, with all their forms.",
            least=1,
            wrong="the limit leaves nothing to run",
        ),
    ] = None
    max_tokens: Annotated[
        int,
        Setting(
            "Tokens of a reply, at most.",
            least=1,
            most=MOST_TOKENS,
            wrong="no such room for a reply",
            group=Group.LIMITS,
        ),
    ] = 2048

    @field_validator("*", mode="before")
    @classmethod
    def _as_held(cls, value: object, info: ValidationInfo) -> object:
        """Names in a list (as Inspect's `-T` hands whatever holds a comma) as a text, numbers in a text as numbers."""
        kind = cls.model_fields[info.field_name or ""].annotation
        if kind in (str, str | None) and isinstance(value, list | tuple | int) and not isinstance(value, bool):
            return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        if kind == tuple[int, ...] and not isinstance(value, tuple):
            return _numbers(value, place(info))
        if kind is int and isinstance(value, list | tuple):
            if len(value) != 1:
                raise SettingError(
                    f"this benchmark takes one {info.field_name}", where=place(info), found=", ".join(map(str, value))
                )
            return value[0]
        return value

    @field_validator("*")
    @classmethod
    def _as_declared(cls, value: object, info: ValidationInfo) -> object:
        declared = declarations(cls).get(info.field_name or "")
        return value if declared is None else declared.read(value, place(info))


SettingsT = TypeVar("SettingsT", bound=BaseModel)


def declarations(kind: type[Settings]) -> dict[str, Setting]:
    """The settings of a benchmark by the name of their field, its own first, those all benchmarks have last."""
    own = sorted(kind.model_fields, key=lambda name: name in Settings.model_fields)
    found = ((name, entry) for name in own for entry in kind.model_fields[name].metadata)
    return {name: entry for name, entry in found if isinstance(entry, Setting)}


def option_name(kind: type[Settings], name: str) -> str:
    """The option of a setting: `--max-tokens`, `--judge-what` for `judged`."""
    declared = declarations(kind).get(name)
    return f"--{(declared.option if declared else '') or name}".replace("_", "-")


def plain(value: object) -> object:
    """A value of settings as one writes it: numbers separated by commas, everything else as it is."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else value


def place(info: ValidationInfo) -> str:
    """What the setting under validation is called where the user stands: an option, or the name of the field."""
    name = info.field_name or ""
    return str(info.context(name)) if callable(info.context) else name


def narrowed(settings: BaseModel, kind: type[SettingsT]) -> SettingsT:
    """Settings as those of one benchmark.

    Raises:
        TypeError: they are another's.
    """
    if not isinstance(settings, kind):
        raise TypeError(f"expected {kind.__name__}, found {type(settings).__name__}")
    return settings


def checked(
    kind: type[SettingsT], values: Mapping[str, object], called: Callable[[str], str] | None = None
) -> SettingsT:
    """Settings of a kind from values of its fields.

    Args:
        kind: The class of settings.
        values: By field; a list of names is as good as names with commas between them.
        called: What a field is called where the user stands: an option of the command line; None for its own name.

    Raises:
        UserError: a value is not allowed, or of the wrong type.
    """
    try:
        return kind.model_validate(values, context=called)
    except ValidationError as error:
        first = error.errors()[0]
        raised = first.get("ctx", {}).get("error")
        if isinstance(raised, UserError):
            raise raised from None
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            raise SettingError("no such setting", found=name, allowed=kind.model_fields) from None
        where = called(name) if called is not None and name else name or "settings"
        raise SettingError(first["msg"], where=where, found=refused_value(first)) from None


def settings_table(kind: type[Settings]) -> Iterator[str]:
    """A Markdown table of a benchmark's settings: what each is called here and there, its default, what it does."""
    yield "| option | `-T` and keyword | default | |"
    yield "|---|---|---|---|"
    for name, declared in declarations(kind).items():
        default = plain(kind.model_fields[name].default)
        shown = "" if default is None or default == "" else f"`{default}`"
        yield f"| `{option_name(kind, name)}` | `{name}` | {shown} | {declared.full_help} |"


def _numbers(value: object, where: str) -> tuple[int, ...]:
    parts = value if isinstance(value, list) else str(value).split(",")
    try:
        return tuple(int(str(part)) for part in parts)
    except ValueError:
        raise SettingError(
            "whole numbers separated by commas", where=where, found=value, allowed="such as 42,137,256"
        ) from None
