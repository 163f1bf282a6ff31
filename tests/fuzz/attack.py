"""One damaged file after another through what reads it, and what came of each."""

import os
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forgetscope.core.errors import UserError
from tests.fuzz.mutations import mutated
from tests.fuzz.targets import Target

MOST_SECONDS = 5.0
"""Of CPU for one damaged file."""


@dataclass
class Account:
    """What came of the damaged files.

    Attributes:
        outcomes: How many were read, and how many refused.
        broken: By cause, the first that showed it: its target and seed, and the traceback.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    broken: dict[str, str] = field(default_factory=dict)

    def note(self, cause: str, told: str) -> None:
        """A fault."""
        self.outcomes["broken"] += 1
        self.broken.setdefault(cause, told)

    def __str__(self) -> str:
        counts = ", ".join(f"{count:,} {what}" for what, count in sorted(self.outcomes.items()))
        return "\n\n".join([f"{sum(self.outcomes.values()):,} damaged: {counts}", *self.broken.values()])


def attack(targets: Sequence[Target], folder: Path, seeds: Iterator[int], account: Account) -> None:
    """Each seed damages one file; its number alone makes the same file again."""
    outside = folder / "outside"
    outside.mkdir(parents=True, exist_ok=True)
    (outside / "secret.txt").write_text("secret\n", encoding="utf-8")
    for seed in seeds:
        chance = random.Random(seed)
        target = targets[chance.randrange(len(targets))]
        content = mutated(target.sound, chance).replace(b"OUTSIDE", str(outside).encode())
        path = target.place(folder / "given", content)
        attempt(account, f"{target.name}, seed {seed}", lambda use=target.use, path=path: use(path), outside)  # type: ignore[misc]


def attempt(account: Account, name: str, use: Callable[[], object], outside: Path) -> None:
    """One use of one damaged thing: read, refused in one line, or a fault."""
    started = time.process_time()
    try:
        with warnings.catch_warnings(), watching(outside) as touched:
            warnings.simplefilter("ignore")
            use()
        account.outcomes["read"] += 1
    except UserError as error:
        account.outcomes["refused"] += 1
        if len(str(error).splitlines()) != 1 or len(str(error)) > 2000:
            account.note(f"no line: {type(error).__name__}", f"{name}: {error!r:.600}")
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "forgetscope" in frame.filename] or [
            where
        ]
        cause = f"{type(error).__name__} at {Path(ours[-1].filename).name}:{ours[-1].lineno}"
        account.note(cause, f"{name}: {cause}\n{''.join(traceback.format_exception(error))[-1500:]}")
    if touched:
        account.note(f"touched outside by {name.partition(',')[0]}", f"{name}: {touched[0]}")
    if (spent := time.process_time() - started) > MOST_SECONDS:
        account.note(f"slow: {name.partition(',')[0]}", f"{name}: {spent:.1f} CPU s")


_watched: list[tuple[str, list[str]]] = []
_is_listening: list[bool] = []


@contextmanager
def watching(outside: Path) -> Iterator[list[str]]:
    """What is opened below a folder while the block runs."""
    if not _is_listening:
        sys.addaudithook(_listen)
        _is_listening.append(True)
    touched: list[str] = []
    _watched.append((str(outside), touched))
    try:
        yield touched
    finally:
        _watched.pop()


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if (
        _watched
        and event in ("open", "os.remove", "os.rename", "os.mkdir", "shutil.rmtree")
        and isinstance(arguments[0], str | Path)
    ):
        root, touched = _watched[-1]
        if os.path.realpath(arguments[0]).startswith(root):
            touched.append(f"{event} {arguments[0]}")
