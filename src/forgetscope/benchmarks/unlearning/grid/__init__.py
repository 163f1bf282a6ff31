"""Grids: cells listed, claimed by workers, run, and their results gathered."""
