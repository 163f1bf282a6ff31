"""What annotators get: a page that works offline and a spreadsheet, the same replies in an order of their own.

Neither names the model or tells a verdict. Everything a model wrote stands in the page as data and is shown as text;
the page's own style and script are allowed by their hash and nothing else may act or load.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import cast

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict

from forgetscope.annotation.design import AnnotationDesign, Brief
from forgetscope.annotation.files import FORMAT, VERSION, sheet_text
from forgetscope.annotation.sampling import Drawn, Stratum, order_for
from forgetscope.core.errors import SettingError
from forgetscope.core.json_values import json_value
from forgetscope.io.files import claim_folder, write_text
from forgetscope.report.page import content_policy
from forgetscope.report.samples import json_for_page
from forgetscope.report.wording import visible

LONGEST = 50_000
"""Characters of a turn or reply that are shown; a loop can be longer."""
RECORD_NAME = "sample.json"


@dataclass(frozen=True)
class Sheet:
    """One reply as an annotator sees it: turns are (role, text), the message to be answered last."""

    key: str
    brief: Brief
    turns: tuple[tuple[str, str], ...]
    reply: str


class SampleRecord(BaseModel):
    """`sample.json`, for whoever runs the study: what was drawn. Not for annotators, it names the samples."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    study: str
    seed: int
    annotators: int
    strata: tuple[Stratum, ...]
    left_out: int
    samples: dict[str, str]
    """Sample id by key."""


def write_handout(drawn: Drawn, design: AnnotationDesign, annotators: int, out: Path) -> list[Path]:
    """Write `annotator-N.html` and `annotator-N.csv` for each annotator and `sample.json` into a new or empty folder.

    Raises:
        SettingError: no annotator.
        RunFolderError: the folder holds something already, or cannot be written.
    """
    if annotators < 1:
        raise SettingError("nobody to ask", where="--annotators", found=annotators, allowed="1 or more")
    claim_folder(out, "choose another with --out, sheets are never replaced")
    sheets = {sheet.key: sheet for sheet in make_sheets(drawn.rows, design)}
    written = []
    for annotator in range(1, annotators + 1):
        ordered = [sheets[key] for key in order_for(list(sheets), drawn.seed, annotator)]
        for suffix, text in (
            ("html", render_form(drawn, ordered, design.answers, annotator, annotators)),
            ("csv", sheet_text(_csv_rows(drawn, ordered, annotator))),
        ):
            written.append(out / f"annotator-{annotator}.{suffix}")
            write_text(written[-1], text)
    record = SampleRecord(
        study=drawn.study,
        seed=drawn.seed,
        annotators=annotators,
        strata=drawn.strata,
        left_out=drawn.left_out,
        samples=dict(drawn.rows.select("key", "sample_id").iter_rows()),
    )
    written.append(out / RECORD_NAME)
    write_text(written[-1], record.model_dump_json(indent=2) + "\n")
    return written


def make_sheets(rows: pl.DataFrame, design: AnnotationDesign) -> Iterator[Sheet]:
    """The drawn replies without anything that tells a verdict, a model or a form."""
    for row in rows.iter_rows(named=True):
        yield Sheet(row["key"], design.brief(row), tuple(_turns(row["messages"])), _shown(row["reply"] or ""))


def _turns(messages: str) -> Iterator[tuple[str, str]]:
    """Role and text of each message; a message without a role is a note in the dialogue."""
    for message in cast(list[dict[str, object]], json_value(messages)):
        yield str(message["role"] or "note"), _shown(str(message["content"]))


def _shown(text: str) -> str:
    """The text with what cannot be seen spelled out, cut where it is very long."""
    if len(text) <= LONGEST:
        return visible(text)
    return f"{visible(text[:LONGEST])}\n\n[cut here: {len(text) - LONGEST:,} more characters]"


def render_form(drawn: Drawn, sheets: list[Sheet], answers: tuple[str, ...], annotator: int, annotators: int) -> str:
    """The page of one annotator."""
    style, script = _part("form.css"), _part("form.js")
    data = {
        "format": FORMAT,
        "version": VERSION,
        "study": drawn.study,
        "seed": drawn.seed,
        "annotator": annotator,
        "answers": answers,
        "replies": [
            {
                "key": sheet.key,
                "question": visible(sheet.brief.question),
                "guidance": visible(sheet.brief.guidance),
                "points": [
                    [visible(heading), [visible(line) for line in lines]]
                    for heading, lines in sheet.brief.points.items()
                ],
                "turns": [list(turn) for turn in sheet.turns],
                "reply": sheet.reply,
            }
            for sheet in sheets
        ],
    }
    return (
        _environment()
        .get_template("form.html")
        .render(
            annotator=annotator,
            annotators=annotators,
            replies=len(sheets),
            answers=answers,
            data=Markup(json_for_page(data)),  # noqa: S704 - escaped for this place
            style=Markup(style),  # noqa: S704 - ours
            script=Markup(script),  # noqa: S704 - ours
            policy=content_policy(style, script),
        )
    )


def _csv_rows(drawn: Drawn, sheets: list[Sheet], annotator: int) -> Iterator[list[str | int]]:
    for number, sheet in enumerate(sheets, start=1):
        points = [f"{heading}: {'; '.join(lines)}" for heading, lines in sheet.brief.points.items()]
        dialogue = "\n\n".join(f"{role}: {text}" for role, text in sheet.turns)
        guidance = "\n".join([sheet.brief.guidance, *map(visible, points)])
        head: list[str | int] = [drawn.study, drawn.seed, annotator, number, sheet.key]
        yield [*head, sheet.brief.question, guidance, dialogue, sheet.reply, "", ""]


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("forgetscope.annotation"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _part(name: str) -> str:
    """Style or script as it will stand between its tags; the policy's hash is over exactly this."""
    return (files("forgetscope.annotation") / "templates" / name).read_text(encoding="utf-8").replace("\r\n", "\n")
