"""Verbatim memorisation: the first half of a chunk is the prompt, how it goes on is compared with how it went on."""

from collections.abc import Sequence
from typing import Literal

from forgetscope.benchmarks.unlearning.data.records import Chunk
from forgetscope.benchmarks.unlearning.evaluation.asking import ask
from forgetscope.benchmarks.unlearning.evaluation.base import Asked, Measured, Subject


def verbatim(subject: Subject) -> Measured:
    """On the forget side: the prompts the source fixes, or the first half of each chunk (protocols.md, section 4)."""
    if not subject.data.verbatim:
        return _halves(subject, subject.data.forget, "verbatim")
    limit = subject.settings.verbatim_max_tokens
    tokenizer = subject.model.tokenizer
    prompts = [tokenizer.prompt(fixed.prompt) for fixed in subject.data.verbatim]
    asked = [
        Asked(
            item=fixed.id,
            form="verbatim",
            measure="verbatim",
            prompt=fixed.prompt,
            references=(tokenizer.decode(tokenizer.encode(fixed.continuation)[:limit]),),
            is_cut_by_design=True,
        )
        for fixed in subject.data.verbatim
    ]
    return Measured(samples=ask(subject, asked, prompts, max_new_tokens=limit))


def retain_verbatim(subject: Subject) -> Measured:
    """The same on the retain side: does the model still know what it should keep, word for word?"""
    return _halves(subject, subject.data.retain, "retain_verbatim")


def _halves(subject: Subject, chunks: Sequence[Chunk], measure: Literal["verbatim", "retain_verbatim"]) -> Measured:
    tokenizer, limit = subject.model.tokenizer, subject.settings.verbatim_max_tokens
    prompts: list[list[int]] = []
    asked: list[Asked] = []
    for chunk in chunks:
        ids = tokenizer.encode(chunk.text)
        half = len(ids) // 2
        prompts.append([*tokenizer.begin, *ids[:half]])
        asked.append(
            Asked(
                item=chunk.id,
                form=measure,
                measure=measure,
                prompt=tokenizer.decode(ids[:half]),
                references=(tokenizer.decode(ids[half : half + limit]),),
                is_cut_by_design=True,
                document=chunk.document,
                chunk=chunk.id,
            )
        )
    return Measured(samples=ask(subject, asked, prompts, max_new_tokens=limit))
