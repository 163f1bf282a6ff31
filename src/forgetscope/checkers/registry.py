"""All constraints by id, the paper's fifteen first and IFBench's last, and the strict check of one."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from forgetscope.checkers import constraints
from forgetscope.checkers.base import Behaviour, Verdict
from forgetscope.checkers.ifbench import TABLE
from forgetscope.checkers.record import Constraint
from forgetscope.core.registry import Registry


def _ours() -> dict[str, Constraint[Any]]:
    """Every record in the modules of `constraints`, in the order of their places, then IFBench's table."""
    modules = [import_module(f"{constraints.__name__}.{module.name}") for module in iter_modules(constraints.__path__)]
    found = [part for module in modules for part in vars(module).values() if isinstance(part, Constraint)]
    return {part.instruction_id: part for part in (*sorted(found, key=lambda part: part.place), *TABLE)}


CONSTRAINTS: Registry[Constraint[Any]] = Registry("constraint", "forgetscope.constraints", _ours(), Constraint)


def check(
    instruction_id: str,
    kwargs: Mapping[str, object],
    reply: str,
    *,
    behaviour: Behaviour = Behaviour.REFERENCE,
) -> Verdict:
    """Whether `reply`, as it is (IFEval's strict reading), follows one constraint.

    Raises:
        UnknownNameError: The id, or a relation or language in `kwargs`, is not known.
        DataError: `kwargs` do not fit the type.
    """
    return CONSTRAINTS[instruction_id].bind(kwargs)(reply, behaviour)
