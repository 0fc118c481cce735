"""What text the store takes, and how titles compare.

Text comes from models, people and platforms and may hold anything a Python string can. Both databases refuse some
of it (NUL, lone surrogates), so the rule is decided once, here, and a refusal names the field and the reason.
"""

from __future__ import annotations

import re
import unicodedata

from baton.core.errors import BadText, BadTitle

TITLE_LIMIT = 200
MOST = 2**62
"""Numbers stay below this, so that both databases can keep them."""
FIELD_LIMIT = 4096

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def flaw(value: str, limit: int, *, one_line: bool = False) -> str:
    """Why `value` cannot be stored, or an empty string."""
    if len(value) > limit:
        return f"it has {len(value)} characters, at most {limit} are allowed"
    if found := _UNSTORABLE.search(value):
        name = "NUL (U+0000)" if found[0] == "\0" else f"a lone surrogate (U+{ord(found[0]):04X})"
        return f"character {found.start() + 1} is {name}"
    if one_line:
        for position, character in enumerate(value, 1):
            if _breaks_a_line(character):
                return f"character {position} is a control character (U+{ord(character):04X})"
    return ""


def _breaks_a_line(character: str) -> bool:
    """Controls, separators and marks that turn the direction; not the two joiners that scripts and emoji need."""
    return unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cf") and character not in "\u200c\u200d"


def check_text(field: str, value: str, limit: int = FIELD_LIMIT) -> str:
    """`value`; `BadText` if a database could not keep it exactly."""
    if reason := flaw(value, limit):
        raise BadText(field=field, reason=reason, allowed=f"up to {limit} characters without NUL or lone surrogates")
    return value


def check_title(value: str) -> str:
    """The title without surrounding space; `BadTitle` if it cannot be used."""
    title = value.strip()
    reason = flaw(title, TITLE_LIMIT, one_line=True) if title else "it is empty"
    if reason:
        raise BadTitle(reason=reason, limit=TITLE_LIMIT)
    return title


def title_key(title: str) -> str:
    """Titles that a person would call the same have the same key."""
    return unicodedata.normalize("NFKC", title).casefold()


def fold_spaces(text: str) -> str:
    """One space between words, none around them."""
    return " ".join(text.split())
