"""What makes the data, models and pages that this repository ships; no user's process runs any of it."""
