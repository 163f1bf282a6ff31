"""What the validation of the trained family says, as lines of text a paper could print.

First each announced figure, hypothesis by hypothesis, member by member, every seed; then, for every seed, what was
answered in all conditions, the dose curve, the verdicts, the paper's rule with its error rate, and internal probes.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from forgetscope.benchmarks.visual.data.conditions import Condition
from forgetscope.benchmarks.visual.family.probing import ENCODER, PLACES
from forgetscope.benchmarks.visual.family.validation import SeedResult
from forgetscope.benchmarks.visual.metrics.verdicts import AccessVerdict
from forgetscope.models.glimpse.family import DOSES
from forgetscope.models.glimpse.hypotheses import (
    BASELINE,
    CONFUSED,
    FAMILY,
    NO_PICTURE,
    PICTURE,
    RESTORED,
    SHUFFLED,
    SOFT,
    HypothesisResult,
    accuracy,
)

COLUMNS = (*FAMILY, CONFUSED)
_LABEL, _WIDTH = 33, 9

_SIGHTS = {
    NO_PICTURE: "no picture",
    SHUFFLED: "another picture",
    "option_only": "options alone",
}
_CONDITIONS = {
    BASELINE: "baseline",
    SOFT: "soft",
    Condition.UNLEARN_MEDIUM.value: "medium",
    Condition.ORACLE_HARD.value: "oracle hard",
    Condition.ORACLE_REVERSE.value: "oracle reverse",
    Condition.PLACEBO_SOFT.value: "placebo list",
    Condition.WRONG_ORACLE_HARD.value: "wrong oracle",
    RESTORED: "restored",
}


def family_page(results: Sequence[SeedResult]) -> Iterator[str]:
    """All lines about the trained family; none without results."""
    if not results:
        return
    yield from _announced(results)
    for result in results:
        yield ""
        yield f"Seed {result.seed}, drawings of {result.style}"
        yield from _answers(result)
        yield from _doses(result)
        yield from _verdicts(result)
        yield from _paper_rule(result)
        yield from _probes(result)


def short_name(member: str) -> str:
    """A member without the name of the family."""
    return member.removeprefix("glimpse-")


def _announced(results: Sequence[SeedResult]) -> Iterator[str]:
    yield f"Announced figures (docs/design/visual-validation.md), drawings of {results[0].style}"
    for first in results[0].findings:
        yield f"{first.hypothesis}, {short_name(first.member)}: {first.limit}"
        for result in results:
            found = _same(result, first)
            yield f"  seed {result.seed}  {'holds' if found.holds else 'FAILS'}  {found.figure}"
    for result in results:
        failing = [f"{one.hypothesis}, {short_name(one.member)}" for one in result.findings if not one.holds]
        held = len(result.findings) - len(failing)
        said = f"fails: {'; '.join(failing)}" if failing else "all hold"
        yield f"Seed {result.seed}: {held} of {len(result.findings)} announced figures hold; {said}"


def _same(result: SeedResult, wanted: HypothesisResult) -> HypothesisResult:
    return next(one for one in result.findings if (one.hypothesis, one.member) == (wanted.hypothesis, wanted.member))


def _row(label: str, values: Sequence[str]) -> str:
    return (f"  {label:{_LABEL}}" + "".join(f"{value:>{_WIDTH}}" for value in values)).rstrip()


def _heads(names: Sequence[str]) -> Iterator[str]:
    words = [short_name(name).split("-") for name in names]
    if any(len(parts) > 1 for parts in words):
        yield _row("", ["" if len(parts) == 1 else f"{parts[0]}-" for parts in words])
    yield _row("", [parts[-1] for parts in words])


def _answers(result: SeedResult) -> Iterator[str]:
    """Percent right in every cell, members side by side."""
    yield "Percent right"
    yield from _heads(COLUMNS)
    for side in ("forget", "retain"):
        for sight in (PICTURE, *_SIGHTS):
            for condition, said in _CONDITIONS.items():
                own = [result.cells.get((member, side, condition, sight)) for member in COLUMNS]
                if any(own):
                    label = ", ".join(filter(None, (side, said, _SIGHTS.get(sight))))
                    yield _row(label, ["" if cell is None else f"{accuracy(cell):.1f}" for cell in own])
    items = {key[1]: len(cell.right) for key, cell in result.cells.items()}
    yield f"  items in every cell: forget {items['forget']}, retain {items['retain']}"


def _doses(result: SeedResult) -> Iterator[str]:
    """Baseline access, picture minus no picture, over the share of the concepts' drawings that the eye met."""
    yield "Access (baseline, points) by share of the concepts' training drawings seen"
    yield _row("", [f"{dose}%" for dose in DOSES])
    access = [
        accuracy(result.cells[f"glimpse-dose-{dose}", "forget", BASELINE, PICTURE])
        - accuracy(result.cells[f"glimpse-dose-{dose}", "forget", BASELINE, NO_PICTURE])
        for dose in DOSES
    ]
    is_monotone = all(one <= other for one, other in pairwise(access))
    yield _row("monotone" if is_monotone else "NOT monotone", [f"{value:+.1f}" for value in access])


def _verdicts(result: SeedResult) -> Iterator[str]:
    yield "Verdicts per concept"
    yield from _heads(FAMILY)
    for kind in AccessVerdict:
        counts = [sum(one.verdict is kind for one in result.verdicts[member]) for member in FAMILY]
        if any(counts):
            yield _row(kind.value.replace("_", " ")[:_LABEL], [str(count) for count in counts])


def _paper_rule(result: SeedResult) -> Iterator[str]:
    rules = result.paper_rules
    yield "The paper's own rule (poor under soft and anomalous under both oracles)"
    yield from _heads([rule.member for rule in rules])
    yield _row("truth", ["erased" if rule.is_erased else "knows" for rule in rules])
    yield _row("concepts judged", [str(rule.judged) for rule in rules])
    yield _row("called unlearned", [str(rule.unlearned) for rule in rules])
    yield _row("wrong", [str(rule.wrong) for rule in rules])
    wrong, judged = sum(rule.wrong for rule in rules), sum(rule.judged for rule in rules)
    share = f"{100 * wrong / judged:.0f}%" if judged else "undefined"
    yield f"  error rate {share} ({wrong} of {judged})"


def _probes(result: SeedResult) -> Iterator[str]:
    if not result.probes:
        return
    one = result.probes[0]
    yield f"Internal probes, percent of pictures named right; fitted on {one.fitted_on}, tested on {one.tested_on}"
    yield from _heads(FAMILY)
    for place in PLACES:
        found = {one.member: one.result for one in result.probes if one.place == place}
        yield _row(place, [f"{100 * found[member].accuracy:.1f}" for member in FAMILY])
        yield _row("  shuffled labels", [f"{100 * found[member].control:.1f}" for member in FAMILY])
    shared = next(one.result for one in result.probes if one.place == ENCODER)
    said = f"{100 * shared.accuracy:.1f} (shuffled labels {100 * shared.control:.1f})"
    yield f"  chance {100 * shared.chance:.1f}; {ENCODER}, the same for all by construction: {said}"
