"""Constraint prompts, load items and every sample they make.

`loading` reads the data sets (`embedded/`, official, a folder), `conditions` are the factors, `items` the load
experiment, `stacking` stacks, tension pairs and singles. A new condition is a `SalienceCell` in `conditions`.
"""
