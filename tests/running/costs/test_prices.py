"""Prices from a file, and what calls cost."""

from pathlib import Path

import pytest

from forgetscope.core.errors import DataError, SettingError
from forgetscope.running.costs.prices import Price, Tokens, cost, dollars, price_of, read_prices, required_price


def _file(folder: Path, text: str) -> Path:
    path = folder / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_yaml_and_json_are_read_alike(tmp_path: Path) -> None:
    yaml = read_prices(_file(tmp_path, "openai/gpt-5:\n  input: 1.25\n  output: 10\n"))
    assert yaml == {"openai/gpt-5": Price(input=1.25, output=10)}
    assert read_prices(_file(tmp_path, '{"openai/gpt-5": {"input": 1.25, "output": 10}}')) == yaml


def test_an_exact_name_goes_before_patterns_and_a_longer_pattern_before_a_shorter() -> None:
    free, dear, own = (Price(input=price, output=price) for price in (0, 9, 1))
    prices = {"openai/*": free, "openai/gpt-5*": dear, "openai/gpt-5-mini": own}
    assert price_of(prices, "openai/gpt-5-mini") is own
    assert price_of(prices, "openai/gpt-5-pro") is dear
    assert price_of(prices, "openai/o4") is free
    assert price_of(prices, "google/g") is None
    with pytest.raises(SettingError, match=r"--max-usd: no price is known for google/g.*--prices FILE"):
        required_price(prices, "google/g", "--max-usd")


def test_cached_input_has_its_own_price_where_one_is_given() -> None:
    tokens = Tokens(input=1_000_000, output=500_000, cached=2_000_000)
    assert cost(Price(input=1, output=10), tokens) == pytest.approx(1 + 5 + 2)
    assert cost(Price(input=1, output=10, cached_input=0.1), tokens) == pytest.approx(1 + 5 + 0.2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: {input: -1, output: 2}", "not a price: .*greater than or equal to 0"),
        ("a: {input: 1}", "output"),
        ("a: {input: 1, output: 2, image: 3}", "image"),
        ("- 1", "for each model"),
        ("a: [", "not YAML that can be read"),
    ],
)
def test_what_is_no_price_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_prices(_file(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "a: {input: 1, output: 2, api_key: hidden-value-123}",
        "a: {input: 1, api_key: hidden-value-123}",
        "a: {api_key: hidden-value-123, input: 1, output: 2}",
    ],
)
def test_what_stands_in_an_unknown_field_is_not_repeated(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match="not a price") as refused:
        read_prices(_file(tmp_path, text))
    assert "hidden-value" not in str(refused.value)


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_prices(tmp_path / "none.yaml")


def test_small_amounts_keep_their_digits() -> None:
    assert [dollars(amount) for amount in (0, 0.00123, 0.5, 1234.5)] == [
        "0.00 USD",
        "0.0012 USD",
        "0.50 USD",
        "1,234.50 USD",
    ]
