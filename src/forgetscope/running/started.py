"""Whom a run folder may ask: only whom this user told it to.

A run folder names models, addresses and arguments, and continuing it sends prompts there, with the user's keys and for
the user's money. A folder may have come from anybody. So the user's own record, outside all folders, holds a line for
each run that was started here: the folder's id and a digest of whom it asks, where and how. What does not stand there
has to be said again: an address where the folder has one, arguments where it has some, else the model's name. Models
of ours that run in this process (`forgetscope/...` without arguments) send nothing and need no word.
"""

import hashlib
import json
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue

from forgetscope.core.errors import ForgetscopeWarning, RunFolderError, SettingError
from forgetscope.io.journal import Journal
from forgetscope.running.manifest import Manifest, ModelSpec

RECORD_NAME = "started.jsonl"

Ask = Callable[[str], bool]
"""Puts a question to whoever sits at the terminal; True for yes."""


class _Started(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    run: str
    sends_to: str


def record_start(manifest: Manifest, specs: Sequence[ModelSpec]) -> None:
    """Note that this user started, or allowed, the run with these models; warns where there is no place to note it."""
    noted = [spec for spec in specs if _sends(spec)]
    path = state_folder() / RECORD_NAME
    try:
        if noted:
            path.parent.mkdir(parents=True, exist_ok=True)
            journal: Journal[_Started] = Journal(path, _Started, "started runs")
        for spec in noted:
            journal.append(_Started(run=manifest.run_id, sends_to=_digest(spec)))
    except (RunFolderError, OSError) as error:
        warnings.warn(
            f"cannot note in {path} that this run was started here, so that 'resume' will have its model said "
            f"again: {error.strerror or error}",
            ForgetscopeWarning,
            stacklevel=2,
        )


@dataclass(frozen=True)
class SaidAgain:
    """What is said anew about models that a folder names; None where nothing is.

    Attributes:
        base_url: Their address.
        args: Their arguments.
        names: Which they are: they stay the same, but whoever names them knows whom the run asks.
    """

    base_url: str | None = None
    args: Mapping[str, JsonValue] | None = None
    names: tuple[str, ...] = ()

    def of(self, spec: ModelSpec) -> tuple[ModelSpec, bool]:
        """The specification as it is said now, and whether all of it that needs a word was said."""
        changes = {"base_url": self.base_url, "args": None if self.args is None else dict(self.args)}
        said = spec.model_copy(update={name: value for name, value in changes.items() if value is not None})
        where = self.base_url is not None or (not spec.base_url and spec.name in self.names)
        return said, not _sends(spec) or (where and (not spec.args or self.args is not None))


NOTHING_SAID = SaidAgain()


def allowed_specs(
    folder: Path,
    manifest: Manifest,
    specs: Sequence[ModelSpec],
    again: SaidAgain,
    ask: Ask | None,
    *,
    are_judges: bool = False,
) -> tuple[ModelSpec, ...]:
    """Models that a folder names, as they may be asked: what is said again counts, else the run was started here.

    Args:
        folder: Of the run.
        manifest: Of the run.
        specs: The models as the folder has them.
        again: What is said of them now.
        ask: Puts a question where somebody can answer; None: nobody can.
        are_judges: Whether they judge, for messages.

    Raises:
        SettingError: the run was started elsewhere and nobody says yes, or another model is named; nothing was sent.
    """
    options = _OF_JUDGES if are_judges else _OF_MODEL
    names = [spec.name for spec in specs]
    for name in again.names:
        if name not in names:
            raise SettingError(
                "a run is continued with those it was started with",
                where=f"{folder}, {options.name}",
                found=name,
                allowed=names or "none: it has none",
            )
    told = [again.of(spec) for spec in specs]
    said = tuple(spec for spec, _ in told)
    doubtful = [spec for spec, whole in told if not whole]
    if not doubtful or all(_is_recorded(manifest, spec) for spec in doubtful):
        return said
    named = "; ".join(map(_in_words, doubtful))
    if ask is not None and ask(
        f"{folder} was not started by you on this machine. It would send prompts, with your key for the provider, to: "
        f"{named}. Continue?"
    ):
        record_start(manifest, doubtful)
        return said
    raise SettingError(
        "this run was not started by you on this machine, and it says itself whom to ask; nothing was sent",
        where=str(folder),
        found=named,
        next_step=f"if that is right, say so again: {_to_say(doubtful, options)}",
    )


@dataclass(frozen=True)
class _Options:
    name: str
    address: str
    argument: str


_OF_MODEL = _Options("--model", "--model-base-url", "-M")
_OF_JUDGES = _Options("--judge", "--judge-base-url", "-J")


def _to_say(specs: Sequence[ModelSpec], options: _Options) -> str:
    """The options that say again what these models need."""
    named = [f"{options.name} {spec.name:.100}" for spec in specs if not spec.base_url]
    addresses = [f"{options.address} ADDRESS"] if any(spec.base_url for spec in specs) else []
    arguments = [f"{options.argument} key=value"] if any(spec.args for spec in specs) else []
    return " ".join([*named, *addresses, *arguments])


def _sends(spec: ModelSpec) -> bool:
    """Whether asking it leaves this process, or opens what the folder names; a model of ours alone does neither."""
    return bool(spec.base_url or spec.args) or not spec.name.startswith("forgetscope/")


def _is_recorded(manifest: Manifest, spec: ModelSpec) -> bool:
    wanted = _Started(run=manifest.run_id, sends_to=_digest(spec))
    try:
        journal: Journal[_Started] = Journal(state_folder() / RECORD_NAME, _Started, "started runs")
        return bool(manifest.run_id) and any(line == wanted for _, line in journal.earlier())
    except RunFolderError:
        return False


def _digest(spec: ModelSpec) -> str:
    return hashlib.sha256(json.dumps([spec.name, spec.base_url, spec.args], sort_keys=True).encode()).hexdigest()


def _in_words(spec: ModelSpec) -> str:
    arguments = " ".join(f"-M {name}={value}" for name, value in spec.args.items())
    return " ".join(filter(None, (spec.name, f"at {spec.base_url}" if spec.base_url else "", arguments)))[:200]


def state_folder() -> Path:
    """The user's folder for state, outside all run folders; FORGETSCOPE_STATE names another."""
    home = os.environ.get("FORGETSCOPE_STATE")
    if home:
        return Path(home)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "forgetscope"
