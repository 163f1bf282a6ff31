"""Corpora, and all that cells train on and are evaluated on.

`corpora/` has a module a source, `records.py` what they give, `chunking.py` and `questions.py` what is cut and asked;
`preparation.py` puts it together with `formats/` and `entanglement/`, `prepared.py` and `files.py` store it.
To add a source: a subclass of `CorpusSettings` in `corpora/`, named in its `__init__`; its README shows one.
"""
