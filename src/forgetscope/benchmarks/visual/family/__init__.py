"""The trained models of known truth through the benchmark: what docs/design/visual-validation.md announces."""
