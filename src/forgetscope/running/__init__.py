"""Plan, manifest, run, resume, collect: a thin layer over Inspect AI."""
