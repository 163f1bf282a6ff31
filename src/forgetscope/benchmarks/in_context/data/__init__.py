"""Items of the three scenarios, their two forms at every length, and where they come from."""
