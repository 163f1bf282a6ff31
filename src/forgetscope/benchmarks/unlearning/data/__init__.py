"""Corpora, and all that cells train on and are evaluated on."""
