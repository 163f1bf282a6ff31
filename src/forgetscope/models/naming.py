"""Whether a model's name can be meant, told without building it: no key, no weights, no address is needed."""

from collections.abc import Collection

from forgetscope.core.errors import UnknownNameError

REFERENCE = "forgetscope/reference/"


def require_known(name: str, references: Collection[str], option: str = "--model") -> None:
    """See that somebody answers to a model's name, and that a reference model is one of the benchmark that is run.

    Args:
        name: Of the model.
        references: Names of that benchmark's reference models, or judges.
        option: What named it, for messages.

    Raises:
        UnknownNameError: nobody does, or it knows the items of another benchmark only.
    """
    if name.startswith(REFERENCE):
        if name.removeprefix(REFERENCE) not in references:
            raise UnknownNameError(
                "this benchmark has no such reference model",
                where=f"{option} {name}",
                found=name.removeprefix(REFERENCE),
                allowed=references,
            )
    elif name.startswith("forgetscope/"):
        from forgetscope.models.provider import require_ours

        require_ours(name.removeprefix("forgetscope/"))
    else:
        _require_provider(name, option)


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
