"""What text the store takes, and how titles compare.

Text comes from models, people and platforms and may hold anything a Python string can. Both databases refuse some
of it (NUL, lone surrogates), so the rule is decided here, once, and the refusal names the field and the reason.
"""

from __future__ import annotations

import unicodedata

from baton.core.errors import BadText, BadTitle

TITLE_LIMIT = 200
FIELD_LIMIT = 4096


def flaw(value: str, limit: int, *, one_line: bool = False) -> str:
    """Why `value` cannot be stored, or an empty string."""
    if len(value) > limit:
        return f"it has {len(value)} characters, at most {limit} are allowed"
    for position, character in enumerate(value, 1):
        if not character.isprintable() and (bad := _character_flaw(character, one_line)):
            return f"character {position} is {bad}"
    return ""


def _character_flaw(character: str, one_line: bool) -> str:
    category = unicodedata.category(character)
    name = f"U+{ord(character):04X}"
    if category == "Cs":
        return f"a lone surrogate ({name})"
    if character == "\0":
        return "NUL (U+0000)"
    if one_line and category in ("Cc", "Zl", "Zp", "Cf") and character not in "\u200c\u200d":
        return f"a control character ({name})"
    return ""


def check_text(field: str, value: str, limit: int = FIELD_LIMIT) -> str:
    """`value`, or `BadText` when a database could not keep it exactly."""
    if reason := flaw(value, limit):
        raise BadText(field=field, reason=reason, allowed=f"up to {limit} characters without NUL or lone surrogates")
    return value


def check_title(value: str) -> str:
    """The title without surrounding space, or `BadTitle`."""
    title = value.strip()
    reason = flaw(title, TITLE_LIMIT, one_line=True) if title else "it is empty"
    if reason:
        raise BadTitle(reason=reason, limit=TITLE_LIMIT)
    return title


def title_key(title: str) -> str:
    """Titles that a person would call the same have the same key."""
    return unicodedata.normalize("NFKC", title).casefold()
