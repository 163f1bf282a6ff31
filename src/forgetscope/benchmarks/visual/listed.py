"""What `forgetscope list` says of this benchmark, apart, so that saying it imports nothing else."""

TITLE = "Visual concept suppression"

REFERENCE_MODELS = {
    "visual-perfect": "sees, is right whatever it is told",
    "visual-stubborn": "sees, ignores what asks for suppression, follows the oracles",
    "visual-obedient": "sees, avoids what is listed or named, and is right again when permitted",
    "visual-erased": "guesses on the forget concepts, picture or not; right on the others; ignores all texts",
    "visual-refusing": "declines everything",
    "visual-babbling": "writes noise",
}
"""Name to what it does; their replies stand in `validation.reference`."""
