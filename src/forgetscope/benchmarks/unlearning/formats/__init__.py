"""The forms a forget set is given (paper, section 3.2): raw text, pruned text, triplets.

A format is a module with a subclass of `FormatSettings` that turns chunks into texts; to register one, add the class to
`AnyFormatSettings`. `README.md` in this folder shows how.
"""

from collections.abc import Mapping
from typing import Annotated, TypeAlias, get_args

from pydantic import Field

from forgetscope.benchmarks.unlearning.formats.base import FormatParts, FormatSettings
from forgetscope.benchmarks.unlearning.formats.packing import pack
from forgetscope.benchmarks.unlearning.formats.pruned import PrunedSettings
from forgetscope.benchmarks.unlearning.formats.raw import RawSettings
from forgetscope.benchmarks.unlearning.formats.triplets import TripletsSettings

__all__ = ["FORMATS", "AnyFormatSettings", "FormatParts", "FormatSettings", "pack"]

_Registered: TypeAlias = RawSettings | PrunedSettings | TripletsSettings

AnyFormatSettings = Annotated[_Registered, Field(discriminator="format")]
"""The settings of any registered format, told apart by `format`: the type of a field in a configuration."""

FORMATS: Mapping[str, type[FormatSettings]] = {
    settings.model_fields["format"].default: settings for settings in get_args(_Registered)
}
"""The settings of each format, by its name."""
