"""Prospective memory under load: is a format kept when there is also work to do?

`README.md` says what is measured. `settings` to `plan` to `task` is a run; `data` and `loads` make what is asked,
`scoring` reads a reply, `metrics` goes from the table to figures, `report` to words, tables and charts, `validation`
calibrates. A constraint is a record in `forgetscope.checkers.constraints`, a load one in `loads`.
"""
