"""The loose reading: any of eight variants may follow."""

from hypothesis import given
from hypothesis import strategies as st

from forgetscope.checkers import PromptSpec, check_prompt, loose_variants

JSON_AND_NO_COMMA = PromptSpec(
    key=1,
    prompt="p",
    instruction_id_list=("detectable_format:json_format", "punctuation:no_comma"),
    kwargs=({}, {}),
)


def test_the_eight_variants_drop_the_first_line_the_last_both_and_the_asterisks() -> None:
    assert loose_variants("a\n*b*\nc") == ("a\n*b*\nc", "a\nb\nc", "*b*\nc", "a\n*b*", "*b*", "b\nc", "a\nb", "b")


def test_an_introduction_breaks_the_strict_reading_only() -> None:
    verdict = check_prompt(JSON_AND_NO_COMMA, 'Sure!\n{"a": 1}')
    assert [v.followed for v in verdict.strict] == [False, True]
    assert [v.followed for v in verdict.loose] == [True, True]
    assert (verdict.followed_strict, verdict.followed_loose) == (False, True)


def test_each_instruction_may_hold_in_another_variant() -> None:
    verdict = check_prompt(JSON_AND_NO_COMMA, 'Sure\n{"a": 1, "b": 2}\nOne\n')
    assert [v.followed for v in verdict.loose] == [False, False]
    verdict = check_prompt(JSON_AND_NO_COMMA, '{"a": [1, 2]}\nThere')
    assert [v.followed for v in verdict.loose] == [True, True]


def test_a_failure_in_all_variants_points_into_the_reply_as_it_is() -> None:
    reply = "first\n*second*, here\nlast"
    verdict = check_prompt(JSON_AND_NO_COMMA, reply)
    assert verdict.loose[0] == verdict.strict[0]
    assert verdict.strict[1].span is not None
    assert reply[slice(*verdict.strict[1].span)] == ","


def test_the_same_type_twice_is_scored_by_its_place() -> None:
    spec = PromptSpec(
        key=1,
        prompt="p",
        instruction_id_list=("length_constraints:number_words",) * 2,
        kwargs=({"num_words": 2, "relation": "at least"}, {"num_words": 4, "relation": "less than"}),
    )
    assert [v.followed for v in check_prompt(spec, "one").strict] == [False, True]
    assert [v.followed for v in check_prompt(spec, "one two three").strict] == [True, True]
    assert [v.followed for v in check_prompt(spec, "one two three four five").strict] == [True, False]


@given(st.text(alphabet=st.sampled_from('ab *-\n"{},.'), max_size=60))
def test_strict_implies_loose_and_a_reason_is_given_exactly_when_not_followed(reply: str) -> None:
    verdict = check_prompt(JSON_AND_NO_COMMA, reply)
    for strict, loose in zip(verdict.strict, verdict.loose, strict=True):
        assert loose.followed or not strict.followed
        assert strict.followed == (strict.reason == "")
        assert strict.span is None or 0 <= strict.span[0] < strict.span[1] <= len(reply)
