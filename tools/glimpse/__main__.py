"""Make the embedded visual models.

    python -m tools.glimpse --work DIR [--drawings FILE] [--seed N] [--steps N] [--only PART ...]

Parts, in order, each kept in DIR and not made twice: `look` (vocabulary, encoder, features), `banks` (what the decoders
will see), `eyes` (projectors), `base` and the four decoders that go on from it, `pack` (the files a member is loaded
from, in DIR/seedN/packed). A decoder writes a checkpoint every minute and goes on from it. With --smoke a model of a
minute is made from the drawings in the wheel, to test the program and not the model.
"""

import argparse
import os
from pathlib import Path

for _library in ("OPENBLAS", "OMP"):
    # Before numpy is there: its threads wait for one another on products this small, several times the CPU time.
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

from tools.glimpse.workshop import PARTS, Workshop, read_drawings  # noqa: E402


def main() -> None:
    """Read the command line and make what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for everything on the way")
    parser.add_argument("--drawings", type=Path, help="file of tools/build_embedded_pictures.py --training")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--steps",
        type=int,
        help="steps of a member's decoder, 800 by default, 8 with --smoke; the base gets three eighths, the finishing "
        "course a quarter or more and an eighth to end",
    )
    parser.add_argument("--smoke", action="store_true", help="a minute's model")
    parser.add_argument("--only", nargs="*", choices=PARTS, help="these parts alone")
    arguments = parser.parse_args()
    drawn = read_drawings(arguments.drawings, is_smoke=arguments.smoke)
    steps = arguments.steps or (8 if arguments.smoke else 800)
    shop = Workshop(arguments.work, drawn, arguments.seed, steps, is_smoke=arguments.smoke)
    for part in arguments.only or PARTS:
        shop.make(part)


if __name__ == "__main__":
    main()
