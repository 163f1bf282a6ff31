"""Is the benchmark right? Models of known behaviour, what each must score, and what the paper's own tables bear out.

- `reference`: the reference models (perfect, stubborn, erased, ...); `expectations`: what each must come out as.
- `certificate.json`: what the last validation gave; `paper_audit.json`: the paper's sentences, made by `tools/`.

A new reference model is a name and a responder in `reference`, and what it must come out as in `expectations`.
"""
