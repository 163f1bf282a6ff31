"""The command line: `forgetbench COMMAND ...`. One file a command group; no logic of a benchmark here.

Exit codes: 0 done, 1 ran but below the completeness floor, 2 the user's mistake (one line, no traceback).
"""

import sys


def main() -> None:
    """Entry point of the `forgetbench` command."""
    from forgetbench.cli.app import app
    from forgetbench.errors import UserError

    try:
        app()
    except UserError as error:
        print(f"forgetbench: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print(
            "forgetbench: stopped; finished samples are kept, continue with 'forgetbench resume DIR'", file=sys.stderr
        )
        sys.exit(130)
