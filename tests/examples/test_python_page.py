"""The Python of `docs/how-to/python.md` runs as it stands, with a reference model in the place of the real one."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "python.md"


@pytest.mark.slow
def test_the_page_runs_from_its_first_block_to_its_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    program = "\n".join(blocks)
    assert '"forgetscope/smollm2"' in program
    assert '"limit": 15' in program
    program = program.replace("forgetscope/smollm2", "forgetscope/reference/perfect").replace(
        '"limit": 15', '"limit": 2'
    )
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(program, str(PAGE), "exec"), names)  # noqa: S102 - our own page
    assert (tmp_path / "runs" / "both.html").is_file()
    assert (tmp_path / "runs" / "comparison" / "comparison.html").is_file()
