"""Charts of the page: `draw` is the way in, `plane` and `radar` two kinds of them, `svg` what the page embeds.

A chart is data (`findings.figures.Chart`); nothing here knows a benchmark. To add a kind: a module with its drawing,
its name in `Chart.kind`, and a branch in `draw.draw_chart`.
"""
