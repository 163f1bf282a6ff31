"""The sections of the report: what each figure says, in words, charts and tables."""
