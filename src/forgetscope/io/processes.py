"""Processes that belong to another one."""

import os
import signal
import threading
import time


def end_with_parent(*, look_every: float = 1.0, patience: float = 30.0) -> None:
    """From now on this process does not outlive the one that started it, however that one ends.

    Args:
        look_every: Seconds between two looks.
        patience: Seconds for the main thread to let go of its claim before the process ends without it.
    """
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell had it ignored

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(look_every)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(patience)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
