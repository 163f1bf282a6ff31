"""Whether a model's name can be meant, told without building it: no key, no weights, no address is needed."""

from forgetscope.benchmarks import BENCHMARKS
from forgetscope.benchmarks.base import Benchmark
from forgetscope.core.errors import PlugInError, UnknownNameError

REFERENCE = "forgetscope/reference/"


def require_known(name: str, benchmark: Benchmark, option: str = "--model") -> None:
    """See that somebody answers to a model's name, and that a reference model is one of this benchmark's.

    Raises:
        UnknownNameError: nobody does, or it knows the items of another benchmark only.
    """
    if name.startswith(REFERENCE):
        _require_own(name.removeprefix(REFERENCE), benchmark, option)
    elif name.startswith("forgetscope/"):
        from forgetscope.models.provider import require_ours

        require_ours(name.removeprefix("forgetscope/"))
    else:
        _require_provider(name, option)


def _require_own(name: str, benchmark: Benchmark, option: str) -> None:
    own = benchmark.reference_judges if option == "--judge" else benchmark.reference_models
    if name in own:
        return
    for other in BENCHMARKS:
        try:
            known = BENCHMARKS[other]
        except PlugInError:
            continue
        if other != benchmark.name and name in known.reference_models:
            raise UnknownNameError(
                f"a reference model knows the items of its own benchmark, and this is one of {other}",
                where=f"{option} {REFERENCE}{name}",
                allowed=[f"{REFERENCE}{one}" for one in own],
            )
    from forgetscope.models.provider import require_ours

    require_ours(f"reference/{name}")


def _require_provider(name: str, option: str) -> None:
    from inspect_ai._util.registry import registry_find, registry_unqualified_name

    provider, slash, model = name.partition("/")
    known = registry_find(lambda info: info.type == "modelapi" and registry_unqualified_name(info) == provider)
    if not (slash and model and known):
        raise UnknownNameError(
            "no such provider of models" if slash and model else "not a model: PROVIDER/MODEL",
            where=f"{option} {name}",
            found=provider,
            next_step="forgetscope list, or any model name of Inspect AI such as openai/gpt-5",
        )
