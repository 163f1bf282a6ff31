"""A GGUF model on OpenVINO as a scorer, two to three times faster on a CPU than the same weights unpacked.

OpenVINO GenAI gives the log-probabilities of a prompt's tokens when asked to echo it. It rounds the offsets of Q4_1
weights, so for SmolLM2 its figures are near those of the file's own weights, not equal: for whoever needs the latter
there is `TransformersScorer`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from forgetscope.benchmarks.unlearning.formats.scorers.base import ScoredText, ScoredToken
from forgetscope.core.errors import MissingPartError
from forgetscope.io.files import real_path
from forgetscope.models.weights import read_header, sha256_of

if TYPE_CHECKING:
    import openvino_genai as ov_genai

_BROKEN = "\N{REPLACEMENT CHARACTER}"


class OpenVinoScorer:
    """Scores with a GGUF file; loading it takes 5 to 20 seconds.

    Args:
        path: The file.
        begin: Token set before each text.
        threads: Of the forward pass; 0 leaves it to OpenVINO.
        names: What else the same weights go by, such as `smollm2`.

    Raises:
        MissingPartError: openvino-genai is not installed.
        DataError: the file is damaged or in a quantisation it does not read.
    """

    def __init__(self, path: Path, *, begin: int = 1, threads: int = 0, names: frozenset[str] = frozenset()) -> None:
        header = read_header(path)
        try:
            import openvino_genai
        except ImportError:
            raise MissingPartError(
                "OpenVINO GenAI is not installed",
                where="data.formats pruned: scorer",
                next_step="pip install openvino-genai",
            ) from None
        self._genai = openvino_genai
        scheduler = openvino_genai.SchedulerConfig()
        scheduler.cache_size = 1
        scheduler.max_num_batched_tokens = 512
        scheduler.enable_prefix_caching = False  # cached tokens are not computed, and so not scored
        properties = {"INFERENCE_NUM_THREADS": threads} if threads else {}
        self._pipeline = openvino_genai.ContinuousBatchingPipeline(str(path), scheduler, "CPU", properties)
        self._tokenizer = self._pipeline.get_tokenizer()
        self._begin = begin
        self.window = header.context_length - 8
        self.name = header.name
        self.identities = frozenset({str(real_path(path)), sha256_of(path), *names})

    def score(self, texts: Sequence[str]) -> list[ScoredText]:
        """See `Scorer`. Texts beyond the model's window are scored up to it, and the rest in a window of its own."""
        encoded = [self._encode(text) if text else [] for text in texts]
        windows = [
            (number, ids[start : start + self.window])
            for number, ids in enumerate(encoded)
            for start in range(0, len(ids), self.window)
        ]
        found: list[list[float]] = [[] for _ in texts]
        for (number, _), values in zip(windows, self._forward([ids for _, ids in windows]), strict=True):
            found[number] += values
        return [
            ScoredText(text, tuple(ScoredToken(*span, value) for span, value in zip(spans, values, strict=True)))
            for text, ids, values in zip(texts, encoded, found, strict=True)
            for spans in [_spans(text, self._pieces(ids))]
        ]

    def _encode(self, text: str) -> list[int]:
        # The tokenizer cuts at its own limit without a word: long texts go in by paragraph-sized pieces.
        ids: list[int] = []
        for start in range(0, len(text), 8000):
            piece = text[start : start + 8000]
            ids += self._tokenizer.encode(piece, add_special_tokens=False).input_ids.data[0].tolist()
        return ids

    def _pieces(self, ids: Sequence[int]) -> list[str]:
        return list(self._tokenizer.decode([[token] for token in ids], skip_special_tokens=False)) if ids else []

    def _forward(self, sequences: Sequence[Sequence[int]]) -> list[list[float]]:
        import numpy as np
        import openvino  # type: ignore[import-untyped]  # ships no types

        handles = [
            self._pipeline.add_request(
                number, openvino.Tensor(np.asarray([[self._begin, *ids]], dtype=np.int64)), self._echo()
            )
            for number, ids in enumerate(sequences)
        ]
        while self._pipeline.has_non_finished_requests():
            self._pipeline.step()
        found = []
        for handle, ids in zip(handles, sequences, strict=True):
            (output,) = handle.read_all()
            found.append([-value for value in output.generated_log_probs[1 : len(ids) + 1]])
        return found

    def _echo(self) -> "ov_genai.GenerationConfig":
        config = self._genai.GenerationConfig()
        config.max_new_tokens = 1
        config.do_sample = False
        config.echo = True
        config.logprobs = 1
        config.apply_chat_template = False
        return config


def _spans(text: str, pieces: Sequence[str]) -> list[tuple[int, int]]:
    """Where each token stands; tokens that are part of a character share that character's place."""
    spans: list[tuple[int, int]] = []
    at = 0
    for number, piece in enumerate(pieces):
        if _BROKEN not in piece:
            at = max(at, text.find(piece, at))
            spans.append((at, min(at + len(piece), len(text))))
            at = spans[-1][1]
            continue
        clean = next((later for later in pieces[number + 1 :] if _BROKEN not in later and later.strip()), None)
        end = text.find(clean, at) if clean is not None else len(text)
        spans.append((at, max(at, end)))
    return spans
