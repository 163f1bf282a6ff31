"""A run for the datastore of Every Eval Ever, by its schema 0.3.0: one aggregate file, one line a sample beside it.

Every figure that has a value and a direction (`findings.aims`) is a result of its own, so that each condition, load and
scenario is one; intervals stay. Counts, p-values and bookkeeping are no results: a leaderboard would rank by them.
Where the files go and what they are called is the datastore's rule: `data/COLLECTION/DEVELOPER/MODEL/UUID.json`. The
name follows from the run, so that the same run exported twice is one record.
"""

import hashlib
import json
import re
import time
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

import polars as pl

from forgetscope.core.json_values import json_value
from forgetscope.core.outcomes import Status
from forgetscope.exporting.chosen import results_of
from forgetscope.findings.aims import Better
from forgetscope.findings.figures import Unit
from forgetscope.io.files import make_folder, write_text
from forgetscope.report.chapters import Chapter
from forgetscope.report.summary import Summary, SummaryFigure

SCHEMA_VERSION = "0.3.0"
LEVEL = 0.95

_NOT_STATED = "not stated"
_BOUNDS: Mapping[Unit, tuple[float | str, float | str]] = {
    "proportion": (0.0, 1.0),
    "points": (-1.0, 1.0),
    "p": (0.0, 1.0),
    "count": (0.0, "Infinity"),
    "tokens": (0.0, "Infinity"),
    "seconds": (0.0, "Infinity"),
    "h": ("-Infinity", "Infinity"),
    "ratio": ("-Infinity", "Infinity"),
}
"""What a figure of a unit lies between; the form writes what has no end as a text."""
_SIGNED = ("change", "group", "group.of_means")
"""Shares of a score that is gone (S_change): below 0 where it rose, without end."""
_TEXTS = ("messages", "reply", "reasoning", "error", "benchmark", "model", "sample_id", "seconds")
"""Columns that have a place of their own in a line, or none."""


def write_eee(chapter: Chapter, folder: Path) -> tuple[Path, ...]:
    """The aggregate file and the lines of its samples."""
    summary = chapter.summary
    collection, model = f"forgetscope-{summary.run.benchmark}", model_id(summary)
    identity = f"{collection}/{model}/{summary.run.plan_sha256[:12]}-{summary.run.started}"
    digest = hashlib.sha256(f"{identity}/{samples_sha256(chapter.table)}".encode()).digest()
    name = str(uuid.UUID(bytes=digest[:16], version=4))
    developer, _, rest = model.partition("/")
    place = f"data/{collection}/{developer}/{rest.replace('/', '_')}"
    lines = "".join(
        json.dumps(line, ensure_ascii=False) + "\n" for line in _instances(chapter.table, identity, model, summary)
    )
    record = _aggregate(chapter, identity, model) | {
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": f"{place}/{name}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(lines.encode()).hexdigest(),
            "total_rows": chapter.table.height,
        }
    }
    written = make_folder(folder / place)
    paths = written / f"{name}.json", written / f"{name}_samples.jsonl"
    write_text(paths[0], json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    write_text(paths[1], lines)
    return paths


def model_id(summary: Summary) -> str:
    """The model as `DEVELOPER/MODEL`, in signs that a folder may have; one without a developer is `local/MODEL`."""
    parts = [re.sub(r"[^A-Za-z0-9._+-]+", "-", part).strip(".-") or "model" for part in summary.run.model.split("/")]
    return "/".join(parts) if len(parts) > 1 else f"local/{parts[0]}"


def samples_sha256(table: pl.DataFrame) -> str:
    """Over every sample's id, status and reply, in the order of the ids."""
    found = hashlib.sha256()
    for row in table.sort("sample_id").select("sample_id", "status", "reply").iter_rows():
        found.update(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    return found.hexdigest()


def _aggregate(chapter: Chapter, identity: str, model: str) -> dict[str, object]:
    summary = chapter.summary
    facts = summary.run
    is_ours = model.startswith("forgetscope/") or not facts.inspect_ai
    timed = {"evaluation_timestamp": str(_epoch(facts.started))} if _epoch(facts.started) is not None else {}
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": identity,
        **timed,
        "retrieved_timestamp": str(int(time.time())),
        "source_metadata": {
            "source_name": "forgetscope",
            "source_type": "evaluation_run",
            "source_organization_name": _NOT_STATED,
            "evaluator_relationship": "other",
        },
        "eval_library": {
            "name": "forgetscope",
            "version": facts.forgetscope,
            "additional_details": _texts(
                {
                    "inspect_ai": facts.inspect_ai,
                    "prompts_version": facts.prompts_version,
                    "plan_sha256": facts.plan_sha256,
                    "samples_sha256": samples_sha256(chapter.table),
                    "judge": facts.judge,
                    "completeness": facts.completeness,
                    "planned_samples": facts.planned,
                    "samples": facts.samples,
                    "notes": list(facts.notes),
                }
            ),
        },
        "model_info": {
            "name": facts.model,
            "id": model,
            "developer": model.partition("/")[0],
            "additional_details": {
                "deployment_type": "self_deployed" if is_ours else "unknown",
                "model_availability": "open_weights" if is_ours else "unknown",
                "decoding": facts.decoding,
            },
        },
        "evaluation_results": [_result(figure, summary, better) for figure, better in results_of(chapter)],
    }


def _epoch(written: str) -> int | None:
    try:
        return int(datetime.fromisoformat(written).timestamp())
    except ValueError:
        return None


def result_id(figure: SummaryFigure) -> str:
    """A figure's name with its factors: `compliance.strict.paper[condition=natural,load=mmlu]`."""
    factors = ",".join(f"{key}={value}" for key, value in figure.factors.items() if value is not None)
    return f"{figure.name}[{factors}]" if factors else figure.name


def _result(figure: SummaryFigure, summary: Summary, better: Better) -> dict[str, object]:
    """A figure as a result: its factors in the name and the parameters, its interval as it is."""
    facts = summary.run
    least, most = _BOUNDS[figure.unit]
    if figure.unit == "proportion" and figure.name in _SIGNED:
        least = "-Infinity"
    interval = {
        "confidence_interval": {
            "lower": figure.low,
            "upper": figure.high,
            "confidence_level": LEVEL,
            "method": figure.method,
        }
    }
    uncertainty = {**(interval if figure.low is not None and figure.high is not None else {}), "num_samples": figure.n}
    details = {"excluded": figure.excluded, "items": figure.items, "method": figure.method, "note": figure.note}
    tested = {"p": figure.p, "test": figure.test, "changed": figure.changed, "verdict": figure.verdict}
    return {
        "evaluation_result_id": result_id(figure),
        "evaluation_name": f"forgetscope.{facts.benchmark}.{result_id(figure)}",
        "source_data": {
            "dataset_name": f"forgetscope-{facts.benchmark}-{facts.data or 'data'}",
            "source_type": "other",
            "additional_details": _texts({"data": facts.data, "data_sha256": facts.data_sha256}),
        },
        "metric_config": {
            "evaluation_description": facts.title,
            "metric_id": f"forgetscope.{facts.benchmark}.{figure.name}",
            "metric_name": figure.name,
            "metric_unit": figure.unit,
            "metric_parameters": dict(figure.factors),
            "lower_is_better": better == "lower",
            "score_type": "continuous",
            "min_score": least,
            "max_score": most,
        },
        "score_details": {
            "score": figure.value,
            "details": _texts({**details, **tested}),
            "uncertainty": uncertainty,
        },
    }


def _texts(values: Mapping[str, object]) -> dict[str, str]:
    """As the form wants details: texts alone; what is not there is left out."""
    kept = {key: value for key, value in values.items() if value is not None and value not in ("", [])}
    return {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for key, value in kept.items()
    }


def _instances(table: pl.DataFrame, identity: str, model: str, summary: Summary) -> Iterator[dict[str, object]]:
    for row in table.iter_rows(named=True):
        turns = _turns(row["messages"])
        prompt = "\n\n".join(text for role, text in turns if role in ("system", "user"))
        references = [str(row["reference"])] if row.get("reference") else []
        hashed = json.dumps({"raw": prompt, "reference": references}, sort_keys=True, separators=(",", ":"))
        is_dialogue = any(role == "assistant" for role, _ in turns)
        reply = row["reply"] or ""
        said: dict[str, object] = (
            {
                "interaction_type": "multi_turn",
                "output": None,
                "messages": [
                    {"turn_idx": place, "role": role, "content": text}
                    for place, (role, text) in enumerate([*turns, ("assistant", reply)])
                ],
            }
            if is_dialogue
            else {"interaction_type": "single_turn", "output": {"raw": [reply]}, "messages": None}
        )
        is_correct = row["status"] == Status.CORRECT.value
        factors = {key: value for key, value in row.items() if key not in _TEXTS}
        yield {
            "schema_version": SCHEMA_VERSION,
            "evaluation_id": identity,
            "model_id": model,
            "evaluation_name": f"forgetscope.{summary.run.benchmark}",
            "sample_id": row["sample_id"],
            "sample_hash": hashlib.sha256(hashed.encode()).hexdigest(),
            **said,
            "input": {"raw": prompt, "reference": references},
            "answer_attribution": [
                {
                    "turn_idx": len(turns) if is_dialogue else 0,
                    "source": f"messages[{len(turns)}].content" if is_dialogue else "output.raw",
                    "extracted_value": reply,
                    "extraction_method": "forgetscope scorer; the status is in the metadata",
                    "is_terminal": True,
                }
            ],
            "evaluation": {
                "score": float(is_correct),
                "is_correct": is_correct,
                **({"num_turns": sum(role == "user" for role, _ in turns)} if is_dialogue else {}),
            },
            **_usage(row),
            "error": row["error"] or None,
            "metadata": _texts(factors),
        }


def _usage(row: Mapping[str, object]) -> dict[str, object]:
    """Tokens, where the provider counted both."""
    sent, came = row["input_tokens"], row["output_tokens"]
    if not isinstance(sent, int) or not isinstance(came, int):
        return {}
    return {"token_usage": {"input_tokens": sent, "output_tokens": came, "total_tokens": sent + came}}


def _turns(messages: object) -> list[tuple[str, str]]:
    """What was sent, by role; of a picture its name alone."""
    try:
        found = json_value(str(messages)) if messages else []
    except ValueError:
        found = []
    turns = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return [(str(one.get("role", "user")), _text(one.get("content"))) for one in turns]


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(_text(part) for part in content)
    if isinstance(content, dict):
        return str(content.get("text") or content.get("image") or json.dumps(content, ensure_ascii=False))
    return "" if content is None else str(content)
