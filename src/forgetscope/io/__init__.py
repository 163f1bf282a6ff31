"""Reading and writing: rows with their provenance, files, journals, replies, and the ruler for how long a text is."""
