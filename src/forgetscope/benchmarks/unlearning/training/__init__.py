"""Training: targets made, cells unlearned, on one process or many.

`loop.py` is the unlearning loop and gives methods what they ask for, `losses.py` the formulas, `reference_cache.py`
what the target said before; `target.py` and `fitting.py` make the model that knows. `models.py`, `tokenizers.py`,
`batches.py`, `processes.py`, `checkpoints.py` are what both stand on.
To add a method, see `methods/`; something new that methods may ask for is a `Need` of `methods/terms.py`, given in
`loop.py`.
"""
