"""The checks of Tables 2, 3, 9 and 10 and of statements about the design."""

from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.findings.published import published_table
from tools.paper_audits.prospective.counts import PLANNED
from tools.paper_audits.prospective.tables import CONDITIONS, MODELS, RUNS, slashes, span
from tools.paper_audits.rounding import rounds_to

TABLE2_MOST = {
    "end_checker": "Terminal",
    "json_format": "Structural",
    "number_bullet_lists": "Counting",
    "english_capital": "Case",
}
TABLE2_ROBUST = {"no_comma": "Avoidance", "forbidden_words": "Keyword"}
"""Types of Table 2 with their categories of Table 5."""
TABLE5_CATEGORIES = ("Case", "Keyword", "Terminal", "Structural", "Avoidance", "Counting", "Length", "Sequential")
SECTION32_CATEGORIES = ("case", "keyword", "terminal", "structural", "avoidance", "counting", "length")
SYSTEM_B4 = "You are a helpful assistant. Follow the user's instructions carefully and completely."
SYSTEM_D = "You are a helpful assistant. Follow all user instructions carefully."
STACKING_PROMPTS = 2 * 24 * 10 * len(MODELS)
"""Two grids of 24 cells of 10 prompts, each sent to every model (G.3)."""


def task_accuracy(condition: str, model: str) -> float:
    """Table 3, percent."""
    for row in published_table("prospective_table3_task_accuracy").iter_rows(named=True):
        if (row["condition"], row["model"]) == (condition, model):
            return float(row["accuracy_percent"])
    raise KeyError((condition, model))


def table2_sizes(kind: str) -> list[float]:
    """Table 2's changes of a type, in points without their signs, by model."""
    rows = published_table("prospective_table2_types").iter_rows(named=True)
    found = {row["model"]: abs(float(row["change_points"])) for row in rows if row["type"] == kind}
    return [found[model] for model in MODELS]


def dual_task() -> AuditEntry:
    """93% to 27%."""
    reference, chained = task_accuracy("task_only_average", "o4-mini"), task_accuracy("reminder_gsm8k_x3", "o4-mini")
    return AuditEntry(
        "o4-mini's GSM8K accuracy drops from 93% to 27%",
        "Abstract, 1, 5.3, Table 3",
        "93 to 27",
        f"task-only average over all tasks {reference}; three problems with reminder {chained}",
        False,  # no printed figure is a task-only accuracy on GSM8K
        "27 is Table 3's x3 cell. 93 is the average over all tasks without a constraint; a task-only figure for three "
        "problems is not printed. With several problems the scorer reads only the last number of the reply.",
        "test_statements_about_task_accuracy",
    )


def mmlu_accuracy() -> AuditEntry:
    """MMLU accuracy drops 17-23%."""
    lost = [task_accuracy("task_only_average", m) - task_accuracy("reminder_mmlu", m) for m in MODELS]
    return AuditEntry(
        "MMLU accuracy drops 17-23% across all models",
        "5.3, Table 3",
        "17 to 23",
        slashes(lost),
        rounds_to(min(lost), 17, 0.5) and rounds_to(max(lost), 23, 0.5),
        "Against the task-only average over all tasks; an MMLU task-only figure is not printed.",
        "test_statements_about_task_accuracy",
    )


def task_ceiling() -> AuditEntry:
    """Task-only as a ceiling."""
    above = [
        f"{model} {condition.removeprefix('reminder_')}"
        for model in MODELS
        for condition in ("reminder_triviaqa", "reminder_mmlu", "reminder_gsm8k_x1")
        if task_accuracy(condition, model) > task_accuracy("task_only_average", model)
    ]
    return AuditEntry(
        "Task-only accuracy is a ceiling for accuracy with a constraint",
        "4.2, 5.3, Table 3",
        "ceiling",
        f"exceeded by {'; '.join(above)}",
        not above,
        "An average over tasks is no ceiling for a single task, so this says nothing about the models.",
        "test_statements_about_task_accuracy",
    )


def chained_accuracy() -> AuditEntry:
    """61-78% on chained problems."""
    values = [
        task_accuracy(condition, model)
        for condition in ("reminder_gsm8k_x3", "reminder_gsm8k_x5")
        for model in MODELS[1:]
    ]
    return AuditEntry(
        "DeepSeek and Llama reach 61-78% on chained problems",
        "5.3, Table 3",
        "61 to 78",
        span(values),
        rounds_to(min(values), 61, 0.5) and rounds_to(max(values), 78, 0.5),
        "",
        "test_statements_about_task_accuracy",
    )


def prompts() -> AuditEntry:
    """Over 8,000 prompts."""
    per_run = PLANNED["baseline"] // RUNS + 2 * sum(PLANNED[c] for c in CONDITIONS) // RUNS
    task_only = sum(PLANNED[c] for c in CONDITIONS) // RUNS
    stacking = STACKING_PROMPTS
    main = per_run * RUNS * len(MODELS)
    everything = main + task_only * RUNS * len(MODELS) + stacking
    return AuditEntry(
        "Over 8,000 evaluated prompts",
        "Abstract, 1, 4.3, 7",
        "over 8,000",
        f"{main:,} main + {stacking:,} stacking = {main + stacking:,}; {everything:,} with task-only in full",
        main + stacking > 8000,
        "Without the stacking experiment (a single run, reported apart) the main conditions are fewer than 8,000. "
        "How many task-only prompts were sent is not said.",
        "test_planned_prompts_are_over_8000_with_stacking",
    )


def gsm8k_items() -> AuditEntry:
    """270 GSM8K items per run."""
    used = sum(PLANNED[f"gsm8k_x{m}"] // RUNS * m for m in (1, 3, 5))
    return AuditEntry(
        "270 GSM8K items a run serve x1, x3 and x5",
        "A.3, Table 7",
        "270",
        f"90 x 1 + 30 x 3 + 18 x 5 = {used}",
        used == 270,
        "This fixes the sizes of the chained conditions, which the paper does not print.",
        "test_270_gsm8k_items_serve_90_30_and_18_prompts",
    )


def tokens() -> AuditEntry:
    """Table 9's statements."""
    table = {
        (row["template"], row["condition"]): (row["mean_input_tokens"], row["mean_output_tokens"])
        for row in published_table("prospective_table9_tokens").iter_rows(named=True)
    }
    inputs = [float(table["natural", c][0] - table["reminder", c][0]) for c in CONDITIONS]
    outputs = [float(table["natural", c][1] - table["reminder", c][1]) for c in CONDITIONS]
    return AuditEntry(
        "Prompts are about as long in both templates; replies are longer under natural embedding",
        "C, Table 9",
        "comparable; generally longer",
        f"natural - reminder: input {span(inputs, 0)}, output {span(outputs, 0)} tokens",
        max(abs(value) for value in inputs) <= 10 and min(outputs) > 0,
        "With a single task, replies under the reminder are about half as long: the creative task is not asked for.",
        "test_statements_about_tokens",
    )


def mechanisms() -> AuditEntry:
    """Table 10 sums to 187."""
    total = int(published_table("prospective_table10_mechanisms")["count"].sum())
    return AuditEntry(
        "187 failures fall into five mechanisms",
        "F, Table 10",
        "187",
        str(total),
        total == 187,
        "",
        "test_mechanisms_sum_to_187",
    )


def terminal_types() -> AuditEntry:
    """Terminal constraints are the most vulnerable."""
    kinds = [f"{name} ({category})" for name, category in TABLE2_MOST.items()]
    return AuditEntry(
        "Terminal constraints suffer the largest drops",
        "Abstract, 5.2, Tables 2, 5",
        "end_checker, json_format, number_bullet_lists",
        "by Table 5: " + ", ".join(kinds),
        all(category == "Terminal" for category in TABLE2_MOST.values()),
        "Of the four most vulnerable types Table 5 calls one terminal; the other terminal type, postscript, is not in "
        "Table 2. english_capital is checked at every token, as no_comma is, and drops 17 to 22 points.",
        "test_one_of_the_four_most_vulnerable_types_is_terminal",
    )


def type_steps() -> AuditEntry:
    """Table 2's drops are multiples of 1/18."""
    odd = [
        f"{name} {size}"
        for name in TABLE2_MOST
        for size in table2_sizes(name)
        if not any(rounds_to(100 * k / 18, size, 0.5) for k in range(19))
    ]
    return AuditEntry(
        "A type's drop rests on 6 items x 3 runs",
        "5.2, Table 2",
        "12 drops of the most vulnerable types",
        f"{12 - len(odd)} of 12 are multiples of 1/18; not: {', '.join(odd)}",
        not odd,
        "A drop of 12 fits 2 of 17, a cell with one sample lost. One reply is 5.6 points.",
        "test_drops_per_type_are_multiples_of_one_eighteenth_but_one",
    )


def avoidance() -> AuditEntry:
    """Avoidance types per Table 5."""
    return AuditEntry(
        "Avoidance constraints (no_comma, forbidden_words) hold at or near 100%",
        "5.2, Tables 2, 5",
        "nearly immune",
        "; ".join(f"{name} ({category}) {slashes(table2_sizes(name), 0)}" for name, category in TABLE2_ROBUST.items()),
        all(category == "Avoidance" and max(table2_sizes(name)) < 10 for name, category in TABLE2_ROBUST.items()),
        "no_comma changes by 11 points for DeepSeek. Table 5 files forbidden_words under Keyword, which leaves one "
        "avoidance type.",
        "test_text_statements_that_stand_in_two_places",
    )


def categories() -> AuditEntry:
    """Seven categories."""
    return AuditEntry(
        "The 15 types span seven categories",
        "3.2, Table 5",
        str(len(SECTION32_CATEGORIES)),
        f"{len(TABLE5_CATEGORIES)} in Table 5",
        len(SECTION32_CATEGORIES) == len(TABLE5_CATEGORIES),
        "Table 5 adds Sequential (repeat_prompt).",
        "test_text_statements_that_stand_in_two_places",
    )


def system_message() -> AuditEntry:
    """Two system messages are printed."""
    return AuditEntry(
        "One system message is used throughout",
        "B.4, D",
        f"B.4: {SYSTEM_B4}",
        f"D: {SYSTEM_D}",
        SYSTEM_B4 == SYSTEM_D,
        "forgetscope sends B.4's.",
        "test_text_statements_that_stand_in_two_places",
    )


CHECKS = (
    dual_task,
    mmlu_accuracy,
    task_ceiling,
    chained_accuracy,
    prompts,
    gsm8k_items,
    tokens,
    mechanisms,
    terminal_types,
    type_steps,
    avoidance,
    categories,
    system_message,
)
"""In the order of the page."""
