"""Closed classes and common verbs of English, from `english.toml`."""

import tomllib
from importlib.resources import files

_TABLE: dict[str, str] = tomllib.loads((files(__package__) / "english.toml").read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLE[name].split())


DETERMINERS = _words("determiners")
POSSESSIVES = _words("possessives")
OPENERS = DETERMINERS | POSSESSIVES
"""Words a noun group begins with."""
PRONOUNS = _words("pronouns")
SINGULAR_THIRD = frozenset({"he", "she"})
RELATIVES = frozenset({"who", "which", "that"})
PREPOSITIONS = _words("prepositions")
CONJUNCTIONS = _words("conjunctions")
CONDITIONALS = _words("conditionals")
SUBORDINATORS = _words("subordinators")
AUXILIARIES = _words("auxiliaries")
COPULAS = _words("copulas")
ADVERBS = _words("adverbs")
NEGATIONS = _words("negations")
NUMBERS = _words("numbers")
NOT_PAST = _words("not_past")
NOT_ADVERBS = _words("not_adverbs")
SPEECH_VERBS = _words("speech_verbs")

_IRREGULAR = [row.split() for row in _TABLE["irregular_verbs"].split(";")]
PAST = frozenset(past for _, past, _ in _IRREGULAR)
PARTICIPLES = frozenset(participle for _, _, participle in _IRREGULAR)
BASES = frozenset(base for base, _, _ in _IRREGULAR) | _words("regular_verbs")


def _third_person(base: str) -> str:
    if base.endswith(("s", "sh", "ch", "x", "z", "o")):
        return base + "es"
    return base[:-1] + "ies" if base.endswith("y") and base[-2] not in "aeiou" else base + "s"


THIRD_PERSON = frozenset(_third_person(base) for base in BASES)
"""`runs`, `watches`: plural nouns of the same form are told from them by what stands before."""
