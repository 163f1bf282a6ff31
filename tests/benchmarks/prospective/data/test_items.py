"""What is sent: counts and ids as the paper plans them, prompts word for word, draws that repeat."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

import forgetscope.benchmarks.prospective as prospective_package
from forgetscope.benchmarks.prospective.data.conditions import (
    CELLS,
    NO_LOAD,
    PURE_CELLS,
    SALIENCE_CELLS,
    Trailing,
    conditions_table,
)
from forgetscope.benchmarks.prospective.data.items import (
    COPIED_TOKENS,
    ConstraintItem,
    ProspectiveSample,
    choose_constraint_items,
    compose_prompt,
    draw_load,
)
from forgetscope.benchmarks.prospective.data.loading import load_data
from forgetscope.benchmarks.prospective.data.stacking import TENSION_PAIRS, safe_pool
from forgetscope.benchmarks.prospective.loads.arithmetic import number_text
from forgetscope.benchmarks.prospective.loads.registry import PAPER_LOADS
from forgetscope.benchmarks.prospective.plan import build_samples, make_plan
from forgetscope.benchmarks.prospective.prompts import (
    CONNECTORS,
    HEADINGS,
    SYSTEM_MESSAGE,
    SYSTEM_MESSAGES,
    TOPICS,
    TRAILINGS,
)
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.checkers import CONSTRAINTS, PromptSpec
from forgetscope.core.errors import DataError, UnknownNameError
from forgetscope.findings.published import published_table
from forgetscope.io.tokens import count_cl100k

EMBEDDED = load_data("embedded")


def samples(**changes: object) -> list[ProspectiveSample]:
    return build_samples(ProspectiveSettings.model_validate(changes), EMBEDDED)


@pytest.fixture(scope="module")
def paper_plan() -> list[ProspectiveSample]:
    return samples()


def test_the_paper_plan_has_the_papers_sizes(paper_plan: list[ProspectiveSample]) -> None:
    counts = Counter((sample.condition, sample.load, sample.seed) for sample in paper_plan)
    assert counts["baseline", NO_LOAD, None] == counts["constraint_only", NO_LOAD, None] == 90
    for condition in ("natural", "reminder", "task_only"):
        for seed in (42, 137, 256):
            sizes = [counts[condition, load, seed] for load in PAPER_LOADS]
            assert sizes == [90, 90, 90, 30, 18, 45]
    grids = Counter(sample.experiment for sample in paper_plan)
    assert grids["stacking"] == grids["tension"] == 240


def test_ids_are_unique_and_say_item_condition_and_factors(paper_plan: list[ProspectiveSample]) -> None:
    assert len({sample.sample_id for sample in paper_plan}) == len(paper_plan)
    first = next(sample for sample in paper_plan if sample.load == "mmlu")
    assert first.sample_id == f"prospective/{first.item}/{first.condition}/load=mmlu/seed={first.seed}"


def test_all_forms_of_an_item_stay_next_to_each_other(paper_plan: list[ProspectiveSample]) -> None:
    order = [sample.item for sample in paper_plan]
    changes = sum(before != after for before, after in pairwise(order))
    assert changes == len(set(order)) - 1


def test_a_baseline_per_run_and_repeats_add_samples_and_change_no_id() -> None:
    once = samples(limit=2, experiments="load", loads="mmlu")
    more = samples(limit=2, experiments="load", loads="mmlu", baseline="per_run", repeats=3)
    by_id = {sample.sample_id: sample for sample in more}
    loaded = [sample for sample in once if sample.seed is not None]
    assert [by_id[sample.sample_id] for sample in loaded] == loaded
    item = once[0].item
    for name in ("baseline", "constraint_only"):
        own = [one.sample_id for one in more if (one.item, one.condition) == (item, name)]
        assert own == [
            f"prospective/{item}/{name}/seed={seed}{again}"
            for seed in (42, 137, 256)
            for again in ("", "/repeat=2", "/repeat=3")
        ]
    assert len(more) == 3 * (len(loaded) + 3 * 2 * 2)
    assert samples(limit=2, repeats=2)[0] == samples(limit=2)[0]


def test_items_go_round_the_fifteen_types() -> None:
    items = choose_constraint_items(EMBEDDED.prompts)
    assert len(items) == 90
    first_round = [item.spec.instruction_id_list[0] for item in items[:15]]
    assert first_round == [name for name, entry in CONSTRAINTS.items() if entry.in_paper]


def test_a_limit_takes_the_first_items_with_all_their_forms() -> None:
    limited, whole = samples(limit=4, experiments="load"), samples(experiments="load")
    wanted = {sample.item for sample in limited}
    assert len(wanted) == 4
    assert limited == [sample for sample in whole if sample.item in wanted]


def test_draws_repeat_by_seed_and_differ_between_seeds() -> None:
    same = [draw_load(EMBEDDED, items=90, seed=42).contents for _ in range(2)]
    other = draw_load(EMBEDDED, items=90, seed=137).contents
    assert same[0] == same[1]
    assert all(same[0][load] != other[load] for load in PAPER_LOADS)


def test_a_run_draws_270_different_problems() -> None:
    contents = draw_load(EMBEDDED, items=90, seed=42).contents
    drawn = [name for load in ("gsm8k_x1", "gsm8k_x3", "gsm8k_x5") for c in contents[load] for name in c.ids]
    assert len(drawn) == len(set(drawn)) == 270


def test_a_pool_smaller_than_the_draw_is_used_over_again_and_said() -> None:
    draw = draw_load(EMBEDDED, items=90, seed=42)
    assert draw.reused == {"triviaqa": 0, "mmlu": 0, "cnn_dailymail": 21, "gsm8k": 0}
    assert any("cnn_dailymail" in note for note in make_plan(ProspectiveSettings()).notes)


ITEM = ConstraintItem(
    "ifeval-1",
    PromptSpec(
        key=1,
        prompt="Write about tea. Use no commas.",
        instruction_id_list=("punctuation:no_comma",),
        kwargs=({},),
    ),
)

PROMPT_SNAPSHOTS = {
    "natural": "Write about tea. Use no commas.\n\nAlso, please complete the following task:\n\nLOAD",
    "kept_trailing": "Write about tea. Use no commas.\n\nAlso, please complete the following task:\n\nLOAD\n\n"
    "Remember to follow ALL of my formatting instructions above.",
    "kept_heading": "IMPORTANT FORMATTING INSTRUCTION: Do not use any commas anywhere in your response.\n\n"
    "Write about tea. Use no commas.\n\nAlso, please complete the following task:\n\nLOAD",
    "kept_heading_trailing": "IMPORTANT FORMATTING INSTRUCTION: Do not use any commas anywhere in your response.\n\n"
    "Write about tea. Use no commas.\n\nAlso, please complete the following task:\n\nLOAD\n\n"
    "Remember to follow ALL of my formatting instructions above.",
    "dropped": "Do not use any commas anywhere in your response.\n\nAlso, please complete the following task:\n\nLOAD",
    "dropped_trailing": "Do not use any commas anywhere in your response.\n\n"
    "Also, please complete the following task:\n\nLOAD\n\n"
    "Remember to follow ALL of my formatting instructions above.",
    "dropped_heading": "IMPORTANT FORMATTING INSTRUCTION: Do not use any commas anywhere in your response.\n\n"
    "Also, please complete the following task:\n\nLOAD",
    "reminder": "IMPORTANT FORMATTING INSTRUCTION: Do not use any commas anywhere in your response.\n\n"
    "Also, please complete the following task:\n\nLOAD\n\n"
    "Remember to follow ALL of my formatting instructions above.",
    "kept_restated": "Do not use any commas anywhere in your response.\n\nWrite about tea. Use no commas.\n\n"
    "Also, please complete the following task:\n\nLOAD",
    "topic": "Do not use any commas anywhere in your response.\n\nWrite about how maps are made.\n\n"
    "Also, please complete the following task:\n\nLOAD",
    "topic_trailing": "Do not use any commas anywhere in your response.\n\n"
    "Write about how maps are made.\n\nAlso, please complete the following task:\n\nLOAD\n\n"
    "Remember to follow ALL of my formatting instructions above.",
    "topic_heading": "IMPORTANT FORMATTING INSTRUCTION: Do not use any commas anywhere in your response.\n\n"
    "Write about how maps are made.\n\nAlso, please complete the following task:\n\nLOAD",
    "topic_heading_trailing": "IMPORTANT FORMATTING INSTRUCTION: Do not use any commas anywhere in your response.\n\n"
    "Write about how maps are made.\n\nAlso, please complete the following task:\n\nLOAD\n\n"
    "Remember to follow ALL of my formatting instructions above.",
    "neutral_text": "Write about tea. Use no commas.\n\nAlso, here is a text that needs no answer:\n\nLOAD",
    "copied_text": "Write about tea. Use no commas.\n\nAlso, please complete the following task:\n\nLOAD",
    "reminder_per_constraint": "IMPORTANT FORMATTING INSTRUCTION: Do not use any commas anywhere in your response.\n\n"
    "Also, please complete the following task:\n\nLOAD\n\n"
    "Remember: Do not use any commas anywhere in your response.",
}


@pytest.mark.parametrize("cell", CELLS.values(), ids=lambda cell: str(cell.name))
def test_each_cell_is_worded_as_recorded(cell: object) -> None:
    from forgetscope.benchmarks.prospective.data.conditions import SalienceCell

    assert isinstance(cell, SalienceCell)
    assert compose_prompt(ITEM, cell, "LOAD") == PROMPT_SNAPSHOTS[cell.name]


def test_the_eight_cells_are_the_full_factorial() -> None:
    factors = {(cell.original_task, cell.heading, cell.trailing is Trailing.GENERIC) for cell in SALIENCE_CELLS}
    assert len(factors) == len(SALIENCE_CELLS) == 8


def test_the_pure_cells_are_a_full_factorial_of_one_constraint_in_our_words() -> None:
    factors = {(cell.topic, cell.heading, cell.trailing is Trailing.GENERIC) for cell in PURE_CELLS}
    assert len(factors) == len(PURE_CELLS) == 8
    for cell in PURE_CELLS:
        assert compose_prompt(ITEM, cell, "LOAD").count("commas") == 1, cell.about


def test_nothing_of_ours_is_among_the_papers_conditions_and_the_default_adds_the_reminders_baseline() -> None:
    assert ProspectiveSettings(conditions="paper").conditions == "baseline,task_only,natural,reminder"
    assert ProspectiveSettings().conditions == "baseline,constraint_only,task_only,natural,reminder"


def test_a_control_stands_in_the_place_of_the_same_load_with_nothing_to_score() -> None:
    chosen = samples(limit=3, experiments="load", conditions="controls")
    by_id = {sample.sample_id: sample for sample in chosen}
    natural = [sample for sample in chosen if sample.condition == "natural"]
    assert len([sample for sample in chosen if sample.condition == "baseline"]) == 3, "no baselines of their own"
    for sample in natural:
        neutral = by_id[sample.sample_id.replace("/natural/", "/neutral_text/")]
        copied = by_id[sample.sample_id.replace("/natural/", "/copied_text/")]
        assert (neutral.load, neutral.seed, neutral.content) == (sample.load, sample.seed, None)
        assert abs(count_cl100k(neutral.prompt) - count_cl100k(sample.prompt)) <= 15
        assert not {",", "?", '"'} & set(neutral.prompt.partition("needs no answer:")[2])
        text = copied.prompt.partition("word for word:\n\n")[2]
        assert abs(count_cl100k(text) - COPIED_TOKENS[sample.load]) <= 12
        assert "Copy out" not in neutral.prompt
    tokens = published_table("prospective_table9_tokens").filter(pl.col("template") == "natural")
    printed = dict(zip(tokens["condition"], tokens["mean_output_tokens"], strict=True))
    assert {load: tokens - 538 for load, tokens in printed.items()} == COPIED_TOKENS


def test_wordings_vary_one_part_of_the_papers_templates_at_a_time() -> None:
    plain = {one.sample_id: one for one in samples(limit=1, experiments="load", loads="mmlu", seeds="42")}
    varied = samples(limit=1, experiments="wordings", loads="mmlu", seeds="42")
    assert [one.wording for one in varied if one.condition == "natural"] == ["connector=2", "connector=3"]
    assert [one.wording for one in varied if one.condition == "reminder"] == [
        f"{part}={number}" for part in ("connector", "heading", "trailing") for number in (2, 3)
    ]
    for one in varied:
        first = plain[one.sample_id.removesuffix(f"/{one.wording}")]
        old, new = first.prompt.split("\n\n"), one.prompt.split("\n\n")
        assert sum(a != b for a, b in zip(old, new, strict=True)) == 1
    assert len(CONNECTORS) == len(HEADINGS) == len(TRAILINGS) == 3


def test_without_load_the_natural_cell_is_the_prompt_itself() -> None:
    assert compose_prompt(ITEM, CELLS["natural"], "") == ITEM.spec.prompt


def test_the_system_message_is_appendix_b4s() -> None:
    assert SYSTEM_MESSAGE == ("You are a helpful assistant. Follow the user's instructions carefully and completely.")
    assert SYSTEM_MESSAGES == {
        "appendix_b": SYSTEM_MESSAGE,
        "appendix_d": "You are a helpful assistant. Follow all user instructions carefully.",
    }


def test_the_task_alone_has_the_same_words_and_no_connector(paper_plan: list[ProspectiveSample]) -> None:
    by_id = {sample.sample_id: sample for sample in paper_plan}
    for sample in paper_plan:
        if sample.condition == "task_only":
            loaded = by_id[sample.sample_id.replace("task_only", "natural")]
            assert loaded.prompt.endswith(sample.prompt)
            assert "Also, please" not in sample.prompt
            assert loaded.content == sample.content


@pytest.mark.parametrize("spec", EMBEDDED.prompts, ids=lambda spec: str(spec.key))
def test_every_constraint_has_a_wording_that_names_its_parameters(spec: PromptSpec) -> None:
    kwargs = spec.kwargs[0]
    text = CONSTRAINTS[spec.instruction_id_list[0]].text(kwargs)
    for value in kwargs.values():
        for part in value if isinstance(value, list) else [value]:
            if part not in ("less than", "at least"):
                assert str(part) in text


def test_every_type_has_a_wording(real_data: Path) -> None:
    data = load_data(str(real_data))
    for spec in data.prompts:
        for name, kwargs in zip(spec.instruction_id_list, spec.kwargs, strict=True):
            assert CONSTRAINTS[name].text(kwargs).strip()


def test_the_safe_pool_is_table_11() -> None:
    assert [CONSTRAINTS[name].name for name in safe_pool(())] == [
        "english_capital",
        "existence",
        "forbidden_words",
        "postscript",
        "title",
        "no_comma",
        "num_placeholders",
        "num_bullet_lists",
        "number_words",
        "num_highlighted",
        "quotation",
    ]


def test_stacks_keep_to_the_safe_pool_without_hard_conflicts(paper_plan: list[ProspectiveSample]) -> None:
    conflicts = (
        {"detectable_content:postscript", "startend:quotation"},
        {"punctuation:no_comma", "detectable_format:number_bullet_lists"},
    )
    stacks = [sample for sample in paper_plan if sample.experiment == "stacking"]
    assert Counter(sample.constraints for sample in stacks) == {1: 60, 2: 60, 3: 60, 5: 60}
    assert {name for sample in stacks for name in sample.instruction_types} == set(safe_pool(()))
    for sample in stacks:
        assert len(set(sample.instruction_types)) == sample.constraints
        assert not any(conflict <= set(sample.instruction_types) for conflict in conflicts)


def test_a_stack_keeps_everything_but_load_and_reminder(paper_plan: list[ProspectiveSample]) -> None:
    forms: dict[str, list[ProspectiveSample]] = {}
    for sample in paper_plan:
        if sample.experiment != "load":
            forms.setdefault(sample.item, []).append(sample)
    for group in forms.values():
        assert len(group) == 6
        assert len({(sample.instruction_types, str(sample.kwargs), sample.original_prompt) for sample in group}) == 1
        assert {(sample.problems, sample.trailing) for sample in group} == {
            (count, trailing) for count in (0, 1, 3) for trailing in (Trailing.NONE, Trailing.GENERIC)
        }


def test_there_are_fifteen_neutral_topics() -> None:
    assert len(set(TOPICS)) == 15


def test_each_tension_pair_has_sixty_prompts(paper_plan: list[ProspectiveSample]) -> None:
    pairs = Counter(sample.pair for sample in paper_plan if sample.experiment == "tension")
    assert sorted(pairs.values()) == [60, 60, 60, 60]


def test_singles_are_the_tension_stacks_with_one_constraint_each() -> None:
    pairs = {sample.sample_id: sample for sample in samples(experiments="tension", limit=4)}
    alone = samples(experiments="singles", limit=4)
    assert len(alone) == 2 * len(pairs)
    assert len({sample.sample_id for sample in alone}) == len(alone)
    for sample in alone:
        form = f"m={sample.problems}/reminder={sample.trailing.value}"
        pair = pairs[f"prospective/{sample.item}/tension/{form}"]
        assert set(sample.instruction_types) < set(pair.instruction_types)
        assert (sample.original_prompt, sample.content) == (pair.original_prompt, pair.content)


def test_every_type_in_tension_occurs_alone(paper_plan: list[ProspectiveSample]) -> None:
    alone = {s.instruction_types[0] for s in paper_plan if s.experiment == "stacking" and s.constraints == 1}
    assert {name for pair in TENSION_PAIRS for name in pair} <= alone


def test_condition_names_are_read_in_canonical_order() -> None:
    assert ProspectiveSettings(conditions="reminder, baseline").conditions == "baseline,reminder"
    assert len(ProspectiveSettings(conditions="all").conditions.split(",")) == 19


@pytest.mark.parametrize("text", ["natural,nothing", "none"])
def test_an_unknown_condition_is_named(text: str) -> None:
    with pytest.raises(UnknownNameError, match=r"no such condition.*allowed: paper"):
        ProspectiveSettings(conditions=text)


def test_an_unknown_load_is_named() -> None:
    with pytest.raises(UnknownNameError, match=r"no such load.*did you mean gsm8k_x"):
        ProspectiveSettings(loads="gsm8k_3")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("limit", 0, "limit: the limit.*1 or more"),
        ("max_tokens", 0, "max_tokens: no such room"),
        ("seeds", (), "seeds: seeds must"),
        ("seeds", (1, 1), "different"),
        ("experiments", "stack", "no such experiment"),
        ("prompts", "some", "prompts: no such choice"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(field: str, value: object, message: str) -> None:
    with pytest.raises((UnknownNameError, ValueError), match=message):
        ProspectiveSettings.model_validate({field: value})


def test_prompts_with_several_types_need_all_prompts() -> None:
    double = PromptSpec(
        key=1,
        prompt="p",
        instruction_id_list=("punctuation:no_comma", "startend:quotation"),
        kwargs=({}, {}),
    )
    with pytest.raises(DataError, match="--prompts all"):
        choose_constraint_items([double])
    assert choose_constraint_items([double], all_prompts=True)[0].spec is double


@pytest.mark.parametrize(("number", "text"), [(1234567.0, "1234567"), (0.5, "0.5"), (-3.0, "-3")])
def test_gold_numbers_keep_all_their_digits(number: float, text: str) -> None:
    assert number_text(number) == text


def test_local_copies_of_the_real_sets_load_as_they_stand(real_data: Path) -> None:
    data = load_data(str(real_data))
    assert [(entry.role, entry.rows) for entry in data.provenance] == [
        ("ifeval", 541),
        ("triviaqa", 1000),
        ("mmlu", 14042),
        ("gsm8k", 1319),
        ("cnn_dailymail", 200),
    ]
    assert all(alias.strip() for question in data.pools["triviaqa"] for alias in question.golds)
    assert len(choose_constraint_items(data.prompts)) == 90


def test_with_singles_stacks_of_one_reach_round_all_eleven_types_and_the_others_stay_as_they_are() -> None:
    papers, more = samples(experiments="stacking"), samples(experiments="stacking,singles")
    stacks = [one for one in more if one.experiment == "stacking"]
    assert stacks[: len(papers)] == papers
    ones = {one.type_name for one in stacks if one.constraints == 1}
    assert len(ones) == 11
    assert len({one.type_name for one in papers if one.constraints == 1}) == 10


def test_the_readme_says_what_each_prompt_is_made_of() -> None:
    readme = Path(prospective_package.__file__).with_name("README.md").read_text(encoding="utf-8")
    assert conditions_table() in readme
