"""Triplets and questions by a language model, as in the paper (section 4.1, Llama-3-405B), for a grid to read.

`plan` says what would be asked, `run` asks and writes a folder, `triplets` and `questions` hold what is kept of a reply
and why the rest is not. A grid reads the folder as `data.built` (`data/built.py`).
"""
