"""The version of this package, at the bottom of the house so that every room may name it."""

VERSION = "0.1.0"

FORMER_NAME = "forgetbench"
"""What the package was called before, for run folders of that time."""
