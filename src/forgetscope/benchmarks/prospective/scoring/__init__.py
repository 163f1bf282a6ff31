"""From a reply to statuses and scores: the constraint by the checkers, the task by the two scorers of its load."""
