"""The repaired readings: which number, letter or name of a reply is its answer.

From the bottom: what of a reply is the model's own (`replies`), what its passages are about (`passages`), which numbers
and names stand in it (`numbers`, `names`), what a sentence states (`statements`, `other_answers`), and the answer
(`stated_number`, `stated_chain`, `stated_letter`, `stated_name`).
"""
