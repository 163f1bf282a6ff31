"""Embedded corpus: fictional news written for this project, generated from a seed, every fact known by construction.

24 event types of eight kinds of organisation, told in eight shapes. Dials: how many articles, which share of retain is
entangled with forget and through what, and how often the target sees a forget article.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from forgetscope.benchmarks.unlearning.data.corpora.base import CorpusSettings
from forgetscope.benchmarks.unlearning.data.corpora.embedded.articles import (
    AskedFact,
    FinishedArticle,
    GivenAnswers,
    shapes_in_turn,
    write_article,
)
from forgetscope.benchmarks.unlearning.data.corpora.embedded.events import names, world_facts
from forgetscope.benchmarks.unlearning.data.corpora.embedded.world import (
    EventSetting,
    NamePool,
    Shared,
    Supply,
    Taken,
    draw_entangled,
    draw_settings,
)
from forgetscope.benchmarks.unlearning.data.records import Corpus, Document, Question, QuestionSet, Side
from forgetscope.core.errors import SettingError
from forgetscope.io.records import Provenance, rows_sha256
from forgetscope.stats import named_stream

__all__ = ["GENERATOR_VERSION", "MAX_ARTICLES", "EmbeddedSettings", "embedded_articles", "embedded_corpus"]

GENERATOR_VERSION = "1"
"""Raised whenever the same settings would give another corpus."""

MAX_ARTICLES = 1000
"""Forget, retain and holdout together: beyond it an event type runs out of different answers."""


class EmbeddedSettings(CorpusSettings):
    """The dials of the embedded corpus.

    Attributes:
        forget, retain, holdout: Articles of each side.
        entangled_share: Share of retain articles that have a town or an organisation in common with a forget article,
            and with it the mayor or spokesperson (0 to 1, rounded to whole articles).
        shared: What they have in common; `mixed` takes town, organisation and both in turn while there is room.
        repeats: How often one pass of the target's training shows a forget article; memorisation rises with it.
        seed: Another seed, another corpus.
    """

    summary: ClassVar[str] = "fictional news of our own, generated from a seed; every fact known"

    source: Literal["embedded"] = "embedded"
    forget: int = Field(default=16, ge=1)
    retain: int = Field(default=24, ge=1)
    holdout: int = Field(default=8, ge=0)
    entangled_share: float = Field(default=0.5, ge=0, le=1)
    shared: Literal["place", "organisation", "both", "mixed"] = "mixed"
    repeats: int = Field(default=1, ge=1)
    seed: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.forget + self.retain + self.holdout > MAX_ARTICLES:
            raise ValueError(f"at most {MAX_ARTICLES} articles in all")
        return self

    def load(self) -> Corpus:
        """The corpus; see `embedded_corpus`."""
        return embedded_corpus(self)


def embedded_corpus(settings: EmbeddedSettings | None = None) -> Corpus:
    """The corpus of these settings: the same on every machine.

    Raises:
        SettingError: more entangled retain articles than the forget articles' towns and organisations have room for.
    """
    settings = settings or EmbeddedSettings()
    articles = embedded_articles(settings)
    documents = {side: _documents(side, found, settings) for side, found in articles.items()}
    questions = [
        question
        for side, kind in ((Side.FORGET, QuestionSet.FORGET), (Side.RETAIN, QuestionSet.RETAIN))
        for number, article in enumerate(articles[side])
        for question in _questions(f"{side}-{number:03d}", kind, article)
    ]
    rows = [document.model_dump(mode="json") for side in Side for document in documents[side]]
    return Corpus(
        name="embedded",
        forget=documents[Side.FORGET],
        retain=documents[Side.RETAIN],
        holdout=documents[Side.HOLDOUT],
        questions=tuple(questions),
        world=world_questions(),
        gold_triplets={
            f"{side}-{number:03d}": article.triplets for side in Side for number, article in enumerate(articles[side])
        },
        provenance=(
            Provenance(
                "corpus",
                f"forgetscope embedded news, generator {GENERATOR_VERSION}, seed {settings.seed}",
                "",
                rows_sha256(rows),
                len(rows),
                "Apache-2.0",
            ),
        ),
    )


def embedded_articles(settings: EmbeddedSettings) -> dict[Side, list[FinishedArticle]]:
    """The articles of each side, with what is known of how they were made.

    Raises:
        SettingError: no room for so many entangled retain articles.
    """
    rng = named_stream(settings.seed, "embedded unlearning news")
    supply, taken, answers = Supply(rng, names()), Taken(), GivenAnswers()
    near = NamePool(settings.forget + settings.holdout, supply)
    far = NamePool(settings.retain, supply)
    forget = draw_settings(rng, settings.forget, near, taken)
    retain = _retain_settings(rng, settings, forget, far, taken)
    holdout = draw_settings(rng, settings.holdout, near, taken)
    sides = {Side.FORGET: forget, Side.RETAIN: retain, Side.HOLDOUT: holdout}
    return {
        side: [
            write_article(rng, setting, shape, supply, answers)
            for setting, shape in zip(found, shapes_in_turn(rng, len(found)), strict=True)
        ]
        for side, found in sides.items()
    }


def _retain_settings(
    rng: np.random.Generator, settings: EmbeddedSettings, forget: Sequence[EventSetting], pool: NamePool, taken: Taken
) -> list[EventSetting]:
    entangled = round(settings.entangled_share * settings.retain)
    ways: tuple[Shared, ...] = ("place", "organisation", "both") if settings.shared == "mixed" else (settings.shared,)
    drawn: list[EventSetting] = []
    for number in range(entangled):
        in_turn = (*ways[number % len(ways) :], *ways[: number % len(ways)])
        possible = (draw_entangled(rng, way, forget, pool, taken) for way in in_turn)
        setting = next((found for found in possible if found is not None), None)
        if setting is None:
            raise SettingError(
                f"no room for {entangled} entangled retain articles beside {settings.forget} forget articles",
                where="embedded corpus",
                found=f"shared {settings.shared!r}",
                next_step="ask for more forget articles, a smaller entangled_share, or shared='place'",
            )
        drawn.append(setting)
    drawn += draw_settings(rng, settings.retain - entangled, pool, taken)
    return [drawn[int(index)] for index in rng.permutation(len(drawn))]


def _documents(side: Side, articles: Sequence[FinishedArticle], settings: EmbeddedSettings) -> tuple[Document, ...]:
    return tuple(
        Document(
            id=f"{side}-{number:03d}",
            side=side,
            title=article.title,
            text=article.text,
            repeats=settings.repeats if side is Side.FORGET else 1,
        )
        for number, article in enumerate(articles)
    )


def _questions(document: str, kind: QuestionSet, article: FinishedArticle) -> list[Question]:
    return [
        question
        for number, asked in enumerate(article.asked, start=1)
        for question in _with_paraphrase(f"{document}-q{number}", kind, asked, document)
    ]


def _with_paraphrase(name: str, kind: QuestionSet, asked: AskedFact, document: str | None) -> tuple[Question, Question]:
    first = Question(id=name, set=kind, question=asked.question, answers=(asked.answer,), document=document)
    second = first.model_copy(update={"id": f"{name}-p", "question": asked.paraphrase, "paraphrase_of": name})
    return first, second


def world_questions() -> tuple[Question, ...]:
    """General knowledge in our own words, each question with its paraphrase."""
    found: list[Question] = []
    for number, fact in enumerate(world_facts()):
        name = f"world-{number:02d}"
        first = Question(id=name, set=QuestionSet.WORLD, question=fact.question, answers=fact.answers)
        reworded = {"id": f"{name}-p", "question": fact.paraphrase, "paraphrase_of": name}
        found += [first, first.model_copy(update=reworded)]
    return tuple(found)
