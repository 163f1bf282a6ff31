"""Statuses, raw verdicts and mechanisms of single replies."""

import pytest

from forgetscope.benchmarks.prospective.data.conditions import NO_LOAD
from forgetscope.benchmarks.prospective.data.items import ProspectiveSample
from forgetscope.benchmarks.prospective.listed import REFERENCE_MODELS
from forgetscope.benchmarks.prospective.loads.load import LoadContent
from forgetscope.benchmarks.prospective.plan import build_samples, cached_data
from forgetscope.benchmarks.prospective.scoring.mechanisms import Mechanism, split_sections
from forgetscope.benchmarks.prospective.scoring.row import SCHEMA, score_sample
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.benchmarks.prospective.validation.expectations import check_reference
from forgetscope.benchmarks.prospective.validation.reference import publish_answer_key, respond
from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.results import Completion, Value, build_table

TRIVIA = LoadContent(
    load="triviaqa", ids=("t",), text="Answer this question: What is the capital of Chile?", golds=(("Santiago",),)
)


def sample(
    instruction: str = "punctuation:no_comma",
    kwargs: dict[str, object] | None = None,
    *,
    content: LoadContent | None = TRIVIA,
    prompt: str = "Write a short poem about the sea and its ships. Do not use any commas.",
    kept: bool = True,
) -> ProspectiveSample:
    return ProspectiveSample.model_validate(
        {
            "sample_id": "prospective/a/natural",
            "item": "a",
            "experiment": "load",
            "condition": "natural" if kept else "reminder",
            "load": content.load if content else NO_LOAD,
            "seed": 42 if content else None,
            "original_task": kept,
            "heading": not kept,
            "trailing": "none",
            "instruction_types": (instruction,),
            "kwargs": (kwargs or {},),
            "original_prompt": prompt,
            "prompt": f"{prompt}\n\n{content.text if content else ''}",
            "content": content,
        }
    )


def score(reply: str, finish: FinishReason = FinishReason.STOP, **changes: object) -> dict[str, Value]:
    return score_sample(sample(**changes), Completion(reply, finish), model="m")  # type: ignore[arg-type]


def test_a_compliant_right_reply() -> None:
    row = score("The sea is wide. The capital is Santiago.")
    assert (row["status"], row["task_status"], row["strict"], row["task_paper"]) == ("correct", "correct", True, True)
    assert row["reason"] == row["mechanism"] == ""


def test_a_broken_constraint_says_why_and_where() -> None:
    reply = "The sea is wide, deep. The capital is Santiago."
    row = score(reply)
    assert row["status"] == "incorrect"
    assert "1 comma" in str(row["reason"])
    assert reply[int(str(row["broke_from"])) : int(str(row["broke_to"]))] == ","


def test_a_cut_reply_is_truncated_and_keeps_its_raw_verdict() -> None:
    row = score("The sea is wide", FinishReason.LENGTH)
    assert (row["status"], row["raw_pass"], row["task_status"]) == ("truncated", True, "truncated")


@pytest.mark.parametrize(
    ("finish", "reply", "status", "has_raw"),
    [
        (FinishReason.ERROR, "", Status.MODEL_ERROR, False),
        (FinishReason.STOP, "", Status.INVALID_FORMAT, False),
        (FinishReason.STOP, " \n ", Status.INVALID_FORMAT, False),
        (FinishReason.CONTENT_FILTER, "", Status.REFUSED, False),
        (FinishReason.CONTENT_FILTER, "Some text", Status.REFUSED, True),
        (FinishReason.CONTEXT, "", Status.NOT_SENT, False),
        (FinishReason.CONTEXT, "Some text", Status.TRUNCATED, True),
        (FinishReason.LENGTH, "", Status.TRUNCATED, False),
    ],
)
def test_how_a_call_ended_decides_before_its_text(
    finish: FinishReason, reply: str, status: Status, has_raw: bool
) -> None:
    row = score(reply, finish)
    assert row["status"] == row["task_status"] == status.value
    assert (row["raw_pass"] is not None) is has_raw


def test_a_blanket_decline_is_refused_on_both_aspects() -> None:
    row = score("I'm sorry, but I can't help with that.")
    assert row["status"] == row["task_status"] == "refused"


def test_a_decline_with_the_answer_after_it_is_an_answer() -> None:
    assert score("I cannot write poems. The capital is Santiago.")["task_status"] == "correct"


def test_only_what_was_never_sent_counts_as_not_sent() -> None:
    for written, status in ((None, "not_sent"), (0, "not_sent"), (900, "truncated")):
        completion = Completion("", FinishReason.CONTEXT, reasoning="hm" if written else "", output_tokens=written)
        row = score_sample(sample(), completion, model="m")
        assert (row["status"], row["task_status"]) == (status, status)


def test_a_reply_of_line_ends_gets_its_mechanism_in_one_pass() -> None:
    reply = "the sea\n" + "\n" * 20_000 + "Chile É"
    row = score_sample(sample("change_case:english_lowercase"), Completion(reply, FinishReason.STOP), model="m")
    assert row["mechanism"] != ""


def test_without_load_there_is_no_task() -> None:
    row = score("The sea", content=None)
    assert (row["task_status"], row["task_paper"]) == (None, None)


def test_the_task_alone_is_scored_as_a_task() -> None:
    alone = sample().model_copy(update={"instruction_types": (), "kwargs": (), "condition": "task_only"})
    row = score_sample(alone, Completion("Santiago", FinishReason.STOP), model="m")
    assert (row["status"], row["task_status"], row["strict"]) == ("correct", "correct", None)


POEM = "The sea is wide and the ships are old.\nThey sail the sea at night."
ANSWER = "Answer to the question: the capital of Chile is Santiago"


@pytest.mark.parametrize(
    ("instruction", "kwargs", "reply", "mechanism", "evidence"),
    [
        ("punctuation:no_comma", {}, f"{POEM}\n\n{ANSWER}, of course, yes.", Mechanism.DOMAIN_SHIFT, "held in the"),
        (
            "change_case:english_capital",
            {},
            "THE CAPITAL OF THIS LONG AND NARROW COUNTRY IN THE SOUTH OF THE AMERICAS IS THE CITY OF Santiago.",
            Mechanism.DOMAIN_SHIFT,
            "7 of 78 letters lowercase",
        ),
        (
            "change_case:english_lowercase",
            {},
            "the sea is wide. it has ships. they are old. they sail. so it goes. the answer is Santiago.",
            Mechanism.DOMAIN_SHIFT,
            "0 of 6 sentences begin with a capital",
        ),
        (
            "change_case:english_lowercase",
            {},
            "The sea is wide. It has ships. The answer is Santiago.",
            Mechanism.UNCLASSIFIED,
            "4 of",
        ),
        (
            "startend:end_checker",
            {"end_phrase": "Peace!"},
            f"{POEM} Peace!\n\n{ANSWER}.",
            Mechanism.TERMINAL_OMISSION,
            "10 words follow",
        ),
        ("startend:end_checker", {"end_phrase": "Peace!"}, POEM, Mechanism.CONTENT_LENGTH, "never written"),
        (
            "detectable_format:number_bullet_lists",
            {"num_bullets": 2},
            f"* The sea and ships\n* The ships and sea\n\n{ANSWER}:\n- one step\n- capital of Chile",
            Mechanism.STRUCTURAL_ABANDON,
            "4 bullets, 2 asked",
        ),
        (
            "startend:quotation",
            {},
            f'"{POEM}"\n\n{ANSWER}.',
            Mechanism.SPATIAL_COMPARTMENTALISATION,
            "1 of 2 paragraphs",
        ),
        (
            "keywords:existence",
            {"keywords": ["anchor"]},
            f"{POEM}\n\n{ANSWER}.",
            Mechanism.CONTENT_LENGTH,
            "anchor",
        ),
        ("detectable_format:json_format", {}, "Just words about nothing", Mechanism.UNCLASSIFIED, ""),
    ],
)
def test_each_mechanism_is_found_with_its_evidence(
    instruction: str, kwargs: dict[str, object], reply: str, mechanism: Mechanism, evidence: str
) -> None:
    row = score(reply, instruction=instruction, kwargs=kwargs)
    assert row["mechanism"] == mechanism.value
    assert evidence in str(row["evidence"])


def test_without_load_no_mechanism_is_named() -> None:
    assert score("a, b", content=None)["mechanism"] == ""


def test_sections_part_where_the_load_begins() -> None:
    original, load = split_sections(f"{POEM}\n\n{ANSWER}.", sample())
    assert (original.strip(), load) == (POEM, f"{ANSWER}.")


def test_a_reply_in_one_piece_is_all_original() -> None:
    assert split_sections(POEM, sample())[1] == ""


@pytest.fixture(scope="module")
def reference_samples() -> list[ProspectiveSample]:
    settings = ProspectiveSettings(seeds=(42,), conditions="all", limit=15)
    samples = build_samples(settings, cached_data("embedded"))
    publish_answer_key(samples)
    return samples


@pytest.mark.parametrize("name", REFERENCE_MODELS)
def test_reference_models_get_the_figures_they_must_have(name: str, reference_samples: list[ProspectiveSample]) -> None:
    table = build_table(
        [
            score_sample(entry, Completion(str(respond(name, [("user", entry.prompt)])), FinishReason.STOP), model=name)
            for entry in reference_samples
        ],
        SCHEMA,
    )
    checks = check_reference(name, table)
    assert checks
    assert [check for check in checks if not check.holds] == []
