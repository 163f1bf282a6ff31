"""Parts by name: our own, and those that installed packages bring through an entry point.

A room that can be extended keeps a `Registry` of its parts. An installed package adds one without touching this one:

    [project.entry-points."forgetscope.constraints"]
    "ours:rhyme" = "our_package.rhyme:RHYME"

The name of the entry point is the name of the part. Groups: `forgetscope.methods`, `.constraints`, `.loads`,
`.visual_sources`, `.in_context_metrics`, `.benchmarks`.
"""

import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from forgetscope.core.errors import ForgetscopeWarning, PlugInError, UnknownNameError

PartT = TypeVar("PartT")


class PlugInWarning(ForgetscopeWarning):
    """An installed plug-in could not be used and was left out."""


class Registry(Mapping[str, PartT], Generic[PartT]):
    """The parts of one kind by name, ours first, in order; a plug-in is imported when it is first asked for.

    Iterating over names imports nothing. `values()` and `items()` leave out a plug-in that cannot be imported, with a
    `PlugInWarning` that names it, once; asking for it by name says why.

    Args:
        kind: What the parts are called in messages: `constraint`, `unlearning method`.
        group: The entry points' group, such as `forgetscope.constraints`.
        own: Our parts by name; a string `module:attribute` is imported when it is first asked for.
        part: What every part must be an instance of (or, for classes, `type`); as a string, imported with the first.

    Raises:
        PlugInError: two parts have one name; raised when the registry is first used.
    """

    def __init__(self, kind: str, group: str, own: Mapping[str, PartT | str], part: type | str) -> None:
        self.kind = kind
        self.group = group
        self._own = dict(own)
        self._part = part
        self._loaded: dict[str, PartT] = {}
        self._failed: dict[str, str] = {}

    @cached_property
    def _plug_ins(self) -> dict[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        for entry in entry_points(group=self.group):
            if entry.name in self._own or entry.name in found:
                other = f"plug-in of {package_of(found[entry.name])}" if entry.name in found else "one of ours"
                raise PlugInError(
                    f"two {self.kind}s of one name",
                    where=f"plug-in of {package_of(entry)}",
                    found=entry.name,
                    allowed=f"a name of its own ({other} has this one)",
                    next_step=f"uninstall {package_of(entry)}, or rename it",
                )
            found[entry.name] = entry
        return found

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._plug_ins

    def __len__(self) -> int:
        return len(self._own) + len(self._plug_ins)

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._plug_ins

    def __getitem__(self, name: str) -> PartT:
        """The part of this name.

        Raises:
            UnknownNameError: there is none.
            PlugInError: a plug-in that cannot be imported, or is not what it should be.
        """
        if name not in self:
            raise UnknownNameError(f"no such {self.kind}", found=name, allowed=self)
        if name not in self._loaded and name not in self._failed:
            self._load(name)
        if name in self._failed:
            raise PlugInError(
                f"this {self.kind} is a plug-in that cannot be used",
                where=f"plug-in of {package_of(self._plug_ins[name])}",
                found=self._failed[name],
                next_step="mend or uninstall that package",
            )
        return self._loaded[name]

    def values(self) -> "list[PartT]":  # type: ignore[override]  # a list: what cannot be imported is left out
        """Every part that can be had, in order."""
        return [part for _, part in self.items()]

    def items(self, *names: str) -> "list[tuple[str, PartT]]":  # type: ignore[override]
        """Every name and part that can be had, in order; of some names alone where they are given."""
        found = []
        for name in names or self:
            try:
                found.append((name, self[name]))
            except PlugInError as error:
                warnings.warn(f"left out: {error}", PlugInWarning, stacklevel=2)
        return found

    def origin(self, name: str) -> str:
        """The package that brings a part: `forgetscope` for ours."""
        return package_of(self._plug_ins[name]) if name in self._plug_ins else "forgetscope"

    def module(self, name: str) -> str:
        """The name of the module a part stands in, which is not imported; empty for one that is here already.

        Raises:
            UnknownNameError: there is no such part.
        """
        if name in self._plug_ins:
            return self._plug_ins[name].module
        if name not in self._own:
            return str(self[name])
        own = self._own[name]
        return own.partition(":")[0] if isinstance(own, str) else ""

    def _load(self, name: str) -> None:
        if name in self._own:
            self._loaded[name] = self._checked(_resolved(self._own[name]))
            return
        try:
            self._loaded[name] = self._checked(self._plug_ins[name].load())
        except Exception as error:
            self._failed[name] = f"{type(error).__name__}: {error}"

    def _checked(self, part: object) -> PartT:
        wanted = _resolved(self._part)
        if not isinstance(wanted, type):
            raise TypeError(f"{self._part} is no type")
        if not isinstance(part, wanted):
            raise TypeError(f"not a {self.kind}: {type(part).__name__} where {wanted.__name__} is asked for")
        return part  # type: ignore[return-value]  # isinstance with a type that is not known statically


def package_of(entry: EntryPoint) -> str:
    """The name and version of the package that brings an entry point."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def _resolved(part: object) -> object:
    if not isinstance(part, str):
        return part
    module, _, attribute = part.partition(":")
    return getattr(import_module(module), attribute)
