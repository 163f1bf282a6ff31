"""Reading and writing: rows with their provenance, and the ruler for how long a text is."""
