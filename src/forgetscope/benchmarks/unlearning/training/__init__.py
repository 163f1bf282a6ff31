"""Training: targets made, cells unlearned, on one process or many.

`loop.py` is the unlearning loop, `step.py` takes a step and gives methods what they ask for, `task.py` is what is
trained on and logged, `losses.py` the formulas, `reference_cache.py` what the target said before; `target.py` and
`fitting.py` make the model that knows and the one that never did, `target_settings.py` are its settings;
`footprint.py` says what large models take. `models.py`, `tokenizers.py`, `batches.py`, `processes.py`,
`checkpoints.py` are what all stand on.
To add a method, see `methods/`; something new that methods may ask for is a `Need` of `methods/terms.py`, given in
`step.py`.
"""
