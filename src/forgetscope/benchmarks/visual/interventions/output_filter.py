"""A filter over replies: what names a concept, or chooses it, does not get through."""

from collections.abc import Sequence
from typing import ClassVar

from forgetscope.benchmarks.visual.data.concepts import mentions
from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.benchmarks.visual.interventions.intervention import Access, Intervention
from forgetscope.benchmarks.visual.scoring.parsing import paper_choice, stated_choice

STRUCK = "[removed]"


class OutputFilter(Intervention):
    """`output_filter` strikes the forget concepts; `output_filter=fox,owl` these names."""

    access: ClassVar[Access] = Access.OUTPUT

    def filtered(self, reply: str, sample: VisualSample, concepts: Sequence[str]) -> str:
        """The reply, or `[removed]` where it names or chooses one of the concepts."""
        struck = [name.strip() for name in self.argument.split(",") if name.strip()] or list(concepts)
        readings = {paper_choice(reply, len(sample.choices)), stated_choice(reply, sample.choices)}
        chosen = {sample.labels[index].casefold() for index in readings if index is not None}
        folded = {name.casefold() for name in struck}
        return STRUCK if chosen & folded or mentions(reply, struck) else reply
