"""What is asked: pictures, axes and concepts, items and splits, conditions, and every sample they make.

- `axes`, `concepts`, `pictures`, `records`: one record an axis, a concept, a picture, an item, a split; files opened.
- `conditions`, `forms`, `controls`, `samples`: what is said beside the question, and which forms an item is asked in.
- `loading`: the splits of a run, painted or from a folder; `vocabulary/`: names, aliases and clues as CSV files.

A new condition is a `ConditionInfo` in `conditions` and its wording in `prompts.py`; an axis is an `Axis` in `axes`.
"""
