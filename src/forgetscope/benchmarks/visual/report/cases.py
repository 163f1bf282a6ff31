"""One picture and all that was asked of it: what the model saw, was told and answered, side by side."""

import re
from collections.abc import Iterator, Mapping

import polars as pl

from forgetscope.benchmarks.visual.data.axes import Level
from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, Condition, Control, Mode, VisualProbe
from forgetscope.benchmarks.visual.metrics.concept_rates import Evidence
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.metrics.verdicts import AccessVerdict, ConceptVerdict
from forgetscope.benchmarks.visual.report.names import CODE_NAMES, PAPER_NAMES, VERDICT_NAMES, condition_name
from forgetscope.benchmarks.visual.report.thumbnails import picture_name
from forgetscope.core.json_values import json_value
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Case, CaseAnswer, CasePoint, CaseRow, Gallery, Section
from forgetscope.findings.phrasing import counted

COLUMNS = ("with the picture", "without it", "asked otherwise")
MOST_REPLY = 60
"""Characters of a reply that is no option, in a cell."""

_ASKED = {
    Control.SHUFFLED_IMAGE.value: "another's picture",
    Control.OPTION_ONLY.value: "options alone",
    VisualProbe.SHORT_ANSWER.value: "in own words",
    VisualProbe.INDIRECT.value: "options that describe",
    Mode.FIRST_TOKEN.value: "first token",
}
_OPENED = (
    AccessVerdict.SUPPRESSED,
    AccessVerdict.NOT_ACCESSIBLE,
    AccessVerdict.ACCESSIBLE,
    AccessVerdict.UNDECIDED,
    AccessVerdict.NOT_ELIGIBLE,
)
"""Of which verdict the open case of a level is, where there is a choice."""

Row = Mapping[str, object]


def case_section(study: VisualStudy, verdicts: tuple[ConceptVerdict, ...]) -> Section:
    """One open case a level: a picture of a forget concept in every condition."""
    return Section(
        "Examples: one picture in every condition",
        (Gallery("One picture of each level", COLUMNS, tuple(_one_a_level(study, verdicts)), slug="pictures"),),
        intro="What the model saw, was told and answered, for one picture of each level. It was answered right at "
        "baseline where any was. Long lists are shortened; an answer opens its sample, with the whole prompt.",
        slug="cases",
    )


def evidence_gallery(study: VisualStudy, verdicts: tuple[ConceptVerdict, ...]) -> Gallery:
    """A folded case a concept: what its verdict rests on, and one of its pictures in every condition."""
    rows = {str(row["sample_id"]): row for row in study.frame.iter_rows(named=True)}
    pictured = _first_items(study)
    cases = tuple(_case_of(entry, rows, pictured.get((entry.split, entry.concept), [])) for entry in verdicts)
    return Gallery(
        "Evidence, concept by concept",
        COLUMNS,
        cases,
        note="Each line is a finding of the verdict, with a sample that shows it.",
        slug="evidence-trail",
        folded=True,
    )


def pictures_of(gallery: Gallery) -> Iterator[str]:
    """The names of all pictures a gallery shows."""
    for case in gallery.cases:
        yield case.picture
        yield from (point.answer.picture for point in case.points if point.answer is not None)
        yield from (answer.picture for row in case.rows for group in row.answers for answer in group)


def _one_a_level(study: VisualStudy, verdicts: tuple[ConceptVerdict, ...]) -> Iterator[Case]:
    pictured = _first_items(study)
    levels = dict(study.frame.select("split", "level").unique().sort("split").iter_rows())
    for level in Level:
        own = [entry for entry in verdicts if levels.get(entry.split) == level.value]
        own = [entry for entry in own if (entry.split, entry.concept) in pictured]
        for entry in sorted(own, key=lambda entry: _OPENED.index(entry.verdict))[:1]:
            rows = pictured[entry.split, entry.concept]
            yield case_of(entry.concept, f"{level.value}, {VERDICT_NAMES[entry.verdict]}", rows)


def _first_items(study: VisualStudy) -> dict[tuple[str, str], list[Row]]:
    """Of each split and forget concept, the samples of one measured item.

    The one asked in most forms; of several one that was right at baseline, where nothing stood in the way.
    """
    forget = study.frame.filter((pl.col("side") == "forget") & (pl.col("role") == "effect"))
    plainly = (pl.col("condition") == Condition.BASELINE_NORMAL.value) & (pl.col("control") == Control.NONE.value)
    right = plainly & (pl.col("probe") == VisualProbe.CHOICE.value) & (pl.col("status") == Status.CORRECT.value)
    ranked = (
        forget.group_by("split", "forget_concept", "item")
        .agg(pl.len(), right.any().alias("right"))
        .sort("split", "forget_concept", "len", "right", "item", descending=[False, False, True, True, False])
    )
    chosen = ranked.group_by("split", "forget_concept", maintain_order=True).first()
    rows = forget.join(chosen.select("split", "item"), on=["split", "item"], how="semi")
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows.iter_rows(named=True):
        found.setdefault((row["split"], row["forget_concept"]), []).append(row)
    return found


def _case_of(entry: ConceptVerdict, rows: Mapping[str, Row], samples: list[Row]) -> Case:
    codes = ", ".join(CODE_NAMES[code] for code in entry.codes)
    rule = "" if entry.paper_verdict is None else "; the paper's rule: " + PAPER_NAMES[entry.paper_verdict]
    of = f" ({counted(entry.pictures, 'picture')})" if entry.pictures and not codes else ""
    tag = VERDICT_NAMES[entry.verdict] + of + (f": {codes}" if codes else "") + rule
    where = entry.split if entry.mode == Mode.GENERATE.value else f"{entry.split}, {entry.mode.replace('_', ' ')}"
    return case_of(
        f"{entry.concept} ({where})", tag, samples, tuple(_point(evidence, rows) for evidence in entry.evidence)
    )


def _point(evidence: Evidence, rows: Mapping[str, Row]) -> CasePoint:
    row, what = rows.get(evidence.sample_id), evidence.what
    for condition in sorted(CONDITIONS, key=len, reverse=True):
        what = what.replace(condition.value, condition_name(condition.value))
    what = what.replace("short_answer", "short answer")
    if row is None:
        return CasePoint(what)
    answer = CaseAnswer(said(row), str(row["status"]), evidence.sample_id, picture=_picture(row))
    return CasePoint(what, told(row), answer)


def case_of(title: str, tag: str, samples: list[Row], points: tuple[CasePoint, ...] = ()) -> Case:
    """A case from all samples of one item."""
    own = next((row for row in samples if _is_plain(row) and row["control"] == Control.NONE.value), None)
    if own is None:
        return Case(title, tag, "", "", (), None, (), points)
    answer = own["answer"]
    labels = own["labels"]
    return Case(
        title,
        tag,
        _picture(own),
        _paragraphs(own)[0].removeprefix("Q: "),
        tuple(map(str, labels)) if isinstance(labels, list) else (),
        answer if isinstance(answer, int) else None,
        tuple(_rows(samples, _picture(own))),
        points,
    )


def _rows(samples: list[Row], own_picture: str) -> Iterator[CaseRow]:
    for condition in CONDITIONS:
        asked = [row for row in samples if row["condition"] == condition.value]
        if not asked:
            continue
        plain = next((row for row in asked if _is_plain(row) and row["control"] == Control.NONE.value), asked[0])
        groups: tuple[list[CaseAnswer], ...] = ([], [], [])
        for row in asked:
            groups[_column(row)].append(_answer(row, own_picture))
        yield CaseRow(condition_name(condition.value), told(plain), tuple(map(tuple, groups)))


def _is_plain(row: Row) -> bool:
    """Whether it is multiple choice in the first wording and order, as the paper asks."""
    return row["probe"] == VisualProbe.CHOICE.value and not row["phrasing"] and not row["order"]


def _column(row: Row) -> int:
    if not _is_plain(row) or row["control"] in (Control.SHUFFLED_IMAGE.value, Control.OPTION_ONLY.value):
        return 2
    return 1 if row["control"] == Control.NO_IMAGE.value else 0


def _answer(row: Row, own_picture: str) -> CaseAnswer:
    how = [_ASKED[str(row[name])] for name in ("control", "probe", "mode") if str(row[name]) in _ASKED]
    how += ["without the picture"] if _column(row) == 2 and row["control"] == Control.NO_IMAGE.value else []
    how += [f"rephrased: {told(row)}"] if row["phrasing"] else []
    how += [f"options moved by {row['order']}"] if row["order"] else []
    picture = _picture(row)
    return CaseAnswer(
        said(row), str(row["status"]), str(row["sample_id"]), ", ".join(how), "" if picture == own_picture else picture
    )


def said(row: Row) -> str:
    """The answer in words: the option chosen, else what was replied."""
    if isinstance(label := row["predicted_label"], str):
        return label
    reply = " ".join(str(row["reply"] or "").split())
    if not reply:
        return str(row["error"] or "") or "nothing"
    return f"“{reply[: MOST_REPLY - 1]}…”" if len(reply) > MOST_REPLY else f"“{reply}”"


def told(row: Row) -> str:
    """What the prompt says beside question, options and how to reply; of long lists how many, and which are options."""
    parts = _paragraphs(row)
    if len(parts) < 2:
        return ""
    head = (1 if parts[0].startswith("Q: ") else 0) + (row["probe"] != VisualProbe.SHORT_ANSWER.value)
    labels = row["labels"]
    options = {str(label) for label in labels} if isinstance(labels, list) else set()
    return _LIST.sub(lambda found: _shortened(found.group(), options), " ".join(parts[head:-1]))


_LIST = re.compile(r"(?<=: )[^:.]+(?:, [^:,.]+){4,}(?=\.)")
"""A list of five names or more, as the suppression texts hold one."""


def _shortened(listed: str, options: set[str]) -> str:
    names = listed.split(", ")
    among = [name for name in names if name in options]
    return f"[{len(names)} concepts, {'among them ' + ', '.join(among) if among else 'none of them an option'}]"


def _paragraphs(row: Row) -> list[str]:
    """The prompt of a sample in its parts."""
    try:
        return str(json_value(str(row["messages"]))[-1]["content"][-1]["text"]).split("\n\n")  # type: ignore[index]
    except (ValueError, KeyError, IndexError, TypeError):
        return [""]


def _picture(row: Row) -> str:
    return picture_name(str(row["split"]), str(row["image"])) if row["image"] else ""
