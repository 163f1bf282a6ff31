"""Evaluating a model: measures, one file each, and `measures.py`, which lists them and puts a model to them.

A measure is a function from a `Subject` to what it `Measured` (`base.py`): rows of the sample table, rows of the
likelihood table, figures of the cell. `README.md` in this folder shows how to add one.
"""
