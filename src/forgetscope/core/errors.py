"""The errors forgetscope raises knowingly.

::

    ForgetscopeError
    └── UserError                     the user can mend it: one line, exit code 2, no traceback
        ├── DataError        (ValueError)   a data file does not hold what its format asks for
        ├── UnknownNameError (LookupError)  a constraint, relation, model or condition nobody registered
        ├── SettingError     (ValueError)   an option or combination of options that cannot be meant
        ├── MissingPartError (ImportError)  a package or file is not installed; the message has the command
        ├── PlugInError      (ImportError)  an installed plug-in that cannot be used, or has another's name
        └── RunFolderError   (OSError)      a run folder that cannot be written, read or continued

Everything else that escapes is a bug and shows its traceback.

To add one: inherit from `UserError` and from the standard type a Python programmer would catch, and add it to
the drawing above. Messages are built from parts, so that each says what, where, what was found, what is allowed
and what to do next.
"""

import itertools
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class ForgetscopeError(Exception):
    """Base of every error forgetscope raises knowingly."""


class UserError(ForgetscopeError):
    """A mistake the user can mend: printed as one line, exit code 2.

    Args:
        what: What is wrong, without a full stop.
        where: File and line, option name, or sample id.
        found: The offending value; cut to 120 characters and shown with `repr`.
        allowed: What would have been accepted: a sentence, or names to list; of names one nearly found is suggested.
        next_step: What to do now, usually a command.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        found: object = None,
        allowed: str | Iterable[str] | None = None,
        next_step: str | None = None,
    ) -> None:
        parts = [f"{_shortened(where)}: {what}" if where else what]
        names = list(allowed) if allowed is not None and not isinstance(allowed, str) else []
        if found is not None:
            text = _shown(found)
            near = nearest(found, names) if isinstance(found, str) else None
            meant = f" (did you mean {near}?)" if near else ""
            parts.append(f"found {text if len(text) <= 120 else text[:117] + '...'}{meant}")
        if allowed is not None:
            parts.append(f"allowed: {allowed if isinstance(allowed, str) else _listed(names)}")
        if next_step is not None:
            parts.append(f"next: {next_step}")
        super().__init__(_UNSEEN.sub(_spelled, "; ".join(parts)))


LONGEST_PART = 600
"""Characters of where something is wrong: a file may be named without end."""


LONGEST_LIST = 1_000
"""Characters of the names that are allowed: of more the first, and how many there are besides."""


def _listed(names: list[str]) -> str:
    lengths = itertools.accumulate(len(name) + 2 for name in names)
    fit = sum(length <= LONGEST_LIST for length in lengths)
    rest = len(names) - fit
    return ", ".join(names[:fit]) + (f" and {rest} more" if rest else "")


def _shortened(text: str) -> str:
    half = LONGEST_PART // 2
    return text if len(text) <= LONGEST_PART else f"{text[:half]}...{text[-half:]}"


_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What ends a line, moves a terminal's cursor or turns the order of letters: a name somebody else chose may hold it."""


def _spelled(found: re.Match[str]) -> str:
    return " " if found[0] == "\n" else found[0].encode("unicode_escape").decode()


def _shown(found: object) -> str:
    try:
        return repr(found[:121] if isinstance(found, str | bytes) else found)
    except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
        return f"<{type(found).__name__}>"


def refused_value(error: "ErrorDetails") -> object:
    """What pydantic found and refused, for `found`; None of a field that is missing or that nobody knows.

    Of the former there is only all that stands around it, and the latter may hold a key: naming the field is enough.
    """
    return None if error["type"] in ("missing", "extra_forbidden") else error["input"]


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant; None where none is near. Of paths only the last part is compared.

    >>> nearest("prospectiv", ["in-context", "prospective"])
    'prospective'
    >>> nearest("forgetscope/gpt-9", ["forgetscope/gguf"])
    """
    folder, _, last = name.rpartition("/")
    beside = [other for other in names if other.rpartition("/")[0] == folder]
    near = get_close_matches(last, [other.rpartition("/")[2] for other in beside], n=1, cutoff=0.8)
    return next((other for other in beside if near and other.rpartition("/")[2] == near[0]), None)


class ForgetscopeWarning(UserWarning):
    """Something that goes on, and that a user should know of: one line on a terminal."""


class DataError(UserError, ValueError):
    """A data file does not hold what its documented format asks for."""


class UnknownNameError(UserError, LookupError):
    """A name nobody registered: constraint, relation, model, condition, benchmark."""


class SettingError(UserError, ValueError):
    """An option, or a combination of options, that cannot be meant."""


class MissingPartError(UserError, ImportError):
    """Something optional is not installed; the message carries the one command that adds it."""


class PlugInError(UserError, ImportError):
    """An installed plug-in that cannot be used: it fails to import, is not what it should be, or has another's name."""


class RunFolderError(UserError, OSError):
    """A run folder that cannot be written, read or continued."""
