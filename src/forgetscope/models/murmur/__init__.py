"""murmur: text models of known truth, low-rank adapters on SmolLM2-135M-Instruct (docs/design/murmur.md).

All members go on from one first stage, which taught them to answer from the dialogue in a few words and to say so where
it was not told. They differ in what a request to forget does.
"""
