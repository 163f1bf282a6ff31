"""The unlearning methods: settings, a loss, what `doctor` says of them. A file here is a method of the file's name.

Not so `base.py`, what a method is, `terms.py`, what its loss may use, `advice.py`, what it may say before training.
To add one: copy `template.py` to the name configurations shall use. From a package of your own: an entry point of the
group `forgetscope.methods`, whose name is the method's (`examples/plugins/method`).
"""

from collections.abc import Mapping
from pkgutil import iter_modules

from pydantic import ValidationError

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.core.errors import PlugInError, SettingError, UnknownNameError, refused_value
from forgetscope.core.registry import Registry

OF_THE_PAPER = ("ga", "npo", "simnpo")
"""The three of the paper, in its order: those a grid has unless it says otherwise."""

_NO_METHODS = ("advice", "base", "template", "terms")
_FILES = sorted({module.name for module in iter_modules(__path__)} - set(_NO_METHODS))

METHODS: Registry[type[Method]] = Registry(
    "unlearning method",
    "forgetscope.methods",
    {name: f"{__name__}.{name}:METHOD" for name in dict.fromkeys((*OF_THE_PAPER, *_FILES))},
    type,
)
"""Classes by the name that configurations use, in the order of tables; PyTorch is imported with the first class."""


def method_class(name: str) -> type[Method]:
    """The class of a method.

    Raises:
        UnknownNameError: no method of this name.
        PlugInError: one of an installed package that cannot be imported, or is not a method of this name.
    """
    found = METHODS[name]
    if not issubclass(found, Method) or found.model_fields["kind"].default != name:
        raise PlugInError(
            "this is no unlearning method of its name",
            where=f"plug-in of {METHODS.origin(name)}",
            found=f"{name}: {found.__name__}",
            allowed=f"a subclass of Method with kind: Literal[{name!r}] = {name!r}",
        )
    return found


def read_method(value: object, *, where: str | None = "method") -> Method:
    """A method from how a configuration names it: `npo`, or `{kind: npo, beta: 0.2}`.

    Raises:
        UnknownNameError: no method of this name.
        PlugInError: as in `method_class`.
        SettingError: a setting the method does not have, or a value it cannot have.
    """
    if isinstance(value, Method):
        return value
    settings: Mapping[str, object] = value if isinstance(value, Mapping) else {"kind": value}
    kind = settings.get("kind")
    if not isinstance(kind, str) or kind not in METHODS:
        raise UnknownNameError("no such unlearning method", where=where, found=kind, allowed=METHODS)
    chosen = method_class(kind)
    try:
        return chosen.model_validate(settings)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise SettingError(
            f"setting {name!r} of {kind}: {first['msg'].lower()}",
            where=where,
            found=refused_value(first),
            allowed=chosen.model_fields,
        ) from None
