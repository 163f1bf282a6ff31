"""Look every pinned version up among known vulnerabilities: exit 0 none, 1 some, 2 the database was not reached.

python tools/audit_requirements.py PATH_OF_PIP_AUDIT
"""

import json
import subprocess
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[1] / "requirements"
ASKED = ("--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off")
UNREACHED = "audit: the database of known vulnerabilities is not reachable, so nothing is known"


def main(pip_audit: str) -> int:
    """Print what is known, a line a vulnerability, and what could not be looked up."""
    looked_up: dict[tuple[str, str], dict[str, object]] = {}
    for path in sorted(REQUIREMENTS.glob("*.txt")):  # one by one: a version may stand in two of them
        made = subprocess.run(  # noqa: S603 - the tool that was named
            (pip_audit, *ASKED, "--requirement", str(path)),
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            entries = json.loads(made.stdout)["dependencies"]
        except (ValueError, KeyError, TypeError):
            last = made.stderr.strip().splitlines()[-1:] or ["no answer"]
            print(f"{UNREACHED} ({path.name}: {last[0][:160]})", file=sys.stderr)
            return 2
        looked_up |= {(entry["name"], entry.get("version", "")): entry for entry in entries}
    return told(list(looked_up.values()))


def told(looked_up: list[dict[str, object]]) -> int:
    """Print pip-audit's account, which finds no fault in a version it could not look up: it "skipped" that."""
    skipped = [entry for entry in looked_up if "skip_reason" in entry]
    if len(skipped) == len(looked_up):
        print(f"{UNREACHED} ({len(skipped)} versions asked for, none found)", file=sys.stderr)
        return 2
    found = 0
    for entry in looked_up:
        for known in entry.get("vulns") or ():  # type: ignore[attr-defined]
            found += 1
            fixed = ", ".join(known["fix_versions"]) or "nowhere yet"
            print(f"{entry['name']} {entry['version']}: {known['id']}, mended in {fixed}")
    for entry in skipped:
        print(f"not looked up: {entry['name']} ({entry['skip_reason']})", file=sys.stderr)
    print(f"audit: {len(looked_up) - len(skipped)} versions looked up, {found} known vulnerabilities")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
