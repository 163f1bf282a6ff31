"""Where forget, retain and their questions come from.

A source is a module with a subclass of `CorpusSettings` that loads it; to register one, add the class to
`AnyCorpusSettings`. `README.md` in this folder shows how.
"""

from collections.abc import Mapping
from typing import Annotated, TypeAlias, get_args

from pydantic import Field, TypeAdapter, ValidationError

from forgetscope.benchmarks.unlearning.data.corpora.base import CorpusSettings
from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings
from forgetscope.benchmarks.unlearning.data.corpora.fairytaleqa import FairytaleSettings
from forgetscope.benchmarks.unlearning.data.corpora.folder import FolderSettings
from forgetscope.benchmarks.unlearning.data.corpora.muse import MuseSettings
from forgetscope.benchmarks.unlearning.data.corpora.tofu import TofuSettings
from forgetscope.core.errors import SettingError, UnknownNameError, refused_value

__all__ = ["SOURCES", "AnyCorpusSettings", "CorpusSettings", "corpus_settings"]

_Registered: TypeAlias = EmbeddedSettings | MuseSettings | TofuSettings | FairytaleSettings | FolderSettings

AnyCorpusSettings = Annotated[_Registered, Field(discriminator="source")]
"""The settings of any registered source, told apart by `source`: the type of a field in a configuration."""

SOURCES: Mapping[str, type[CorpusSettings]] = {
    settings.model_fields["source"].default: settings for settings in get_args(_Registered)
}
"""The settings of each source, by its name."""


def corpus_settings(row: Mapping[str, object]) -> CorpusSettings:
    """Settings from plain values, as a configuration file holds them: `source` and what the source knows besides.

    Raises:
        UnknownNameError: no such source.
        SettingError: a setting is unknown, missing, or of another type.
    """
    source = row.get("source")
    if source not in SOURCES:
        raise UnknownNameError("unknown source of a corpus", where="source", found=source, allowed=SOURCES)
    try:
        settings: CorpusSettings = TypeAdapter(AnyCorpusSettings).validate_python(row)
    except ValidationError as error:
        first = error.errors()[0]
        raise SettingError(
            f"{first['msg'][0].lower()}{first['msg'][1:]}",
            where=".".join(str(part) for part in first["loc"]) or str(source),
            found=refused_value(first),
            allowed=[name for name in SOURCES[str(source)].model_fields if name != "source"],
        ) from None
    return settings
