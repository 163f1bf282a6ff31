"""The Inspect task, for a model that was unlearned elsewhere: `inspect eval forgetscope/unlearning --model ...`.

Grids train and evaluate by `forgetscope unlearn`. Here a model is only asked: the questions about the forget side, the
retain side and the world, with their paraphrases, scored as in a grid. Given as the model roles `target` and
`retain_only`, the model before unlearning and one that never knew the forget side are asked the same; the log then
says how much is left between the two (`residue`).
"""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, ModelOutput, get_model, model_roles
from inspect_ai.scorer import MetricProtocol, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from forgetscope.benchmarks.base import reading_log
from forgetscope.benchmarks.tasks import settings_as_arguments
from forgetscope.benchmarks.unlearning.data.records import Corpus, Question
from forgetscope.benchmarks.unlearning.paper import paper_grid
from forgetscope.benchmarks.unlearning.prompts import (
    PROMPTS_VERSION,
    answer_in,
    is_past_answer,
    question_prompt,
    solved_examples,
)
from forgetscope.benchmarks.unlearning.scoring.scores import NO_OVERLAP, is_gibberish, overlap, status_of
from forgetscope.benchmarks.unlearning.settings import EvaluationSettings, QuestionSettings
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.io.completions import completion_of
from forgetscope.stats.residue import Arms
from forgetscope.stats.residue import residue as residue_of

ARMS = ("target", "retain_only")
"""Model roles: told, and never told; the model under test is the one that was made to forget."""

ARM_REPLIES = "arm_replies"
"""Where a logged sample's metadata holds what the other arms answered, by role."""

READABLE = (Status.CORRECT.value, Status.INCORRECT.value)


def corpus_of(settings: QuestionSettings) -> tuple[Corpus, EvaluationSettings]:
    """The corpus that is asked about, and how the paper's grid of it asks."""
    grid = paper_grid(settings.corpus, None, settings.data)
    return grid.experiments[0].data.corpus.load(), grid.evaluation


@task
@settings_as_arguments(QuestionSettings, lambda settings: corpus_of(settings)[0].sha256)
def unlearning(settings: QuestionSettings) -> Task:
    """What does a model that was made to forget a text still know of it, and of what it should keep?"""
    corpus, evaluation = corpus_of(settings)
    style = evaluation.prompt if settings.prompt == "corpus" else settings.prompt
    questions = _first((*corpus.questions, *corpus.world), settings.limit)
    return Task(
        dataset=MemoryDataset(
            [inspect_sample(question, _prompt(question, corpus, style, evaluation)) for question in questions],
            name=f"unlearning-{corpus.name}",
        ),
        solver=ask_arms(settings.max_tokens),
        scorer=knowledge(),
        config=GenerateConfig(temperature=0.0, max_tokens=settings.max_tokens),
        name="unlearning",
        version=PROMPTS_VERSION,
        metadata={"data_sha256": corpus.sha256, "prompts_version": PROMPTS_VERSION},
    )


def _first(questions: tuple[Question, ...], limit: int | None) -> list[Question]:
    """The first so many questions of each set, with their paraphrases."""
    seen: dict[str, int] = {}
    kept: dict[str, Question] = {}
    for question in questions:
        number = seen[question.set] = seen.get(question.set, 0) + (not question.is_paraphrase)
        if limit is None or (number <= limit and question.paraphrase_of in (None, *kept)):
            kept[question.id] = question
    return list(kept.values())


def _prompt(question: Question, corpus: Corpus, style: str, evaluation: EvaluationSettings) -> str:
    if style == "chat":
        return question.question
    examples = solved_examples(corpus.few_shot, question.set) if style == "few_shot" else ()
    return question_prompt(question.question, examples=examples, cue=evaluation.answer_cue)


def inspect_sample(question: Question, prompt: str) -> Sample:
    """A question for Inspect; its answers are the target."""
    form = "paraphrased" if question.is_paraphrase else "knowledge"
    return Sample(
        id=f"unlearning/{question.id}/{form}",
        input=prompt,
        target=list(question.answers),
        metadata={"item": question.id, "form": form, "set": question.set.value, "document": question.document},
    )


@solver
def ask_arms(max_tokens: int) -> Solver:
    """Ask the model under test, and the other arms where roles name them; what they answer goes into the metadata."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        replies = {}
        for role in ARMS:
            if role in model_roles():
                arm = get_model(role=role, required=True)
                output = await arm.generate(
                    list(state.messages), config=GenerateConfig(temperature=0.0, max_tokens=max_tokens)
                )
                replies[role] = output.model_dump(mode="json", exclude_none=True)
        if replies:
            state.metadata[ARM_REPLIES] = replies
        return await generate(state, tool_calls="none")

    return solve


def read_reply(output: ModelOutput, answers: tuple[str, ...]) -> tuple[float, Status, str]:
    """ROUGE-L F1 with the answer that fits best, 0 to 1, what became of the reply, and the answer read in it."""
    completion = completion_of(output)
    text = answer_in(completion.reply)
    found = overlap(text, answers) if text else NO_OVERLAP
    is_over = is_past_answer(completion.reply) and completion.finish_reason is FinishReason.LENGTH
    reason = FinishReason.STOP if is_over else completion.finish_reason
    status = status_of(text, found, reason, gibberish=is_gibberish(text), is_cut_by_design=False)
    return found.rouge_l_f1, status, text


@metric
def by_set() -> MetricProtocol:
    """Mean score of each set of questions and form: `forget`, `forget_paraphrased`, `retain`, `world`."""

    def compute(scores: list[SampleScore]) -> Value:
        found: dict[str, list[float]] = {}
        for score in scores:
            told = score.sample_metadata or {}
            name = f"{told.get('set')}{'_paraphrased' if told.get('form') == 'paraphrased' else ''}"
            found.setdefault(name, []).append(score.score.as_float())
        return {name: sum(values) / len(values) for name, values in found.items()}

    return compute


@metric
def residue() -> MetricProtocol:
    """How much of the forget side is left, 1 all of it, 0 as if never told, with its interval over questions.

    Only where both other arms were asked, over questions that all three answered readably; nothing where it is
    undefined (`stats.residue`). Paraphrases are left out: they are the same questions.
    """

    def compute(scores: list[SampleScore]) -> Value:
        rows = [_arm_scores(score) for score in scores]
        found = residue_of(Arms.of(*([row[place] for row in rows if row] for place in range(3))))
        told = {"value": found.value, "low": found.low, "high": found.high, "questions": float(found.n)}
        return {name: value for name, value in told.items() if value is not None}

    return compute


def _arm_scores(sample: SampleScore) -> tuple[float, float, float] | None:
    """Scores of the target, the model under test and the model that never knew; None where one of them has none."""
    told, score = sample.sample_metadata or {}, sample.score
    arms = (score.metadata or {}).get("arms", {})
    if told.get("set") != "forget" or told.get("form") != "knowledge" or set(arms) != set(ARMS):
        return None
    if (score.metadata or {}).get("status") not in READABLE or any(arms[one]["status"] not in READABLE for one in ARMS):
        return None
    return arms["target"]["score"], score.as_float(), arms["retain_only"]["score"]


@reading_log()
def arm_outputs(metadata: object) -> dict[str, ModelOutput]:
    """What the other arms answered, by role.

    Raises:
        ValueError: the metadata are not this benchmark's.
    """
    if not isinstance(metadata, dict):
        raise ValueError("not a sample of the unlearning benchmark")
    return {role: ModelOutput.model_validate(output) for role, output in metadata.get(ARM_REPLIES, {}).items()}


@scorer(metrics=[by_set(), residue()])
def knowledge() -> Scorer:
    """ROUGE-L F1 of the answer with the best of the right ones; the status stands beside it, and the other arms'."""

    async def score(state: TaskState, target: Target) -> Score | None:
        answers = tuple(target)
        value, status, text = read_reply(state.output, answers)
        read = {role: read_reply(output, answers) for role, output in arm_outputs(state.metadata).items()}
        return Score(
            value=value,
            answer=text,
            explanation=f"right: {' | '.join(answers)}",
            metadata={
                "status": status.value,
                "arms": {role: {"score": one, "status": what.value} for role, (one, what, _) in read.items()},
            },
        )

    return score
