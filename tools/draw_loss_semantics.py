"""Draw the same cells under proper and published losses, from the report of a grid that ran both with several seeds.

python tools/draw_loss_semantics.py GRID/summary.json OUT.svg
"""

import argparse
from collections import defaultdict
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from forgetscope.report.summary import Summary, read_summary

METHODS = {"ga": ("GA", "#b2182b"), "npo": ("NPO", "#2166ac"), "simnpo": ("SimNPO", "#1b7837")}
GROUPS = {"forget": "Forget: lost of the forget side", "retain": "Retain: lost of what should stay"}
SEMANTICS = {"proper": "losses on log-probabilities (proper)", "muse-compat": "losses on raw logits, as published"}

Bars = dict[tuple[str, str, str, str], float]
"""S_change in percent by semantics, format, group and method."""


def read_bars(summary: Summary) -> tuple[Bars, dict[tuple[str, str, str, str], list[float]]]:
    """Means over seeds, and each seed's own."""
    means: Bars = {}
    seeds: defaultdict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for entry in summary.figures:
        if entry.name not in ("group", "group.seed") or entry.value is None:
            continue
        names = ("semantics", "forget_format", "group", "method")
        semantics, form, group, method = (str(entry.factors[name]) for name in names)
        if entry.name == "group":
            means[semantics, form, group, method] = 100 * entry.value
        else:
            seeds[semantics, form, group, method].append(100 * entry.value)
    return means, dict(seeds)


def draw(summary: Summary, out: Path) -> None:
    """Two panels over each other, a group of bars a format; a dot is a seed."""
    means, seeds = read_bars(summary)
    formats = list(dict.fromkeys(form for _, form, _, _ in means))
    mpl.rcParams.update({"font.size": 9, "svg.fonttype": "path", "svg.hashsalt": "forgetscope"})
    figure = Figure(figsize=(8.4, 4.6), layout="constrained")
    axes = figure.subplots(len(GROUPS), len(SEMANTICS), sharey="row", squeeze=False)
    for row, (group, group_title) in enumerate(GROUPS.items()):
        for column, (semantics, title) in enumerate(SEMANTICS.items()):
            axis = axes[row][column]
            _panel(axis, formats, {key[1::2]: value for key, value in means.items() if key[::2] == (semantics, group)})
            for (seen, form, part, method), values in seeds.items():
                if (seen, part) == (semantics, group):
                    place = formats.index(form) + 0.27 * (list(METHODS).index(method) - 1)
                    axis.plot([place] * len(values), values, ".", color="black", markersize=4)
            if row == 0:
                axis.set_title(title, fontsize=10)
            if column == 0:
                axis.set_ylabel(f"{group_title}\nS_change, %")
    figure.legend(*axes[0][0].get_legend_handles_labels(), frameon=False, ncols=3, loc="outside lower center")
    figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else {}, dpi=150)


def _panel(axis: Axes, formats: list[str], bars: dict[tuple[str, str], float]) -> None:
    for number, (method, (label, colour)) in enumerate(METHODS.items()):
        places = [index + 0.27 * (number - 1) for index in range(len(formats))]
        heights = [bars.get((form, method), 0.0) for form in formats]
        axis.bar(places, heights, 0.25, label=label, color=colour, alpha=0.8)
    axis.set_ylim(-4, 100)
    axis.axhline(0, color="black", linewidth=0.6)
    axis.set_xticks(range(len(formats)), formats)
    axis.spines[["top", "right"]].set_visible(False)


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("summary", type=Path)
    parser.add_argument("out", type=Path, help="ends in .svg or .png")
    arguments = parser.parse_args()
    draw(read_summary(arguments.summary), arguments.out)


if __name__ == "__main__":
    main()
