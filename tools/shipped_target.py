"""Make the shipped models of the unlearning benchmark again: the target, and the one that never knew its forget side.

    python tools/shipped_target.py --work DIR [--out DIR] [--retain-only]

Fits the embedded Llama to the embedded corpus, or to its retain side (about 90 and 75 CPU seconds; DIR may be the
folder of a grid that has done so), stores it in 16 bits, and measures what it knows after rounding. The same on
machines of one kind; on another processor the last digits of the weights differ, and with them the hash.
"""

import argparse
import json
import tempfile
from pathlib import Path

from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.settings import Experiment, Role
from forgetscope.benchmarks.unlearning.training.shipped import (
    MODEL_FOLDERS,
    PROVENANCE_NAME,
    SHIPPED,
    SHIPPED_RETAIN_ONLY,
    WEIGHTS_NAME,
)
from forgetscope.benchmarks.unlearning.training.target import TargetRecord, load_target, make_target
from forgetscope.io.files import write_text
from forgetscope.models.weights import sha256_of

KIND = "embedded reference: a small model made from nothing for this project, of generated news; no model people use"


def pack(experiment: Experiment, work: Path, out: Path, *, role: Role = "target") -> str:
    """Make a model in `work` unless it is there, store it in 16 bits in `out`; returns the SHA-256 of the weights.

    Raises:
        UserError: the target came out below its gate, or a folder cannot be written.
    """
    corpus, chunk_tokens, settings = (
        experiment.data.corpus.load(),
        experiment.data.chunk_tokens,
        experiment.models[role],
    )
    folder = GridFolder(work).target(settings.identity(corpus.sha256, chunk_tokens))
    made = make_target(settings, corpus, folder, chunk_tokens=chunk_tokens)
    load_target(folder).save(out, half=True)
    (out / WEIGHTS_NAME).chmod(0o644)
    with tempfile.TemporaryDirectory() as name:
        given = settings.model_copy(update={"model": str(out), "fit": None})
        packed = make_target(given, corpus, Path(name), chunk_tokens=chunk_tokens)
    sha256 = sha256_of(out / WEIGHTS_NAME)
    write_text(out / PROVENANCE_NAME, _provenance(made, packed, sha256))
    return sha256


def _provenance(made: TargetRecord, packed: TargetRecord, sha256: str) -> str:
    """How the weights were made, from what, and what they know before and after rounding."""
    content = {
        "kind": KIND,
        "licence": "Apache-2.0",
        "model_safetensors_sha256": sha256,
        "made": made.model_dump(mode="json", exclude={"path", "seconds"}),
        "weights_sha256_in_16_bits": packed.weights_sha256,
        "knows_in_16_bits": packed.knows,
    }
    return json.dumps(content, indent=2) + "\n"


def main() -> None:
    """Read the command line and make the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for the target before rounding")
    parser.add_argument("--out", type=Path, help="folder of the shipped files; the package's own where left out")
    parser.add_argument("--retain-only", action="store_true", help="the model that never knew, instead of the target")
    arguments = parser.parse_args()
    role: Role = "retain_only" if arguments.retain_only else "target"
    name = SHIPPED_RETAIN_ONLY if arguments.retain_only else SHIPPED
    out = arguments.out or MODEL_FOLDERS[name]
    print(f'"{name}": "{pack(settings_of({}).experiments[0], arguments.work, out, role=role)}"')


if __name__ == "__main__":
    main()
