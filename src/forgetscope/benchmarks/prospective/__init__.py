"""Prospective memory under load: which formatting instructions get lost when the model also has work to do."""
