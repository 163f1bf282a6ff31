"""How fast texts are pruned, read into triplets and measured for entanglement, and what the plain way would take.

Texts are embedded news of several seeds. Pruning is timed with the word model and with a small causal model in batches
and one text at a time; entanglement against a double loop over retain and forget triplets, which must agree.

    python benchmarks/unlearning_formats.py [--seeds 6] [--plain-chunks 40]
"""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import torch

from forgetscope.benchmarks.unlearning.data.chunking import cut_into_chunks
from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings, embedded_corpus
from forgetscope.benchmarks.unlearning.data.preparation import background
from forgetscope.benchmarks.unlearning.data.records import Chunk, Triplet
from forgetscope.benchmarks.unlearning.entanglement import EntityMatching, entity_entanglement
from forgetscope.benchmarks.unlearning.formats import FormatParts
from forgetscope.benchmarks.unlearning.formats.extraction.rules import extract_by_rules
from forgetscope.benchmarks.unlearning.formats.pruned import PrunedSettings
from forgetscope.benchmarks.unlearning.formats.scorers import load_scorer
from forgetscope.benchmarks.unlearning.formats.scorers.transformers_model import TransformersScorer
from forgetscope.benchmarks.unlearning.training.models import load_model
from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED

Found = TypeVar("Found")


def timed(call: Callable[[], Found]) -> tuple[Found, float]:
    """What a call returns, and its CPU seconds."""
    started = time.process_time()
    found = call()
    return found, time.process_time() - started


def entangled_plainly(
    chunks: Sequence[Chunk], triplets: dict[str, tuple[Triplet, ...]], forget: Sequence[Triplet]
) -> dict[str, float]:
    """The paper's measure as it reads: every entity of a retain triplet against both of every forget triplet."""
    matching = EntityMatching()
    scores = {}
    for chunk in chunks:
        own = triplets[chunk.id]
        matches = [
            sum(
                any(matching.key(entity) == matching.key(other) for one in forget for other in one.entities)
                for entity in triplet.entities
            )
            / 2
            for triplet in own
        ]
        if matches:
            scores[chunk.id] = sum(matches) / len(matches)
    return scores


def main() -> None:
    """Pruning, extraction, entanglement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--plain-chunks", type=int, default=40)
    given = parser.parse_args()
    torch.set_num_threads(1)
    model = load_model(SHIPPED)
    corpora = [embedded_corpus(EmbeddedSettings(seed=seed)) for seed in range(given.seeds)]
    chunks = [
        chunk.model_copy(update={"id": f"{seed}-{chunk.id}"})
        for seed, corpus in enumerate(corpora)
        for chunk in cut_into_chunks((*corpus.forget, *corpus.retain), model.tokenizer, tokens=176)
    ]
    words = sum(len(chunk.text.split()) for chunk in chunks)
    print(f"{len(chunks)} chunks, {words:,} words")
    scorer = load_scorer("ngram", background(corpora[0]))
    parts = FormatParts(model.tokenizer, scorer=scorer)
    pruned, seconds = timed(lambda: PrunedSettings(scorer="ngram").apply(chunks, parts))
    kept = sum(one.kept_share for one in pruned) / len(pruned)
    print(f"pruned by the word model: {words / seconds:,.0f} words a CPU second, {kept:.3f} of the tokens kept")
    causal = TransformersScorer(model)
    few = [chunk.text for chunk in chunks[: given.plain_chunks]]
    count = sum(len(text.split()) for text in few)
    causal.score(few[:1])
    _, together = timed(lambda: causal.score(few))
    _, alone = timed(lambda: [causal.score([text]) for text in few])
    print(
        f"scored by a causal model of {model.parameters:,} weights: {count / together:,.0f} words a CPU second, one "
        f"text at a time {count / alone:,.0f}: {alone / together:.2f} times the time"
    )
    triplets, seconds = timed(lambda: extract_by_rules(chunks))
    found = sum(map(len, triplets.values()))
    print(f"triplets by rule: {words / seconds:,.0f} words a CPU second, {found:,} triplets")
    forget = [triplet for chunk in chunks if chunk.side == "forget" for triplet in triplets[chunk.id]]
    retain = [chunk for chunk in chunks if chunk.side == "retain"]
    ours, seconds = timed(lambda: entity_entanglement(retain, {one.id: triplets[one.id] for one in retain}, forget))
    some = retain[: given.plain_chunks]
    plain, plainly = timed(lambda: entangled_plainly(some, triplets, forget))
    for name, value in plain.items():
        if abs(ours.defined[name] - value) > 1e-12:
            raise SystemExit(f"{name}: {ours.defined[name]} here, {value} by the double loop")
    each, each_plainly = seconds / len(retain), plainly / len(some)
    print(
        f"entanglement of {len(retain)} chunks with {len(forget):,} forget triplets: {1000 * seconds:.1f} CPU ms; by a "
        f"double loop over {len(some)} of them {plainly:.2f} CPU s: {each_plainly / each:,.0f} times the time a chunk"
    )


if __name__ == "__main__":
    main()
