"""`list`, `data`, `score-ifeval`: what there is, and the checkers alone."""

from pathlib import Path
from typing import Annotated

import typer

from forgetbench.cli.app import JsonOption, app
