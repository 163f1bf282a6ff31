"""What a model thinks before it answers, where its provider left that in the reply's text."""

import re

_LEADING = re.compile(r"^\s*<(think|thinking|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_UNOPENED = re.compile(r"^(?!.*<think(?:ing)?>)(.*?)</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


def split_reasoning(text: str) -> tuple[str, str]:
    """Reasoning and answer of a reply whose provider left the think block in the text.

    A block that was opened and never closed is all reasoning: the reply was cut before it answered. A close without
    an open (chat templates that open the block themselves) ends the reasoning.

    >>> split_reasoning("<think>add them</think>The answer is 4")
    ('add them', 'The answer is 4')
    """
    for pattern, group in ((_LEADING, 2), (_UNOPENED, 1)):
        match = pattern.match(text)
        if match:
            return match.group(group).strip(), text[match.end() :].lstrip()
    return "", text
