"""A pipeline of forty lines: every step gives each running request its prompt's next word."""

import threading
from collections.abc import Callable, Mapping, Sequence

from forgetscope.models.backend import ContextOverflowError, GenerationFinish, Output
from forgetscope.models.decoding import Decoding


class FakeTicket:
    def __init__(self, backend: "FakeBackend", text: str, limit: int) -> None:
        self.backend, self.text, self.limit = backend, text, limit
        self.produced: list[int] = []
        self.is_cancelled = False

    @property
    def words(self) -> list[str]:
        return self.text.split()

    def is_running(self) -> bool:
        return not self.is_cancelled and len(self.produced) < min(self.limit, len(self.words))

    def has_tokens(self) -> bool:
        return bool(self.produced)

    def output(self) -> Output:
        ended = len(self.produced) == len(self.words)
        return Output(
            tuple(self.produced),
            GenerationFinish.STOP if ended else GenerationFinish.LENGTH,
            tuple(-1.0 for _ in self.produced),
        )

    def cancel(self) -> None:
        self.is_cancelled = True


class FakeBackend:
    """`before_step` is called with the tickets at every step, to wait or to raise."""

    def __init__(self, before_step: Callable[[list[FakeTicket]], None] = lambda _: None, window: int = 1000) -> None:
        self.window = window
        self.before_step = before_step
        self.vocabulary: list[str] = []
        self.tickets: list[FakeTicket] = []
        self.threads: set[int] = set()
        self.numbers: list[int] = []
        self.largest_batch = 0

    def encode(self, text: str) -> Sequence[int]:
        words = text.split()
        if len(words) >= self.window:
            raise ContextOverflowError(len(words), self.window)
        for word in words:
            if word not in self.vocabulary:
                self.vocabulary.append(word)
        return [self.vocabulary.index(word) for word in words]

    def decode(self, token_ids: Sequence[int]) -> str:
        return " ".join(self.vocabulary[token] for token in token_ids)

    def decode_each(self, token_ids: Sequence[int]) -> list[str]:
        return [self.vocabulary[token] for token in token_ids]

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        return " ".join(message["content"] for message in messages)

    def add(self, number: int, token_ids: Sequence[int], decoding: Decoding) -> FakeTicket:
        self.numbers.append(number)
        self.threads.add(threading.get_ident())
        ticket = FakeTicket(self, self.decode(token_ids), decoding.max_new_tokens)
        if "refused" in ticket.text:
            raise RuntimeError("the pipeline does not like this one")
        self.tickets.append(ticket)
        return ticket

    def step(self) -> None:
        self.threads.add(threading.get_ident())
        self.tickets = [ticket for ticket in self.tickets if not ticket.is_cancelled]
        self.largest_batch = max(self.largest_batch, len(self.tickets))
        self.before_step(self.tickets)
        for ticket in self.tickets:
            ticket.produced.append(self.vocabulary.index(ticket.words[len(ticket.produced)]))
        self.tickets = [ticket for ticket in self.tickets if ticket.is_running()]

    def has_unfinished(self) -> bool:
        return bool(self.tickets)
