"""The whole program: each module named here registers its commands on `app` when it is imported."""

from importlib import import_module

from forgetscope.cli.app import app

MODULES = (
    "annotate",
    "build",
    "build_unlearning",
    "comparing",
    "data",
    "demo",
    "exporting",
    "judging",
    "reports",
    "reproducing",
    "runs",
    "score",
    "unlearn",
    "unlearn_doctor",
    "unlearn_train",
    "validate",
    "visual",
)
"""Their commands stand in the help in this order."""

for _module in MODULES:
    import_module(f"forgetscope.cli.{_module}")

__all__ = ["app"]
