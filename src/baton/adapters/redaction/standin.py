"""What stands where a secret goes and is none: variables, templates, stars, words of an example."""

from __future__ import annotations

from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.rules_file import common_words

_LOOKED_AT = 256
_SHORTEST_SCRAMBLED = 12
_REFERENCE = (
    r"[$%#@]?[{(\[<].*|\\*\$\w+(?:[^\w].*)?|%\w*%?|@[\w.-]+@?"
    r"|.*\$\{[\w.:?-]*\}.*|.*\{\{[^{}]*\}\}.*|.*<[\w .-]+>.*|.*%\([\w.]+\)s.*|%[sdvq@]"
    r"|\*+|[x*.#_-]{3,}.*|x+(?:-x+)*|\.{2,}.*|\.[\w.]+|[.+,] ?\$.*|,\w+:"
    r"|(?:os\.|process\.|env\.|getenv\W|ENV\W|System\.|config\.|settings\.|self\.|this\.|req\.|request\.|ctx\.|args\.|props\.|secrets\.|vars\.|var\.|data\.|local\.|module\.|params\.|\$_)[\w.\[\]('\"\->:]*.*"
    r"|https?://[^@\s]*|//.*|/\^.*|&#?\w+;.*|(?:vault|secret|ssm|env|file|arn|kms|op|gcp|aws|azure)(?:://|:).*"
    r"|0x[0-9a-f]{1,8}|-?[0-9.]{1,9}(?:e[0-9]+)?[a-z%]{0,3}"
)
_PLACEHOLDER = (
    r"(?:your|my|the|some|insert|enter|put|add|use|replace|change)[-_ .].*|your[a-z]+.*"
    r"|.*(?:placeholder|change.?me|redacted|example\.|dummy|your[-_]).*"
)
_EXAMPLE = finder(f"(?i){_REFERENCE}|{_PLACEHOLDER}")
_OPENS = {0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D}
_CLOSES = frozenset(_OPENS.values())


def is_stand_in(held: bytes) -> bool:
    """Not a value but where one comes from, or goes."""
    return is_example(held) or held.lower().decode("latin-1") in common_words()


def is_example(held: bytes) -> bool:
    """A variable, a template, an address, signs that hide something, or words that ask to be replaced."""
    return _EXAMPLE.fullmatch(held[:_LOOKED_AT]) is not None and not is_scrambled(held)


def is_scrambled(held: bytes) -> bool:
    """Brackets closed by others than opened them: no code, template or cut of one does that."""
    if len(held) < _SHORTEST_SCRAMBLED:
        return False
    open_ones: list[int] = []
    for byte in held[:_LOOKED_AT]:
        if byte in _OPENS:
            open_ones.append(_OPENS[byte])
        elif byte in _CLOSES and open_ones and open_ones.pop() != byte:
            return True
    return False
