"""Building items with a language model (ICF-Bench, appendix A; protocols.md, section 1).

`plan` says what would be built, `run` builds it, `stages` hold what is asked for each scenario and what an item must
pass; every answer is kept in a journal, so that a stopped build goes on, and a build has a manifest and a card. To
build from another source: a reader in `data/sources/`.
"""
