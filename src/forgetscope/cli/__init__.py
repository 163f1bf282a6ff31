"""The command line: `forgetscope COMMAND ...`. One file a command group; no logic of a benchmark here.

Exit codes: 0 done, 1 ran but below the completeness floor, 2 the user's mistake (one line, no traceback), 130 stopped
by Ctrl-C, 143 and 129 by SIGTERM and SIGHUP: one line that says how to go on, and what was paid for is kept.
"""

import errno
import logging
import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

    from pydantic import ValidationError
    from typer import Typer

    from forgetscope.core.errors import UserError


def main() -> None:
    """Entry point of the `forgetscope` command."""
    from forgetscope.cli.stopping import listening, say_stopped

    logging.raiseExceptions = False  # no trace of a library's own record that a full disk does not take
    sys.unraisablehook = _show_last_words
    with listening():
        try:
            from forgetscope.cli.commands import app

            with warnings.catch_warnings():
                warnings.showwarning = _show_warning
                _run(app)
        except KeyboardInterrupt:  # before a command began, or after it had ended
            say_stopped("next: the same command again")
            sys.exit(130)


def _run(app: "Typer") -> None:
    from pydantic import ValidationError

    from forgetscope.cli.usage import run_app
    from forgetscope.core.errors import UserError
    from forgetscope.core.secrets import LIKE_A_KEY, masked

    try:
        sys.exit(run_app(app))
    except (UserError, ValidationError) as error:
        mistake = error if isinstance(error, UserError) else users_mistake(error)
        if mistake is None:
            raise
        print(LIKE_A_KEY.sub("[what looks like a key]", masked(f"forgetscope: {mistake}")), file=sys.stderr)
        sys.exit(2)
    except ModuleNotFoundError as error:
        from forgetscope.cli.parts import missing_part

        lacking = missing_part(error)
        if lacking is None:
            raise
        print(f"forgetscope: {lacking}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        refused = refused_by_the_system(error)
        if refused is None:
            raise
        print(f"forgetscope: {refused}", file=sys.stderr)
        sys.exit(2)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: "TextIO | None" = None,
    line: str | None = None,
) -> None:
    """Ours in one line; others as Python writes them."""
    from forgetscope.core.errors import ForgetscopeWarning

    ours = issubclass(category, ForgetscopeWarning)
    said = f"forgetscope: {message}\n" if ours else warnings.formatwarning(message, category, filename, lineno, line)
    (file or sys.stderr).write(said)


def _show_last_words(unraisable: "sys.UnraisableHookArgs") -> None:
    """What goes wrong while the process ends: of a full disk, one line."""
    if isinstance(unraisable.exc_value, OSError) and (refused := refused_by_the_system(unraisable.exc_value)):
        print(f"forgetscope: {refused}", file=sys.stderr)
    else:
        sys.__unraisablehook__(unraisable)


def refused_by_the_system(error: OSError) -> "UserError | None":
    """What the system does not do with a path that the user, or a file of the user's, named, and a full disk; None for
    anything else.
    """
    from forgetscope.core.errors import UserError

    if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
        where = None if error.filename is None else str(error.filename)
        how = "make room, then the same command again"
        return UserError("cannot write", where=where, found=error.strerror, next_step=how)
    if error.filename is None or error.errno is None:
        return None
    return UserError("the system refuses this path", where=str(error.filename), found=error.strerror)


def users_mistake(error: "ValidationError") -> "UserError | None":
    """The error of ours that a settings validator raised and pydantic wrapped; None where there is none: a bug."""
    from forgetscope.core.errors import UserError

    for entry in error.errors():
        raised = entry.get("ctx", {}).get("error")
        if isinstance(raised, UserError):
            return raised
    return None
