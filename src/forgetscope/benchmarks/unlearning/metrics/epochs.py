"""Scores and S_change after each epoch, by which a number of epochs can be chosen: from cells' results, not samples."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from forgetscope.benchmarks.unlearning.grid.cells import CellResult
from forgetscope.benchmarks.unlearning.metrics.change import GROUPS, group_change, s_change
from forgetscope.benchmarks.unlearning.metrics.study import MEASURES, CellKey
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import plain

Scores = Mapping[str, float | None]


def epoch_figures(results: Sequence[CellResult], keys: Mapping[str, CellKey | str]) -> Iterator[Figure]:
    """`epoch.score` and `epoch.group` of every cell that was evaluated epoch by epoch, the last epoch included.

    Args:
        results: Of finished cells.
        keys: By cell id the cell without its seed; of a model evaluated as it is, its corpus.
    """
    targets = {keys[result.id]: result.figures for result in results if result.config.role == "target"}
    seen: defaultdict[tuple[CellKey, int], list[Scores]] = defaultdict(list)
    for result in results:
        key = keys[result.id]
        if isinstance(key, CellKey) and result.by_epoch:
            for epoch, scores in result.by_epoch.items():
                seen[key, epoch].append(scores)
            seen[key, int(key.epochs)].append(result.figures)
    for (key, epoch), found in sorted(seen.items()):
        factors: dict[str, Cell] = {**key.factors, "epoch": epoch}
        means = {measure: _mean([scores.get(f"score.{measure}") for scores in found]) for measure in MEASURES}
        for measure, value in means.items():
            yield _figure("epoch.score", {**factors, "measure": measure}, value, len(found), "mean ROUGE-L F1")
        target = targets.get(key.corpus, {})
        for group, members in GROUPS.items():
            changes = [_change(target.get(f"score.{member}"), means[member]) for member in members]
            what = "mean of the changes of the measures' means"
            yield _figure("epoch.group", {**factors, "group": group}, group_change(changes), len(found), what)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None


def _change(target: float | None, unlearned: float | None) -> float | None:
    return None if target is None or unlearned is None else s_change(target, unlearned)


def _figure(name: str, factors: Mapping[str, Cell], value: float | None, n: int, method: str) -> Figure:
    note = "" if value is not None else "a measure was not scored, or the target scores 0"
    return plain(name, factors, value, n, unit="proportion", method=method, note=note)
