"""Write beside every pinned version the SHA-256 of every file there is of it; its comments stay.

python tools/write_hashes.py PATH_OF_UV
"""

import subprocess
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[1] / "requirements"
HASHED = ("run", "build", "dev", "docs", "audit", "exports")
"""All but torch.txt: each index serves a build of its own."""

OLDEST_PYTHON = "3.11.5"
"""The oldest that all pinned versions run on, but for `exports`: every-eval-ever says that it needs 3.12."""

ASKED = ("--no-deps", "--generate-hashes", "--no-header", "--no-annotate", "--quiet", "--python-version")


def main(uv: str) -> None:
    """Every file anew."""
    for name in HASHED:
        path = REQUIREMENTS / f"{name}.txt"
        lines = path.read_text(encoding="utf-8").splitlines()
        told = [line for line in lines if line.startswith("#")]
        pins = "\n".join(line.removesuffix(" \\") for line in lines if "==" in line)
        made = subprocess.run(  # noqa: S603 - the tool that was named
            (uv, "pip", "compile", "-", *ASKED, "3.12" if name == "exports" else OLDEST_PYTHON),
            input=pins,
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            sys.exit(f"{path.name}: {made.stderr.strip()}")
        path.write_text("\n".join(told) + "\n" + made.stdout, encoding="utf-8")
        print(f"{path.name}: {made.stdout.count('==')} versions, {made.stdout.count('--hash=')} files")


if __name__ == "__main__":
    main(*sys.argv[1:])
