"""From evaluated samples of a grid to figures: one module a story; no text for people, no drawing."""
