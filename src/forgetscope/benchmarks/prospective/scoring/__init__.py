"""From a reply to statuses and scores: the constraint by the checkers, the task by the two scorers of its load.

`row` makes the row of the sample table, `mechanisms` sorts failures under load by rule. A new column is a line of
`row.SCHEMA` and one of `row.score_sample`.
"""
