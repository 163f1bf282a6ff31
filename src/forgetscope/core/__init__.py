"""What everything stands on: errors, what became of a sample and its account, the sample table, blanket declines."""
