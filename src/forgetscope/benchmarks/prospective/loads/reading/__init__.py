"""The repaired readings: which number or name of a reply is its answer (for letters: `forgetscope.mentions`).

From the bottom: what of a reply is the model's own (`replies`), what its passages are about (`passages`), which numbers
and names stand in it (`numbers`, `names`), which numbers make others (`made_of`), what speaks for and against each as
the answer (`number_cues`, `name_cues`, `number_mentions`, `name_mentions`), and the answer (`stated_number`,
`stated_chain`, `stated_name`).
"""
