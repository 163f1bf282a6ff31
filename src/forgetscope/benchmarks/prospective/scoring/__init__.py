"""From a reply to statuses and scores: the constraint by the checkers, the task by its two scorers."""
