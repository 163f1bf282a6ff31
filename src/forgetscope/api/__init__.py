"""What `import forgetscope` offers, and what the command line is a skin over: from names and values to runs.

`settings` makes a benchmark's settings from values, `runs` plans, runs, loads and reports, `comparisons` sets runs side
by side, `grids` reads unlearning grids as runs, `scoring` gives verdicts on replies from elsewhere, `replies` and
`reply_files` make runs of them. Nothing here parses text of a command line or prints.
"""
