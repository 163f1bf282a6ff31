"""Every text a model is shown in this benchmark."""

from collections.abc import Mapping, Sequence
from typing import Literal

from forgetscope.benchmarks.unlearning.data.records import Question, QuestionSet
from forgetscope.core.errors import SettingError

PROMPTS_VERSION = "1"

PromptStyle = Literal["plain", "few_shot", "chat"]
"""`plain`: the question alone; `few_shot`: solved examples of the corpus before it; `chat`: the model's template."""

AnswerCue = Literal["Answer:", "Answer: "]
"""The published cue ends in a blank, which splits the answer's first token for most tokenizers; ours has none."""

_STOPS = ("\n\n", "\nQuestion", "Question:")


def question_prompt(question: str, *, examples: Sequence[Question] = (), cue: AnswerCue = "Answer:") -> str:
    """A question to be answered, after solved examples (MUSE's layout).

    >>> question_prompt("Who spoke?")
    'Question: Who spoke?\\nAnswer:'
    """
    solved = [f"Question: {example.question}\nAnswer: {example.answers[0]}\n\n" for example in examples]
    return "".join(solved) + f"Question: {question}\n{cue}"


def solved_examples(few_shot: Mapping[QuestionSet, Sequence[Question]], kind: QuestionSet) -> Sequence[Question]:
    """The solved examples of a set; sets without any take those of the retain side, then of the forget side.

    Raises:
        SettingError: the corpus has no solved examples.
    """
    for name in (kind, QuestionSet.RETAIN, QuestionSet.FORGET):
        if few_shot.get(name):
            return few_shot[name]
    raise SettingError(
        "the corpus has no solved examples to show",
        where="evaluation.prompt",
        found="few_shot",
        allowed="plain or chat",
    )


def answer_in(continuation: str) -> str:
    """The answer in what a model wrote: up to the next question, which models of text like to go on with.

    >>> answer_in(" 553 million\\n\\nQuestion: What")
    '553 million'
    """
    for stop in _STOPS:
        continuation = continuation.split(stop)[0]
    return continuation.strip()


def is_past_answer(continuation: str) -> bool:
    """Whether a continuation already holds the end of its answer."""
    return any(stop in continuation for stop in _STOPS)
