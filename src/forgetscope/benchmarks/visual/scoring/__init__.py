"""From a reply to the option it chose, its status and its row of the table."""
