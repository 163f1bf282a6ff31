"""How a generated text is scored against its reference."""
