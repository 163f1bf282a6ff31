"""Makes the prospective benchmark's arithmetic problems, which the package ships as rows: `python -m tools.arithmetic`.

Thirty-nine templates (`money`, `quantities`, `shapes`, `times`) of two to six steps, differing in their graph of
operations, not in their nouns; gold is known by construction. To add one: write a function `Draw -> Draft` and put it
into the tuple at the end of its module. Every new template changes the rows, and with them what a run draws.
"""
