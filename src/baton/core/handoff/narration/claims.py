"""How a sentence claims: its clauses, the code in it, and the words that make a wish, a plan or a denial of a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CODE = re.compile(r"`([^`\n]{1,300})`")
_CUT = re.compile(
    r"[,;:()]|\s(?:but|and|because|although|though|while|whereas|since|so|aber|und|mais|et|pero|y|ma|e)\s"
)

HEDGE = re.compile(
    r"\b(?:not|never|no|none|nothing|neither|nor|cannot|without|instead|rather|reject\w*|avoid\w*|would|could|should|"
    r"might|may|must|will|shall|if|unless|until|once|yet|todo|plan(?:s|ned|ning)?|propos\w+|suggest\w*|consider\w*|"
    r"need(?:s|ed)?|missing|remain\w*|later|refused|denied|whether|unverified|pending|left to|still to|to be|"
    r"probabl[ey]|likely|perhaps|maybe|presumably|seems?|"
    r"nicht|kein\w*|nie|ohne|noch|sollte\w*|würde\w*|wird|ob|ne|pas|jamais|sans|aucun\w*|nunca|sin|ningun\w*|non|mai|"
    r"senza|não|sem|niet|geen|nooit|zonder|nie|bez|żad\w+|не|ни|без|нет)\b|n['’]t\b|没|未|不|ない|ません|않|못|없",
    re.IGNORECASE,
)


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence that claim for themselves; code between backticks is not cut."""
    spans = [(match.start(), match.end()) for match in _CODE.finditer(sentence)]
    found: list[str] = []
    start = 0
    for match in _CUT.finditer(sentence):
        if any(begin < match.start() < end for begin, end in spans):
            continue
        found.append(sentence[start : match.start()])
        start = match.end()
    found.append(sentence[start:])
    return [clause for clause in found if clause.strip()]


def code_spans(sentence: str) -> Iterator[tuple[str, int, int]]:
    """Each text between backticks, with where it begins and ends."""
    for match in _CODE.finditer(sentence):
        yield match[1].strip(), match.start(), match.end()


def is_hedged(text: str) -> bool:
    """Whether words deny, wish or plan rather than claim. Code is not read: `--no-cache` denies nothing."""
    return HEDGE.search(_CODE.sub(" ", text)) is not None
