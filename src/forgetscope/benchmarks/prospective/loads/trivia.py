"""Factual questions with the names that count as an answer (TriviaQA)."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from forgetscope.benchmarks.prospective.loads.load import (
    EMBEDDED,
    LoadContent,
    LoadItem,
    LoadTask,
    Pool,
    TaskVerdict,
)
from forgetscope.benchmarks.prospective.loads.reading.replies import without_echo
from forgetscope.benchmarks.prospective.loads.reading.stated_name import says_something, stated_name
from forgetscope.io.hub import HubSet


class TriviaAnswer(BaseModel):
    """TriviaQA's answer object; fields of the published set that we do not need are passed over."""

    model_config = ConfigDict(frozen=True)

    value: str
    aliases: tuple[str, ...] = ()
    normalized_aliases: tuple[str, ...] = ()


class TriviaQuestion(LoadItem):
    """A factual question. Reads the published rows (`answer` object) and flat ones (`answers` list)."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    question_id: str
    question: str = Field(min_length=1)
    answers: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, row: Any) -> Any:
        if not isinstance(row, dict):
            return row
        names = row.get("answers")
        if names is None and "answer" in row:
            answer = TriviaAnswer.model_validate(row["answer"])
            names = (answer.value, *answer.aliases, *answer.normalized_aliases)
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            return row
        # An empty alias, of which the published sets have some, would be a substring of every reply.
        return {**row, "answers": tuple(dict.fromkeys(name for name in names if name.strip()))}

    @property
    def golds(self) -> tuple[str, ...]:
        """Every alias."""
        return self.answers

    def key(self, index: int) -> str:
        """The published id."""
        del index
        return self.question_id


_ASKS = "Answer this question: "


def _wording(questions: Sequence[TriviaQuestion]) -> str:
    return _ASKS + questions[0].question.strip()


def paper_alias(aliases: Sequence[str], reply: str) -> str | None:
    """The paper's rule: the first alias that occurs anywhere, also inside a word."""
    lowered = reply.lower()
    return next((alias for alias in aliases if alias.lower() in lowered), None)


def _score_alias(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    aliases = content.golds[0]
    paper = paper_alias(aliases, reply) is not None
    own = without_echo(reply, prompt)
    found = stated_name(own, aliases, content.text.removeprefix(_ASKS))
    repaired = found is not None if found is not None or says_something(own) else None
    return TaskVerdict.passed(paper, repaired, *(() if found is None else (found,)))


def _answers(content: LoadContent, right: bool) -> Sequence[str]:
    return [f"The answer is {alias}." for alias in content.golds[0]] if right else ("Nobody can tell.",)


TRIVIAQA = LoadTask(
    "triviaqa",
    "TriviaQA",
    Pool(
        "triviaqa",
        TriviaQuestion,
        EMBEDDED / "triviaqa.jsonl",
        HubSet(
            "mandarjoshi/trivia_qa",
            "unfiltered.nocontext",
            "validation",
            "0f7faf33a3908546c6fd5b73a660e0f8ff173c2f",
            "Apache-2.0 (its authors' repository)",
        ),
    ),
    _wording,
    _score_alias,
    _answers,
)
