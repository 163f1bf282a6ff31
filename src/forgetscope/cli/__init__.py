"""The command line: `forgetscope COMMAND ...`. One file a command group; no logic of a benchmark here.

Exit codes: 0 done, 1 ran but below the completeness floor, 2 the user's mistake (one line, no traceback).
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

    from forgetscope.core.errors import UserError


def main() -> None:
    """Entry point of the `forgetscope` command."""
    from pydantic import ValidationError

    from forgetscope.cli.commands import app
    from forgetscope.core.errors import UserError
    from forgetscope.core.secrets import masked

    try:
        app()
    except (UserError, ValidationError) as error:
        mistake = error if isinstance(error, UserError) else users_mistake(error)
        if mistake is None:
            raise
        print(masked(f"forgetscope: {mistake}"), file=sys.stderr)
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
    except KeyboardInterrupt:
        print(
            "forgetscope: stopped; finished samples are kept, continue with 'forgetscope resume DIR'", file=sys.stderr
        )
        sys.exit(130)


def refused_by_the_system(error: OSError) -> "UserError | None":
    """What the system does not do with a path that the user, or a file of the user's, named; None for anything else."""
    from forgetscope.core.errors import UserError

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
