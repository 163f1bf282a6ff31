"""The largest numbers that settings may have. Each setting names its own where it is declared.

What is larger is a slip of the hand, or meant to hurt: no column, log or library was made for it.
"""

LARGEST = 2**31 - 1
"""Of any whole number that has no bound of its own: seeds, counts, tokens. Tables and logs keep it as it is."""
MOST_TOKENS = 10_000_000
"""Of a reply, a length, a chunk: ten times the longest window that is sold."""
LARGEST_COUNT = 2**40
"""Tokens of one call as a provider or a log counts them; a larger number is an error of theirs, and counts as none."""
MOST_CONNECTIONS = 10_000
MOST_RETRIES = 1_000
LONGEST_ATTEMPT = 7 * 86_400
"""Seconds: a week."""
MOST_PARTS = 100
"""Of what one thing is made of: sessions of an item, questions of a chunk, annotators of a study, seeds of a demo."""
MOST_PROCESSES = 10_000
"""And threads."""
MOST_USD = 1e9
LARGEST_ARGUMENT = 2**53
"""Of a number that is handed to a provider as it is (`-M key=value`): beyond it readers of JSON round."""
