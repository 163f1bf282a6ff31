"""Judges: what they are asked (`rubrics`), how they answer and what becomes of it (`verdicts`).

Beside them replies that must fail (`trials`), and the same criteria in words for people (`annotation`). To change a
rubric: give it a new number; a changed rubric is another rubric.
"""
