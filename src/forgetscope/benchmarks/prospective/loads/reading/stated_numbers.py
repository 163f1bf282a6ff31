"""The repaired reading of word problems: what a reply answers to one problem, or to each of a chain."""

from collections.abc import Sequence

from forgetscope.benchmarks.prospective.loads.reading.numbers_in_json import numbers_in_json
from forgetscope.benchmarks.prospective.loads.reading.passages import plain, said_aloud
from forgetscope.benchmarks.prospective.loads.reading.replies import (
    fenced_json,
    json_leaves,
    without_echo,
    without_postscript,
)
from forgetscope.benchmarks.prospective.loads.reading.stated_chain import stated_chain
from forgetscope.benchmarks.prospective.loads.reading.stated_number import best_statement, is_undecided_between


def stated_numbers(reply: str, prompt: str, golds: Sequence[float]) -> tuple[float | None, ...]:
    """The answer a reply gives to each of the problems with these golds; None where it gives none.

    A gold is looked at only where a reply to one problem does not say which of its numbers is the answer.
    """
    count = len(golds)
    reply = said_aloud(reply)
    found = fenced_json(reply)
    if found is not None:
        answers = numbers_in_json(found, count)
        if answers is not None:
            return answers
        reply = "\n".join(f"{'.'.join(path)}: {leaf}" for path, leaf in json_leaves(found))
    text = plain(without_echo(reply, prompt))
    own = without_postscript(text)
    for version in dict.fromkeys((own, text, plain(reply))):
        if count == 1:
            best = best_statement(version)
            if best is not None:
                return (golds[0] if is_undecided_between(version, best, golds[0]) else best.value,)
        else:
            answers = stated_chain(version, count)
            if answers is not None:
                return answers
    return (None,) * count
