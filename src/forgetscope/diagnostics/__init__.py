"""What became of the samples, alike for every benchmark: counts, completeness, token limits, and their words."""
