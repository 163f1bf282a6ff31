"""Building items with a language model, stage by stage (ICF-Bench, appendix A; protocols.md, section 1)."""
