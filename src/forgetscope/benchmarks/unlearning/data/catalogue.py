"""The corpora of this benchmark, one record each."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from forgetscope.benchmarks.unlearning.data.corpora import fairytaleqa, muse, tofu
from forgetscope.benchmarks.unlearning.data.corpora.base import CorpusSettings
from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings
from forgetscope.benchmarks.unlearning.data.corpora.folder import FolderSettings
from forgetscope.core.errors import DataError
from forgetscope.io.hub import HubSet
from forgetscope.io.records import Provenance
from forgetscope.io.sources import DataSource, Inventory


def _corpus(settings: CorpusSettings) -> Inventory:
    corpus = settings.load()
    return Inventory(corpus.provenance, corpus.notes)


def _parts(parts: Mapping[str, Callable[[], object]], provenance: list[Provenance], place: Path) -> Inventory:
    """The parts of a copy that are there, read one by one; a copy need not have all."""
    missing = []
    for name, read in parts.items():
        known = len(provenance)
        try:
            read()
        except DataError as error:
            if "no such file" not in str(error):
                raise
        if len(provenance) == known:
            missing.append(name)
    if not provenance:
        raise DataError("nothing of this source is here", where=str(place))
    return Inventory(tuple(provenance), (f"not in this copy: {', '.join(missing)}",) if missing else ())


def _muse(corpus: Literal["news", "books"], place: Path) -> Inventory:
    reader = muse.MuseReader(muse.MuseSettings(corpus=corpus, path=place))
    return _parts(
        {
            **{f"raw/{part}": partial(reader.texts, part) for part in ("forget", "retain1", "retain2", "holdout")},
            **{f"knowmem/{part}": partial(reader.questions, part) for part in muse.QUESTIONS},
            "verbmem/forget": reader.verbatim,
        },
        reader.provenance,
        place,
    )


def _tofu(place: Path) -> Inventory:
    reader = tofu.TofuReader(place)
    return _parts({name: partial(reader.rows, name) for name in tofu.FILES}, reader.provenance, place)


SOURCES = (
    DataSource(
        "embedded",
        "fictional news made by a program from parts written for this project, and world facts",
        "Apache-2.0",
        embedded=lambda: _corpus(EmbeddedSettings()),
    ),
    *(
        DataSource(
            f"muse-{corpus}",
            "corpus of the paper",
            muse.LICENCE,
            HubSet(muse.HUB_PATHS[corpus], "raw", "forget", muse.REVISIONS[corpus]),
            local=partial(_muse, corpus),
            official=partial(_corpus, muse.MuseSettings(corpus=corpus, world="embedded")),
            folder=f"muse/{corpus}",
        )
        for corpus in ("news", "books")
    ),
    DataSource(
        "tofu",
        "corpus, and the world facts of the paper",
        tofu.LICENCE,
        HubSet(tofu.HUB_PATH, "world_facts_perturbed", "train", tofu.REVISION),
        local=_tofu,
        official=lambda: _corpus(tofu.TofuSettings()),
    ),
    DataSource(
        "fairytaleqa",
        "corpus, the free stand-in for MUSE Books",
        fairytaleqa.LICENCE,
        "https://github.com/uci-soe/FairytaleQAData",
        local=lambda path: _corpus(fairytaleqa.FairytaleSettings(path=path)),
    ),
    DataSource(
        "folder", "your own corpus", "", "texts and questions", local=lambda path: _corpus(FolderSettings(path=path))
    ),
)
