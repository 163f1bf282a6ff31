"""Controllable unlearning: what the format of the forget set, and its entanglement with what is kept, change."""
