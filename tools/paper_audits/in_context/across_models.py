"""The checks of what the text says about the eleven models: size, drops, ranks, correlations."""

from itertools import pairwise

from forgetscope.benchmarks.methods import AuditEntry
from tools.paper_audits.in_context.main_results import correlations
from tools.paper_audits.in_context.tables import SCENARIOS, averages, slashes

BILLIONS = {
    "Mistral-7B": 7,
    "Qwen2.5-7B": 7,
    "Llama3-8B": 8,
    "Qwen2.5-14B": 14,
    "Gemma3-27B": 27,
    "Mixtral-8x7B": 47,
    "Llama3-70B": 70,
    "Qwen3-235B-A22B": 235,
}
"""Parameters of the open models, as their names say; Mixtral's eight experts share layers and hold 47 billion."""


def model_size() -> AuditEntry:
    """NA and size."""
    order = sorted(BILLIONS, key=lambda model: (BILLIONS[model], averages()[model].na))
    falls = [(a, b) for a, b in pairwise(order) if averages()[b].na < averages()[a].na]
    listed = "; ".join(f"{b} {averages()[b].na:.2f} after {a} {averages()[a].na:.2f}" for a, b in falls)
    return AuditEntry(
        "NA consistently improves with model size",
        "4.3, Table 11",
        "60.18 (Mistral-7B) to 88.75 (GPT-5)",
        f"among the eight open models NA falls at {len(falls)} of {len(order) - 1} steps: {listed}",
        not falls,
        "The tendency is there; families differ. Sizes of the three others are not public.",
        "test_na_rises_with_size_but_not_at_every_step",
    )


def quoted_drops() -> AuditEntry:
    """Drops quoted in the text."""
    drops = [averages()[model].na - averages()[model].fa for model in ("GPT-5", "Llama3-8B")]
    return AuditEntry(
        "GPT-5 drops 23.92 and Llama3-8B 47.07 points with interference",
        "4.2, Table 11",
        "23.92 / 47.07",
        slashes(drops),
        [round(drop, 2) for drop in drops] == [23.92, 47.07],
        "",
        "test_drops_and_ranks_quoted_from_table_11",
    )


def ranks() -> AuditEntry:
    """GPT-5 first, Gemma3-27B first among the open ones."""
    ranked = sorted(averages(), key=lambda model: -averages()[model].sfrr)
    first_open = next(model for model in ranked if model in BILLIONS)
    return AuditEntry(
        "GPT-5 has the highest SFRR; among open models Gemma3-27B, above larger ones with a higher NA",
        "4.3, Table 11",
        "70.54; 62.13",
        f"{ranked[0]} {averages()[ranked[0]].sfrr:.2f}; {first_open} {averages()[first_open].sfrr:.2f}",
        (ranked[0], first_open) == ("GPT-5", "Gemma3-27B"),
        "",
        "test_drops_and_ranks_quoted_from_table_11",
    )


def transfer() -> AuditEntry:
    """Memory against forgetting."""
    entry = correlations("average")["na_sfrr"]
    by_scenario = slashes((correlations(scenario)["na_sfrr"].value or 0.0 for scenario in SCENARIOS), 3)
    return AuditEntry(
        "Stronger memory (NA) does not transfer into stronger in-context forgetting (SFRR)",
        "Abstract, 1, 4.3, Tables 10, 11",
        "does not transfer",
        f"over the averages r = {entry.value:.3f} [{entry.low:.2f}, {entry.high:.2f}], n = {entry.n}; by scenario "
        f"{by_scenario}",
        not (entry.low and entry.low > 0),
        "Models with a higher NA have a higher SFRR on average. What the tables do show: a high NA is not sufficient, "
        "and in subtask revision the two are unrelated.",
        "test_na_and_sfrr_go_together_over_the_averages",
    )


def alignment() -> AuditEntry:
    """SFRR is closer to FA."""
    rows = {scenario: correlations(scenario) for scenario in (*SCENARIOS, "average")}
    closer = sum((row["fa_sfrr"].value or 0) > (row["na_sfrr"].value or 0) for row in rows.values())
    return AuditEntry(
        "SFRR goes with FA more than with NA in all scenarios",
        "4.6, F, Table 10",
        "0.982 against 0.764 on average",
        f"{closer} of 4 rows",
        closer == 4,
        "FA contains NA x SFRR, so it goes with SFRR by arithmetic where WR is small.",
        "test_table_10_follows_from_table_1_to_the_printed_digit",
    )


CHECKS = (
    model_size,
    quoted_drops,
    ranks,
    transfer,
    alignment,
)
"""In the order of the page."""
