"""How the embedded visual models are made: ``python -m forgetscope.models.glimpse.training``. Needs torch.

These programs stand above the benchmarks (they draw pictures with the embedded source); nothing imports them.
"""
