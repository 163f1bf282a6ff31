"""Run what `forgetscope validate` runs and keep its findings beside each benchmark, for the reports' methods pages.

    python tools/write_certificates.py [BENCHMARK ...]

With `--from FILE` the output of `forgetscope validate BENCHMARK --json` is kept in place of a new run.
"""

import argparse
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from forgetscope.benchmarks import GRIDS, every_benchmark, get_benchmark, package_of
from forgetscope.benchmarks.methods import CERTIFICATE_NAME, Certificate, CertifiedCheck
from forgetscope.core.version import VERSION

SOURCE = Path(__file__).parents[1] / "src"


def found_now(benchmark: str) -> str:
    """What `validate` prints."""
    command = [str(Path(sys.executable).with_name("forgetscope")), "validate", benchmark, "--json"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603


def certificate(benchmark: str, printed: str) -> Certificate:
    """The certificate of a benchmark from what `validate --json` printed."""
    prompts_version, data_sha256 = _used(benchmark)
    checks = [{key: value for key, value in entry.items() if key != "benchmark"} for entry in json.loads(printed)]
    return Certificate(
        benchmark=benchmark,
        made=datetime.now(UTC).date().isoformat(),
        forgetscope=VERSION,
        prompts_version=prompts_version,
        data_sha256=data_sha256,
        checks=tuple(CertifiedCheck.model_validate(entry) for entry in checks),
    )


def _used(benchmark: str) -> tuple[str, str]:
    """Version of the prompts and hash of the data that `validate` used."""
    if benchmark in GRIDS:
        return GRIDS[benchmark].prompts_version, GRIDS[benchmark].validated_data()
    chosen = get_benchmark(benchmark)
    plan = chosen.plan(chosen.settings.model_validate({**chosen.validation_settings, "data": "embedded"}))
    return chosen.prompts_version, plan.data_sha256


def main() -> None:
    """Write the certificates asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", nargs="*")
    parser.add_argument("--from", dest="source", type=Path)
    given = parser.parse_args()
    for name in given.benchmark or every_benchmark():
        printed = given.source.read_text(encoding="utf-8") if given.source else found_now(name)
        path = SOURCE.joinpath(*package_of(name).split("."), CERTIFICATE_NAME)
        path.write_text(certificate(name, printed).model_dump_json(indent=1) + "\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
