"""Run folders of before the renaming are read under today's name, and not continued."""

from pathlib import Path

import polars as pl
import pytest
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, write_eval_log

from forgetscope.core.errors import RunFolderError
from forgetscope.core.version import FORMER_NAME
from forgetscope.io.tables import read_table
from forgetscope.running.logs import require_own_logs
from forgetscope.running.manifest import renamed


def test_a_manifest_is_read_under_todays_name() -> None:
    text = f'{{"{FORMER_NAME}": "0.1.0", "name": "{FORMER_NAME}/smollm2", "note": "of {FORMER_NAME}"}}'
    assert renamed(text) == f'{{"forgetscope": "0.1.0", "name": "forgetscope/smollm2", "note": "of {FORMER_NAME}"}}'


def test_a_table_of_the_former_name_is_read(tmp_path: Path) -> None:
    table = pl.DataFrame({"a": [1]})
    table.write_parquet(tmp_path / "samples.parquet", metadata={f"{FORMER_NAME}_schema": "1"})
    assert read_table(tmp_path / "samples.parquet").equals(table)


@pytest.mark.parametrize("name", [FORMER_NAME, "forgetscope"])
def test_a_run_of_the_former_name_is_not_continued(tmp_path: Path, name: str) -> None:
    require_own_logs(tmp_path)
    (tmp_path / "logs").mkdir()
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="visual",
        task_registry_name=f"{name}/visual",
        dataset=EvalDataset(),
        model="m",
        config=EvalConfig(),
    )
    write_eval_log(EvalLog(eval=spec), str(tmp_path / "logs" / "one.eval"))
    if name == FORMER_NAME:
        with pytest.raises(RunFolderError, match=r"was called .*, so it cannot be continued; next: forgetscope report"):
            require_own_logs(tmp_path)
    else:
        require_own_logs(tmp_path)
