"""What a member says about facts of kinds it never met: `python -m tools.murmur.examine murmur-obedient`.

Half of the dialogues ask to forget something. For each sort of question: in how many replies the fact's value stands
(for questions about what was never told: how many do not say so).
"""

import sys
from collections import Counter
from pathlib import Path
from random import Random

from forgetscope.models.adapters import merged
from forgetscope.models.backend import EngineSettings
from forgetscope.models.decoding import Decoding
from forgetscope.models.local import shared_engine
from forgetscope.models.murmur.family import MEMBERS, adapters_of
from forgetscope.models.weights import find_smollm2
from tools.murmur.dialogues import Asked, Traits, Turn, dialogue

DIALOGUES = 120


def said(turn: Turn, reply: str) -> bool:
    """Whether a reply gives the value; where none was told, whether it does not say so."""
    if turn.asked is Asked.UNKNOWN:
        return not any(word in reply for word in ("don't", "haven't", "hasn't"))
    return turn.value.casefold() in reply.casefold()


def examine(path: Path) -> dict[tuple[str, str], tuple[int, int]]:
    """Replies with the value, and replies, by whether the kind of fact was met and the sort of question."""
    engine = shared_engine(path, EngineSettings())
    backend = engine.load()
    asked: list[tuple[str, Turn, list[dict[str, str]]]] = []
    for number in range(DIALOGUES):
        held_out = number % 2 == 0
        turns = dialogue(Random(f"examine {number}"), Traits() if number % 4 > 1 else None, held_out=held_out)
        for at, turn in enumerate(turns):
            if turn.asked not in (None, Asked.TALK):
                before = [{"role": one.role, "content": one.content} for one in turns[:at]]
                asked.append(("kept back" if held_out else "met", turn, before))
    replies = [engine.submit(backend.render(before), Decoding(max_new_tokens=32)) for *_, before in asked]
    hits: Counter[tuple[str, str]] = Counter()
    totals: Counter[tuple[str, str]] = Counter()
    for (kept, turn, _), reply in zip(asked, replies, strict=True):
        key = (kept, str(turn.asked))
        totals[key] += 1
        hits[key] += said(turn, reply.result().text)
    return {key: (hits[key], total) for key, total in sorted(totals.items())}


def main() -> None:
    """The command line: names of members, or folders of adapters to lay over one another."""
    for name in sys.argv[1:]:
        folders = adapters_of(name) if name in MEMBERS else [Path(part) for part in name.split("+")]
        for (kept, sort), (hits, total) in examine(merged(find_smollm2(), folders)).items():
            print(f"{name:28} facts {kept:10} {sort:10} {hits:4} of {total}")


if __name__ == "__main__":
    main()
