"""Tokenizers as this benchmark uses them: plain text to ids and back, and the marks a text begins and ends with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

from forgetscope.benchmarks.unlearning.data.records import Chunk, PackedText
from forgetscope.benchmarks.unlearning.training.batches import EncodedText
from forgetscope.core.errors import SettingError

PAD, BEGIN, END = "<pad>", "<s>", "</s>"


@dataclass(frozen=True)
class ModelTokenizer:
    """A model's tokenizer. It is the `TextTokenizer` that texts are cut into chunks with.

    Attributes:
        base: The tokenizer as transformers loads it.
        begin: The mark it sets before a text by itself; empty for models that have none (SmolLM2).
        end: The mark after which a reply is over.
        pad_id: Fills up batches; never attended to, never predicted.
        closes_texts: Whether the model was taught its texts with the end mark behind them.
    """

    base: PreTrainedTokenizerBase
    begin: tuple[int, ...]
    end: int | None
    pad_id: int
    closes_texts: bool = True

    @classmethod
    def of(cls, base: PreTrainedTokenizerBase) -> "ModelTokenizer":
        """Find out the marks of a loaded tokenizer."""
        bos = base.bos_token_id
        sets_begin = bool(base("a").input_ids[:1] == [bos]) if bos is not None else False
        end = base.eos_token_id
        pad = base.pad_token_id if base.pad_token_id is not None else end
        return cls(base, (int(bos),) if sets_begin else (), end, int(pad) if pad is not None else 0)

    def __len__(self) -> int:
        """Entries of the vocabulary, marks included."""
        return len(self.base)

    def encode(self, text: str) -> list[int]:
        """Token ids of plain text, without marks."""
        return list(self.base(text, add_special_tokens=False, verbose=False).input_ids)

    def decode(self, token_ids: Sequence[int]) -> str:
        """Text of token ids; marks are left out."""
        text = self.base.decode(list(token_ids), skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return text if isinstance(text, str) else "".join(text)

    def prompt(self, text: str) -> list[int]:
        """Token ids of a text to be continued: with the mark before it, without the one after."""
        return [*self.begin, *self.encode(text)]

    def chunks(self, chunks: Iterable[Chunk]) -> list[EncodedText]:
        """Chunks to be trained on or scored; the last one of each document is closed."""
        found = list(chunks)
        last = {chunk.document: chunk.id for chunk in found}
        return [self._text(chunk.id, chunk.text, closed=last[chunk.document] == chunk.id) for chunk in found]

    def packed(self, texts: Iterable[PackedText], chunks: Iterable[Chunk]) -> list[EncodedText]:
        """Packed texts of these chunks; closed where a text's last chunk is the last one of its document."""
        last = set({chunk.document: chunk.id for chunk in chunks}.values())
        return [self._text(text.id, text.text, closed=text.chunks[-1] in last) for text in texts]

    def whole(self, identity: str, text: str) -> EncodedText:
        """A text that is complete in itself."""
        return self._text(identity, text, closed=True)

    def _text(self, identity: str, text: str, *, closed: bool) -> EncodedText:
        end = (self.end,) if closed and self.closes_texts and self.end is not None else ()
        return EncodedText(identity, (*self.prompt(text), *end))

    def solved(self, identity: str, question: str, answer: str) -> EncodedText:
        """A question with its answer, to be trained on or scored; the answer's place is kept.

        Args:
            identity: Id of the question.
            question: The prompt, cue included.
            answer: What follows it, without the blank between the two.
        """
        prompt = self.prompt(question)
        blank = "" if question.endswith((" ", "\n")) else " "
        end = (self.end,) if self.closes_texts and self.end is not None else ()
        return EncodedText(identity, (*prompt, *self.encode(blank + answer), *end), answer=len(prompt))

    def chat(self, question: str) -> list[int]:
        """Token ids of a question as a user's turn of the model's own chat template.

        Raises:
            SettingError: the tokenizer has no chat template.
        """
        if not self.base.chat_template:
            raise SettingError(
                "the model has no chat template", where="prompt", found="chat", allowed=("few_shot", "plain")
            )
        messages = [{"role": "system", "content": CHAT_SYSTEM}, {"role": "user", "content": question}]
        text = self.base.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return self.encode(str(text))


CHAT_SYSTEM = "Answer the question in a few words."
"""The system turn of chat prompts; without one, some templates insert their own."""


def train_tokenizer(texts: Iterable[str], vocabulary: int) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer of `vocabulary` entries, learnt from the corpus: nothing is downloaded.

    The same texts in the same order give the same tokenizer. Every byte is in it, so no text is unknown to it.

    Raises:
        ValueError: fewer than 259 entries leave no room for the bytes and the three marks.
    """
    if vocabulary < 259:
        raise ValueError(f"a byte-level vocabulary has at least 259 entries, found {vocabulary}")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, BEGIN, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    begin = tokenizer.token_to_id(BEGIN)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{BEGIN} $A", special_tokens=[(BEGIN, begin)])
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, pad_token=PAD, bos_token=BEGIN, eos_token=END, model_max_length=1_000_000
    )
