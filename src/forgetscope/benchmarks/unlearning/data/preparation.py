"""From a corpus to what cells train and are evaluated on: chunks, triplets, formats, entanglement, subsets, questions.

Nothing here touches the target's weights; of the target it knows the tokenizer, and by what its weights are known, so
that it is not asked to score the text it has memorised.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.unlearning.data.built import BUILD_COMMAND, BuiltData, read_built
from forgetscope.benchmarks.unlearning.data.chunking import (
    EMBEDDED_CHUNK_TOKENS,
    TextTokenizer,
    cut_into_chunks,
    place_questions,
)
from forgetscope.benchmarks.unlearning.data.corpora import AnyCorpusSettings
from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings, embedded_corpus
from forgetscope.benchmarks.unlearning.data.records import (
    Chunk,
    Corpus,
    FormattedChunk,
    PackedText,
    Question,
    TripletsByChunk,
)
from forgetscope.benchmarks.unlearning.entanglement import (
    Entanglement,
    EntityMatching,
    RetainPlan,
    RetainSettings,
    assign_questions,
    entity_entanglement,
    plan_retain,
    relation_entanglement,
    text_entanglement,
)
from forgetscope.benchmarks.unlearning.formats import AnyFormatSettings, FormatParts, pack
from forgetscope.benchmarks.unlearning.formats.extraction.gold import gold_triplets
from forgetscope.benchmarks.unlearning.formats.extraction.rules import extract_by_rules
from forgetscope.benchmarks.unlearning.formats.pruned import PrunedSettings
from forgetscope.benchmarks.unlearning.formats.raw import RawSettings
from forgetscope.benchmarks.unlearning.formats.scorers import Scorer, load_scorer
from forgetscope.benchmarks.unlearning.formats.triplets import Extractor, TripletsSettings
from forgetscope.core.errors import DataError, SettingError
from forgetscope.core.progress import Progress, silent

BACKGROUND_SEEDS = (1_000_001, 1_000_002, 1_000_003)
"""Embedded corpora the word model learns from: news of the same kind about other towns."""


class DataSettings(BaseModel):
    """Everything that decides the data of a grid; the defaults are the embedded demo's.

    Attributes:
        corpus: Source and its settings.
        chunk_tokens: Length of a chunk in the target's tokens.
        formats: Of the forget side; one of each kind at most.
        built: Folder of `forgetscope build unlearning`: a language model's triplets, and its questions beside the
            corpus' own.
        measure: Entanglement that splits low from high.
        extractor: Triplets it is measured by; `auto` as in the format `triplets`.
        matching: When entities are the same.
        retain: Where to split and what to hold back.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    corpus: AnyCorpusSettings = Field(default_factory=EmbeddedSettings)
    chunk_tokens: int = Field(default=EMBEDDED_CHUNK_TOKENS, ge=8)
    formats: tuple[AnyFormatSettings, ...] = (
        RawSettings(),
        PrunedSettings(scorer="ngram"),
        TripletsSettings(),
    )
    built: Path | None = None
    measure: Literal["entities", "relations", "text"] = "entities"
    extractor: Extractor = "auto"
    matching: EntityMatching = EntityMatching()
    retain: RetainSettings = RetainSettings()


@dataclass(frozen=True)
class PreparedData:
    """What cells are made from.

    Attributes:
        corpus: As loaded: world facts, few-shot examples, provenance, notes.
        forget, retain, holdout: Chunks of each side.
        triplets: Those entanglement was measured by, by chunk id.
        entanglement: Of the retain chunks.
        plan: Low, high, and what each KL term sees.
        formatted: The forget chunks by format.
        texts: Training sequences by format.
        questions: Placed in chunks and assigned to low or high, built ones included; without world facts.
        extractor: Of `triplets`, never `auto`.
        built: Who built what, where a language model did.
    """

    corpus: Corpus
    forget: tuple[Chunk, ...]
    retain: tuple[Chunk, ...]
    holdout: tuple[Chunk, ...]
    triplets: TripletsByChunk
    entanglement: Entanglement
    plan: RetainPlan
    formatted: Mapping[str, tuple[FormattedChunk, ...]]
    texts: Mapping[str, tuple[PackedText, ...]]
    questions: tuple[Question, ...]
    extractor: Extractor
    built: BuiltData | None = None

    def summary(self) -> dict[str, object]:
        """Counts, tokens and shares, in plain values, for a manifest or a table."""
        return {
            "corpus": self.corpus.name,
            "sha256": self.corpus.sha256,
            "chunks": {"forget": len(self.forget), "retain": len(self.retain), "holdout": len(self.holdout)},
            "formats": {name: _format_summary(texts, self.texts[name]) for name, texts in self.formatted.items()},
            "entanglement": {
                "measure": self.entanglement.measure,
                "extractor": self.extractor,
                "mean": self.entanglement.mean,
                "undefined": len(self.entanglement.undefined),
                "threshold": self.plan.threshold,
                "histogram": [[one.low, one.high, one.chunks] for one in self.entanglement.histogram()],
            },
            "subsets": {
                subset.value: {"chunks": len(names), "unique_tokens": self.plan.tokens[subset]}
                for subset, names in self.plan.kl.items()
            },
            "held_back": len(self.plan.held_back),
            **({"built": self.built.summary()} if self.built is not None else {}),
            "notes": list(self.corpus.notes),
        }


def _format_summary(texts: Sequence[FormattedChunk], packed: Sequence[PackedText]) -> dict[str, object]:
    return {
        "sequences": len(packed),
        "tokens": sum(one.tokens for one in packed),
        "kept_share": sum(one.kept_share for one in texts) / len(texts),
        "kept_words": sum(one.kept_words for one in texts) / len(texts),
        "empty_chunks": sum(not one.text for one in texts),
    }


def prepare(
    settings: DataSettings,
    tokenizer: TextTokenizer,
    *,
    target: frozenset[str] = frozenset(),
    corpus: Corpus | None = None,
    scorer: Scorer | None = None,
    progress: Progress = silent,
) -> PreparedData:
    """The data of a grid.

    Args:
        settings: What to make.
        tokenizer: The target's.
        target: What the target's weights are known by; see `FormatParts`.
        corpus: Already loaded; loaded from the settings if None.
        scorer: For pruning; loaded by the name in the settings if None.
        progress: A step for the triplets, one for the entanglement, one for each format.

    Raises:
        DataError: the corpus cannot be read or is of no use.
        SettingError: a format twice, a part missing, the target as scorer, or no low and high to tell apart.
    """
    _refuse_twice(settings.formats)
    step = progress(2 + len(settings.formats))
    corpus = corpus if corpus is not None else settings.corpus.load()
    forget = cut_into_chunks(corpus.forget, tokenizer, tokens=settings.chunk_tokens)
    retain = cut_into_chunks(corpus.retain, tokenizer, tokens=settings.chunk_tokens)
    built = read_built(settings.built, (*forget, *retain)) if settings.built is not None else None
    extractor = _resolved(settings.extractor, corpus, built)
    measured_by: TripletsByChunk = {}
    if settings.measure != "text":
        measured_by = extracted(extractor, corpus, (*forget, *retain), built)
    step()
    entanglement = _measure(settings, forget, retain, measured_by)
    plan = plan_retain(retain, entanglement, settings.retain)
    step()
    formatted: dict[str, tuple[FormattedChunk, ...]] = {}
    for form in settings.formats:
        formatted[form.format] = form.apply(forget, _parts(form, corpus, forget, tokenizer, target, built, scorer))
        step()
    return PreparedData(
        corpus=corpus,
        forget=forget,
        retain=retain,
        holdout=cut_into_chunks(corpus.holdout, tokenizer, tokens=settings.chunk_tokens),
        triplets=measured_by,
        entanglement=entanglement,
        plan=plan,
        formatted=formatted,
        texts={name: pack(texts, tokenizer, tokens=settings.chunk_tokens) for name, texts in formatted.items()},
        questions=assign_questions(_questions(corpus, built, (*forget, *retain)), plan),
        extractor=extractor,
        built=built,
    )


def _resolved(extractor: Extractor, corpus: Corpus, built: BuiltData | None) -> Extractor:
    """What `auto` stands for here."""
    if extractor != "auto":
        return extractor
    return "model" if built is not None else "gold" if corpus.gold_triplets else "rules"


def _questions(corpus: Corpus, built: BuiltData | None, chunks: Sequence[Chunk]) -> tuple[Question, ...]:
    """The corpus' own questions placed in chunks, and those built for them."""
    own = place_questions(corpus.questions, chunks)
    taken = {question.id for question in (*own, *corpus.world)}
    more = built.questions if built is not None else ()
    twice = [question.id for question in more if question.id in taken]
    if twice:
        raise DataError("built questions with ids of the corpus' own", where="data.built", found=twice[0])
    return (*own, *more)


def extracted(
    extractor: Extractor, corpus: Corpus, chunks: Sequence[Chunk], built: BuiltData | None = None
) -> TripletsByChunk:
    """The triplets of chunks by an extractor's name; those of a language model were built beforehand.

    Raises:
        SettingError: the corpus has no gold triplets, or nothing was built.
    """
    match _resolved(extractor, corpus, built):
        case "gold":
            if not corpus.gold_triplets:
                raise SettingError(
                    "the corpus has no gold triplets",
                    where="data.extractor",
                    found="gold",
                    allowed=("auto", "rules", "model"),
                )
            return gold_triplets(corpus, chunks)
        case "model":
            if built is None:
                raise SettingError(
                    "triplets by a language model are built beforehand",
                    where="data.extractor",
                    found="model",
                    next_step=f"{BUILD_COMMAND}, then data.built: FOLDER; or extractor: rules",
                )
            return built.triplets
        case _:
            return extract_by_rules(chunks)


def _measure(
    settings: DataSettings, forget: Sequence[Chunk], retain: Sequence[Chunk], triplets: TripletsByChunk
) -> Entanglement:
    of_forget = [triplet for chunk in forget for triplet in triplets.get(chunk.id, ())]
    match settings.measure:
        case "entities":
            return entity_entanglement(retain, triplets, of_forget, settings.matching)
        case "relations":
            return relation_entanglement(retain, triplets, of_forget, settings.matching)
        case "text":
            return text_entanglement(retain, forget)


def _parts(
    form: AnyFormatSettings,
    corpus: Corpus,
    forget: Sequence[Chunk],
    tokenizer: TextTokenizer,
    target: frozenset[str],
    built: BuiltData | None,
    scorer: Scorer | None,
) -> FormatParts:
    if isinstance(form, PrunedSettings):
        loaded = scorer or load_scorer(form.scorer, background(corpus))
        return FormatParts(tokenizer, scorer=loaded, target=target)
    if isinstance(form, TripletsSettings):
        return FormatParts(tokenizer, triplets=extracted(form.extractor, corpus, forget, built))
    return FormatParts(tokenizer)


def background(corpus: Corpus) -> list[str]:
    """What the word model learns from: embedded news about other towns, or the corpus's own retain side."""
    if corpus.name != "embedded":
        return [document.text for document in corpus.retain]
    return [
        document.text
        for seed in BACKGROUND_SEEDS
        for document in embedded_corpus(EmbeddedSettings(seed=seed)).documents
    ]


def _refuse_twice(formats: Iterable[AnyFormatSettings]) -> None:
    names = [form.format for form in formats]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SettingError(
            "a format is named twice", where="data.formats", found=twice, next_step="use one grid for each"
        )
