"""Whether what a grid's cells say follows from their replies: names from configurations, scores from replies."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from forgetscope.benchmarks.base import VerifiedPart
from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.evaluation.base import SAMPLE_SCHEMA
from forgetscope.benchmarks.unlearning.grid.cells import SAMPLES_NAME, CellConfig, GridFolder, read_result
from forgetscope.benchmarks.unlearning.grid.preparing import read_grid
from forgetscope.benchmarks.unlearning.prompts import question_prompt, solved_examples
from forgetscope.benchmarks.unlearning.scoring.scores import NO_OVERLAP, is_exact, overlap, status_of
from forgetscope.core.errors import RunFolderError
from forgetscope.core.json_values import json_value
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import CORE_SCHEMA
from forgetscope.io.tables import read_table

SCORES = ("rouge_l_f1", "rouge_l_recall", "rouge_l_f1_stemmed", "rouge_l_recall_stemmed", "rouge_1_recall")
CLOSE = 1e-9


def verified_grid(folder: Path) -> Iterator[VerifiedPart]:
    """Data by their hash, cells by theirs, prompts by the data, scores by the replies. Trains and asks nothing.

    Of a continuation the prompt and what should follow are looked for in the chunk; token for token they are known to
    the target's tokenizer alone. The prompts of the measures after an attack are those of the measures.
    """
    grid = GridFolder(folder)
    record = read_grid(grid)
    finished = [config for config in record.cells if grid.is_finished(config.id)]
    data: dict[str, GridData] = {}
    wrong_data: list[str] = []
    for sha256 in dict.fromkeys(config.data for config in finished):
        try:
            loaded = data[sha256] = GridData.load(grid.data(sha256))
        except RunFolderError as error:
            wrong_data.append(str(error))
            continue
        if loaded.sha256 != sha256:
            wrong_data.append(f"{grid.data(sha256).name} holds other data than the cells were trained on")
    held = ", ".join(f"sha256 {sha256[:16]}" for sha256 in data)
    yield VerifiedPart.of("data", wrong_data, held)
    named = [
        f"cell {config.id} holds the result of another configuration"
        for config in finished
        if (result := read_result(grid.cell(config.id))).config != config or result.id != config.id
    ]
    yield VerifiedPart.of("cells", named, f"{len(finished)} named by the hashes of their configurations")
    prompts: list[str] = []
    scores: list[str] = []
    samples = 0
    for config in finished:
        table = read_table(grid.cell(config.id) / SAMPLES_NAME, {**CORE_SCHEMA, **SAMPLE_SCHEMA})
        known = _Known(data[config.data], config) if config.data in data else None
        for row in table.iter_rows(named=True):
            samples += 1
            if known is not None and (why := known.prompt_fault(row)):
                prompts.append(f"{row['sample_id']}: {why}")
            if why := _score_fault(row, known.answers(row) if known is not None else ()):
                scores.append(f"{row['sample_id']}: {why}")
    yield VerifiedPart.of("prompts", prompts, f"{samples:,} are those of the data")
    yield VerifiedPart.of("scores", scores, f"{samples:,} follow from the replies")


class _Known:
    """What a cell's data say of the samples of its table."""

    def __init__(self, data: GridData, config: CellConfig) -> None:
        self._data, self._settings = data, config.evaluation
        self._questions = {question.id: question for question in (*data.questions, *data.world)}
        self._chunks = {chunk.id: chunk for chunk in (*data.forget, *data.retain)}
        self._fixed = {fixed.id: fixed for fixed in data.verbatim}

    def answers(self, row: Mapping[str, object]) -> tuple[str, ...]:
        """The right answers of a question; empty for a continuation."""
        question = self._questions.get(str(row["item"]))
        return question.answers if question is not None else ()

    def prompt_fault(self, row: Mapping[str, object]) -> str:
        """What is wrong with a row's prompt or reference; empty where nothing is."""
        item, sent, reference = str(row["item"]), _sent(row["messages"]), str(row["reference"])
        if question := self._questions.get(item):
            style = self._settings.prompt
            examples = solved_examples(self._data.few_shot, question.set) if style == "few_shot" else ()
            asked = question_prompt(question.question, examples=examples, cue=self._settings.answer_cue)
            if sent != (question.question if style == "chat" else asked):
                return "another prompt than the data's"
            return "" if reference == question.answers[0] else "another reference than the data's"
        if item in self._fixed:
            return "" if sent == self._fixed[item].prompt else "another prompt than the data's"
        chunk = self._chunks.get(item)
        if chunk is None:
            return "no such item in the data"
        text = _bare(chunk.text)
        if not text.startswith(_bare(sent)):
            return "another prompt than the data's"
        return "" if _bare(reference) in text else "another reference than the data's"


def _bare(text: str) -> str:
    return "".join(text.split())


def _sent(messages: object) -> str:
    try:
        found = json_value(str(messages))
    except ValueError:
        return ""
    return str(found[0].get("content")) if isinstance(found, list) and found and isinstance(found[0], dict) else ""


def _score_fault(row: Mapping[str, object], answers: tuple[str, ...]) -> str:
    """What does not follow from a row's reply; empty where all does."""
    if row["score"] is None:
        return ""
    reply, references = str(row["reply"]), answers or (str(row["reference"]),)
    found = overlap(reply, references) if reply else NO_OVERLAP
    for name in SCORES:
        stored, again = row["score" if name == "rouge_l_f1" else name], getattr(found, name)
        if not isinstance(stored, float) or not math.isclose(stored, again, abs_tol=CLOSE):
            return f"{name} is {stored}, its reply has {again:.4g}"
    is_continuation = str(row["measure"]).endswith("verbatim")
    status = status_of(
        reply,
        found,
        FinishReason(str(row["finish_reason"])),
        gibberish=bool(row["gibberish"]),
        is_cut_by_design=is_continuation,
    )
    if status.value != row["status"]:
        return f"status is {row['status']}, its reply is {status.value}"
    return "" if row["exact"] == is_exact(reply, references) else "exact does not follow from the reply"
