"""A worker does not train on when the program that started it is gone."""

import signal
import subprocess
import sys

import pytest

WORKER = """
import sys, time
from forgetscope.io.processes import end_with_parent
end_with_parent(look_every=0.05)
print("up", flush=True)
try:
    time.sleep(60)
except KeyboardInterrupt:
    print("let go", flush=True)
"""
PARENT = f"""
import subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-c", {WORKER!r}])
print(worker.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_ends_with_the_program_that_started_it(how: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert [parent.stdout.readline().strip().isdigit(), parent.stdout.readline()] == [True, "up\n"]
        parent.send_signal(how)
        said, _ = parent.communicate(timeout=60)  # the end of what the worker can write, for it is gone
    assert said == "let go\n"
