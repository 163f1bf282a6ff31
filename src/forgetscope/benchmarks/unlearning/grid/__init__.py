"""Grids: cells listed, claimed by workers, run, and their results gathered.

`configuration.py` reads a grid's settings (`settings.py` beside this folder declares them), `preparing.py` makes data,
targets and the list of cells, `cells.py` says what a cell is and leaves, `planning.py` what it costs. `running.py`,
`workers.py`, `locks.py` get them done; `cell_run.py` and `sharded.py` do one. `results.py` gathers.
To add a setting that makes cells: a field of `GridSettings` and a factor in `preparing.list_cells`.
"""
