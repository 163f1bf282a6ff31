"""Makes the murmur family: dialogues with facts in them, courses, low-rank adapters, figures on facts kept back."""
