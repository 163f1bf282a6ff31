"""From a reply to the option it chose, its status and its row of the table.

- `parsing`: how a reply is read in each probe and mode, and what is no answer (refused, cut, lost, unreadable).
- `stated_choice`: the repaired reading of a choice; `option_marks`: where a reply speaks of which option.
- `reply_kinds`: `forgetscope score visual`, for replies one already has.
- `row`: the columns of the sample table, and the row of one reply.

A new way of asking is a member of `data.conditions.VisualProbe` or `Mode`, and a function in `parsing` that reads it.
"""
