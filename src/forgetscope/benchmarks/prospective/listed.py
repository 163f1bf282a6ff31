"""What `forgetscope list` says of this benchmark, apart, so that saying it imports nothing else."""

TITLE = "Prospective memory under load"

REFERENCE_MODELS = {
    "perfect": "complies and is right",
    "careless": "right, never complies",
    "pedant": "complies, never right",
    "fading": "complies without load only, and is right",
    "babbling": "writes noise",
    "refusing": "declines everything",
}
"""Name to what it does; their replies stand in `validation.reference`."""
