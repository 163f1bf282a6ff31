"""World facts for sources that have none: ours, or TOFU's."""

from forgetscope.benchmarks.unlearning.data.corpora.base import TextSourceSettings
from forgetscope.benchmarks.unlearning.data.corpora.embedded import world_questions
from forgetscope.benchmarks.unlearning.data.corpora.tofu import tofu_world_facts
from forgetscope.benchmarks.unlearning.data.records import Question
from forgetscope.io.hub import RowLoader, load_hub_rows
from forgetscope.io.records import Provenance, rows_sha256


def world_of(
    settings: TextSourceSettings, hub_rows: RowLoader = load_hub_rows
) -> tuple[tuple[Question, ...], tuple[Provenance, ...]]:
    """The world facts these settings ask for, and where they are from.

    Raises:
        DataError: TOFU's local file is missing or does not fit.
        UserError: the hub cannot be reached.
    """
    if settings.world == "tofu":
        questions, provenance = tofu_world_facts(settings.tofu_path, hub_rows=hub_rows)
        return questions, (provenance,)
    questions = world_questions()
    rows = [question.model_dump(mode="json", exclude_defaults=True) for question in questions]
    name = "forgetscope embedded world facts, written for this project"
    return questions, (Provenance("world", name, "", rows_sha256(rows), len(rows), "Apache-2.0"),)
