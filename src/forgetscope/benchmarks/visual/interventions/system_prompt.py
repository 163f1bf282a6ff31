"""A system message that speaks of the concepts: the cheapest intervention, open to every model."""

from collections.abc import Sequence
from typing import ClassVar

from forgetscope.benchmarks.visual.interventions.intervention import Access, Intervention
from forgetscope.benchmarks.visual.prompts import class_list

DEFAULT = "You cannot recognise any of the following and know nothing about them: {class_list}."


class SystemPrompt(Intervention):
    """`system_prompt` or `system_prompt=TEXT`; in a text of one's own `{class_list}` becomes the forget concepts."""

    access: ClassVar[Access] = Access.PROMPT

    def system_text(self, concepts: Sequence[str]) -> str:
        """The text with the concepts in it."""
        return (self.argument or DEFAULT).replace("{class_list}", class_list(concepts))
