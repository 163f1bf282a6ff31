"""Building with a script from records of our own: what several tests do."""

import json
from pathlib import Path

from forgetscope.benchmarks.building import BuildModels
from forgetscope.benchmarks.in_context.construction.plan import BuildPlan, make_plan, settings_from
from forgetscope.benchmarks.in_context.construction.run import FinishedBuild, build
from tests.benchmarks.in_context.construction.scripted import Script, Scripted, perfect, write_source


def plan_of(source: Path, **changes: object) -> BuildPlan:
    return make_plan(settings_from({"source": str(source), "max_tokens": 64, "filler": "none", **changes}))


def run_plan(plan: BuildPlan, scripted: Scripted, out: Path, at_once: int = 4) -> FinishedBuild:
    model = scripted.model()
    models = BuildModels(model, model, {"builder": {"name": "scripted"}, "gates": {"name": "scripted"}})
    return build(plan, models, out, at_once=at_once, progress=lambda _: lambda: None)


def build_with(
    tmp_path: Path, script: Script = perfect, settings: dict[str, object] | None = None, **rows: int
) -> FinishedBuild:
    source = write_source(tmp_path / "source", **rows)
    return run_plan(plan_of(source, **(settings or {})), Scripted(script), tmp_path / "out")


def json_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
