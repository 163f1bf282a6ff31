"""What a reply says, as plain text: without its thinking, markup, the prompt's own words and its own list numbers."""

import re
import unicodedata

from forgetscope.core.reasoning import split_reasoning

LONGEST_READ = 12_000
"""Characters of a reply that are read, half from its beginning and half from its end: answers stand in one of them."""
FINAL = " final answer: "
_VERDICTS = str.maketrans({**dict.fromkeys("✅✔☑✓", " correct "), **dict.fromkeys("❌✗✘", " wrong "), "…": "... "})
_LOOP = re.compile(r"(.{1,16}?)\1{50,}|\s{200,}", re.DOTALL)
_KEY = (
    r"(?:final_?|correct_?|selected_?|best_?)*(?:answer|choice|option|index|label|letter|selected|selection"
    r"|prediction|digit"
    r"|response|result|output|pick|mmlu)"
)
_JSON_ANSWER = re.compile(
    rf"[\"'][\w ]{{0,20}}{_KEY}\w*[\"']\s*:\s*(?:\{{\s*[\"']\w+[\"']\s*:\s*)?[\"']?([^\"',}}\]\n]+)", re.IGNORECASE
)
_TASK = re.compile(
    r"reply with a single digit\b[^\n]{0,60}?nothing else\.?|^\s*Q:[^\n]*$(?:\n\s*A:(?![^\n]*\n\s*B[.:)]))?",
    re.IGNORECASE | re.MULTILINE,
)
_LETTERHEAD = re.compile(
    r"^[^\w\n]{0,4}dear\s\w+[^\w\n]{0,4}$"
    r"|^[^\w\n]{0,4}(?:yours(?:\s\w+)?|sincerely|(?:kind|best|warm)?\s?regards|best|love|cheers"
    r"|from)\W{0,4}\n\W{0,4}\w+\W{0,4}$",
    re.IGNORECASE | re.MULTILINE,
)
_POSTSCRIPT = re.compile(r"\n\W*P\.?\s?(?:P\.?\s?)?S\b.*", re.DOTALL)


def plain_reply(reply: str) -> str:
    """The reply as it would be read aloud; digits as 0-9, what stands as the answer in JSON, boxes and tags as such."""
    text = "".join(_plain(letter) for letter in normal(split_reasoning(_both_ends(reply, 10 * LONGEST_READ))[1]))
    text = _LOOP.sub(lambda loop: (loop[1] or "\n") * 50, text)
    text = _both_ends(re.sub(r"<think>.*?</think>", " ", text, flags=re.DOTALL | re.IGNORECASE), LONGEST_READ)
    text = re.sub(r"<(?:final_?)?answer>", FINAL, text, flags=re.IGNORECASE)
    text = re.sub(r"<[/a-z!|][^<>\n]{0,40}>", "\n", text, flags=re.IGNORECASE)
    text = re.sub(r"\\(?:boxed|fbox)\s*\{", FINAL + "{", text)
    text = re.sub(
        r"\\(?:text|mathbf|mathrm|textbf)\b|\\[()\[\]]|[*`~{}]|__|\$(?=[^$\n]*\$)|(?<=[\w\s}.])\$(?!\s?\d)",
        " ",
        _json_answers(text),
    )
    text = re.sub(r"^[^\S\n]*(?:[-•>#|][^\S\n]+)+", "", text.translate(_VERDICTS), flags=re.MULTILINE)
    return _without_list_numbers(_LETTERHEAD.sub("", _POSTSCRIPT.sub("", _TASK.sub(" ", text))))


def without_endless_rows(reply: str) -> str:
    """The reply, where one short sequence stands again and again for `LONGEST_ROW` characters, with as many of those.

    >>> len(without_endless_rows("so " * 100_000 + "it is 4."))
    4008
    """
    if len(reply) <= LONGEST_ROW:
        return reply
    return _ENDLESS.sub(
        lambda row: row[0] if len(row[0]) <= LONGEST_ROW else (row[1] * LONGEST_ROW)[:LONGEST_ROW], reply
    )


LONGEST_ROW = 4_000
"""Characters of a sequence that repeats itself, beyond which it says nothing more."""
_ENDLESS = re.compile(r"(.{1,16}?)\1{249,}", re.DOTALL)


def _both_ends(text: str, longest: int) -> str:
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}\n{text[-half:]}"


def normal(text: str) -> str:
    """The text with its characters in one form: apostrophes straight, letters without accents, 1000 for 1,000."""
    text = unicodedata.normalize("NFKC", text.replace("²", "^2").replace("³", "^3")).replace("’", "'").replace("‘", "'")
    text = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", text)))
    return _THOUSANDS.sub(lambda found: found[0].replace(",", ""), _SCRIPT_CHANGES.sub(" ", text))


_ACCENT = re.compile(r"(?<=[A-Za-z])[\u0300-\u036f]+")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_ASIAN = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_SCRIPT_CHANGES = re.compile(rf"(?<=[A-Za-z0-9])(?=[{_ASIAN}])|(?<=[{_ASIAN}])(?=[A-Za-z0-9])")


def _plain(letter: str) -> str:
    """A digit of any script as 0-9; marks that only dress another character fall away."""
    if letter in "\ufe0f\u20e3\u200b\u200d\u2060\ufeff":
        return ""
    if "\ua000" <= letter <= "\ua3ff":
        return " "
    return letter if letter.isascii() else str(unicodedata.decimal(letter, letter))


def _json_answers(text: str) -> str:
    """Of a reply in JSON what stands under a key that names an answer; any other reply as it is."""
    inside = re.sub(r"^\s*```(?:json)?|```\s*$", "", text.strip(), flags=re.IGNORECASE).strip()
    if not inside.startswith(("{", "[")):
        return text
    return "\n".join(f"{FINAL}{found}" for found in _JSON_ANSWER.findall(inside)) or text


_NUMBERED_STEP = re.compile(r"^[^\S\n]*([1-9])[.)][^\S\n]+(?=\S+[^\S\n]+\S+[^\S\n]+\S)", re.MULTILINE)


def _without_list_numbers(text: str) -> str:
    """A reply's own list from 1 without its numbers: they are no options."""
    numbers = [int(match[1]) for match in _NUMBERED_STEP.finditer(text)]
    counts_up = len(numbers) >= 2 and numbers == list(range(1, len(numbers) + 1))
    return _NUMBERED_STEP.sub("", text) if counts_up and not re.search(r"^\W*0[.):]", text, re.MULTILINE) else text
