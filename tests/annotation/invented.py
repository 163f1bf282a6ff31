"""A made-up benchmark's table and what people are asked about it: annotation knows no more than this."""

import json
from collections.abc import Mapping, Sequence

import polars as pl

from forgetscope.annotation.answers import AnnotationStudy, AnsweredReply
from forgetscope.annotation.design import AnnotatorVerdict, Brief, PairedDesign
from forgetscope.annotation.files import Annotation, GivenJudgement
from forgetscope.annotation.sampling import Drawn, draw_sample

BRIEF = Brief("Is it right?", "Yes if it is.", {"All of these": ("one", "two")})

DESIGN = PairedDesign(
    population=lambda table: table,
    brief=lambda _: BRIEF,
    cell="topic",
    stratum="kind",
    forms=("without", "with"),
    raters={"judge": "judge_pass", "rule": "rule_pass"},
    kept="SFRR",
    gained="WR",
)

SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "sample_id": pl.String,
    "item": pl.String,
    "form": pl.String,
    "topic": pl.String,
    "kind": pl.String,
    "status": pl.String,
    "judge_pass": pl.Boolean,
    "rule_pass": pl.Boolean,
    "messages": pl.String,
    "reply": pl.String,
}


def row(
    item: str,
    form: str,
    *,
    topic: str = "rain",
    kind: str = "light",
    status: str = "correct",
    judge: bool | None = True,
    rule: bool | None = None,
    messages: Sequence[Mapping[str, object]] = ({"role": "user", "content": "Is rain wet?"},),
    reply: str = "It is.",
) -> dict[str, object]:
    return {
        "sample_id": f"invented/{item}/{form}",
        "item": item,
        "form": form,
        "topic": topic,
        "kind": kind,
        "status": status,
        "judge_pass": judge,
        "rule_pass": rule,
        "messages": json.dumps(list(messages)),
        "reply": reply,
    }


def table(rows: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def rain_table(items: int = 30, *, reply: str = "It is.") -> pl.DataFrame:
    """Items of two topics, the first two thirds of the first; two kinds, one twice as frequent as the other."""
    rows = []
    for number in range(items):
        topic, kind = ("rain", "snow")[number % 3 == 2], ("light", "heavy")[number % 9 >= 6]
        for form in DESIGN.forms:
            said = f"{reply} ({number} {form})"
            rows.append(row(f"i{number:03d}", form, topic=topic, kind=kind, reply=said))
    return table(rows)


def drawn(items: int = 30, per_cell: int = 5, seed: int = 7, **options: str) -> Drawn:
    return draw_sample(rain_table(items, **options), DESIGN, per_cell=per_cell, seed=seed)


def annotation(of: Drawn, annotator: int, said: Mapping[str, AnnotatorVerdict | None]) -> Annotation:
    """What one annotator sends back; `said` by sample id, the others not judged."""
    judged = tuple(
        GivenJudgement(key=key, judgement=said.get(sample_id))
        for key, sample_id in of.rows.select("key", "sample_id").iter_rows()
    )
    return Annotation(study=of.study, seed=of.seed, annotator=annotator, judgements=judged)


YES, NO, UNSURE = AnnotatorVerdict.YES, AnnotatorVerdict.NO, AnnotatorVerdict.CANNOT_TELL
LETTERS = {"y": YES, "n": NO, "?": UNSURE, "-": None}


def study_of(
    groups: Sequence[tuple[int, str, str]], *, form: str = "without", population: pl.DataFrame | None = None
) -> AnnotationStudy:
    """A study of one cell and form.

    Args:
        groups: How many replies, what the judge says (y, n, - for nothing), what each annotator says (y, n, ?, -).
        form: Of all of them.
        population: The samples the figures are of.
    """
    replies: list[AnsweredReply] = []
    for count, judge, people in groups:
        for _ in range(count):
            verdict = None if judge == "-" else judge == "y"
            said = tuple(LETTERS[letter] for letter in people)
            number = len(replies)
            raters = {"judge": verdict, "rule": None}
            replies.append(AnsweredReply(f"i{number}", "rain", "light", form, said, raters))
    people_many = len(groups[0][2])
    whole = table([]) if population is None else population
    return AnnotationStudy(DESIGN, tuple(range(1, people_many + 1)), tuple(replies), whole, 7)
