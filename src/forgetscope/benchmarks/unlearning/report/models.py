"""What happened inside: how likely texts became, where the gradient ended, what an attacker sees, what comes back."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from forgetscope.benchmarks.unlearning.metrics.models import BETWEEN, MEASURED
from forgetscope.benchmarks.unlearning.metrics.study import UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import method_name
from forgetscope.findings.figures import Column, Finding, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent
from forgetscope.findings.tables import Factors, Kind, Shown, label, optional, table

LONG_TABLE = 12
"""Rows above which a table is folded: the sentence before it says what it holds."""

MOST_NAMED = 4
"""Combinations a sentence names before it says how many more there are."""

AS_THEY_ARE = {"target": "target, before", "retain_only": "never knew (retain-only)"}
"""Models that no cell unlearned, by their role."""

DOSES = {"learning_rate": "learning rate", "lambda_retain": "lambda", "epochs": "epochs"}
"""Settings a table names where its cells differ in them."""


def model_sections(study: UnlearningStudy, index: FigureIndex) -> tuple[Section, ...]:
    """The sections that the figures of `metrics.models` give; one without any figure is left out."""
    made = (
        likelihood_section,
        saturation_section,
        privacy_section,
        truth_section,
        relearning_section,
        further_section,
    )
    found = [make(study, index) for make in made]
    return tuple(section for section in found if section is not None)


def likelihood_section(study: UnlearningStudy, index: FigureIndex) -> Section | None:
    """Nats a token of every kind of text, how much the model completes by itself, and how much of it is babble."""
    columns = [
        measured("nll.forget", "Forget, raw", "number"),
        measured("nll.forget_format", "Forget, as trained on", "number"),
        measured("nll.retain_low", "Retain, low", "number"),
        measured("nll.retain_high", "Retain, high", "number"),
        measured("nll.holdout", "Holdout", "number", "text no model has seen"),
        measured(
            "extraction_strength.forget",
            "Completed",
            "percent",
            "share of a forget chunk that greedy decoding completes",
        ),
        measured("gibberish.kept", "Gibberish", "percent", "of answers about what should be kept"),
    ]
    return _section(
        study,
        index,
        columns,
        "Likelihood of the texts",
        "Negative log-likelihood in nats a token: higher is less likely. Unlearning should lift the forget text "
        "towards what the holdout has, text that was never seen, and not beyond: far above it the model avoids the "
        "text, which also tells that it was there. What is kept should stay at the target's.",
        "likelihood",
        findings=likelihood_findings,
    )


def likelihood_findings(study: UnlearningStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """From where to where each method lifted the forget text."""
    return _ranges(
        study,
        index,
        "nll.forget",
        lambda before, after: (
            f"The target gives the forget text {before} nats a token"
            f"{_holdout(study, index)}. After unlearning it has {after}."
        ),
    )


def _holdout(study: UnlearningStudy, index: FigureIndex) -> str:
    values = [
        index.value("model.as_is.nll.holdout", corpus=corpus, role="target") for corpus in study.corpora_with_target
    ]
    known = [f"{value:.2f}" for value in values if value is not None]
    return f", text it never saw {' or '.join(known)}" if known else ""


def privacy_findings(study: UnlearningStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """What the attack sees of the target and of each method's models."""
    return _ranges(
        study,
        index,
        "auc.min_k",
        lambda before, after: f"The attack's AUC by Min-K is {before} for the target and {after} after unlearning.",
    )


def _ranges(
    study: UnlearningStudy, index: FigureIndex, name: str, sentence: Callable[[str, str], str]
) -> tuple[Finding, ...]:
    """A figure before, and between what each method's cells have it after; for each kind of losses."""
    found = []
    for corpus, semantics in dict.fromkeys((key.corpus, key.semantics) for key in study.cells):
        before = index.value(f"model.as_is.{name}", corpus=corpus, role="target")
        by_method: dict[str, list[float]] = {}
        for key in study.cells:
            value = index.value(f"model.{name}", **key.factors)
            if value is not None and (key.corpus, key.semantics) == (corpus, semantics):
                by_method.setdefault(method_name(key.method), []).append(value)
        if before is None or not by_method:
            continue
        after = ", ".join(
            f"{min(values):.2f} to {max(values):.2f} with {method}" for method, values in by_method.items()
        )
        found.append(Finding(f"{corpus}, {semantics} losses: {_lower(sentence(f'{before:.2f}', after))}"))
    return tuple(found)


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def saturation_section(study: UnlearningStudy, index: FigureIndex) -> Section | None:
    """The share of sequences a loss had let go of before, during and after training, and which term led."""
    columns = [
        measured("training.saturated_first", "Saturated, first epoch", "percent"),
        measured("training.saturated_last", "Saturated, last epoch", "percent"),
        measured("saturated", "Saturated, after", "percent"),
        measured("training.gradient_ratio", "Retain : forget", "number", "gradient norms, median over steps"),
        measured(
            "training.nll_first", "NLL, first epoch", "number", "a token, over all forget texts before their step"
        ),
        measured("training.nll_last", "NLL, last epoch", "number"),
        measured("training.steps", "Steps", "integer"),
        measured("training.unique_retain_tokens", "Retain tokens", "integer"),
    ]
    return _section(
        study,
        index,
        columns,
        "Saturation of the losses",
        "How many forget sequences no longer move the model: their loss lets less than a thousandth of the gradient "
        "through. NPO gets there by "
        "forgetting; SimNPO also by meeting text the target never found likely, and then it never began. GA has no "
        "such end. Where the retain term's gradient is far above the forget term's, it alone decides where the model "
        "goes.",
        "saturation",
        findings=saturation_findings,
        with_models=False,
    )


def saturation_findings(study: UnlearningStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """Combinations whose gradient was gone from the first epoch on: their cells say nothing of the method."""
    gone = [key for key in study.cells if (index.value("training.saturated_first", **key.factors) or 0) >= 0.5]
    if not gone:
        return ()
    names = list(dict.fromkeys(f"{method_name(key.method)} on {key.forget_format}" for key in gone))
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    verb = "has" if len(gone) == 1 else "have"
    return (
        Finding(
            f"{len(gone)} of {counted(len(study.cells), 'cell')} {verb} no gradient on most of the forget sequences "
            f"from the first epoch on ({', '.join(names[:MOST_NAMED])}{more}): that nothing was forgotten there is the "
            "setting's doing, not the method's.",
            "warning",
        ),
    )


def privacy_section(study: UnlearningStudy, index: FigureIndex) -> Section | None:
    """Whether forget and holdout texts can be told apart by how likely they are."""
    columns = [
        measured("auc.loss", "AUC, loss", "number"),
        measured("auc.min_k", "AUC, Min-K", "number"),
        measured("auc.min_k_plus", "AUC, Min-K++", "number"),
        measured("privacy_leakage", "Privacy leakage", "number", "0 is ideal, -1 known as ever"),
    ]
    return _section(
        study,
        index,
        columns,
        "Membership inference",
        "Whether an attacker can tell forgotten text from text that was never seen. The area under the ROC curve of "
        "an attack that calls the likelier of two texts a member: near 0 the forget texts are still known, 0.5 "
        "cannot be told from text never seen, near 1 they stand out as too unlikely. Leakage sets the area against "
        "that of a model that never knew the forget side (MUSE's PrivLeak / 100), where one was made.",
        "privacy",
        findings=privacy_findings,
    )


def truth_section(study: UnlearningStudy, index: FigureIndex) -> Section | None:
    """TOFU's measures on the forget questions: truth ratios, and whether they are those of a model that never knew."""
    columns = [
        measured("truth_ratio.forget", "Truth ratio", "number", "over mean losses, as open-unlearning"),
        measured("truth_ratio_tofu.forget", "Truth ratio, TOFU", "number", "over mean probabilities, as the paper"),
        measured("forget_quality", "Forget quality", "p", "KS test against the retain-only model"),
        measured("ks_target", "KS p, target", "p", "KS test against the target"),
    ]
    return _section(
        study,
        index,
        columns,
        "Truth ratio and forget quality",
        "TOFU's measures on the forget questions. The truth ratio R is how much likelier wrong answers are than the "
        "right one; the table has the mean of min(R, 1/R), near 1 for a model that does not know. Forget quality is "
        "the p-value of a Kolmogorov-Smirnov test of R, question by question, against a model that never knew the "
        "forget side: above 0.05 the two cannot be told apart.",
        "truth",
        findings=truth_findings,
    )


def truth_findings(_: UnlearningStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """What the test says where no model that never knew was evaluated."""
    if not index.named("model.ks_target"):
        return ()
    return (
        Finding(
            "No model that never knew the forget side was evaluated (`retain_only`), so forget quality is missing. The "
            "test here is against the target: a p below 0.05 says that unlearning changed the truth ratios, not that "
            "the answers are gone.",
        ),
    )


def relearning_section(study: UnlearningStudy, index: FigureIndex) -> Section | None:
    """How much of what was forgotten a few steps on a part of it bring back."""
    columns = [
        measured("relearning.nll.before", "NLL before", "number", "a token, watched chunks"),
        measured("relearning.nll.after", "NLL after", "number"),
        measured("relearning.recovered", "Recovered", "percent", "of the rise over the target"),
    ]
    return _section(
        study,
        index,
        columns,
        "Relearning",
        "How fast forgotten text comes back under training. A few ordinary training steps on a tenth of the forget "
        "chunks; the others are watched. If they come back too, they were hidden and not forgotten. Undefined where "
        "unlearning had not raised their loss.",
        "relearning",
        with_models=False,
    )


def further_section(study: UnlearningStudy, index: FigureIndex) -> Section | None:
    """Whatever else the models were measured by: paraphrases, truth ratio, a measure of yours."""
    shown = {f"model.{name}" for name in MEASURED}
    names = dict.fromkeys(entry.name for entry in index if entry.name.startswith("model.") and entry.name not in shown)
    columns = [
        measured(
            name,
            name.removeprefix("score.").replace("_", " ").replace(".", ", "),
            "percent" if name.startswith("score.") else "number",
        )
        for name in (full.removeprefix("model.") for full in names)
        if not name.startswith("as_is.") and name not in BETWEEN
    ]
    return _section(
        study,
        index,
        columns,
        "Further measures",
        "Percentages are mean ROUGE-L F1: questions in other words (does what was forgotten come back when asked "
        "differently?) and retained text word for word. The truth ratio averages the losses of wrong "
        "answers, as open-unlearning does; that of TOFU's paper ('tofu') their probabilities. Answer probability is "
        "TOFU's.",
        "further",
    )


def measured(name: str, heading: str, kind: Kind, about: str = "") -> Shown:
    """A column of one measure, of a cell's model or of one that is as it is; left out where nothing was measured."""

    def cell(index: FigureIndex, row: Factors) -> Interval | None:
        prefix = "model.as_is." if "role" in row else "" if name.startswith("training.") else "model."
        return index.interval(f"{prefix}{name}", **row)

    return optional(Shown(Column("", heading, kind, about), cell))


def _section(
    study: UnlearningStudy,
    index: FigureIndex,
    columns: Sequence[Shown],
    title: str,
    intro: str,
    slug: str,
    *,
    findings: Callable[[UnlearningStudy, FigureIndex], Sequence[Finding]] = lambda _study, _index: (),
    with_models: bool = True,
) -> Section | None:
    blocks: list[Finding | Table] = list(findings(study, index))
    for corpus, semantics in dict.fromkeys((key.corpus, key.semantics) for key in study.cells):
        rows: list[Factors] = [{"corpus": corpus, "role": role} for role in AS_THEY_ARE] if with_models else []
        rows += [key.factors for key in study.cells if (key.corpus, key.semantics) == (corpus, semantics)]
        rows = [row for row in rows if any(shown.cell(index, row) is not None for shown in columns)]
        if not rows:
            continue
        made = table(
            index,
            f"{title}: {corpus}, {semantics} losses",
            rows,
            [label("Model", _model), label("Format, retain", _pair), *_doses(study, rows), *columns],
            slug=slug,
            folded=len(rows) > LONG_TABLE,
        )
        blocks.append(made)
    if not any(isinstance(block, Table) for block in blocks):
        return None
    return Section(title, tuple(blocks), intro=intro, slug=slug)


def _model(row: Factors) -> str:
    return AS_THEY_ARE[str(row["role"])] if "role" in row else method_name(str(row["method"]))


def _pair(row: Factors) -> str | None:
    return None if "role" in row else f"{row['forget_format']}, {row['retain_subset']}"


def _doses(study: UnlearningStudy, rows: Sequence[Factors]) -> Iterator[Shown]:
    """The settings in which the cells of the rows differ."""
    settings = {frozenset(key.factors.items()): study.setting(key).factors for key in study.cells}

    def dose(name: str, row: Factors) -> str | None:
        of = settings.get(frozenset(row.items()))
        return None if of is None else f"{of[name]:g}"

    for name, heading in DOSES.items():
        if len({dose(name, row) for row in rows} - {None}) > 1:
            yield label(heading, partial(dose, name))


def undefined_findings(study: UnlearningStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """Measures whose target scores 0: nothing can be lost there, so that changes and their groups are undefined."""
    found = []
    for corpus in study.corpora_with_target:
        entries = [entry for entry in index.named("target") if entry.factors["corpus"] == corpus]
        zero = [str(entry.factors["measure"]) for entry in entries if entry.value == 0]
        if zero:
            found.append(
                Finding(
                    f"{corpus}: the target scores {percent(0.0)} in {', '.join(zero)}, so that there is nothing to "
                    "lose: these changes and the groups they belong to are undefined. Teach the target what is asked, "
                    "or leave the measure out.",
                    "warning",
                )
            )
    return tuple(found)
