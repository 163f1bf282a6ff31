"""Splits: which pictures and concepts are forgotten or retained, and the items made from them.

- `items`, `distractors`, `quality`: from a source's listing to questions with choices, and what may not be asked.
- `split`, `item_files`: which items are forgotten or kept, trained on or measured; on disk.
- `making_splits`, `build`, `prompt_file`, `contact_sheet`: the commands `visual split`, `build` and `prompts`.

What a source's splits are called and how large they are stands in the source (`sources`).
"""
