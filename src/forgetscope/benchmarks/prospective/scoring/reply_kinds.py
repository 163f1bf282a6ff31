"""What `forgetscope score` does for this benchmark: word problems, choices, trivia, and constraints alone."""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, JsonValue

from forgetscope.benchmarks.prospective.loads.arithmetic import last_number, number_text, read_number
from forgetscope.benchmarks.prospective.loads.choice import CHOICE_LETTERS, ChoiceQuestion, paper_letter
from forgetscope.benchmarks.prospective.loads.load import LoadContent, TaskVerdict
from forgetscope.benchmarks.prospective.loads.registry import LOADS, score_task
from forgetscope.benchmarks.prospective.loads.trivia import TriviaQuestion, paper_alias
from forgetscope.benchmarks.prospective.scoring.row import status_of_work
from forgetscope.benchmarks.scoring_kinds import Fields, ReplyRow, ScoredReply, ScoreKind, ScoreSources
from forgetscope.checkers import Behaviour, PromptSpec, PromptVerdict, check_prompt, read_prompts
from forgetscope.checkers.multi_if import is_multi_if, read_dialogues
from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from forgetscope.core.outcomes import Status
from forgetscope.io.records import validate_record

Number = int | float | str


class WordProblemReply(ReplyRow):
    """A reply to a word problem, or to a chain of several, with what would be right.

    The problem's text, `question`, or `questions` for a chain, helps to tell the answer from other numbers.
    """

    gold: Number | Annotated[list[Number], Field(min_length=1)]
    reply: str
    question: str = ""
    questions: tuple[str, ...] = ()
    prompt: str = ""


class ChoiceReply(ReplyRow):
    """A reply to a question with four choices; `right` is the letter of the right one."""

    question: str
    choices: Annotated[list[str], Field(min_length=4, max_length=4)]
    right: Literal["A", "B", "C", "D"]
    reply: str


class TriviaReply(ReplyRow):
    """A reply to a factual question, with the names that are right, or the id of a known question."""

    question: str = ""
    value: str = ""
    aliases: tuple[str, ...] = ()
    item: str = ""
    reply: str


class ConstraintReply(ReplyRow):
    """A recorded reply to a prompt, which is known by its text, or by its key.

    A turn of Multi-IF is `key` and `turn`, or both in one: `1000:1:en/2`.
    """

    prompt: str = ""
    key: int | str | None = None
    turn: int | None = None
    response: str = Field(validation_alias=AliasChoices("response", "reply"))


def _score_numbers(_: ScoreSources) -> Callable[[WordProblemReply], ScoredReply]:
    def score(row: WordProblemReply) -> ScoredReply:
        is_chain = isinstance(row.gold, list)
        golds = [_gold_number(gold) for gold in (row.gold if isinstance(row.gold, list) else [row.gold])]
        text = row.question or "\n\n".join(f"Problem {n}: {asked}" for n, asked in enumerate(row.questions, start=1))
        content = LoadContent(
            load="gsm8k_x1", ids=("",), text=text, golds=tuple((number_text(gold),) for gold in golds)
        )
        verdict = score_task(content, row.reply, prompt=row.prompt or "\n".join((row.question, *row.questions)))
        last = last_number(row.reply)
        paper: list[JsonValue] = [None] * (len(golds) - 1) + [None if last is None else _plain(last)]
        found = verdict.found or ("",) * len(golds)
        repaired: list[JsonValue] = [_plain(text) if text else None for text in found]
        return _both(
            content,
            row.reply,
            verdict,
            "parsed",
            *((paper, repaired) if is_chain else (paper[0], repaired[0])),
        )

    return score


def _gold_number(gold: Number) -> float:
    try:
        return read_number(str(gold))
    except ValueError:
        raise DataError("gold is no number", found=gold) from None


def _plain(text: str) -> JsonValue:
    number = read_number(text)
    return int(number) if number.is_integer() else number


def _score_letter(_: ScoreSources) -> Callable[[ChoiceReply], ScoredReply]:
    def score(row: ChoiceReply) -> ScoredReply:
        asked = {"question": row.question, "choices": row.choices, "answer": CHOICE_LETTERS.index(row.right)}
        question = validate_record(asked, ChoiceQuestion, where="the question")
        content = LOADS["mmlu"].content([(0, question)])
        verdict = score_task(content, row.reply, prompt=content.text)
        return _both(content, row.reply, verdict, "chosen", paper_letter(row.reply), _first(verdict.found))

    return score


def _first(found: Sequence[str]) -> str | None:
    return found[0] if found else None


def _score_alias(sources: ScoreSources) -> Callable[[TriviaReply], ScoredReply]:
    known: dict[str, TriviaQuestion] = {}

    def named(row: TriviaReply) -> TriviaQuestion:
        names = [name for name in (row.value, *row.aliases) if name.strip()]
        if names and row.question:
            return TriviaQuestion(question_id=row.item or "-", question=row.question, answers=tuple(names))
        if not row.item:
            raise DataError(
                "neither question and value nor item", found=sorted(row.model_fields_set), allowed="one of the two"
            )
        if not known:
            from forgetscope.benchmarks.prospective.data.loading import load_items

            items = load_items(sources.data, "triviaqa")
            known.update((item.question_id, item) for item in items if isinstance(item, TriviaQuestion))
        item = known.get(row.item) or known.get(row.item.removeprefix("triviaqa-"))
        if item is None:
            raise UnknownNameError(f"no such question in --data {sources.data}", found=row.item)
        return item.model_copy(update={"answers": (*item.answers, *names)})

    def score(row: TriviaReply) -> ScoredReply:
        content = LOADS["triviaqa"].content([(0, named(row))])
        verdict = score_task(content, row.reply, prompt=content.text)
        paper = paper_alias(content.golds[0], row.reply)
        return _both(content, row.reply, verdict, "chosen", paper, _first(verdict.found))

    return score


def _both(
    content: LoadContent, reply: str, verdict: TaskVerdict, what: str, paper: JsonValue, repaired: JsonValue
) -> ScoredReply:
    """The verdict row of a load: both readings, what each took for the answer, and whether the reply declines."""
    status = status_of_work(content, reply, verdict) if reply.strip() else Status.INVALID_FORMAT
    is_refused = status is Status.REFUSED
    return ScoredReply(
        status,
        {
            "paper": {what: paper, "is_right": verdict.paper},
            "repaired": {
                what: None if is_refused and not isinstance(repaired, list) else repaired,
                "is_right": status is Status.CORRECT,
            },
            "refused": is_refused,
        },
    )


def _is_right(reading: str) -> Callable[[Fields], Sequence[bool]]:
    def outcomes(fields: Fields) -> Sequence[bool]:
        verdict = fields[reading]
        return [isinstance(verdict, dict) and verdict["is_right"] is True]

    return outcomes


_LOAD_RATES = {"right, paper's reading": _is_right("paper"), "right, repaired reading": _is_right("repaired")}
_BY_REPAIRED = "by the repaired reading"

GSM8K = ScoreKind(
    "gsm8k",
    "{gold, reply}: word problems; gold is a number, or a list for a chain; + question, or questions of a chain",
    WordProblemReply,
    _score_numbers,
    _LOAD_RATES,
    _BY_REPAIRED,
)
MMLU = ScoreKind(
    "mmlu",
    "{question, choices, right, reply}: four choices; right is a letter",
    ChoiceReply,
    _score_letter,
    _LOAD_RATES,
    _BY_REPAIRED,
)
TRIVIAQA = ScoreKind(
    "triviaqa",
    "{question, value, reply}, aliases besides, or {item, reply}: factual questions",
    TriviaReply,
    _score_alias,
    _LOAD_RATES,
    _BY_REPAIRED,
)


def _score_constraints(sources: ScoreSources) -> Callable[[ConstraintReply], ScoredReply]:
    prompts = _prompts(sources)

    def score(row: ConstraintReply) -> ScoredReply:
        spec = prompts.get(_name_of(row))
        if spec is None:
            raise UnknownNameError(f"no such prompt in {sources.prompts}", found=_name_of(row)[1])
        reference = check_prompt(spec, row.response, behaviour=Behaviour.REFERENCE)
        repaired = check_prompt(spec, row.response, behaviour=Behaviour.REPAIRED)
        status = Status.CORRECT if reference.followed_strict else Status.INCORRECT
        return ScoredReply(status, {"reference": _followed(reference), "repaired": _followed(repaired)})

    return score


def _name_of(row: ConstraintReply) -> tuple[str, str]:
    if row.key is None:
        return "text", row.prompt
    return "key", str(row.key) if row.turn is None else f"{row.key}/{row.turn}"


def _prompts(sources: ScoreSources) -> dict[tuple[str, str], PromptSpec]:
    """The prompts of a file by their keys and their texts; the turns of Multi-IF, whose texts recur, by their keys.

    Raises:
        SettingError: no file is named.
        DataError: two prompts of one text ask for different things.
    """
    if sources.prompts is None:
        raise SettingError("constraints need the prompts they stand in", where="score", next_step="add --prompts FILE")
    if is_multi_if(sources.prompts):
        turns = (turn for dialogue in read_dialogues(sources.prompts).kept for turn in dialogue.turns)
        return {("key", str(turn.key)): turn for turn in turns}
    specs = read_prompts(sources.prompts)
    by_text: dict[tuple[str, str], PromptSpec] = {}
    for spec in specs:
        known = by_text.setdefault(("text", spec.prompt), spec)
        if (known.instruction_id_list, known.kwargs) != (spec.instruction_id_list, spec.kwargs):
            raise DataError(
                f"prompts {known.key} and {spec.key} have the same text and different instructions; a reply is "
                "matched by the text",
                where=str(sources.prompts),
            )
    return by_text | {("key", str(spec.key)): spec for spec in specs}


def _followed(verdict: PromptVerdict) -> dict[str, JsonValue]:
    return {
        "strict": verdict.followed_strict,
        "loose": verdict.followed_loose,
        "strict_each": [entry.followed for entry in verdict.strict],
        "loose_each": [entry.followed for entry in verdict.loose],
    }


def _outcomes(behaviour: Behaviour, name: str) -> Callable[[Fields], Sequence[bool]]:
    def outcomes(fields: Fields) -> Sequence[bool]:
        verdict = fields[behaviour.value]
        found = verdict[name] if isinstance(verdict, dict) else None
        return [entry is True for entry in (found if isinstance(found, list) else [found])]

    return outcomes


def _unanswered(sources: ScoreSources, rows: Sequence[ConstraintReply]) -> Sequence[str]:
    prompts = _prompts(sources)
    answered = {id(prompts[name]) for row in rows if (name := _name_of(row)) in prompts}
    left = len({id(spec) for spec in prompts.values()} - answered)
    return [f"{left:,} prompts have no reply and are in no figure"] if left else []


CONSTRAINTS = ScoreKind(
    "constraints",
    "{prompt or key, reply}, of Multi-IF turn too, with --prompts: checkers of IFEval, IFBench or Multi-IF alone",
    ConstraintReply,
    _score_constraints,
    {
        f"{what}, {name}, {behaviour.value}": _outcomes(behaviour, f"{name}{ending}")
        for behaviour in Behaviour
        for what, ending in (("prompts", ""), ("instructions", "_each"))
        for name in ("strict", "loose")
    },
    "by the reference reading, strict",
    _unanswered,
)
