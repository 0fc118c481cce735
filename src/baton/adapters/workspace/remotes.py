"""Remotes as they may be told: where they are, without what opens them."""

from __future__ import annotations

import re

_LONG = 300


def without_credentials(url: str) -> str:
    """The URL without user, password, query and fragment. A name before a host, as in `git@host:path`, may stay."""
    flat = "".join(character for character in url if character.isprintable())
    if "://" not in flat:
        return _short(re.sub(r"^[^/@:]*:[^/@]*@", "", flat))
    scheme, _, rest = flat.partition("://")
    host, slash, path = rest.partition("/")
    place = host.rpartition("@")[2]
    return _short(re.split(r"[?#]", f"{scheme}://{place}{slash}{path}")[0])


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
