"""Commands in processes of their own that start in a moment, to be killed at any."""

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.attacks.preloaded"])


@dataclass(frozen=True)
class Command:
    """A `forgetscope` command that runs, or ran."""

    process: ForkServerProcess
    said: Path

    def wait(self, seconds: float = 600) -> int:
        """Its exit code; of one that was killed, minus the signal."""
        self.process.join(seconds)
        if self.process.exitcode is None:
            self.process.kill()
            raise TimeoutError(f"still at work after {seconds} s: {self.said.read_text(encoding='utf-8')[-2000:]}")
        return self.process.exitcode

    def stop(self, how: signal.Signals) -> int:
        """Send a signal, wait, and return the exit code."""
        if self.process.pid is not None and self.process.exitcode is None:
            os.kill(self.process.pid, how)
        return self.wait()

    def wait_until(self, is_time: Callable[[], bool], seconds: float = 600) -> bool:
        """Whether a moment came before the command ended."""
        until = time.monotonic() + seconds
        while not is_time():
            if self.process.exitcode is not None:
                return False
            if time.monotonic() > until:
                self.process.kill()
                raise TimeoutError("the moment does not come")
            time.sleep(0.002)
        return True


def start(words: Sequence[str], said: Path, environment: dict[str, str], place: Path | None = None) -> Command:
    """Start `forgetscope WORDS`, in a place if one is given; what it prints goes to a file."""
    process = _FORKS.Process(target=_main, args=(list(words), str(said), environment, place))
    process.start()
    return Command(process, said)


def _main(words: list[str], said: str, environment: dict[str, str], place: Path | None) -> None:
    from forgetscope.cli import main

    if place is not None:
        os.chdir(place)
    os.environ.update(environment)
    output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(output, 1)
    os.dup2(output, 2)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["forgetscope", *words]
    main()
