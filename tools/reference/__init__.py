"""The pages of `docs/reference/` that are written from the program itself, as plain Markdown."""
