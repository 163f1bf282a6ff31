"""Is the benchmark right? Models of known behaviour, what each must score, and the audit of the paper."""
