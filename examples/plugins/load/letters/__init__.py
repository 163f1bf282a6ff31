"""A load of our own: how many letters does a word have?"""

import re
from pathlib import Path

from forgetscope.benchmarks.prospective.loads.load import LoadContent, LoadItem, LoadTask, Pool, TaskVerdict


class Word(LoadItem):
    """A row of `letters.jsonl`."""

    word: str

    @property
    def golds(self) -> tuple[str, ...]:
        """The number of its letters."""
        return (str(len(self.word)),)


def score(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    """Right where the last number of the reply is; ours and the paper's reading alike."""
    del prompt
    found = re.findall(r"\d+", reply)[-1:]
    right = found == list(content.golds[0])
    return TaskVerdict.passed(right, right if found else None, *found)


LETTERS = LoadTask(
    "letters",
    "Letters",
    Pool("letters", Word, Path(__file__).with_name("letters.jsonl")),
    wording=lambda words: f"How many letters does the word {words[0].word} have?",
    score=score,
    answers=lambda content, right: (f"The answer is {content.golds[0][0] if right else 0}.",),
)
