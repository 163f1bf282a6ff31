"""Print or write what the papers' own tables say of their statements: see the package."""

import argparse

from tools.paper_audits import AUDITS, __doc__


def main() -> None:
    """Read the command line and recompute what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", nargs="*", choices=[*AUDITS, []], metavar="BENCHMARK", help=", ".join(AUDITS))
    parser.add_argument("--write", action="store_true", help="write the data files and the page")
    given = parser.parse_args()
    for name in given.benchmark or AUDITS:
        if given.write:
            AUDITS[name].write()
            print(AUDITS[name].json_path)
        else:
            print(AUDITS[name].chapter())


if __name__ == "__main__":
    main()
