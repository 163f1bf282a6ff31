"""The page of commands has every benchmark's options, from the declarations of its settings."""

from forgetscope.benchmarks import BENCHMARK_NAMES, settings_class
from forgetscope.core.settings import declarations
from tools.write_command_reference import page


def test_every_setting_of_every_benchmark_stands_on_the_page() -> None:
    text = page()
    for name in BENCHMARK_NAMES:
        assert f"## run {name}\n" in text
        rows = text.partition(f"### {name}\n")[2].partition("\n### ")[0]
        assert all(f"| `{setting}` |" in rows for setting in declarations(settings_class(name)))
    assert "| `--judge-what` | `judged` | `none` |" in text
