"""Which of several options a reply chooses: where it mentions them, and how firmly.

From the bottom: one character for each mention (`marks`), what of a reply is said (`plain`), options by their words
(`wordings`), by their numbers or letters (`labels`), misspelled or called otherwise (`slips`), what speaks for and
against each mention: denied, of the past, possible, announced, the first (`option_cues` the patterns and what each is
worth, `option_mentions` where they hold), of which is said what was asked, or that it is not so (`asked`), and the
choice (`options`). Beside them `same_wording`, what counts as the same words, and
`quantities`, numbers and dates told whole or in part.
"""
