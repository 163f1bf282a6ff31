"""The constraint prompts, factual questions and four-choice questions shipped with the package keep their promises."""

import re
import unicodedata
from collections import Counter
from importlib.resources import files
from itertools import combinations
from typing import Annotated

import pytest
from pydantic import BaseModel, ConfigDict, Field

from forgetscope.checkers import CONSTRAINTS, Behaviour, PromptSpec, check

FIFTEEN_TYPES = (
    "change_case:english_capital",
    "change_case:english_lowercase",
    "keywords:existence",
    "keywords:forbidden_words",
    "detectable_content:postscript",
    "startend:end_checker",
    "detectable_format:json_format",
    "detectable_format:title",
    "startend:quotation",
    "punctuation:no_comma",
    "detectable_content:number_placeholders",
    "detectable_format:number_bullet_lists",
    "detectable_format:number_highlighted_sections",
    "length_constraints:number_words",
    "combination:repeat_prompt",
)

# Wordings by which a prompt states a constraint. The two case types share one family: either may be put by contrast
# with the other ("no lowercase letters").
WORDINGS = {
    "case": r"capitals?\b|upper.?case|lower-?case|caps lock|small (letter|one)s",
    "keywords:existence": r"include the words|words .* must all|each of these words|uses the words|mention both|"
    r"particular words",
    "keywords:forbidden_words": r"don't use the words|off limits|leave out the words|neither '|avoiding the words|"
    r"permit you to say",
    "detectable_content:postscript": r"P\.S|postscript",
    "startend:end_checker": r"very last words|finish your answer with|closes with|at the end of your reply|must end",
    "detectable_format:json_format": r"\bjson\b",
    "detectable_format:title": r"\btitle\b|<<",
    "startend:quotation": r"double quot|in quotes|quotation mark",
    "punctuation:no_comma": r"\bcommas?\b",
    "detectable_content:number_placeholders": r"placeholder|square bracket|bracketed",
    "detectable_format:number_bullet_lists": r"bullet",
    "detectable_format:number_highlighted_sections": r"highlight|\*\w[^*\n]*\*",
    "length_constraints:number_words": r"\d+ words",
    "combination:repeat_prompt": r"\brepeat\b|verbatim|restat|exact copy|say my request again|write out the two",
    "one of the ten other types": r"\bparagraph|\*\*\*|\d sentences|two (different )?responses|letter [a-z]\b",
}


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ConstraintRow(_Row):
    key: int
    prompt: str
    instruction_id_list: Annotated[list[str], Field(min_length=1, max_length=1)]
    kwargs: Annotated[list[dict[str, int | str | list[str]]], Field(min_length=1, max_length=1)]


class Answer(_Row):
    value: str
    aliases: Annotated[list[str], Field(min_length=1)]


class FactualRow(_Row):
    question_id: str
    question: str
    answer: Answer


class ChoiceRow(_Row):
    question: str
    subject: str
    choices: Annotated[list[str], Field(min_length=4, max_length=4)]
    answer: Annotated[int, Field(ge=0, le=3)]


def _lines(name: str) -> list[str]:
    folder = files("forgetscope.benchmarks.prospective.data").joinpath("embedded")
    return folder.joinpath(name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


PROMPTS = [ConstraintRow.model_validate_json(line) for line in _lines("ifeval.jsonl")]
FACTS = [FactualRow.model_validate_json(line) for line in _lines("triviaqa.jsonl")]
CHOICES = [ChoiceRow.model_validate_json(line) for line in _lines("mmlu.jsonl")]
QUESTIONS = [row.question for row in FACTS] + [row.question for row in CHOICES]


def _family(instruction_id: str) -> str:
    return "case" if instruction_id.startswith("change_case:") else instruction_id


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _plain(text: str) -> str:
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return " ".join(re.findall(r"\w+", ascii_text))


def _overlap(one: str, other: str) -> float:
    return len(_words(one) & _words(other)) / len(_words(one) | _words(other))


def _by_key(row: ConstraintRow) -> str:
    return str(row.key)


def test_each_set_has_ninety_rows() -> None:
    assert (len(PROMPTS), len(FACTS), len(CHOICES)) == (90, 90, 90)


def test_there_are_six_prompts_of_each_of_the_fifteen_types_in_order() -> None:
    assert [row.instruction_id_list[0] for row in PROMPTS] == [name for name in FIFTEEN_TYPES for _ in range(6)]
    assert tuple(CONSTRAINTS)[:15] == FIFTEEN_TYPES


def test_keys_ids_prompts_and_questions_are_unique() -> None:
    assert [row.key for row in PROMPTS] == list(range(900001, 900091))
    assert [row.question_id for row in FACTS] == [f"fb-trivia-{number:03d}" for number in range(1, 91)]
    assert len({row.prompt for row in PROMPTS}) == 90
    assert len({_plain(question) for question in QUESTIONS}) == 180
    assert len({row.answer.value for row in FACTS}) == 90


@pytest.mark.parametrize("row", PROMPTS, ids=_by_key)
def test_a_prompt_fits_the_schema_of_the_checkers(row: ConstraintRow) -> None:
    assert len(PromptSpec.model_validate(row.model_dump()).checkers()) == 1


@pytest.mark.parametrize("row", PROMPTS, ids=_by_key)
def test_a_prompt_states_its_own_type_and_no_other(row: ConstraintRow) -> None:
    stated = {name for name, wording in WORDINGS.items() if re.search(wording, row.prompt, re.IGNORECASE)}
    assert stated == {_family(row.instruction_id_list[0])}


@pytest.mark.parametrize("row", PROMPTS, ids=_by_key)
def test_the_prompt_states_the_parameters_that_the_checker_reads(row: ConstraintRow) -> None:
    number_words = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
    for name, value in row.kwargs[0].items():
        match value:
            case list():
                assert all(re.search(rf"\b{re.escape(word)}\b", row.prompt) for word in value)
            case int():
                assert re.search(rf"\b({value}|{number_words.get(value, value)})\b", row.prompt, re.IGNORECASE)
            case str() if name == "relation":
                wording = {"less than": "fewer than|less than|under", "at least": "at least|or more|a minimum"}[value]
                assert re.search(wording, row.prompt, re.IGNORECASE)
            case str():
                assert value in row.prompt


def test_a_prompt_to_repeat_opens_its_prompt() -> None:
    repeats = [row for row in PROMPTS if row.instruction_id_list[0] == "combination:repeat_prompt"]
    assert all(row.prompt.startswith(str(row.kwargs[0]["prompt_to_repeat"])) for row in repeats)
    assert all(len(row.prompt) > len(str(row.kwargs[0]["prompt_to_repeat"])) + 80 for row in repeats)


def test_both_relations_and_both_postscript_markers_occur_equally_often() -> None:
    values = Counter(value for row in PROMPTS for value in row.kwargs[0].values() if isinstance(value, str))
    assert values["less than"] == values["at least"] == 3
    assert values["P.S."] == values["P.P.S"] == 3


def _number(kwargs: dict[str, int | str | list[str]], name: str) -> int:
    value = kwargs[name]
    assert isinstance(value, int)
    return value


def _list(kwargs: dict[str, int | str | list[str]], name: str) -> list[str]:
    value = kwargs[name]
    assert isinstance(value, list)
    return value


TEXT = "The old harbour was quiet this morning and the fishermen mended their nets while gulls watched from the wall "


def _replies(row: ConstraintRow) -> tuple[str, str]:
    """A reply that keeps the prompt's constraint and one that breaks it."""
    kwargs = row.kwargs[0]
    match row.instruction_id_list[0]:
        case "change_case:english_capital":
            return TEXT.upper(), TEXT
        case "change_case:english_lowercase":
            return TEXT.lower(), TEXT
        case "keywords:existence":
            words = _list(kwargs, "keywords")
            return TEXT + " ".join(words), TEXT + " ".join(words[1:])
        case "keywords:forbidden_words":
            return TEXT, f"{TEXT}{_list(kwargs, 'forbidden_words')[-1]}."
        case "detectable_content:postscript":
            return f"{TEXT}\n\n{kwargs['postscript_marker']} One more thing.", TEXT
        case "startend:end_checker":
            return f"{TEXT}{kwargs['end_phrase']}", f"{TEXT}{kwargs['end_phrase']} Bye now."
        case "detectable_format:json_format":
            return '{"harbour": ["quiet"]}', 'Here it is: {"harbour": ["quiet"]}'
        case "detectable_format:title":
            return f"<<The Harbour>>\n{TEXT}", f"# The Harbour\n{TEXT}"
        case "startend:quotation":
            return f'"{TEXT}"', f'"{TEXT}'
        case "punctuation:no_comma":
            return TEXT, f"Well, {TEXT}"
        case "detectable_content:number_placeholders":
            number = _number(kwargs, "num_placeholders")
            return "[name] " * number, "[name] " * (number - 1)
        case "detectable_format:number_bullet_lists":
            number = _number(kwargs, "num_bullets")
            return "* point\n" * number, "* point\n" * (number + 1)
        case "detectable_format:number_highlighted_sections":
            number = _number(kwargs, "num_highlights")
            return "a *bold claim* and " * number, "a *bold claim* and " * (number - 1)
        case "length_constraints:number_words":
            number = _number(kwargs, "num_words")
            enough, short = "word " * number, "word " * (number - 1)
            return (short, enough) if kwargs["relation"] == "less than" else (enough, short)
        case "combination:repeat_prompt":
            return f"{kwargs['prompt_to_repeat']}\n\n{TEXT}", f"Sure! {kwargs['prompt_to_repeat']}\n\n{TEXT}"
        case other:
            raise AssertionError(f"no replies for {other}")


@pytest.mark.parametrize("row", PROMPTS, ids=_by_key)
@pytest.mark.parametrize("behaviour", Behaviour)
def test_a_prompt_can_be_kept_and_can_be_broken(row: ConstraintRow, behaviour: Behaviour) -> None:
    kept, broken = _replies(row)
    instruction_id, kwargs = row.instruction_id_list[0], row.kwargs[0]
    assert check(instruction_id, kwargs, kept, behaviour=behaviour).followed
    assert not check(instruction_id, kwargs, broken, behaviour=behaviour).followed


def test_an_answers_aliases_include_its_value_and_repeat_none() -> None:
    for row in FACTS:
        assert row.answer.value in row.answer.aliases
        assert len(set(row.answer.aliases)) == len(row.answer.aliases)


def test_no_question_gives_away_an_alias() -> None:
    given = [
        (row.question, alias) for row in FACTS for alias in row.answer.aliases if _plain(alias) in _plain(row.question)
    ]
    assert given == []


def test_no_alias_is_so_short_that_it_turns_up_by_accident() -> None:
    aliases = [alias for row in FACTS for alias in row.answer.aliases]
    assert min(len(_plain(alias)) for alias in aliases) >= 4


def test_no_prompt_contains_an_alias_that_a_reply_could_echo() -> None:
    echoed = [
        (row.key, alias)
        for row in PROMPTS
        for fact in FACTS
        for alias in fact.answer.aliases
        if _plain(alias) in _plain(row.prompt)
    ]
    assert echoed == []


def test_six_questions_on_each_of_fifteen_subjects() -> None:
    assert set(Counter(row.subject for row in CHOICES).values()) == {6}
    assert len({row.subject for row in CHOICES}) == 15


def test_right_choices_are_balanced_over_positions() -> None:
    assert sorted(Counter(row.answer for row in CHOICES).values()) == [22, 22, 23, 23]


def test_the_four_choices_of_a_question_differ() -> None:
    assert all(len({choice.casefold() for choice in row.choices}) == 4 for row in CHOICES)


def test_length_does_not_give_the_right_choice_away() -> None:
    longest = shortest = 0
    for row in CHOICES:
        right = len(row.choices[row.answer])
        wrong = [len(choice) for place, choice in enumerate(row.choices) if place != row.answer]
        longest += right > max(wrong)
        shortest += right < min(wrong)
    assert longest <= 23
    assert shortest <= 23


def test_no_two_prompts_and_no_two_questions_are_near_duplicates() -> None:
    texts = [[row.prompt for row in PROMPTS], QUESTIONS]
    close = [pair for group in texts for pair in combinations(group, 2) if _overlap(*pair) >= 0.5]
    assert close == []
