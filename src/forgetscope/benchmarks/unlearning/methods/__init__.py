"""The unlearning methods: one file each, registered here. `template.py` is the file to copy for a new one."""

from collections.abc import Mapping

from pydantic import ValidationError

from forgetscope.benchmarks.unlearning.methods.base import ForgetTerms, Method, RawTerms
from forgetscope.benchmarks.unlearning.methods.gradient_ascent import GradientAscent
from forgetscope.benchmarks.unlearning.methods.npo import Npo
from forgetscope.benchmarks.unlearning.methods.simnpo import SimNpo
from forgetscope.core.errors import SettingError, UnknownNameError

METHODS: dict[str, type[Method]] = {"ga": GradientAscent, "npo": Npo, "simnpo": SimNpo}
"""By the name that configurations use."""

__all__ = ["METHODS", "ForgetTerms", "GradientAscent", "Method", "Npo", "RawTerms", "SimNpo", "read_method"]


def read_method(value: object, *, where: str | None = "method") -> Method:
    """A method from how a configuration names it: `npo`, or `{kind: npo, beta: 0.2}`.

    Raises:
        UnknownNameError: no method of this name.
        SettingError: a setting the method does not have, or a value it cannot have.
    """
    if isinstance(value, Method):
        return value
    settings: Mapping[str, object] = value if isinstance(value, Mapping) else {"kind": value}
    kind = settings.get("kind")
    if not isinstance(kind, str) or kind not in METHODS:
        raise UnknownNameError("no such unlearning method", where=where, found=kind, allowed=METHODS)
    try:
        return METHODS[kind].model_validate(settings)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise SettingError(
            f"setting {name!r} of {kind}: {first['msg'].lower()}",
            where=where,
            found=first["input"],
            allowed=METHODS[kind].model_fields,
        ) from None
