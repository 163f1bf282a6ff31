"""A whole benchmark from outside: told to forget one word of a list, does a model leave out that word and no other?"""

from collections.abc import Iterator
from typing import Annotated

import polars as pl

from forgetscope.benchmarks.asking import AskedSample, Asking, Reference
from forgetscope.benchmarks.base import FigureFacts
from forgetscope.core.settings import Setting, Settings
from forgetscope.findings.figures import Finding, Results, Section
from forgetscope.findings.measures import FigureIndex, figure
from forgetscope.findings.tables import count, label, rate, table
from forgetscope.stats import named_stream, wilson

WORDS = ("apple", "bridge", "candle", "dragon", "engine", "feather", "garden", "hammer", "island", "jacket", "kettle")


class WordListSettings(Settings):
    """Settings of the word list."""

    lists: Annotated[int, Setting("Lists of words.", least=1, wrong="there is nothing to forget")] = 8
    length: Annotated[int, Setting("Words of a list.", least=2, most=len(WORDS), wrong="not so many words")] = 5
    seed: Annotated[int, Setting("Seed of the lists.")] = 42


def samples(settings: WordListSettings) -> Iterator[AskedSample]:
    """Each list twice: to be repeated, and to be repeated without the word that was to be forgotten."""
    for place in range(settings.lists):
        words = named_stream(settings.seed, f"word list {place}").permutation(WORDS)[: settings.length].tolist()
        for form, told in (("whole", ""), ("without", f" Forget the word {words[0]}.")):
            prompt = f"Remember these words: {', '.join(words)}.{told} Which words do you remember? List them."
            key = {"wanted": words if form == "whole" else words[1:], "unwanted": words[:1] if told else []}
            yield AskedSample(item=f"list{place}", form=form, prompt=prompt, seed=settings.seed, key=key)


def is_right(sample: AskedSample, reply: str) -> bool:
    """Every word that was to be kept, and not the one that was to be forgotten."""
    said = reply.lower()
    return all(word in said for word in sample.key["wanted"]) and not any(
        word in said for word in sample.key["unwanted"]
    )


def results(rows: pl.DataFrame, facts: FigureFacts) -> Results:  # noqa: ARG001 - what every benchmark is given
    """The share of right replies by form."""
    forms = list(rows["form"].unique(maintain_order=True))
    right = {form: rows.filter(pl.col("form") == form)["raw_pass"].drop_nulls() for form in forms}
    index = FigureIndex(
        figure("right", {"form": form}, wilson(int(kept.sum()), len(kept))) for form, kept in right.items()
    )
    columns = [label("List", "form"), rate("Right", "right"), count("Replies", "right")]
    shown = table(index, "Right replies", [{"form": form} for form in forms], columns, slug="right")
    said = ", ".join(f"{entry.factors['form']} {entry.value or 0:.0%}" for entry in index)
    return Results(tuple(index), (Section("Lists", (shown,), slug="lists"),), (Finding(f"Right replies: {said}."),))


BENCHMARK = Asking(
    name="word-list",
    title="A word of a list, forgotten",
    about="Told to forget one word of a list, does a model leave out that word and no other?",
    settings=WordListSettings,
    prompts_version="1",
    samples=samples,
    is_right=is_right,
    results=results,
    references={
        "word-perfect": Reference("keeps what it should", lambda sample: ", ".join(sample.key["wanted"]), 1.0),
        "word-parrot": Reference("repeats everything", lambda sample: sample.prompt, 0.5),
    },
).benchmark()
