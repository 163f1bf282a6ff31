"""Runs the command line in this process and stands still at a named place, for a test to stop it there.

    python -m tests.cli.stopping MODULE FUNCTION AFTER ARGUMENTS...

The function of that module (or method: `Class.method`) is called as it is `AFTER` times; then this says "here", and
waits.
"""

import asyncio
import importlib
import inspect
import itertools
import sys
import time
from typing import Any

WAIT = 90.0
"""Seconds; a test that comes to the end of them fails."""


def stand_still(module: str, name: str, after: int) -> None:
    """Make a function stand still once it was called so many times."""
    *owners, last = name.split(".")
    owner: Any = importlib.import_module(module)
    for part in owners:
        owner = getattr(owner, part)
    real, calls = getattr(owner, last), itertools.count(1)

    async def slow(*args: Any, **given: Any) -> Any:
        if next(calls) > after:
            print("here", flush=True)
            await asyncio.sleep(WAIT)
        return await real(*args, **given)

    def slow_too(*args: Any, **given: Any) -> Any:
        if next(calls) > after:
            print("here", flush=True)
            time.sleep(WAIT)
        return real(*args, **given)

    setattr(owner, last, slow if inspect.iscoroutinefunction(real) else slow_too)


if __name__ == "__main__":
    from forgetscope.cli import main

    stand_still(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    sys.argv = ["forgetscope", *sys.argv[4:]]
    main()
