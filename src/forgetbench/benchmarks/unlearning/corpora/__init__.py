"""Where forget, retain and their questions come from: a registry of sources, and ours."""
