"""Run the tests tier by tier and say how long each took and what it may take on two idle cores.

    python tools/time_test_tiers.py [TIER ...]

A tier over its time is said and fails nothing: machines differ, and are shared. A test that fails, fails.
"""

import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.tiers import TIERS


def main() -> int:
    """Run the tiers asked for; all without."""
    asked = sys.argv[1:]
    unknown = sorted(set(asked) - {tier.name for tier in TIERS})
    if unknown:
        print(
            f"no such tier: {', '.join(unknown)}; there are {', '.join(tier.name for tier in TIERS)}", file=sys.stderr
        )
        return 2
    lines = []
    worst = 0
    for tier in reversed([tier for tier in TIERS if not asked or tier.name in asked]):
        started = time.perf_counter()
        command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", "-m", tier.name]
        code = subprocess.run(command, check=False).returncode  # noqa: S603
        minutes = (time.perf_counter() - started) / 60
        worst = max(worst, 0 if code == 5 else code)
        state = "failed" if code not in (0, 5) else "over" if minutes > tier.minutes else ""
        lines.append(f"{tier.name:10}{minutes:6.1f} of {tier.minutes:2} min  {state:7} {tier.what}")
    print("\n".join(lines))
    return worst


if __name__ == "__main__":
    sys.exit(main())
