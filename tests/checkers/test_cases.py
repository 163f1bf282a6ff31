"""Every checker with a reply that follows and one that does not, its reason and its place; and every repair."""

import pytest

from forgetscope.checkers import CONSTRAINTS, Behaviour, check
from forgetscope.core.errors import DataError, UnknownNameError
from tests.checkers import ifbench_cases

# instruction, kwargs, a reply that follows, one that does not, why not, and what the span covers
CASES: list[tuple[str, dict[str, object], str, str, str, str | None]] = [
    (
        "change_case:english_capital",
        {},
        "THIS IS THE ANSWER AND IT IS WHAT YOU ASKED FOR IN THE QUESTION",
        "THIS IS THE answer now",
        "9 of 18 letters lowercase",
        "answer now",
    ),
    (
        "change_case:english_lowercase",
        {},
        "this is the answer and it is what you asked for",
        "this is THE answer",
        "3 of 15 letters capital",
        "THE",
    ),
    (
        "change_case:english_lowercase",
        {},
        "this is the answer and it is what you asked for",
        "das ist die antwort auf deine frage und nichts anderes als das",
        "reads as de, English asked",
        None,
    ),
    ("keywords:existence", {"keywords": ["farm", "barn"]}, "A Farm and a barn.", "A farm.", "missing 'barn'", None),
    (
        "keywords:forbidden_words",
        {"forbidden_words": ["rock", "roll"]},
        "Rocks only.",
        "We will Rock.",
        "uses 'rock'",
        "Rock",
    ),
    (
        "detectable_content:postscript",
        {"postscript_marker": "P.S."},
        "Hi.\nP.S. bye",
        "Hi. PS bye",
        "no postscript 'P.S.'",
        None,
    ),
    (
        "startend:end_checker",
        {"end_phrase": "Peace!"},
        "Go in peace!",
        "All the best. Peace!\n\nSummary:",
        "ends with 'All the best. Peace! Summary:'",
        "\n\nSummary:",
    ),
    (
        "detectable_format:json_format",
        {},
        '```json\n{"a": 1}\n```',
        '{"a": 1,}',
        "not JSON: expecting property name enclosed in double quotes, line 1 column 9",
        "}",
    ),
    ("detectable_format:title", {}, "<<A title>>\ntext", "<A title>", "no <<title>>", None),
    (
        "startend:quotation",
        {},
        ' "all of it" ',
        '"all" of it',
        "ends with '\"all\" of it', not with a double quotation mark",
        "t",
    ),
    ("startend:quotation", {}, ' "all of it" ', "all of it", "begins with 'a', not with a double quotation mark", "a"),
    ("punctuation:no_comma", {}, "No commas here.", "One, two, three, four", "3 commas", ","),
    (
        "detectable_content:number_placeholders",
        {"num_placeholders": 2},
        "[a] and [b]",
        "[a]",
        "1 placeholder, at least 2 asked",
        None,
    ),
    (
        "detectable_format:number_bullet_lists",
        {"num_bullets": 2},
        "* a\n- b",
        "* a\n* b\n* c",
        "3 bullets, 2 asked",
        "* c",
    ),
    (
        "detectable_format:number_highlighted_sections",
        {"num_highlights": 2},
        "*a* and **b**",
        "*a*",
        "1 highlight, at least 2 asked",
        None,
    ),
    (
        "length_constraints:number_words",
        {"num_words": 3, "relation": "less than"},
        "two words",
        "one two three four",
        "4 words, fewer than 3 asked",
        "three",
    ),
    (
        "length_constraints:number_words",
        {"num_words": 3, "relation": "at least"},
        "one two three",
        "one two",
        "2 words, at least 3 asked",
        None,
    ),
    (
        "combination:repeat_prompt",
        {"prompt_to_repeat": "Write a poem."},
        "write a poem. Roses",
        "Write a song.",
        "leaves the request after 8 characters: 'song.' instead of 'poem.'",
        "song.",
    ),
    (
        "combination:repeat_prompt",
        {"prompt_to_repeat": "Write a poem."},
        "write a poem. Roses",
        "Write",
        "stops after 5 of the request's 13 characters",
        None,
    ),
    (
        "combination:repeat_prompt",
        {"prompt_to_repeat": "Write a poem."},
        "write a poem. Roses",
        "Sure: Write a poem.",
        "does not begin with the request but with 'Sure: Write a poem.'",
        "Sure: Write a poem.",
    ),
    (
        "change_case:capital_word_frequency",
        {"capital_frequency": 2, "capital_relation": "less than"},
        "only ONE",
        "ONE in TWO",
        "2 words in capitals, fewer than 2 asked",
        "TWO",
    ),
    (
        "keywords:frequency",
        {"keyword": "cat", "frequency": 2, "relation": "at least"},
        "cat, Cat",
        "cat",
        "'cat' 1 time, at least 2 asked",
        None,
    ),
    (
        "keywords:letter_frequency",
        {"letter": "q", "let_frequency": 2, "let_relation": "less than"},
        "quick",
        "Quaint quiz",
        "'q' 2 times, fewer than 2 asked",
        "q",
    ),
    (
        "language:response_language",
        {"language": "de"},
        "Das ist die Antwort auf deine Frage.",
        "This is the answer to your question.",
        "reads as en, de asked",
        None,
    ),
    (
        "length_constraints:number_sentences",
        {"num_sentences": 2, "relation": "less than"},
        "One sentence.",
        "One sentence. And two.",
        "2 sentences, fewer than 2 asked",
        "And two.",
    ),
    (
        "length_constraints:number_paragraphs",
        {"num_paragraphs": 2},
        "a\n***\nb",
        "a\n***\n***\nb",
        "an empty paragraph between two dividers",
        "\n***\n***\n",
    ),
    (
        "length_constraints:number_paragraphs",
        {"num_paragraphs": 2},
        "a\n***\nb",
        "a",
        "1 paragraph between dividers ***, 2 asked",
        None,
    ),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "Weekend"},
        "a\n\nweekend, b",
        "a\n\nb",
        "paragraph 2 begins with 'b', 'weekend' asked",
        "b",
    ),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "Weekend"},
        "a\n\nweekend, b",
        "a",
        "1 paragraph, 2 asked",
        None,
    ),
    (
        "detectable_format:multiple_sections",
        {"section_spliter": "Section", "num_sections": 2},
        "Section 1\na\nSection 2\nb",
        "Section 1",
        "1 section marked 'Section X', at least 2 asked",
        None,
    ),
    ("detectable_format:constrained_response", {}, "My answer is no.", "no", "none of the three fixed answers", None),
    ("combination:two_responses", {}, "a\n******\nb", "a\n******\na", "the two responses are the same", None),
    ("combination:two_responses", {}, "a\n******\nb", "a", "1 response between separators ******, 2 asked", None),
    (
        "reader:mentions",
        {"things": ["mould|mold", "March"]},
        "The MOLD of March.",
        "No mould in March.",
        "without 'mould'",
        None,
    ),
    ("reader:uses", {"words": ["fog bell"]}, "the fog **bell**", "foggy bells", "without 'fog bell'", None),
    ("reader:avoids", {"words": ["salt"]}, "unsalted", "Salts of all kinds.", "uses 'salt'", None),
    (
        "reader:figures",
        {"figures": ["mean=15", "median="]},
        "15 is the mean, 9 the median.",
        "The mean is 9, the median 15.",
        "without 'mean=15'",
        None,
    ),
    (
        "reader:times",
        {"word": "honk", "times": 2},
        "Honk, honk!",
        "Honk, honks!",
        "'honk' 1 time, at least 2 asked",
        None,
    ),
    (
        "reader:length",
        {"words": 4, "relation": "less than"},
        "a well-known sea -",
        "a b c d",
        "4 words, fewer than 4 asked",
        None,
    ),
    ("reader:case", {"case": "lower"}, "no [phone]!", "no [Phone]!", "1 letters not in lower case", None),
    (
        "reader:tongue",
        {"language": "it", "besides": ["Low Tide"]},
        "Low Tide, olio su tela",
        "Low Tide, huile sur toile",
        "reads as fr, it asked",
        None,
    ),
    ("reader:capitals", {"words": 2}, "GO GET it", "GO and I say", "1 word in capitals, at least 2 asked", None),
    (
        "reader:headings",
        {"word": "Day", "count": 2},
        "## Day 1\na\n**Day Two:** b",
        "Day 1\nDay 2\nDay 3",
        "3 headings 'Day X', 2 asked",
        None,
    ),
    ("reader:points", {"count": 2}, "- a\n\u2022 b", "- a\n1. b", "1 bullet, 2 asked", None),
    ("reader:name", {"place": "top"}, "**<<Tea>>**\nHi", "Hi\n<<Tea>>", "the title is not on top", None),
    ("reader:parts", {"count": 2}, "a\n***\nb", "***a*** b", "1 part between ***, 2 asked", None),
    (
        "reader:paragraph_opening",
        {"count": 2, "nth": 2, "first_word": "above"},
        "a\n\n\n*Above* b",
        "a\n\nb",
        "paragraph 2 does not begin with 'above'",
        None,
    ),
    (
        "reader:starred",
        {"count": 1, "holding": "time"},
        "at **15:35**",
        "at 15:35 **sharp**",
        "0 passages in asterisks, at least 1 asked",
        None,
    ),
    ("reader:gaps", {"count": 1}, "Call [____].", "[x](http://y) [1]", "0 gaps, at least 1 asked", None),
    (
        "reader:choice",
        {"sentences": ["Yes.", "No."]},
        "**Yes.**",
        "Yes. No.",
        "2 sentences of those to choose from",
        None,
    ),
    (
        "reader:lines",
        {"word": "Answer", "count": 1},
        "**Answer:** W",
        "The answer: W",
        "0 lines, at least 1 asked",
        None,
    ),
    ("reader:hashtags", {"count": 2}, "Come!\n#a #b", "#a #b Come!", "the hashtags are not at the end", None),
    ("reader:json", {"root": "object"}, "```json\n{}\n```", "[]", "JSON, but no object", None),
    ("reader:entries", {"entries": ["Maya=9"]}, '{"Maya": 9}', '{"Maya": 19}', "no entry Maya=9", None),
    (
        "reader:closing",
        {"phrase": "Now stir."},
        "Lead!\n\n**Now stir!**",
        "Now stir. Go.",
        "goes on after 'Now stir.'",
        None,
    ),
    (
        "reader:opening",
        {"phrase": "Where is it?"},
        "**Where is it?** Here.",
        "So where is it?",
        "does not begin with 'Where is it?'",
        None,
    ),
    ("reader:quoted", {}, '"To us!"', "To 'us'", "not in double quotation marks", None),
    (
        "reader:ps",
        {"things": ["bus"]},
        "Bye\n**P.S.** The bus is late.",
        "Bye P.S. The bus is late.",
        "no line begins with P.S.",
        None,
    ),
    *ifbench_cases.CASES,
]

# instruction, kwargs, reply, followed in the reference's reading, followed in the repaired reading
REPAIRS: list[tuple[str, dict[str, object], str, bool, bool]] = [
    ("keywords:existence", {"keywords": ["art"]}, "a party", True, False),
    ("keywords:frequency", {"keyword": "the", "frequency": 2, "relation": "at least"}, "the other", True, False),
    ("keywords:forbidden_words", {"forbidden_words": ["a.m."]}, "at 5 a.m. now", True, False),
    ("keywords:forbidden_words", {"forbidden_words": ["dark"]}, "a _dark_ night", True, False),
    ("keywords:existence", {"keywords": ["dark"]}, "dark_blue", True, False),
    ("detectable_format:title", {}, "48/2 = <<48/2=24>>24", True, False),
    ("detectable_format:json_format", {}, "NaN", True, False),
    ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "*Note* this\n---\n", True, False),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 1}, "a _dark_ night", False, True),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 1}, "snake_case_name", False, False),
    ("detectable_format:title", {}, "1 << 2 and 4 >> 2", True, False),
    ("detectable_format:title", {}, "<<1984>>", True, True),
    ("startend:quotation", {}, "“All of it”", False, True),
    ("startend:end_checker", {"end_phrase": 'It\'s "over"'}, "Well. It’s “over”", False, True),
    ("keywords:existence", {"keywords": ["don't"]}, "I don’t know", False, True),
    ("length_constraints:number_words", {"num_words": 3, "relation": "less than"}, "don't go", False, True),
    ("length_constraints:number_words", {"num_words": 3, "relation": "at least"}, "I don’t", True, False),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 1}, "2*3*4", True, False),
    ("detectable_content:number_placeholders", {"num_placeholders": 1}, "[link](x)", True, False),
    ("detectable_content:postscript", {"postscript_marker": "P.S."}, "see the p.s. section", True, False),
    ("startend:end_checker", {"end_phrase": 'called "home"'}, 'It is called "home"', False, True),
    ("punctuation:no_comma", {}, "نعم، لا", True, False),
    ("language:response_language", {"language": "de"}, "12345", True, False),
    ("language:response_language", {"language": "zh"}, "这是你要找的答案希望对你有帮助", False, True),
    (
        "detectable_format:multiple_sections",
        {"section_spliter": "Section", "num_sections": 2},
        "Section 1\nas Section 2 says",
        True,
        False,
    ),
    ("length_constraints:number_paragraphs", {"num_paragraphs": 1}, "a ***bold*** b", False, True),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "weekend"},
        "a\n\n\n\nweekend",
        False,
        True,
    ),
    (
        "change_case:english_capital",
        {},
        "I KNOW THIS AND I KNOW THAT I KNOW IT AND I WILL TELL YOU WHAT I KNOW",
        False,
        True,
    ),
    ("change_case:english_lowercase", {}, "the answer is b", True, True),
    *ifbench_cases.ODD,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[4]}")
def test_a_checker_accepts_and_refuses_and_says_why_and_where(
    case: tuple[str, dict[str, object], str, str, str, str | None],
) -> None:
    instruction_id, kwargs, good, bad, reason, place = case
    accepted = check(instruction_id, kwargs, good)
    assert (accepted.followed, accepted.reason, accepted.span) == (True, "", None)
    refused = check(instruction_id, kwargs, bad)
    assert (refused.followed, refused.reason) == (False, reason)
    assert (bad[slice(*refused.span)] if refused.span else None) == place


def test_every_registered_type_has_a_case() -> None:
    assert {case[0] for case in CASES} == set(CONSTRAINTS)


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair[0])
def test_a_repair_changes_exactly_the_documented_verdict(
    repair: tuple[str, dict[str, object], str, bool, bool],
) -> None:
    instruction_id, kwargs, reply, reference, repaired = repair
    assert check(instruction_id, kwargs, reply, behaviour=Behaviour.REFERENCE).followed is reference
    assert check(instruction_id, kwargs, reply, behaviour=Behaviour.REPAIRED).followed is repaired


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[4]}")
def test_the_plain_cases_are_the_same_in_both_behaviours(
    case: tuple[str, dict[str, object], str, str, str, str | None],
) -> None:
    instruction_id, kwargs, good, bad, _, _ = case
    assert check(instruction_id, kwargs, good, behaviour=Behaviour.REPAIRED).followed
    assert not check(instruction_id, kwargs, bad, behaviour=Behaviour.REPAIRED).followed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
@pytest.mark.parametrize("reply", ["", "  \n\t "])
def test_an_empty_reply_never_follows(
    case: tuple[str, dict[str, object], str, str, str, str | None], reply: str
) -> None:
    assert check(case[0], case[1], reply).reason == "the reply is empty"


def test_the_papers_fifteen_come_first_in_the_order_of_its_table_5() -> None:
    types = list(CONSTRAINTS.values())
    assert [entry.name for entry in types if entry.in_paper] == [entry.name for entry in types[:15]]
    assert " ".join(entry.name for entry in types[:15]) == (
        "english_capital english_lowercase existence forbidden_words postscript end_checker json_format title "
        "quotation no_comma num_placeholders num_bullet_lists num_highlighted number_words repeat_prompt"
    )
    assert [entry.name for entry in types[:15] if entry.counts] == [
        "num_placeholders",
        "num_bullet_lists",
        "num_highlighted",
        "number_words",
    ]


def test_no_two_types_share_a_short_name_and_ifevals_twenty_five_have_their_places() -> None:
    types = CONSTRAINTS.values()
    assert len({entry.name for entry in types}) == len(types)
    assert [entry.place for entry in types[:25]] == list(range(1, 26))


def test_an_unknown_instruction_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"no such constraint; found 'a:b'; allowed: change_case:english_cap"):
        check("a:b", {}, "text")


def test_an_unknown_relation_is_refused_with_the_two_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown relation; found 'at most'; allowed: less than, at least"):
        check("length_constraints:number_words", {"num_words": 3, "relation": "at most"}, "text")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown language code; found 'xx'"):
        check("language:response_language", {"language": "xx"}, "text")


@pytest.mark.parametrize(
    ("instruction_id", "kwargs", "message"),
    [
        ("length_constraints:number_words", {"num_words": 3}, "field 'relation': field required"),
        ("punctuation:no_comma", {"num_words": 3}, "field 'num_words': extra inputs are not permitted"),
        ("keywords:existence", {"keywords": []}, "at least 1 item"),
        (
            "keywords:letter_frequency",
            {"letter": "ab", "let_frequency": 1, "let_relation": "at least"},
            "one character",
        ),
        ("detectable_format:number_bullet_lists", {"num_bullets": -1}, "greater than or equal to 0"),
        (
            "length_constraints:nth_paragraph_first_word",
            {"num_paragraphs": 1, "nth_paragraph": 2, "first_word": "a"},
            "paragraph 2 of 1 does not exist",
        ),
        ("keywords:existence", {"keywords": ["(a"]}, "reads a keyword as a regular expression"),
    ],
)
def test_kwargs_that_do_not_fit_are_refused(instruction_id: str, kwargs: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        check(instruction_id, kwargs, "text")


def test_nulls_in_kwargs_are_dropped_because_the_hugging_face_form_pads_with_them() -> None:
    assert check("punctuation:no_comma", {"num_words": None, "relation": None}, "no commas").followed


def test_zero_asked_is_taken_at_its_word() -> None:
    assert check("detectable_format:number_bullet_lists", {"num_bullets": 0}, "none").followed
    assert not check("detectable_format:number_bullet_lists", {"num_bullets": 0}, "* one").followed
    assert check("detectable_content:number_placeholders", {"num_placeholders": 0}, "none").followed
    assert not check("length_constraints:number_words", {"num_words": 0, "relation": "less than"}, "!").followed


def test_a_json_newline_does_not_hide_the_keyword_after_it_from_the_repaired_reading() -> None:
    reply = r'{"a": "one\nfarm"}'
    assert check("keywords:existence", {"keywords": ["farm"]}, reply, behaviour=Behaviour.REPAIRED).followed
    kwargs = {"forbidden_words": ["farm"]}
    assert not check("keywords:forbidden_words", kwargs, reply, behaviour=Behaviour.REPAIRED).followed
