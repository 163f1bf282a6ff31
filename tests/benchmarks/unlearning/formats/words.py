"""A tokenizer of words and a scorer of known figures, for tests."""

import re
from collections.abc import Mapping, Sequence

from forgetscope.benchmarks.unlearning.data.records import Chunk, Side
from forgetscope.benchmarks.unlearning.formats.scorers import ScoredText, ScoredToken


class Words:
    """Words with the blanks before them are the tokens."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._words: list[str] = []

    def encode(self, text: str) -> list[int]:
        ids = []
        for word in re.findall(r"\s*\S+|\s+$", text):
            if word not in self._ids:
                self._ids[word] = len(self._words)
                self._words.append(word)
            ids.append(self._ids[word])
        return ids

    def decode(self, token_ids: Sequence[int]) -> str:
        return "".join(self._words[token] for token in token_ids)


class Known:
    """Scores words and single digits by a table; 1 for all others."""

    name = "known"
    identities = frozenset({"known"})

    def __init__(self, information: Mapping[str, float]) -> None:
        self._information = information

    def score(self, texts: Sequence[str]) -> list[ScoredText]:
        return [
            ScoredText(
                text,
                tuple(
                    ScoredToken(match.start(), match.end(), self._information.get(match.group(), 1.0))
                    for match in re.finditer(r"\d|[^\W\d]+|[^\w\s]", text)
                ),
            )
            for text in texts
        ]


def chunk(text: str, name: str = "d#0", side: Side = Side.FORGET) -> Chunk:
    return Chunk(id=name, document=name.split("#")[0], side=side, text=text, tokens=len(text.split()))
