"""Constraint prompts, load items and every sample they make."""
