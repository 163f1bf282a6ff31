"""IFBench's 58 constraints (Pyatkin et al., 2025): a second family of checkers, none of them among IFEval's.

`TABLE` holds a record each, by the rooms of their ids: `counts` (count, ratio), `words` (words, sentence), `layouts`
(format), `requests` (custom, repeat). The first reading of each is the published check, the second is repaired where
that disagrees with its own instruction. `docs/design/ifbench.md` has the source, the differences and their reasons.
"""

from typing import Any

from forgetscope.checkers.ifbench import counts, layouts, requests, words
from forgetscope.checkers.ifbench.record import FAMILY
from forgetscope.checkers.record import Constraint

TABLE: tuple[Constraint[Any], ...] = (*counts.TABLE, *words.TABLE, *layouts.TABLE, *requests.TABLE)

__all__ = ["FAMILY", "TABLE"]
