"""The checks of what the text says about Table 1: ranges of compliance, drops and gains."""

from forgetscope.benchmarks.methods import AuditEntry
from tools.paper_audits.prospective.tables import CONDITIONS, MODELS, compliance, drops, gain, mean, slashes, span
from tools.paper_audits.rounding import rounds_to


def drop_range() -> AuditEntry:
    """Compliance drops 2-21%."""
    values = list(drops().values())
    return AuditEntry(
        "Compliance drops 2-21% under load",
        "Abstract, 1, 7",
        "2 to 21",
        f"{span(values)}",
        rounds_to(min(values), 2, 0.5) and rounds_to(max(values), 21, 0.5),
        "The smallest is Llama + TriviaQA, 1.1 points; the second smallest is 1.9.",
        "test_drops_span_1_to_21_points",
    )


def natural_range() -> AuditEntry:
    """The 77-87% range."""
    values = [compliance("natural", condition, model) for condition in CONDITIONS for model in MODELS]
    inside = sum(76.5 <= value < 87.5 for value in values)
    return AuditEntry(
        "Natural compliance lies in the 77-87% range across all models and tasks",
        "5.1",
        "77 to 87",
        f"{span(values)}; {inside} of 18 inside",
        inside == 18,
        "Outside: 68.5 (DeepSeek x5), 71.1 (o4-mini x3), 87.8 (Llama + TriviaQA).",
        "test_natural_compliance_spans_68_to_88_percent",
    )


def reminder_range() -> AuditEntry:
    """Reminder compliance 90-100%."""
    values = [compliance("reminder", condition, model) for condition in CONDITIONS for model in MODELS]
    return AuditEntry(
        "With the reminder compliance is 90-100%",
        "Abstract, 5.1, 7",
        "90 to 100",
        span(values),
        min(values) >= 90 and max(values) <= 100,
        "The abstract says `in many settings`; in the table it is all 18.",
        "test_reminder_compliance_spans_90_to_100_percent",
    )


def above_baseline() -> AuditEntry:
    """Reminder prompts exceed the baseline."""
    above = sum(
        compliance("reminder", condition, model) > compliance("natural", "baseline", model)
        for condition in CONDITIONS
        for model in MODELS
    )
    return AuditEntry(
        "Reminder prompts exceed the no-task baseline in most cases",
        "5.1, 6",
        "most",
        f"{above} of 18",
        above > 9,
        "That baseline still holds the creative task, which the reminder prompt drops; no constraint-only baseline is "
        "given.",
        "test_reminder_beats_the_baseline_everywhere",
    )


def cnn_gain() -> AuditEntry:
    """CNN/DailyMail gain: its size."""
    values = [gain("cnn_dailymail", model) for model in MODELS]
    return AuditEntry(
        "The reminder's gain on CNN/DailyMail is +13 to +21 points",
        "5.1",
        "13 to 21",
        slashes(values),
        rounds_to(min(values), 13, 0.5) and rounds_to(max(values), 21, 0.5),
        "",
        "test_gain_on_summaries_is_not_the_largest",
    )


def cnn_gain_largest() -> AuditEntry:
    """CNN/DailyMail gain: said to be the largest."""
    largest = {model: max((gain(c, model), c) for c in CONDITIONS)[1] for model in MODELS}
    return AuditEntry(
        "The reminder's gain is largest for CNN/DailyMail",
        "5.1",
        "CNN/DailyMail",
        "; ".join(f"{model}: {where} {gain(where, model):.1f}" for model, where in largest.items()),
        all(where == "cnn_dailymail" for where in largest.values()),
        "Among the four single tasks it is the largest for every model; the chains of three and five gain more.",
        "test_gain_on_summaries_is_not_the_largest",
    )


def recovered() -> AuditEntry:
    """The reminder consistently recovers 10-17%."""
    averages = [mean([gain(condition, model) for condition in CONDITIONS]) for model in MODELS]
    cells = [gain(condition, model) for condition in CONDITIONS for model in MODELS]
    return AuditEntry(
        "The reminder consistently recovers 10-17% of lost compliance",
        "5.4",
        "10 to 17",
        f"averages {slashes(averages)}; cells {span(cells)}",
        rounds_to(min(averages), 10, 0.5) and rounds_to(max(averages), 17, 0.5),
        "The averages round to 10 and 18. They are points gained over natural embedding, not a share of what was lost "
        "(the gain exceeds the loss in every cell), and cells vary far more.",
        "test_recovery_of_10_to_17_percent_is_an_average_in_points",
    )


CHECKS = (
    drop_range,
    natural_range,
    reminder_range,
    above_baseline,
    cnn_gain,
    cnn_gain_largest,
    recovered,
)
"""In the order of the page."""
