"""Stopping a command by a signal: one line says how to go on, whatever it is in the middle of.

The first Ctrl-C ends a command in order, as Python does: requests are called back, logs are closed. A second one does
not wait for that, nor do SIGTERM and SIGHUP: a thread of its own hears them, says the line and ends the process. That
loses no more than a `kill -9`: whatever was paid for is on disk.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ANEW = "nothing that was there before is changed; next: the same command again"
"""What is said of a command that says nothing of its own."""

_how: list[str | Callable[[], str]] = []
"""How to go on from each block that runs, the innermost last."""

_said = threading.Event()


@contextmanager
def stoppable(how: str | Callable[[], str]) -> Iterator[None]:
    """What runs in the block may be stopped by a signal; the program then says how to go on."""
    _how.append(how)
    try:
        yield
    except KeyboardInterrupt as stopped:  # another may come before the program has said how to go on
        raise KeyboardInterrupt(str(stopped) or _going_on()) from None
    except BaseException:
        _how.pop()
        raise
    _how.pop()


def say_stopped(how: str) -> None:
    """Say how to go on after an orderly end; from here on Ctrl-C ends the process without a word more."""
    if _first_to_say():
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, _hear)
        print(f"forgetscope: stopped; {how}", file=sys.stderr)


def _first_to_say() -> bool:
    is_first = not _said.is_set()
    _said.set()
    return is_first


def _going_on() -> str:
    how = _how[-1] if _how else ANEW
    return how if isinstance(how, str) else how()


@contextmanager
def listening() -> Iterator[None]:
    """In the block, signals that come while the command cannot look at them are heard and end it with one line."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    ending = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in ending:
        signal.signal(number, _hear)
    former = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    thread = threading.Thread(target=_listen, args=(ear, frozenset(ending)), name="signals", daemon=True)
    thread.start()
    try:
        yield
    finally:
        if not _said.is_set():  # else the process ends, and what comes until then is still heard
            signal.set_wakeup_fd(former)
            for number in ending:
                signal.signal(number, signal.SIG_DFL)
            mouth.close()
            thread.join()
            ear.close()


_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end a command at once, where they are not ignored (`nohup`)."""


def _hear(number: int, frame: object) -> None:
    """Nothing: that a signal has a handler of Python is what makes it heard by the thread."""


def _listen(ear: socket.socket, ending: frozenset[int]) -> None:
    interrupts = 0
    while numbers := ear.recv(64):
        for number in numbers:
            if number == signal.SIGINT:
                interrupts += 1
                sys.setswitchinterval(1e-5)  # the next one is to end the process before it is a traceback
            if number in ending or interrupts > 1:
                _end(number)


def _end(number: int) -> None:
    """Say how to go on, where nobody did, and end the process as a shell tells that signal."""
    if _first_to_say():
        cursor = "\x1b[?25h\n" if os.isatty(2) else ""  # a display of progress hides it
        what = "stopped" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
        os.write(2, f"{cursor}forgetscope: {what}; {_going_on()}\n".encode(errors="replace"))
    os._exit(128 + number)


def _forget() -> None:
    """In a forked process: its signals are its own, and not heard by the one that forked it."""
    if threading.current_thread() is threading.main_thread() and signal.set_wakeup_fd(-1) != -1:
        for number in _ENDING:
            if signal.getsignal(number) is _hear:
                signal.signal(number, signal.SIG_DFL)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
