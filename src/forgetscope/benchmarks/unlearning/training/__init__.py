"""Training: targets made, cells unlearned, on one process or many."""
