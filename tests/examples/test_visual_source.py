"""The example of a visual source: installed as anybody's package, its split drawn, and run."""

import json
from pathlib import Path

from tests.benchmarks.visual.layouts import picture
from tests.examples.plugins import PLUGINS, forgetscope, installed


def test_a_plug_in_brings_pictures_on_an_axis_of_its_own(tmp_path: Path) -> None:
    for shade, name in enumerate(("banded", "cross_hatched", "dotted", "grid", "knitted", "lined", "woven")):
        for number in range(8):
            picture(tmp_path / "textures" / name / f"{number}.jpg", 10 * shade + number)
    environment = installed(PLUGINS / "visual_source", tmp_path)
    split = ("visual", "split", "textures-random-5", "--root", "textures", "--out", "split", "--allow-short")
    assert "textures-random-5: train_forget" in forgetscope(split, environment, tmp_path)
    run = ("run", "visual", "--data", "split", "--images", "textures", "--conditions", "paper", "--out", "run")
    forgetscope((*run, "--model", "forgetscope/reference/visual-perfect"), environment, tmp_path)
    figures = json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8"))["figures"]
    pooled = [one for one in figures if one["factors"].get("by") == "axis"]
    assert {one["factors"]["group"] for one in pooled} == {"texture"}
