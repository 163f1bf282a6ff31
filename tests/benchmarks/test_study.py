"""What the studies of all benchmarks share: one model, rows in order, a random stream for each figure."""

from typing import Any

import polars as pl
import pytest

from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.prospective.metrics.study import ProspectiveStudy
from forgetscope.benchmarks.study import Study
from forgetscope.benchmarks.unlearning.metrics.study import UnlearningStudy
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.core.settings import Settings
from forgetscope.stats import named_stream
from tests.benchmarks.in_context.metrics import small_tables as in_context
from tests.benchmarks.prospective.metrics import small_tables as prospective
from tests.benchmarks.unlearning.metrics import small_grids as unlearning
from tests.benchmarks.visual.metrics import small_tables as visual


class SmallStudy(Study[Settings]):
    """A study of nothing in particular."""

    benchmark = "small"

    @property
    def seed(self) -> int:
        """Seven."""
        return 7


TABLE = pl.DataFrame({"sample_id": ["b", "a"], "model": ["one", "one"], "status": ["correct", "incorrect"]})


def test_rows_stand_in_the_order_of_their_ids() -> None:
    assert list(SmallStudy.of(TABLE, Settings()).frame["sample_id"]) == ["a", "b"]


def test_two_models_in_a_table_are_refused() -> None:
    with pytest.raises(ValueError, match=r"one model a table, found \['one', 'two'\]"):
        SmallStudy.of(TABLE.with_columns(model=pl.Series(["one", "two"])), Settings())


IN_CONTEXT = in_context.table_of(in_context.cell(2, 1, 0, 1))
PROSPECTIVE = prospective.table_of([prospective.row(item, "baseline", kept=True) for item in "ab"])
VISUAL = visual.table(visual.rows([True, False]))
GRID = unlearning.table(unlearning.Run(unlearning.KEY, unlearning.TARGET))

TABLES: dict[str, tuple[Any, pl.DataFrame, Any]] = {
    "in-context": (InContextStudy, IN_CONTEXT, in_context.SETTINGS),
    "prospective": (ProspectiveStudy, PROSPECTIVE, prospective.SETTINGS),
    "visual": (VisualStudy, VISUAL, VisualSettings()),
    "unlearning": (UnlearningStudy, GRID, GridSettings()),
}


@pytest.mark.parametrize("benchmark", list(TABLES))
def test_a_sample_that_is_there_twice_is_refused_by_all_four(benchmark: str) -> None:
    kind, table, settings = TABLES[benchmark]
    assert kind.of(table, settings).frame.height
    with pytest.raises(ValueError, match="there twice"):
        kind.of(pl.concat([table, table.head(1)]), settings)


@pytest.mark.parametrize("benchmark", ["in-context", "prospective", "visual"])
def test_two_verdicts_on_one_sample_are_named(benchmark: str) -> None:
    kind, table, settings = TABLES[benchmark]
    one = table.head(1).with_columns(status=pl.lit("correct"))
    with pytest.raises(ValueError, match=r"there twice with different verdicts \(correct, incorrect\)"):
        kind.of(pl.concat([one, one.with_columns(status=pl.lit("incorrect"))]), settings)


@pytest.mark.parametrize("benchmark", list(TABLES))
def test_a_table_without_samples_is_refused_by_all_four_unless_a_plan_says_what_is_missing(benchmark: str) -> None:
    kind, table, settings = TABLES[benchmark]
    with pytest.raises(ValueError, match="the table holds no sample"):
        kind.of(table.clear(), settings)


@pytest.mark.parametrize("benchmark", ["in-context", "prospective", "visual"])
def test_two_models_are_refused_by_all_that_have_one_a_table(benchmark: str) -> None:
    kind, table, settings = TABLES[benchmark]
    other = table.with_columns(model=pl.lit("another"), sample_id=pl.col("sample_id") + "/again")
    with pytest.raises(ValueError, match="one model a table"):
        kind.of(pl.concat([table, other]), settings)


def test_a_stream_is_named_by_benchmark_figure_and_sorted_factors() -> None:
    found = SmallStudy.of(TABLE, Settings()).stream("rate", {"load": "mmlu", "cell": 1})
    assert found.random() == named_stream(7, "small figure rate cell=1,load=mmlu").random()


def test_the_streams_of_published_figures_keep_their_names() -> None:
    names = [kind.benchmark for kind in (InContextStudy, ProspectiveStudy, VisualStudy, UnlearningStudy)]
    assert names == ["in_context", "prospective", "visual", "unlearning"]
