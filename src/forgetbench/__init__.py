"""forgetbench measures what language and vision-language models forget: when they should not, and when they should."""

__version__ = "0.1.0"
