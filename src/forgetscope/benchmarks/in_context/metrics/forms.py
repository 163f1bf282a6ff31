"""The dialogues of each form as they were sent: how many, their turns and tokens (the paper's figure 3)."""

from collections.abc import Iterator, Mapping
from typing import cast

from forgetscope.benchmarks.in_context.data.context import COUNTER
from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.core.json_values import json_value
from forgetscope.findings.figures import Figure, Unit
from forgetscope.findings.measures import plain
from forgetscope.findings.tables import MetricTable, count, label, value
from forgetscope.io.tokens import count_cl100k

MEASURES: Mapping[str, tuple[Unit, str]] = {
    "form.turns": ("count", "messages of the user"),
    "form.tokens": ("tokens", f"{COUNTER} tokens of all messages but the system's"),
}


def form_figures(study: InContextStudy) -> Iterator[Figure]:
    """In the cells of the headline, by form: mean, least and most over the dialogues sent, with live answers."""
    for key in study.main_cells():
        for (form,), frame in sorted(study.cell(key).partition_by("form", as_dict=True).items(), key=str):
            sent = [_turns(messages) for messages in frame["messages"]]
            of_each = {
                "form.turns": [sum(role == "user" for role, _ in turns) for turns in sent],
                "form.tokens": [sum(count_cl100k(text) for _, text in turns) for turns in sent],
            }
            for name, values in of_each.items():
                unit, method = MEASURES[name]
                for end, number in (("", sum(values) / len(sent)), (".least", min(values)), (".most", max(values))):
                    factors = {**key.factors, "form": form}
                    yield plain(f"{name}{end}", factors, float(number), len(sent), unit=unit, method=method)


def _turns(messages: str) -> list[tuple[str, str]]:
    """Role and text of each message that was sent, without the system's."""
    shown = cast(list[dict[str, object]], json_value(messages))
    return [(str(one["role"]), str(one["content"])) for one in shown if one["role"] in ("user", "assistant")]


METRIC = InContextMetric(
    form_figures,
    MetricTable(
        "Dialogues of each form as they were sent (the paper's figure 3)",
        rows="form.turns",
        columns=(
            label("Scenario", "scenario", lambda name: name.replace("_", " ")),
            label("Form", "form"),
            count("Samples", "form.turns"),
            value("Turns, mean", "form.turns", "number", MEASURES["form.turns"][1]),
            value("least", "form.turns.least", "integer"),
            value("most", "form.turns.most", "integer"),
            value("Tokens, mean", "form.tokens", "integer", MEASURES["form.tokens"][1]),
            value("least", "form.tokens.least", "integer"),
            value("most", "form.tokens.most", "integer"),
        ),
        slug="forms",
    ),
)
