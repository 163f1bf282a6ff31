"""From a reply to the option it chose, its status and its row of the table.

- `parsing`: how a reply is read in each probe and mode (choices by `forgetscope.mentions`),
  and what is no answer (refused, cut, lost, unreadable).
- `reply_kinds`: `forgetscope score visual`, for replies one already has.
- `row`: the columns of the sample table, and the row of one reply.

A new way of asking is a member of `data.conditions.VisualProbe` or `Mode`, and a function in `parsing` that reads it.
"""
