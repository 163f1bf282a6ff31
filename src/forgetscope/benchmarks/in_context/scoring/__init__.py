"""From what came back to the status of a sample and its row of the table."""
