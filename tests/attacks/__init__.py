"""Attacks on whole runs, as programs that anybody can run again: `python -m tests.attacks.NAME --help`."""
