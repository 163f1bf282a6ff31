"""What `forgetscope list` says of this benchmark, apart, so that saying it imports nothing else."""

TITLE = "In-context forgetting"

REFERENCE_MODELS = {
    "perfect-forgetter": "forgets on request and knows the rest",
    "stubborn": "acts as if nothing had been asked to be forgotten",
    "amnesiac": "remembers nothing of the dialogue; answers the last message alone",
    "refuser": "declines everything",
    "babbler": "writes noise",
}
"""Name to what it does; their replies stand in `validation.reference`."""

REFERENCE_JUDGES = {
    "rule-judge": "judges as the rule does",
    "generous-judge": "passes everything",
    "babbling-judge": "writes noise instead of a verdict",
    "echoing-judge": "repeats what it is asked instead of a verdict",
}
"""Likewise, in `validation.reference_judges`."""
