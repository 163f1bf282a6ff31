"""How the embedded visual models are made: ``python -m tools.glimpse``. Needs torch.

Its drawings come from `tools/build_embedded_pictures.py --training`; `python -m tools.glimpse.measure` is the look that
training is steered by. What the models need to answer is in `forgetscope.models.glimpse`, without torch.
"""
