"""What a rule can tell of a reply: facts recalled or leaked, subtasks done, the option chosen."""
