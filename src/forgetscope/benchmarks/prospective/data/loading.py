"""Loaders of the five data sets: constraint prompts, and the four kinds of load.

Each set is read from one of three places: `embedded` (ours, in the wheel), `official` (the hub's data sets at
pinned revisions), or a folder with one sub-folder a set (`ifeval/ triviaqa/ mmlu/ gsm8k/ cnn_dailymail/`), each
holding a JSON Lines file in the set's published format.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from forgetscope.checkers import PromptSpec, read_prompts
from forgetscope.core.errors import DataError, MissingPartError, UserError
from forgetscope.io.records import (
    Provenance,
    file_sha256,
    read_records,
    rows_sha256,
    validate_record,
)
from forgetscope.io.tokens import count_cl100k

ROLES = ("ifeval", "triviaqa", "mmlu", "gsm8k", "cnn_dailymail")

ARTICLE_TOKENS = (600, 1000)
"""Articles outside this range of cl100k tokens are left out (paper, section 4.3 and appendix A.3); inclusive."""

EMBEDDED_FILES = {"gsm8k": "arithmetic.jsonl", "cnn_dailymail": "news.jsonl"}
"""Sets whose embedded rows have a name of their own; the others are called after the set they stand for."""


class TriviaAnswer(BaseModel):
    """TriviaQA's answer object; fields of the published set that we do not need are passed over."""

    model_config = ConfigDict(frozen=True)

    value: str
    aliases: tuple[str, ...] = ()
    normalized_aliases: tuple[str, ...] = ()


class TriviaQuestion(BaseModel):
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
        if not isinstance(names, list | tuple):
            return row
        # An empty alias, of which the published sets have some, would be a substring of every reply.
        return {**row, "answers": tuple(dict.fromkeys(name for name in names if str(name).strip()))}


class ChoiceQuestion(BaseModel):
    """A four-choice question, as MMLU's rows; `answer` is the index of the right choice."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    subject: str = ""
    choices: tuple[str, str, str, str]
    answer: int = Field(ge=0, le=3)


class MathProblem(BaseModel):
    """A word problem, as GSM8K's rows: the worked answer ends in a line `#### N`."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    answer: str

    @model_validator(mode="after")
    def _has_final_line(self) -> "MathProblem":
        final_number(self.answer)
        return self


class Article(BaseModel):
    """A news article with reference highlights, as CNN/DailyMail's rows."""

    model_config = ConfigDict(frozen=True)

    id: str
    article: str = Field(min_length=1)
    highlights: str = Field(min_length=1)


def final_number(answer: str) -> float:
    """The gold of a GSM8K answer: the number after `####`, thousands separators removed.

    >>> final_number("2 + 3 = 5\\n#### 2,125")
    2125.0

    Raises:
        ValueError: no `####`, or no number after it.
    """
    _, mark, number = answer.rpartition("####")
    if not mark:
        raise ValueError("the answer has no '#### N' line")
    return float(number.strip().replace(",", "").removeprefix("$"))


def number_text(number: float) -> str:
    """A number without thousands separators or a trailing `.0`.

    >>> number_text(2125.0), number_text(0.5)
    ('2125', '0.5')
    """
    return str(int(number)) if number.is_integer() else repr(number)


@dataclass(frozen=True)
class ProspectiveData:
    """The five sets a run draws from, with their provenance in the order of `ROLES`."""

    source: str
    prompts: tuple[PromptSpec, ...]
    trivia: tuple[TriviaQuestion, ...]
    choices: tuple[ChoiceQuestion, ...]
    problems: tuple[MathProblem, ...]
    articles: tuple[Article, ...]
    provenance: tuple[Provenance, ...]
    articles_out_of_range: int = 0

    @property
    def sha256(self) -> str:
        """One hash over the five sets: part of the run's identity."""
        return rows_sha256([entry.as_dict() for entry in self.provenance])


def load_data(source: str) -> ProspectiveData:
    """The five sets from `embedded`, `official` or a folder.

    Raises:
        DataError: a file is missing, ambiguous, or a line does not fit; or no article has 600 to 1000 tokens.
        UserError: the hub cannot be reached, for `official`.
    """
    if source == "embedded":
        return _from_folder(
            Path(str(files("forgetscope.benchmarks.prospective.data") / "embedded")), source, embedded=True
        )
    if source == "official":
        return _from_hub()
    return _from_folder(Path(source), source, embedded=False)


def _from_folder(root: Path, source: str, *, embedded: bool) -> ProspectiveData:
    if not root.is_dir():
        raise DataError(
            "no such folder",
            where="--data",
            found=source,
            allowed=f"embedded, official, or a folder with {', '.join(ROLES)}",
        )
    names = {role: root / EMBEDDED_FILES.get(role, f"{role}.jsonl") for role in ROLES}
    paths = names if embedded else {role: _find_file(root / role, role) for role in ROLES}
    prompts = read_prompts(paths["ifeval"])
    trivia = read_records(paths["triviaqa"], TriviaQuestion)
    choices = read_records(paths["mmlu"], ChoiceQuestion)
    articles = read_records(paths["cnn_dailymail"], Article)
    problems = read_records(paths["gsm8k"], MathProblem)
    sets: dict[str, Sequence[object]] = dict(zip(ROLES, (prompts, trivia, choices, problems, articles), strict=True))
    provenance = tuple(
        Provenance(
            role,
            "forgetscope embedded, written for this project" if embedded else _shown_path(paths[role]),
            "",
            file_sha256(paths[role]),
            len(sets[role]),
            "Apache-2.0" if embedded else "",
        )
        for role in ROLES
    )
    return _assemble(source, prompts, trivia, choices, problems, articles, provenance)


def _shown_path(path: Path) -> str:
    """Folder and file name: says which file, without the machine it lay on."""
    return f"{path.parent.name}/{path.name}"


PREFERRED_NAMES = ("test", "validation", "val", "dev", "input")


def _find_file(folder: Path, role: str) -> Path:
    """The set's file in a folder: named after its split (test before validation before dev), or the only one.

    Files of recorded model replies and training rows are not benchmark items and are passed over; IFEval's one
    split is called train.
    """
    if not folder.is_dir():
        raise DataError("no such folder", where=str(folder), allowed=f"a folder named {role} with a .jsonl file")
    passed_over = ("recorded", "responses", "solutions", *(() if role == "ifeval" else ("train",)))
    found = sorted(path for path in folder.glob("*.jsonl") if not any(word in path.stem for word in passed_over))
    for word in PREFERRED_NAMES:
        named = [path for path in found if word in path.stem.replace("-", "_").split("_")]
        if len(named) == 1:
            return named[0]
    if len(found) == 1:
        return found[0]
    raise DataError(
        "cannot tell which file holds the items",
        where=str(folder),
        found=[path.name for path in found],
        allowed=f"one .jsonl file, or one with {', '.join(PREFERRED_NAMES)} in its name",
    )


@dataclass(frozen=True)
class HubSet:
    """A data set on the hub, pinned to a commit."""

    role: str
    path: str
    config: str | None
    split: str
    revision: str
    licence: str


HUB_SETS = (
    HubSet("ifeval", "google/IFEval", None, "train", "966cd89545d6b6acfd7638bc708b98261ca58e84", "Apache-2.0"),
    HubSet(
        "triviaqa",
        "mandarjoshi/trivia_qa",
        "unfiltered.nocontext",
        "validation",
        "0f7faf33a3908546c6fd5b73a660e0f8ff173c2f",
        "Apache-2.0 (its authors' repository)",
    ),
    HubSet("mmlu", "cais/mmlu", "all", "test", "c30699e8356da336a370243923dbaf21066bb9fe", "MIT"),
    HubSet("gsm8k", "openai/gsm8k", "main", "test", "cc7b047b6e5bb11b4f1af84efc572db110a51b3c", "MIT"),
    HubSet(
        "cnn_dailymail",
        "abisee/cnn_dailymail",
        "3.0.0",
        "test",
        "96df5e686bee6baa90b8bee7c28b81fa3fa6223d",
        "Apache-2.0 (scripts); the articles are their publishers'",
    ),
)

RowLoader = Callable[[HubSet], Iterable[dict[str, JsonValue]]]


def _load_rows(hub_set: HubSet) -> Iterable[dict[str, JsonValue]]:
    """The rows of a hub data set, through the `datasets` library and its cache."""
    try:
        import datasets
    except ImportError:
        raise MissingPartError("official data needs the datasets library", next_step="pip install datasets") from None
    try:
        rows: Iterable[dict[str, JsonValue]] = datasets.load_dataset(
            hub_set.path, hub_set.config, split=hub_set.split, revision=hub_set.revision
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise UserError(
            f"cannot load {hub_set.path} at {hub_set.revision[:8]}",
            where="--data official",
            found=f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}",
            next_step="check the network, or give a folder with local copies: --data PATH",
        ) from None
    return rows


RecordT = TypeVar("RecordT", bound=BaseModel)


def _from_hub(load_rows: RowLoader = _load_rows) -> ProspectiveData:
    rows = {hub_set.role: list(load_rows(hub_set)) for hub_set in HUB_SETS}
    provenance = tuple(
        Provenance(
            hub_set.role,
            hub_set.path + (f" ({hub_set.config})" if hub_set.config else "") + f" {hub_set.split}",
            hub_set.revision,
            rows_sha256(rows[hub_set.role]),
            len(rows[hub_set.role]),
            hub_set.licence,
        )
        for hub_set in HUB_SETS
    )

    def records(role: str, record: type[RecordT]) -> list[RecordT]:
        return [
            validate_record(row, record, where=f"{role} row {number}") for number, row in enumerate(rows[role], start=1)
        ]

    return _assemble(
        "official",
        records("ifeval", PromptSpec),
        records("triviaqa", TriviaQuestion),
        records("mmlu", ChoiceQuestion),
        records("gsm8k", MathProblem),
        records("cnn_dailymail", Article),
        provenance,
    )


def _assemble(
    source: str,
    prompts: Sequence[PromptSpec],
    trivia: Sequence[TriviaQuestion],
    choices: Sequence[ChoiceQuestion],
    problems: Sequence[MathProblem],
    articles: Sequence[Article],
    provenance: tuple[Provenance, ...],
) -> ProspectiveData:
    _require_unique([question.question_id for question in trivia], "triviaqa question_id")
    _require_unique([article.id for article in articles], "cnn_dailymail id")
    low, high = ARTICLE_TOKENS
    in_range = tuple(article for article in articles if low <= count_cl100k(article.article) <= high)
    if not in_range:
        raise DataError(
            f"no article has {low} to {high} cl100k tokens",
            where="cnn_dailymail",
            found=[count_cl100k(article.article) for article in articles[:8]],
            allowed=f"articles of {low} to {high} tokens",
        )
    return ProspectiveData(
        source,
        tuple(prompts),
        tuple(trivia),
        tuple(choices),
        tuple(problems),
        in_range,
        provenance,
        len(articles) - len(in_range),
    )


def _require_unique(ids: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise DataError(f"duplicate {what}", found=name, allowed="each id once")
        seen.add(name)
