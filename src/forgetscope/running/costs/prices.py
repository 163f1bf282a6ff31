"""Prices of models, from a small file, and what calls cost with them.

The file is YAML or JSON, US dollars per million tokens::

    openai/gpt-5:
      input: 1.25
      output: 10.0
      cached_input: 0.125     # may be left out: then as input
    anthropic/*:              # a pattern; an exact name goes before patterns, a longer pattern before a shorter one
      input: 3
      output: 15

Nothing is built in: prices change, and a wrong one would be worse than none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from forgetscope.core.errors import DataError, SettingError, refused_value
from forgetscope.io.received import LARGEST_SETTINGS, parse_yaml, read_text

MILLION = 1_000_000


class Price(BaseModel):
    """US dollars per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of calls; `cached` were read from the provider's cache and are not in `input`."""

    input: int = 0
    output: int = 0
    cached: int = 0


_PRICES = TypeAdapter(dict[str, Price])


def read_prices(path: Path) -> dict[str, Price]:
    """The prices of a file, by model name or pattern.

    Raises:
        DataError: missing, not YAML, or not prices; names the model and field.
    """
    loaded = parse_yaml(read_text(path, at_most=LARGEST_SETTINGS), where=str(path))
    try:
        return _PRICES.validate_python(loaded)
    except ValidationError as error:
        first = error.errors()[0]
        raise DataError(
            f"not a price: {first['msg'][0].lower()}{first['msg'][1:]}",
            where=f"{path}, {' '.join(str(part) for part in first['loc']) or 'file'}",
            found=refused_value(first),
            allowed="for each model: input, output and perhaps cached_input, in USD per million tokens",
        ) from None


def price_of(prices: Mapping[str, Price], model: str) -> Price | None:
    """The price of a model: under its name, else under the longest pattern that fits; None without one."""
    if model in prices:
        return prices[model]
    fitting = [pattern for pattern in prices if "*" in pattern and fnmatchcase(model, pattern)]
    return prices[max(fitting, key=len)] if fitting else None


def required_price(prices: Mapping[str, Price], model: str, where: str) -> Price:
    """The price of a model that must have one.

    Raises:
        SettingError: it has none.
    """
    found = price_of(prices, model)
    if found is None:
        raise SettingError(
            f"no price is known for {model}",
            where=where,
            found=", ".join(prices) or "no prices",
            next_step="name its price in a file and give it with --prices FILE",
        )
    return found


def cost(price: Price, tokens: Tokens) -> float:
    """US dollars.

    >>> cost(Price(input=1, output=10), Tokens(input=500_000, output=100_000))
    1.5
    """
    cached = price.input if price.cached_input is None else price.cached_input
    return (tokens.input * price.input + tokens.output * price.output + tokens.cached * cached) / MILLION


def dollars(amount: float) -> str:
    """An amount for a person: cents, and more digits where it is small."""
    return f"{amount:,.2f} USD" if amount >= 0.1 or amount == 0 else f"{amount:.2g} USD"
