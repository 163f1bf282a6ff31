"""What the studies of all benchmarks share: one model, rows in order, a random stream for each figure."""

import polars as pl
import pytest

from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.prospective.metrics.study import ProspectiveStudy
from forgetscope.benchmarks.study import Study
from forgetscope.benchmarks.unlearning.metrics.study import UnlearningStudy
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.core.settings import Settings
from forgetscope.stats import named_stream


class SmallStudy(Study[Settings]):
    """A study of nothing in particular."""

    benchmark = "small"

    @property
    def seed(self) -> int:
        """Seven."""
        return 7


TABLE = pl.DataFrame({"sample_id": ["b", "a"], "model": ["one", "one"]})


def test_rows_stand_in_the_order_of_their_ids() -> None:
    assert list(SmallStudy.of(TABLE, Settings()).frame["sample_id"]) == ["a", "b"]


def test_two_models_in_a_table_are_refused() -> None:
    with pytest.raises(ValueError, match=r"one model a table, found \['one', 'two'\]"):
        SmallStudy.of(TABLE.with_columns(model=pl.Series(["one", "two"])), Settings())


def test_a_stream_is_named_by_benchmark_figure_and_sorted_factors() -> None:
    found = SmallStudy.of(TABLE, Settings()).stream("rate", {"load": "mmlu", "cell": 1})
    assert found.random() == named_stream(7, "small figure rate cell=1,load=mmlu").random()


def test_the_streams_of_published_figures_keep_their_names() -> None:
    names = [kind.benchmark for kind in (InContextStudy, ProspectiveStudy, VisualStudy, UnlearningStudy)]
    assert names == ["in_context", "prospective", "visual", "unlearning"]
