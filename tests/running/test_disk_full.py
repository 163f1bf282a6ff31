"""A disk that fills up stops a run: no reply is bought that could not be kept, and resume buys only what is missing."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from forgetscope.core.errors import RunFolderError
from forgetscope.io.journal import Journal
from forgetscope.running.execute import resume_run
from forgetscope.running.journal import ReplyJournal
from forgetscope.running.logs import without_tracebacks
from forgetscope.running.manifest import Limits
from tests.faults.server import FaultServer
from tests.faults.table import run_against

PLANNED = 12
AT_ONCE = 2


@pytest.mark.parametrize("room_for", [0, 1, 5])
def test_after_a_reply_that_could_not_be_kept_nothing_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room_for: int
) -> None:
    monkeypatch.setenv("FAULTY_API_KEY", "not-a-secret")
    write, lines = Journal._write, [0]

    def fills_up(self: Journal[BaseModel], raw: bytes) -> None:
        lines[0] += bool(raw) and "replies.jsonl" in str(self._path)
        if lines[0] > room_for:
            raise RunFolderError("cannot keep replies here", where=str(self._path), found="No space left on device")
        write(self, raw)

    folder, limits = tmp_path / "run", Limits(max_connections=AT_ONCE, max_retries=2, first_wait=0.01)
    with FaultServer() as server:
        with monkeypatch.context() as full:
            full.setattr(Journal, "_write", fills_up)
            with pytest.raises(RunFolderError, match="No space left on device"):
                run_against(server, folder, limit=PLANNED, limits=limits)
        assert server.requests.total() <= room_for + AT_ONCE
        again = resume_run(folder, display="none")
        assert again.is_complete
        assert again.table.height == PLANNED
        # The replies that found no room reached the log, which had some.
        assert server.requests.total() == PLANNED


def test_a_log_that_cannot_be_written_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import inspect_ai

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", str(tmp_path / "run" / "logs" / "x.eval"))

    monkeypatch.setattr(inspect_ai, "eval_set", full)
    with (
        FaultServer() as server,
        pytest.raises(RunFolderError, match=r"cannot write the run's log.*forgetscope resume"),
    ):
        run_against(server, tmp_path / "run", limit=1)


def test_what_inspect_says_of_a_full_disk_is_a_line_each_and_nothing_of_the_samples_that_are_left(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from inspect_ai._eval.task.log import logger as of_logs
    from inspect_ai._eval.task.run import py_logger as of_samples

    journal = ReplyJournal(tmp_path)
    for logger in (of_logs, of_samples):
        logger.addHandler(caplog.handler)  # Inspect's own loggers hand nothing on
    try:
        with without_tracebacks(journal):
            full = OSError(28, "No space left on device")
            of_logs.warning("Stale eval log flush failed: %s", full, exc_info=full)
            of_samples.warning("Sample error (id: 1, epoch: 1): no such model")
            journal.failure = RunFolderError("cannot keep replies here")
            of_samples.warning("Sample error (id: 2, epoch: 1): cannot keep replies here")
            bug = KeyError("no")
            of_samples.warning("something else", exc_info=bug)
        of_samples.warning("Sample error (id: 3, epoch: 1): of another run")
    finally:
        for logger in (of_logs, of_samples):
            logger.removeHandler(caplog.handler)
    told = list(dict.fromkeys((record.getMessage(), bool(record.exc_info)) for record in caplog.records))
    assert told == [
        ("Stale eval log flush failed: [Errno 28] No space left on device", False),
        ("Sample error (id: 1, epoch: 1): no such model", False),
        ("something else", True),
        ("Sample error (id: 3, epoch: 1): of another run", False),
    ]
