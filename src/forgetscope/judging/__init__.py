"""Judging replies with a second model: fenced prompts, structured verdicts, one retry, panels."""
