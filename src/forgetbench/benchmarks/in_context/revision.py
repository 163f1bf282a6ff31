"""Right and wrong in subtask revision, from the subtasks done; by rule and by judge alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from forgetbench.benchmarks.in_context.forms import Form


@dataclass(frozen=True)
class RevisionPasses:
    """The four readings of a right answer in subtask revision.

    Attributes:
        protocol: As protocols.md fixes it; the headline.
        without_clause: Without "not all original-only subtasks are done".
        none_of_original: None of the original-only subtasks is done, in the Forget form.
        clause_both_forms: "Not all" asked of the NoForget form as well.
    """

    protocol: bool
    without_clause: bool
    none_of_original: bool
    clause_both_forms: bool


def revision_passes(
    form: Form, common: Sequence[bool], original: Sequence[bool], revised: Sequence[bool], first: Sequence[bool]
) -> RevisionPasses:
    """Right or wrong by subtasks done; `first` are the common ones in the answer to the original instruction.

    With no original-only subtask the last clause holds.
    """
    done = all(common) and all(revised)
    not_all = not original or not all(original)
    if form is Form.NOFORGET:
        return RevisionPasses(done, done, done, done and not_all)
    done = done and all(first)
    return RevisionPasses(done and not_all, done, done and not any(original), done and not_all)
