"""From the sample table to figures and verdicts: one module a story; no text for people, no drawing."""
