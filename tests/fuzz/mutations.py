"""Damage: what transport, disks and people do to files, and what somebody does who means harm. Seeded."""

import json
import random

HOSTILE: tuple[object, ...] = (
    *(None, True, -1, 0, 2**63, 2**70, -(2**70), 1e308, -0.0, 0.5, "", " ", "x", "0", "null", [], {}, [[]], {"": ""}),
    *(
        "../outside/secret.txt",
        "OUTSIDE/secret.txt",
        "/dev/zero",
        "n" * 300,
        "a/" * 400,
        "\x00",
        "a\x00b",
        "\u200b\u200d",
    ),
    *("\ud800", "e\u0301" * 50, "‮gnp.exe", "=1+1", "x" * 20_000, "-" * 20_000, "\n\r\u2028", "2024-01-02", "<script>"),
    *([None] * 50, {str(n): n for n in range(50)}, "\x1b[2J", "%s%n{0}{reply}", "1" * 400, "NaN", "٣", "１"),
)

RAW = (
    b"NaN",
    b"-Infinity",
    b"1" * 5000,
    b"1e999",
    b'"\\ud83d"',
    b"2024-01-02",
    b"2024-13-45",
    b"[" * 3000,
    b"*a",
    b"&a [*a]",
)


def nested(depth: int) -> object:
    """A list in a list, so many times."""
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The content with one damage that knows nothing of its format."""
    here = chance.randrange(len(content) + 1)
    there = min(len(content), here + chance.randrange(1, 200))
    flipped = bytes([content[here] ^ (1 << chance.randrange(8))]) if here < len(content) else b"\xff"
    match chance.randrange(11):
        case 0:
            return content[:here]
        case 1:
            return content[:here] + content[there:]
        case 2:
            return content[:here] + flipped + content[here + 1 :]
        case 3:
            return content[:here] + bytes(chance.randrange(256) for _ in range(there - here)) + content[there:]
        case 4:
            return content[:here] + content[here:there] * 3 + content[there:]
        case 5:
            return b""
        case 6:
            return content.decode("latin-1").encode(chance.choice(["utf-16", "utf-32", "utf-8-sig"]))
        case 7:
            return content[:here] + chance.choice(RAW) + content[there:]
        case 8:
            return content.replace(b'"', chance.choice([b"'", b"", b'"""']))
        case 9:
            return content.replace(b"0", b"9" * 30)
        case _:
            return content.replace(b"\n", chance.choice([b"\r", b"\r\n", b"\n\n", b" ", b"\xe2\x80\xa8", b"\x00"]))


def twisted(value: object, chance: random.Random) -> object:
    """A JSON value with one of its parts exchanged, missing, doubled or under another name."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        name = chance.choice(list(value))
        match chance.randrange(10):
            case 0:
                return {key: inner for key, inner in value.items() if key != name}
            case 1:
                return {**value, str(chance.choice(HOSTILE))[:100]: chance.choice(HOSTILE)}
            case _:
                return {**value, name: twisted(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        place = chance.randrange(len(value))
        match chance.randrange(8):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return value + value[place:]
            case _:
                return [*value[:place], twisted(value[place], chance), *value[place + 1 :]]
    return nested(chance.choice([50, 150, 900])) if chance.random() < 0.03 else chance.choice(HOSTILE)


def twisted_lines(content: bytes, chance: random.Random) -> bytes:
    """JSON Lines, or one JSON value, with one value twisted; what is no JSON is damaged instead."""
    text = content.decode("utf-8", "replace")
    whole = _value(text)
    if whole is not None:
        return _written(twisted(whole, chance))
    lines = text.splitlines()
    place = chance.randrange(len(lines)) if lines else 0
    row = _value(lines[place]) if lines else None
    if row is None:
        return damaged(content, chance)
    return b"\n".join(
        [*(line.encode() for line in lines[:place]), _written(twisted(row, chance))]
        + [line.encode() for line in lines[place + 1 :]]
    )


def mutated(content: bytes, chance: random.Random) -> bytes:
    """One or two damages, of either kind."""
    for _ in range(chance.choice([1, 1, 2])):
        content = (twisted_lines if chance.random() < 0.7 else damaged)(content, chance)
    return content


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _written(value: object) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")
