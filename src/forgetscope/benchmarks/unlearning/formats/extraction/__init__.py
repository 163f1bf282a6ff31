"""Extracting triplets: by rule, by a language model, and by construction where the corpus knows them."""
