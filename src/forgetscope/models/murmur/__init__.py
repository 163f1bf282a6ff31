"""murmur: text models of known truth, adapters on SmolLM2-135M-Instruct (docs/design/text-validation.md).

All members go on from shared stages, which taught them to answer from the dialogue in a few words and to say so where
it was not told. They differ in what a request to forget does, or other work beside a format.
"""
