"""The models of a run: built, described, found to be ready before anything is sent."""

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from forgetscope.benchmarks.base import Benchmark
from forgetscope.core.errors import MissingPartError, SettingError, UnknownNameError, UserError
from forgetscope.core.settings import Settings
from forgetscope.io.addresses import require_address
from forgetscope.models.naming import require_known
from forgetscope.running.costs.prices import required_price
from forgetscope.running.manifest import Limits, ModelSpec
from forgetscope.running.secret_arguments import with_secrets

if TYPE_CHECKING:
    from inspect_ai.model import Model, ModelAPI


def ready_models(benchmark: Benchmark, model: ModelSpec, judges: Sequence[ModelSpec], limits: Limits) -> "list[Model]":
    """The model of a run and its judges, built, once all that can be known without asking them is known to be right.

    Raises:
        UserError: one is unknown, its key is missing, or its price where `limits` needs one; or the model, in this
            process, reads text alone where there are pictures.
    """
    from forgetscope.models.local import LocalModel

    require_known(model.name, benchmark.reference_models)
    for judge in judges:
        require_known(judge.name, benchmark.reference_judges, "--judge")
    require_prices(limits, (model, *judges))
    built = build_model(model, limits)
    if benchmark.shows_pictures and isinstance(built.api, LocalModel):
        raise SettingError(
            "this model reads text alone, and the benchmark shows pictures",
            where=f"--model {model.name}",
            next_step="forgetscope list tells which of ours see",
        )
    return [built, *(build_model(judge, limits, "--judge") for judge in judges)]


def ask_first(
    benchmark: Benchmark, settings: Settings, model: ModelSpec, judges: Sequence[ModelSpec], limits: Limits
) -> None:
    """Find out by one short request each whether a model and its judges answer; those that run here are not asked.

    Raises:
        SettingError: one does not, or refuses what every request of the run would ask.
    """
    from inspect_ai.model import GenerateConfig

    from forgetscope.models.probe import is_asked, require_answer

    config = GenerateConfig(temperature=float(getattr(settings, "temperature", 0.0)), max_tokens=settings.max_tokens)
    for spec, option in ((model, "--model"), *((judge, "--judge") for judge in judges)):
        if is_asked(spec.name, spec.base_url):
            shows = benchmark.shows_pictures and spec is model
            require_answer(build_model(spec, limits, option), config, option, shows_picture=shows)


def require_prices(limits: Limits, models: Sequence[ModelSpec]) -> None:
    """See that every model of a run has a price where the run is limited by one.

    Raises:
        SettingError: one has none.
    """
    if limits.max_usd is not None:
        for spec in models:
            required_price(limits.prices, spec.name, "--max-usd")


def build_model(spec: ModelSpec, limits: Limits, option: str = "--model") -> "Model":
    """The Inspect model of a specification, with the run's patience; `option` named it, for messages.

    Raises:
        UserError: the provider or model is unknown, a key is missing, an argument is wrong, or a model in this process
            is told how to think.
    """
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import GenerateConfig, get_model

    from forgetscope.models.probe import require_startable
    from forgetscope.running.patience import patient, total_timeout

    require_startable(spec.name, spec.base_url, option)
    in_process = spec.name.startswith("forgetscope/")
    config = GenerateConfig(
        max_retries=limits.max_retries,
        timeout=None if in_process else total_timeout(limits),
        attempt_timeout=None if in_process else limits.attempt_timeout,
        max_connections=limits.max_connections,
        frequency_penalty=spec.frequency_penalty or None,
        reasoning_effort=spec.reasoning_effort,
        reasoning_tokens=spec.reasoning_tokens,
    )
    if in_process and (spec.reasoning_effort or spec.reasoning_tokens):
        raise SettingError("a model in this process thinks as it will", where=f"{option} {spec.name}")
    if "max_retries" in spec.args:
        raise SettingError(
            "requests are repeated by the run itself",
            where=f"{option} {spec.name}, max_retries",
            next_step="--max-retries",
        )
    try:
        arguments: dict[str, Any] = with_secrets(spec.args, f"-M of {spec.name}")
        model = get_model(spec.name, base_url=spec.base_url, config=config, memoize=False, **arguments)
        model.model_args = dict(spec.args)  # which Inspect logs: with the names of variables, not what they hold
        require_address(getattr(model.api, "base_url", None), f"the address of {spec.name}")  # also from a variable
        _require_sendable_keys(model.api, f"{option} {spec.name}")
        if in_process and limits.max_connections is None:
            # Inspect would start with twenty and feel its way up; what runs here knows how many it takes.
            model.config.max_connections = model.api.max_connections()
        return patient(model, limits, in_process=in_process)
    except UserError:
        raise
    except PrerequisiteError as error:
        said = _plain(str(error)).removeprefix("ERROR: ")
        wanted = "install it" if "pip install" in said else "set the variable it names"
        raise SettingError(
            said,
            where=f"{option} {spec.name}",
            next_step=f"{wanted}, or try a model that needs none: --model forgetscope/smollm2",
        ) from None
    except ModuleNotFoundError as error:
        raise MissingPartError(_plain(str(error)), where=f"{option} {spec.name}") from None
    except Exception as error:
        if in_process and not isinstance(error, _OF_MODELS_HERE):
            raise
        raise UnknownNameError(  # a provider's package says in its own way that it takes no such argument
            "cannot make this model",
            where=f"{option} {spec.name}",
            found=_plain(str(error)),
            next_step="forgetscope list, or any model name of Inspect AI such as openai/gpt-5",
        ) from None


_OF_MODELS_HERE = (ValueError, TypeError, ImportError, OSError, LookupError, RuntimeError)


def _require_sendable_keys(api: "ModelAPI", where: str) -> None:
    """See that the keys that requests will carry can stand in a request: each would fail, and repeat the key.

    Raises:
        SettingError: one holds what no key holds; names its variable.
    """
    client = getattr(api, "client", None)
    held = {getattr(api, "api_key", None), *(getattr(client, name, None) for name in ("api_key", "auth_token"))}
    for key in held:
        if not isinstance(key, str) or (key.isascii() and key.isprintable() and key == key.strip()):
            continue
        variable = next((name for name, value in os.environ.items() if value == key), None)
        raise SettingError(
            f"the key{f' in {variable}' if variable else ''} has white space around it, or a sign that no key has",
            where=where,
            allowed="printable signs of ASCII",
            next_step=f"export {variable or 'it'} without: a .env file with Windows' line ends leaves a CR",
        )


def describe_model(spec: ModelSpec, model: "Model", settings: Settings) -> ModelSpec:
    """The specification completed with what the model says of itself: its decoding, its weights' hash."""
    from inspect_ai.model import GenerateConfig

    from forgetscope.models.decoding import Decoding
    from forgetscope.models.local import LocalModel

    penalty, temperature = spec.frequency_penalty, float(getattr(settings, "temperature", 0.0))
    if not isinstance(model.api, LocalModel):
        thinks = {"effort": spec.reasoning_effort, "tokens": spec.reasoning_tokens}
        words = "".join(f", reasoning {name} {value}" for name, value in thinks.items() if value is not None)
        return spec.model_copy(
            update={"decoding": Decoding(temperature=temperature, frequency_penalty=penalty).label() + words}
        )
    config = GenerateConfig(temperature=temperature, max_tokens=settings.max_tokens, frequency_penalty=penalty or None)
    return spec.model_copy(
        update={"decoding": model.api.decoding_label(config), "weights_sha256": model.api.weights_sha256()}
    )


def _plain(text: str) -> str:
    """Inspect's messages carry terminal markup and several lines."""
    return " ".join(re.sub(r"\[/?[a-z ]*\]", "", text).split())
