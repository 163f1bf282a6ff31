"""What the command line prints while it works, where nobody looks at a terminal."""

import pytest

from forgetscope.cli import printing


@pytest.mark.parametrize(
    ("seconds", "lines"),
    [(3600.0, ["0 of 3", "3 of 3"]), (0.0, ["0 of 3", "1 of 3", "2 of 3", "3 of 3"])],
)
def test_progress_is_a_line_now_and_then_where_output_goes_to_a_file(
    seconds: float, lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(printing, "SECONDS_BETWEEN_LINES", seconds)
    with printing.counting_progress("judging") as progress:
        step = progress(3)
        for _ in range(3):
            step()
    written = capsys.readouterr()
    assert written.out == "", "JSON stays JSON"
    assert written.err.splitlines() == [f"judging: {line}" for line in lines]


def test_a_short_work_says_nothing_where_only_a_long_one_shall(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seconds, said in ((3600.0, ""), (0.0, "reading: 1 of 2\nreading: 2 of 2\n")):
        monkeypatch.setattr(printing, "SECONDS_BETWEEN_LINES", seconds)
        with printing.counting_progress("reading", only_if_long=True) as progress:
            step = progress(2)
            step()
            step()
        assert capsys.readouterr().err == said


def test_our_warnings_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    from forgetscope.cli import _show_warning
    from forgetscope.core.errors import ForgetscopeWarning

    _show_warning(ForgetscopeWarning("no locks here"), ForgetscopeWarning, "file.py", 1)
    assert capsys.readouterr().err == "forgetscope: no locks here\n"
